package toolkit

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"time"
)

// refreshTimeout bounds a refresh hook, which runs on its own and not for the
// one caller that happened to need it first.
const refreshTimeout = 30 * time.Second

// refresher renews the credential of an upstream: one refresh at a time, and
// none for a caller whose failure is older than the last one.
type refresher struct {
	generation atomic.Uint64 // successful refreshes so far
	mu         sync.Mutex
	running    *refreshing
}

// refreshing is a refresh under way; err may be read once done is closed.
type refreshing struct {
	done chan struct{}
	err  error
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
	if flight == nil {
		flight = &refreshing{done: make(chan struct{})}
		r.running = flight
		go r.fly(context.WithoutCancel(ctx), flight, hook)
	}
	r.mu.Unlock()
	select {
	case <-flight.done:
		return flight.err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// fly runs the hook. Also where it panics or ends its goroutine, those who wait
// are told.
func (r *refresher) fly(ctx context.Context, flight *refreshing, hook func(context.Context) error) {
	ctx, cancel := context.WithTimeout(ctx, refreshTimeout)
	defer cancel()
	flight.err = errRefresh
	defer func() {
		if p := recover(); p != nil {
			flight.err = newPanicError("the refresh hook", p)
		}
		r.mu.Lock()
		if flight.err == nil {
			r.generation.Add(1)
		}
		r.running = nil
		r.mu.Unlock()
		close(flight.done)
	}()
	flight.err = hook(ctx)
}

var errRefresh = errors.New("toolkit: the refresh hook did not return")
