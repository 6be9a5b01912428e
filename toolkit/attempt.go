package toolkit

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
)

// attempt is the context of one execution of a tool's function. It is found
// again by [attemptFrom] from any context derived from it, so that a transport
// below the function can read the idempotency key and report what it saw on the
// wire.
//
// It also is the timeout of the attempt, and a lazy one: a timer and a channel
// are only made for a function that asks for them, see [attempt.timed].
type attempt struct {
	parent context.Context
	until  time.Time             // the attempt's own deadline; zero: only the parent's
	timer  atomic.Pointer[timer] // nil: nobody has asked for Done
	remote string                // idempotency key for the service; set before the function is entered
	effect fault.Effect          // of what is called: that of the tool; Read for its Check and Await, which only look
	wire   atomic.Pointer[wire]  // nil: nothing was reported
}

// attemptKey is the context key under which an attempt finds itself.
type attemptKey struct{}

// attemptFrom returns the attempt that ctx belongs to, nil outside a wrapped call.
func attemptFrom(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// key is the idempotency key to hand to the service, "" for none.
func (a *attempt) key() string { return a.remote }

// onWire is where transports report.
func (a *attempt) onWire() *wire {
	if w := a.wire.Load(); w != nil {
		return w
	}
	a.wire.CompareAndSwap(nil, &wire{})
	return a.wire.Load()
}

// reported says whether a transport has reported anything.
func (a *attempt) reported() bool { return a.wire.Load() != nil }

// seen returns what is known of the request that err is about, and the last
// answer; see [wire.seen].
func (a *attempt) seen(err error) (fault.Sent, fault.Response) {
	if w := a.wire.Load(); w != nil {
		return w.seen(err)
	}
	return fault.SentUnknown, fault.Response{}
}

// IdempotencyKey returns the key that the running call should hand to its
// service, "" where there is none. [Transport] sends it by itself; a function
// that talks to its service in another way reads it here.
func IdempotencyKey(ctx context.Context) string {
	if a := attemptFrom(ctx); a != nil {
		return a.key()
	}
	return ""
}

// Handled says that the function has dealt with the HTTP responses so far. A
// function whose requests go through [Transport] and which returns no error
// after a status of 400 or more is otherwise taken to have overlooked it, and
// its call fails with that status.
//
// Where more than one request was made it need not be called for a failed read
// after which the function made another request, nor for a failed write that was
// repeated with success, or followed by another write to the same thing (update,
// or else create). It does not take back that a request may have done something.
// Outside a wrapped call it does nothing.
func Handled(ctx context.Context) {
	if a := attemptFrom(ctx); a != nil && a.reported() {
		a.onWire().handled()
	}
}
