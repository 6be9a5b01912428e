package toolkit

import (
	"context"

	"github.com/failloud/failloud/fault"
)

// limited is the context of a call whose run has a limit of time that is nearer
// than the caller's deadline; nil for other calls. All that a call does and waits
// for is under it. It is lazy as that of an attempt is.
func (ex *execution) limited(ctx context.Context) *attempt {
	until, limited := ex.run.Deadline()
	if !limited {
		return nil
	}
	if callers, ok := ctx.Deadline(); ok && !until.Before(callers) {
		return nil
	}
	return &attempt{parent: ctx, until: until}
}

// overran aborts the run where its time has ended the call. What waited and was
// never entered then says so, instead of having been cancelled by nobody.
func (ex *execution) overran(limit *attempt) {
	if ex.outcome.Fault == nil || limit.Err() == nil {
		return
	}
	if err := ex.run.TimeUp(); err != nil && ex.outcome.Kind == fault.KindNotRun && ex.outcome.Reason() == fault.ReasonCancelled {
		ex.outcome = notRun(*refused(err))
	}
}
