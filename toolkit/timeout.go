package toolkit

import (
	"context"
	"errors"
	"strings"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
)

// timed is the innermost layer, Timeout: it enters the tool's function once,
// under its own limit where the caller's is not nearer, and judges what comes
// back. A result that arrived is kept, also when the context has ended since.
func (ex *execution) timed(ctx context.Context) {
	a := ex.begin(ctx)
	defer a.end()
	if err := ex.enter(a); err != nil {
		ex.outcome = ex.judge(ctx, a, err)
		return
	}
	ex.success()
}

// begin makes the context of the next attempt. Only the first one is part of
// the call's own allocation: what is left of an earlier attempt must not write
// into a later one.
func (ex *execution) begin(ctx context.Context) *attempt {
	if ex.attempts == 0 {
		ex.now = ex.first
	} else {
		ex.now = &attempt{}
	}
	ex.now.parent, ex.now.remote, ex.now.effect = ctx, ex.remote, ex.tool.effect()
	ex.now.limitedTo(ex.tool.timeout)
	ex.attempts++
	ex.generation = ex.up.credential.generation.Load()
	return ex.now
}

// limitedTo gives the attempt a deadline of its own, unless ctx ends before.
func (a *attempt) limitedTo(limit time.Duration) {
	if limit <= 0 {
		return
	}
	until := time.Now().Add(limit)
	if parents, ok := a.parent.Deadline(); !ok || until.Before(parents) {
		a.until = until
	}
}

// enter calls the tool's function. A panic comes back as a [*PanicError].
func (ex *execution) enter(ctx context.Context) (err error) {
	if ex.tool.isolate {
		return ex.isolated(ctx)
	}
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("the tool", p)
		}
	}()
	return ex.tool.call(ctx, ex.in, ex.out)
}

// isolated calls the function on a goroutine of its own, with a result of its
// own, so that nothing is shared with a function that is left behind.
func (ex *execution) isolated(ctx context.Context) error {
	k, call, in, out := ex.tool.kit, ex.tool.call, ex.in, ex.tool.newOut()
	done := make(chan error, 1)
	var settled atomic.Bool // by whoever is first: the function that ends, or the caller that leaves
	go func() {
		err := errGoexit
		defer func() {
			if p := recover(); p != nil {
				err = newPanicError("the tool", p)
			}
			if settled.CompareAndSwap(false, true) {
				done <- err
			} else {
				k.abandoned.Add(-1)
			}
		}()
		err = call(ctx, in, out)
	}()
	select {
	case err := <-done:
		ex.tool.move(ex.out, out)
		return err
	case <-ctx.Done():
	}
	k.abandoned.Add(1)
	if settled.CompareAndSwap(false, true) {
		return &abandonedError{context.Cause(ctx)}
	}
	k.abandoned.Add(-1) // it came just now
	err := <-done
	ex.tool.move(ex.out, out)
	return err
}

// abandonedError is the cause of a call whose function was left behind.
type abandonedError struct{ err error }

func (e *abandonedError) Error() string {
	return "toolkit: the tool did not stop with its context and was left behind: " + e.err.Error()
}

func (e *abandonedError) Unwrap() error { return e.err }

// Codes of a timeout: whose limit it was.
const (
	codeToolTimeout    = "tool_timeout"
	codeCallerDeadline = "caller_deadline"
	codeRunLimit       = "run_limit"
)

// ErrTimeout is matched by every [TimeoutError].
var ErrTimeout = errors.New("toolkit: timed out")

// TimeoutError is the cause of an attempt that ran out of time. It says whose
// limit ended it: the tool's own, the deadline the caller came with, or the
// limit of time of the run, which is then aborted.
type TimeoutError struct {
	Limit time.Duration // the tool's timeout; 0: the limit was not the tool's
	Run   bool          // it was the run's limit of time; false and no Limit: the caller's deadline
	Err   error         // what the function returned
}

// Error names the limit.
func (e *TimeoutError) Error() string {
	switch {
	case e.Run:
		return "toolkit: the run's limit of time passed"
	case e.Limit == 0:
		return "toolkit: the caller's deadline passed"
	}
	return "toolkit: the tool's timeout of " + e.Limit.String() + " passed"
}

// Is matches [ErrTimeout].
func (e *TimeoutError) Is(target error) bool { return target == ErrTimeout }

// Unwrap returns what the function returned.
func (e *TimeoutError) Unwrap() error { return e.Err }

// Timeout makes it a timeout for whoever asks by behaviour.
func (e *TimeoutError) Timeout() bool { return true }

// expired explains an error by the context that ended, where it does: the
// function said so, or it said nothing that has a meaning of its own.
func (ex *execution) expired(caller, own context.Context, err error) (code string, explained error) {
	if own.Err() == nil {
		return "", err
	}
	_, answered := ex.now.seen(err)
	if !errors.Is(err, own.Err()) && (answered.Status >= 400 || isAnswer(err)) {
		return "", err
	}
	switch {
	case caller.Err() == nil:
		return codeToolTimeout, &TimeoutError{Limit: ex.tool.timeout, Err: err}
	case errors.Is(caller.Err(), context.DeadlineExceeded) && ex.run.TimeUp() != nil:
		return codeRunLimit, &TimeoutError{Run: true, Err: err}
	case errors.Is(caller.Err(), context.DeadlineExceeded):
		return codeCallerDeadline, &TimeoutError{Err: err}
	case errors.Is(context.Cause(caller), ErrLeaseLost):
		return "", errors.Join(context.Cause(caller), err)
	case errors.Is(err, context.Canceled):
		return "", err
	}
	return "", errors.Join(context.Canceled, err)
}

// isAnswer reports whether err is what a service answered, and not what became
// of a request that was cut short.
func isAnswer(err error) bool {
	f := (&fault.Classifier{}).Classify(&fault.Signal{Err: err}).Fault
	return f != nil && (f.Status >= 400 || strings.HasPrefix(f.Rule, "grpc")) &&
		f.Reason != fault.ReasonTimeout && f.Reason != fault.ReasonCancelled
}

// judge turns the error that the function returned into the outcome of the attempt.
func (ex *execution) judge(caller, own context.Context, err error) fault.Outcome {
	if q, ok := qualified(err); ok {
		return ex.qualified(q)
	}
	code, err := ex.expired(caller, own, err)
	o := ex.failure(err, code != "")
	if f := o.Fault; f != nil && code != "" && f.Reason == fault.ReasonTimeout && f.Code == "" {
		named := *f
		named.Code = code
		o.Fault = &named
	}
	return o
}
