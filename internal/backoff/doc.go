// Package backoff says how long to wait before the next attempt.
//
// A [Policy] is a value: the delay is a pure function of the number of the
// attempt and of one random number, so that a policy can be shared, compared
// and tested. What a server asked for is the caller's business: the longer of
// the two waits is the one to keep.
package backoff
