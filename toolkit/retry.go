package toolkit

import (
	"context"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// retried is the layer Retry: attempts until one succeeds, [fault.Next] says
// that no further one may be made, or a bound is reached. It may be entered a
// second time after a refresh; the attempts count on.
func (ex *execution) retried(ctx context.Context) {
	var before *fault.Fault // of the attempt before, which has failed
	for {
		if !ex.ledgers() {
			ex.attempted(ctx)
		} else {
			ex.outcome = ex.ledgeredAttempt(ctx)
		}
		if ex.outcome.Fault == nil {
			ex.tool.kit.cfg.Retries.succeeded(ex.attempts)
			return
		}
		if ex.outcome.Kind == fault.KindNotRun && before != nil {
			// The function was entered before: that is what happened.
			f := *before
			f.Wait = max(f.Wait, ex.outcome.Fault.Wait)
			ex.outcome = ex.last(ctx, fault.Outcome{Kind: fault.KindFailed, Fault: &f})
			return
		}
		if ex.outcome.Kind != fault.KindFailed {
			return
		}
		o := ex.outcome
		again, end := ex.next(ctx, &o)
		if !again {
			ex.outcome = end
			return
		}
		if refusal := ex.pause(ctx, o); refusal != nil {
			ex.outcome = ex.last(ctx, *refusal)
			return
		}
		before = o.Fault
	}
}

// ledgeredAttempt makes one attempt under a claim. What an earlier attempt left
// open stays open.
func (ex *execution) ledgeredAttempt(ctx context.Context) fault.Outcome {
	o := ex.tool.kit.ledgered(ctx, ex, func(ctx context.Context) fault.Outcome {
		ex.attempted(ctx)
		return ex.outcome
	})
	if f := o.Fault; f != nil && o.Kind == fault.KindFailed {
		if f.Ran != fault.RanNo {
			ex.doubt = true
		} else if ex.doubt { // this attempt did nothing; whether the call did is still open
			open := *f
			open.Ran = fault.RanUnknown
			o.Fault = &open
		}
	}
	return o
}

// next decides about a failed attempt. Where there is none further, the second
// result is the outcome of the call.
func (ex *execution) next(ctx context.Context, o *fault.Outcome) (again bool, end fault.Outcome) {
	k := ex.tool.kit
	switch fault.Next(ex.tool.effect(), o.Fault, k.keyValid(ex), ex.tool.check != nil) {
	case fault.Again:
		if ex.mayRepeat(ctx) {
			return true, fault.Outcome{}
		}
	case fault.CheckIt:
		settled, step := k.settle(ctx, ex, *o)
		switch step {
		case fault.Again:
			ex.doubt, *o = false, settled
			return ex.mayRepeat(ctx), settled
		case fault.Ask:
			return false, ex.escalated(ctx, settled)
		}
		return false, settled
	}
	return false, ex.last(ctx, *o)
}

func (ex *execution) mayRepeat(ctx context.Context) bool {
	most := ex.tool.kit.cfg.MaxAttempts
	if ex.drained != nil {
		most = 1 // what fails waits on
	}
	return ex.attempts < most && ctx.Err() == nil && (ex.run == nil || ex.run.Halted() == nil)
}

// last is how a call ends that gets no further attempt. A write that may have
// happened is looked up or put before a person, never called failed.
func (ex *execution) last(ctx context.Context, o fault.Outcome) fault.Outcome {
	step := fault.Next(ex.tool.effect(), o.Fault, false, ex.tool.check != nil)
	if ex.tool.effect().Writes() && o.Fault.Action == fault.NoAction && o.Fault.Ran == fault.RanUnknown {
		step = fault.CheckIt // the caller has left; what it began is still to be settled
	}
	switch {
	case step == fault.CheckIt && ex.tool.check != nil:
		settled, step := ex.tool.kit.settle(ctx, ex, o)
		if step != fault.Ask {
			return settled
		}
		return ex.escalated(ctx, settled)
	case step == fault.CheckIt, step == fault.Ask:
		return ex.escalated(ctx, o)
	}
	return o
}

// escalated marks the outcome as unknown and opens a case for it. A fault that
// says nothing about what to do is in doubt like any other.
func (ex *execution) escalated(ctx context.Context, o fault.Outcome) fault.Outcome {
	o = fault.Conclude(ex.tool.effect(), o, false, false)
	if o.Kind == fault.KindFailed && o.Fault.Ran == fault.RanUnknown {
		f := *o.Fault
		f.Action = fault.Escalate
		o.Kind, o.Fault = fault.KindUnknown, &f
	}
	return ex.tool.kit.escalate(ctx, ex, o)
}

// pause waits before the next attempt: as long as the service asked for, and no
// shorter than the backoff. A wait that does not fit is not slept; the outcome
// that then ends the call says how long it would have been.
func (ex *execution) pause(ctx context.Context, o fault.Outcome) *fault.Outcome {
	k := ex.tool.kit
	wait := max(o.Fault.Wait, k.cfg.Backoff.Next(ex.attempts))
	if !fits(ctx, wait, k.cfg.MaxWait) || !k.cfg.Retries.take() {
		f := *o.Fault
		f.Wait = wait
		o.Fault = &f
		return &o
	}
	if ex.run != nil {
		var c runrecord.Call
		ex.describe(&c, &o)
		c.Seq, c.ArgsHash, c.Attempts, c.Waited = ex.seq, ex.hash, clamp(ex.attempts), ex.waited
		c.Detail = ex.details(&o, "")
		ex.run.Attempted(c, wait)
	}
	began := time.Now()
	err := sleep(ctx, wait)
	ex.waited += time.Since(began)
	if err != nil || ex.run != nil && ex.run.Halted() != nil {
		return &o
	}
	return nil
}

// fits reports whether a wait ends before the deadline, or, where there is
// none, is not longer than limit.
func fits(ctx context.Context, wait, limit time.Duration) bool {
	if wait <= 0 {
		return true
	}
	if deadline, ok := ctx.Deadline(); ok {
		return wait < time.Until(deadline)
	}
	return wait <= limit
}

// sleep waits, and returns early with the error of ctx.
func sleep(ctx context.Context, wait time.Duration) error {
	if wait <= 0 {
		return ctx.Err()
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	select {
	case <-timer.C:
		return ctx.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}
