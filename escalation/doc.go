// Package escalation puts questions before persons: whether a payment whose
// reply was lost went through, and whether a call may be made at all.
//
// A [Case] is nothing of its own. It is how a person sees a row of the ledger
// that is escalated or awaits approval: what was attempted and when, what the
// service answered, what a Check found out, under which keys to search at the
// provider, and what each choice does. Deciding changes that row and nothing
// else, in one write; there is no second place that could disagree.
//
//	desk, err := escalation.New(escalation.Config{Ledger: ledger, Redact: redact, Notify: pager})
//	cases, err := desk.List(ctx, escalation.Filter{})
//	d := cases[0].Decide(idempotency.WentThrough, "maria")
//	d.Result = receipt
//	_, err = desk.Resolve(ctx, d)
//
// A decision is bound to what was shown: the row, its epoch, the arguments. It
// can be used once. A case that runs out of time is neither a yes nor a no: an
// approval that nobody gave is recorded as expired, and work that may have
// happened stays blocked until somebody knows. The same doubt about a later
// attempt is a new case.
//
// The agent goes on where it waits in this process, by [Config.Closed]. A
// decision made elsewhere is found by the agent's own recovery loop, which also
// makes the call that somebody has approved or wants to be made again.
//
// Of every open case somebody is told at least once ([Config.Notify]): by whoever
// opened it, or, where that process died or the pager was down, by the next pass
// of [Desk.Announce] in any process. [NewLog] writes cases to a log, [Notifiers]
// tells several.
//
// Calls are held for approval by [idempotency.Ledger.Hold], as package toolkit does
// for a tool that asks for it.
package escalation
