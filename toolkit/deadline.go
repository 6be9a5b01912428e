package toolkit

import (
	"context"
	"time"

	"github.com/failloud/failloud/runrecord"
)

// timer is the standard library's context with a deadline, which an attempt
// becomes once somebody listens to it.
type timer struct {
	context.Context
	cancel context.CancelFunc
}

// timed is the context that has the attempt's deadline. It is made at the first
// call; most functions that only pass their context on as a value, or look at
// Err, never need it.
func (a *attempt) timed() context.Context {
	if a.until.IsZero() {
		return a.parent
	}
	if t := a.timer.Load(); t != nil {
		return t
	}
	ctx, cancel := context.WithDeadline(a.parent, a.until)
	if !a.timer.CompareAndSwap(nil, &timer{ctx, cancel}) {
		cancel() // another goroutine of the function was faster
	}
	return a.timer.Load()
}

// end releases the timer. Whoever still holds the context finds it cancelled,
// as with any context whose work is over.
func (a *attempt) end() {
	if a.until.IsZero() {
		return
	}
	if a.timer.Load() == nil && a.timer.CompareAndSwap(nil, &over) {
		return
	}
	a.timer.Load().cancel()
}

// over is what an attempt becomes that ends before anybody listened.
var over = func() timer {
	ctx, cancel := context.WithCancel(context.Background())
	cancel()
	return timer{ctx, cancel}
}()

// Deadline is the nearer one of the attempt's and its parent's.
func (a *attempt) Deadline() (time.Time, bool) {
	if a.until.IsZero() {
		return a.parent.Deadline()
	}
	if parents, ok := a.parent.Deadline(); ok && parents.Before(a.until) {
		return parents, true
	}
	return a.until, true
}

// Done makes the timer.
func (a *attempt) Done() <-chan struct{} { return a.timed().Done() }

// Err needs no timer to know that the time is up.
func (a *attempt) Err() error {
	if a.until.IsZero() || a.timer.Load() != nil {
		return a.timed().Err()
	}
	if err := a.parent.Err(); err != nil {
		return err
	}
	if time.Now().Before(a.until) {
		return nil
	}
	return a.timed().Err()
}

// Value finds the attempt itself. Everything else is asked of the context that
// has the deadline, once there is one: that is how contexts derived from this
// one find it, and are cancelled with it.
func (a *attempt) Value(key any) any {
	switch key.(type) {
	case attemptKey:
		return a
	case runrecord.CallKey:
		return runrecord.FromContext(a.parent)
	}
	if t := a.timer.Load(); t != nil && t != &over {
		return t.Value(key)
	}
	return a.parent.Value(key)
}
