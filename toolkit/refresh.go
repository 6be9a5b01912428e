package toolkit

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// refreshTimeout bounds a refresh hook, which runs on its own and not for the
// one caller that happened to need it first.
const refreshTimeout = 30 * time.Second

// refreshPause is how long a hook that failed is left alone: a hundred calls
// that come back with the same dead credential are told what the first one was.
const refreshPause = 30 * time.Second

// refreshGrace is how long a hook whose time is over has to return its own error.
const refreshGrace = time.Second

// refresher renews the credential of an upstream: one refresh at a time, none
// for a caller whose failure is older than the last one, and none for a while
// after one that failed.
type refresher struct {
	turn       chan struct{} // held by the hook that runs; all parts of an upstream share it
	generation atomic.Uint64 // successful refreshes so far
	mu         sync.Mutex
	running    *refreshing
	failed     error     // of the last hook, while no refresh has succeeded since
	again      time.Time // when a hook may be tried again after it failed
}

// refreshing is a refresh under way; err may be read once done is closed.
type refreshing struct {
	done    chan struct{}
	overdue chan struct{} // closed where the hook ignores that its time is over
	err     error
}

// refresh returns nil when the credential is newer than the generation that
// the failed attempt used.
func (r *refresher) refresh(ctx context.Context, used uint64, hook func(context.Context) error) error {
	r.mu.Lock()
	if r.generation.Load() != used {
		r.mu.Unlock()
		return nil
	}
	flight := r.running
	if flight == nil && r.failed != nil && time.Now().Before(r.again) {
		defer r.mu.Unlock()
		return r.failed
	}
	if flight == nil {
		flight = &refreshing{done: make(chan struct{}), overdue: make(chan struct{})}
		r.running = flight
		go r.fly(context.WithoutCancel(ctx), flight, hook)
	}
	r.mu.Unlock()
	select {
	case <-flight.done:
		return flight.err
	case <-flight.overdue:
		return errOverdue
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fly runs the hook, once it is its turn. Also where it panics or ends its
// goroutine, those who wait are told.
func (r *refresher) fly(ctx context.Context, flight *refreshing, hook func(context.Context) error) {
	defer close(flight.done)
	queue := time.NewTimer(refreshTimeout)
	defer queue.Stop()
	select {
	case r.turn <- struct{}{}:
	case <-queue.C:
		flight.err = errNoTurn
		r.land(flight, 0)
		return
	}
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	pass := sync.OnceFunc(func() { <-r.turn })
	late := time.AfterFunc(refreshTimeout+refreshGrace, func() { close(flight.overdue); pass() })
	flight.err = errNoReturn
	defer func() {
		late.Stop()
		pass()
		if p := recover(); p != nil {
			flight.err = newPanicError("the refresh hook", p)
		}
		r.land(flight, refreshPause)
	}()
	flight.err = hook(ctx)
}

// land ends a flight. Where it has failed, none follows for the length of pause.
func (r *refresher) land(flight *refreshing, pause time.Duration) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if flight.err == nil {
		r.generation.Add(1)
	}
	r.failed, r.again = flight.err, time.Now().Add(pause)
	r.running = nil
}

var (
	errNoReturn = errors.New("toolkit: the refresh hook ended its goroutine and did not return")
	errNoTurn   = fmt.Errorf("toolkit: the refresh hook was busy for other parts of the upstream for %v", refreshTimeout)
	errOverdue  = fmt.Errorf("toolkit: the refresh hook has not returned within %v, and ignores that its time is over", refreshTimeout)
)

// ErrRefresh is matched by every [RefreshError].
var ErrRefresh = errors.New("toolkit: the credential was not refreshed")

// RefreshError stands beside the cause of a call that was refused for its
// credential, where the upstream's Refresh hook has not got a new one.
type RefreshError struct {
	Upstream string // its name
	Cause    error  // of the call
	Err      error  // what the hook returned
}

// Error is the text of both.
func (e *RefreshError) Error() string {
	s := fmt.Sprintf("the credential of upstream %s was not refreshed: %v", e.Upstream, e.Err)
	if e.Cause != nil {
		s = fmt.Sprintf("%v; %s", e.Cause, s)
	}
	return s
}

// Is matches [ErrRefresh].
func (e *RefreshError) Is(target error) bool { return target == ErrRefresh }

// Unwrap returns both.
func (e *RefreshError) Unwrap() []error { return []error{e.Cause, e.Err} }
