// Package idempotency is the durable memory of what was intended and what
// happened, one row a piece of work. Its promise is not "exactly once", which
// nobody can keep across a network, but this: work is never started twice
// without proof, and never called failed when it may have happened.
//
// A call claims its key before it executes, and says afterwards how it ended:
//
//	key, err := idempotency.Derive(ctx, idempotency.Piece{Tool: "pay_invoice", Keyed: true, Business: "4711"})
//	claim, err := ledger.Claim(ctx, idempotency.Intent{Key: key, Effect: fault.Write, Args: args})
//	switch claim.Answer {
//	case idempotency.Execute: // this call, and no other, may run now
//	case idempotency.Replay:  // done before: claim.Result
//	case idempotency.InDoubt: // it may have happened: nothing is started
//	}
//
// # States
//
//	absent    → running | awaiting_approval
//	ready     → running                   under a new epoch
//	          → unknown, escalated        it may have happened, and is no longer safe to repeat
//	deferred  → running, or escalated when it has gone stale
//	running   → succeeded
//	          → ready                     not done, or safe to repeat
//	          → deferred                  refused before it was dispatched
//	          → failed                    refused for good
//	          → unknown                   ambiguous end, or lease lost after dispatch
//	unknown   → succeeded                 a Check, or a late success
//	          → ready                     a Check says not done, or safe to repeat
//	          → escalated                 only a person can tell
//	escalated → succeeded | ready | failed | rejected
//	awaiting_approval → ready | rejected
//
// A row waits for approval only after [Ledger.Hold], and is deferred only by
// [Claim.Postpone]. Somebody is told of every open case ([Ledger.Announce]).
//
// A success that arrives while nothing runs settles a ready row too, whatever
// had been found out before: it is done.
//
// The rules are one pure function, [Apply]: a row, a command, a time. A [Store]
// loads, applies and saves; it decides nothing, so the suite in idempotencytest
// proves them all. Every write carries the epoch and appends an event.
//
// # What holds
//
// A terminal state has no exit. Only proof clears MayHaveApplied: a Check after
// the settling time, or a person. Time alone never makes a dispatched call
// runnable. A writer that lost its claim is fenced, except that neither its success
// nor its doubt is thrown away: either is better evidence than what was found out
// meanwhile. When the store does not answer, a write is not executed;
// when it fails to save a success, the result counts ([ErrNotRecorded]) and the
// ledger goes on trying.
package idempotency
