// Package breaker is a circuit breaker that costs a success almost nothing.
//
// The state machine (closed, open, half-open) is gobreaker's. What is added is
// the counting of successes: while the breaker is closed they go into a small
// window of atomic counters beside it, so that a healthy upstream never takes a
// lock. Failures, and everything that happens while the breaker is not closed,
// go through gobreaker.
//
// A caller takes a [Ticket] before the call and hands it back with a [Result]
// after it. [Neutral] is neither success nor failure: it does not move the
// counts, and a neutral probe leaves its place to the next one. A ticket that
// was taken before the breaker changed its state is ignored when it comes back.
package breaker
