// Package audit judges past runs: it replays a transcript as a run, classifies
// what every call returned, and asks the guard whether the answer should have
// left. Nothing of a transcript is executed or fetched.
package audit
