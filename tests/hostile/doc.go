// Package hostile lets upstreams, models and programs say the worst, and looks
// for it everywhere a run leaves something behind: nothing of it may instruct
// a model or a user, no credential may be found anywhere, and nothing may grow
// with what was said. It contains tests only.
package hostile
