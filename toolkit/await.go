package toolkit

import (
	"context"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/backoff"
)

// awaitLimit bounds the polling of a pending call whose context has no deadline.
const awaitLimit = 5 * time.Minute

// pollPause is how long to wait before asking again how far a call is.
var pollPause = backoff.Policy{Base: time.Second, Max: 15 * time.Second, Spread: 0.2}

// attempted is one attempt as the ledger sees it: a pending call is polled to
// its end under the same claim, and outside the timeout of the request.
func (ex *execution) attempted(ctx context.Context) {
	ex.guarded(ctx)
	if ex.outcome.Kind != fault.KindPending || ex.tool.await == nil {
		return
	}
	end := time.Now().Add(awaitLimit)
	for polls := 1; ; polls++ {
		wait := pollPause.Next(polls)
		if !fits(ctx, wait, time.Until(end)) || sleep(ctx, wait) != nil {
			return
		}
		err := ex.poll(ctx)
		q, marked := qualified(err)
		switch {
		case err == nil:
			ex.success()
			return
		case marked && !q.pending:
			ex.outcome = ex.qualified(q)
			return
		case marked || ctx.Err() != nil:
			continue
		}
		if failed := ex.pollFailed(err); failed.Kind != fault.KindFailed || !failed.Fault.Transient() {
			ex.outcome = failed
			return
		}
	}
}

// poll asks once, in a context of its own: what it sees on the wire is what
// counts now, not the answer that accepted the work.
func (ex *execution) poll(ctx context.Context) (err error) {
	ex.now = &attempt{parent: ctx, remote: ex.remote, effect: fault.Read}
	ex.now.limitedTo(ex.tool.timeout)
	defer ex.now.end()
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("its Await", p)
		}
	}()
	return ex.tool.await(ex.now, ex.in, ex.out)
}

// pollFailed judges an error of a poll. That the question failed does not mean
// that the work did not happen, unless the tool itself says so.
func (ex *execution) pollFailed(err error) fault.Outcome {
	o := ex.failure(err, false)
	if _, said := fault.As(err); o.Kind == fault.KindFailed && !said {
		f := *o.Fault
		f.Ran = fault.RanUnknown
		o.Fault = &f
	}
	return o
}
