package toolkit

import (
	"context"
	"errors"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/breaker"
)

// guarded is the layer Breaker: the attempt passes the gates of its upstream
// and tells the upstream how it ended, on every path.
func (ex *execution) guarded(ctx context.Context) {
	up := ex.up
	gated := up.gated()
	if gated {
		if refusal := up.enter(ctx, ex.tool.kit.cfg.MaxWait); refusal != nil {
			ex.outcome = notRun(*refusal)
			return
		}
	}
	if gated || ex.tool.effect() != fault.Read { // it may have waited, there or for its claim
		if refusal := ex.stopped(ctx); refusal != nil {
			up.leave()
			ex.outcome = notRun(*refusal)
			return
		}
	}
	ticket, err := up.breaker.Allow()
	if err != nil {
		up.leave()
		ex.outcome = notRun(breakerOpen(err))
		return
	}
	result := breaker.Failure // what a goroutine that never comes back leaves behind
	defer func() {
		ticket.Done(result, ex.ends())
		up.leave()
	}()
	ex.timed(ctx)
	result = weigh(&ex.outcome)
	if f := ex.outcome.Fault; f != nil && f.Reason == fault.ReasonRateLimit {
		up.cooling.ask(max(f.Wait, ex.tool.kit.cfg.Backoff.Delay(1, 0)))
	}
}

// ends reads the clock at the end of an attempt: once, for breaker and record.
func (ex *execution) ends() time.Time {
	if ex.run == nil {
		return time.Now()
	}
	ex.ended = ex.run.Elapsed()
	return ex.run.Started().Add(ex.ended)
}

// weigh says what an outcome tells about the upstream's health. What the caller
// did wrong, what a limit or a credential refuses, and a cancellation say
// nothing; an answer that cannot be read does.
func weigh(o *fault.Outcome) breaker.Result {
	switch o.Kind {
	case fault.KindOK, fault.KindPending:
		return breaker.Success
	case fault.KindFailed, fault.KindUnknown:
	default:
		return breaker.Neutral
	}
	switch o.Reason() {
	case fault.ReasonTimeout:
		if o.Fault.Code == codeCallerDeadline || o.Fault.Code == codeRunLimit {
			return breaker.Neutral
		}
		return breaker.Failure
	case fault.ReasonNetwork, fault.ReasonServerError, fault.ReasonOverloaded,
		fault.ReasonMalformedResponse, fault.ReasonPanic, fault.ReasonUnknown:
		return breaker.Failure
	}
	return breaker.Neutral
}

// stopped says why a call that has waited may no longer be made, nil: it may. Its
// run can be over by now.
func (ex *execution) stopped(ctx context.Context) *fault.Fault {
	if ctx.Err() != nil {
		return &fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:context", Err: context.Cause(ctx)}
	}
	if ex.run == nil {
		return nil
	}
	if err := ex.run.Halted(); err != nil {
		return refused(err)
	}
	return nil
}

// gated reports whether there is anything that a caller might have to wait for.
func (u *Upstream) gated() bool {
	return u.limiter != nil || u.slots != nil || u.cooling.until.Load() != nil
}

// enter passes the gates that may make a caller wait: the pause after a 429,
// the rate and the number of attempts under way. Every nil has to be followed by
// a [Upstream.leave].
func (u *Upstream) enter(ctx context.Context, maxWait time.Duration) *fault.Fault {
	if after, open := u.breaker.Open(); open { // no use in waiting for that
		f := breakerOpen(&breaker.OpenError{After: after})
		return &f
	}
	for range maxRounds {
		for wait := u.cooling.wait(); wait > 0; wait = u.cooling.wait() {
			if refusal := stay(ctx, wait, maxWait, "toolkit:cooling"); refusal != nil {
				return refusal
			}
		}
		if refusal := u.queue(ctx, maxWait); refusal != nil {
			return refusal
		}
		if !u.cooling.active() {
			return nil
		}
		u.leave() // a pause has begun while this call was in the queue
	}
	return &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Rule: "toolkit:cooling", Wait: u.cooling.left()}
}

// maxRounds bounds how many pauses one attempt waits for.
const maxRounds = 8

// queue waits for the rate and for a slot. Every nil has to be followed by a
// [Upstream.leave].
func (u *Upstream) queue(ctx context.Context, maxWait time.Duration) *fault.Fault {
	if u.limiter != nil {
		turn := u.limiter.Reserve()
		if refusal := stay(ctx, turn.Delay(), maxWait, "toolkit:rate"); refusal != nil {
			turn.Cancel()
			return refusal
		}
	}
	if u.slots != nil {
		return u.slot(ctx, maxWait)
	}
	return nil
}

func (u *Upstream) slot(ctx context.Context, maxWait time.Duration) *fault.Fault {
	select {
	case u.slots <- struct{}{}:
		return nil
	default:
	}
	timer := time.NewTimer(maxWait)
	defer timer.Stop()
	select {
	case u.slots <- struct{}{}:
		return nil
	case <-timer.C:
		return &fault.Fault{Reason: fault.ReasonOverloaded, Rule: "toolkit:concurrency"}
	case <-ctx.Done():
		return &fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:concurrency", Err: context.Cause(ctx)}
	}
}

func (u *Upstream) leave() {
	if u.slots != nil {
		<-u.slots
	}
}

// stay keeps a caller away for a while, or refuses it where that is too long.
func stay(ctx context.Context, wait, limit time.Duration, rule string) *fault.Fault {
	if !fits(ctx, wait, limit) {
		return &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Rule: rule, Wait: wait}
	}
	if wait > 0 && sleep(ctx, wait) != nil {
		return &fault.Fault{Reason: fault.ReasonCancelled, Rule: rule, Err: context.Cause(ctx)}
	}
	return nil
}

func breakerOpen(err error) fault.Fault {
	f := fault.Fault{Reason: fault.ReasonBreakerOpen, Rule: "toolkit:breaker", Err: err}
	if refusal, ok := errors.AsType[*breaker.OpenError](err); ok {
		f.Wait = refusal.After
	}
	return f
}
