// Package fault decides what went wrong with one call of a tool, and what code
// may do about it, before a model sees anything.
//
// A [Signal] is all that is known about the end of one attempt: an error, an
// HTTP response with its body, the result of an MCP call, the exit of a
// command, a Go value, a text. A [Classifier] turns it into an [Outcome]: ok
// (empty, partial, truncated, stale), pending, denied, or failed with a
// [Fault]. The fault has a [Reason], an [Action] and [Ran]: whether the effect
// happened.
//
//	var c fault.Classifier
//	o := c.Classify(&fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 401}})
//	// o.Fault: auth, fail_fast, ran no
//
// # How it decides
//
// Detectors are asked in a fixed order, and the first that knows decides. Own
// detectors come first, then the tool's declared [Rules], then the built-in
// ones ([Defaults]). Inside an answer the evidence is weighed:
//
//   - A code that means one thing ("rate_limited", "ExpiredToken", SQLSTATE
//     40001) beats any status.
//   - A status that means one thing (401, 413, 429), or a code that names one
//     ("NOT_FOUND"), beats words. A 403 or 429 that is a budget is one.
//   - A known phrase beats a status that says little (400, 422, 500).
//   - A common phrase ("not found", "invalid") beats nothing.
//
// A 2xx is not a success until its body says so: ok:false, an error member that
// is not blank, GraphQL errors, a batch with failed items, a login page, cut
// JSON. A word like "error" inside a document is not a failure: of a text the
// whole must be the complaint.
//
// # The default table
//
//	never sent: refused, dial timeout      network            ran no       retry
//	unknown host, certificate, redirects   network            ran no       fail fast
//	timeout, reset, EOF after sending      timeout, network   ran unknown  retry
//	408, 425                               timeout            ran no       retry
//	429                                    rate_limit         ran no       retry
//	  a budget, a wait of hours; money     quota; billing     ran no       fail fast
//	500, 502, 504                          server_error       ran unknown  retry
//	503, 529                               overloaded         ran unknown  retry
//	  with Retry-After or a throttle code                     ran no
//	501, 505, 511                          server_error       ran no       fail fast
//	401, 407                               auth               ran no       fail fast
//	402                                    payment_required   ran no       fail fast
//	403                                    permission         ran no       fail fast
//	404, 410                               not_found          ran no       fail fast
//	409, 412, 423, 428                     conflict           ran no       fail fast
//	  a lock, a serialisation                                              retry
//	413                                    payload_too_large  ran no       fail fast
//	400, 422, other 4xx                    invalid_args       ran no       fail fast
//	2xx, unreadable                        malformed_response ran yes      retry
//	2xx that says it failed                its cause, else soft_error      fail fast
//	a batch with failed items              partial            ran yes      retry
//	exit other than 0                      command_failed     ran yes      fail fast
//	exit 124, 137, killed                  timeout            ran unknown  retry
//	cancelled by the caller                cancelled                       none
//	anything else                          unknown            ran unknown  fail fast
//
// # What code may do
//
// [Next] is the one rule about repeating: a read may be repeated after anything
// transient, a write only where nothing ran, where the service honours the same
// key, or after a check. [Conclude] ends a call: a write of which nobody can
// tell whether it happened is [KindUnknown], never a success and never a plain
// failure. [RetryAfter] reads how long to wait. [Line] is what the model sees:
// enumerations and the tool's own name, no byte of the upstream.
//
// A tool says more than its error does with [NotRun], [Permanent] and [Denied],
// or by returning a *[Fault].
package fault
