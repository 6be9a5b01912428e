package toolkit

import (
	"context"
	"net/http"
	"sync"
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
	wire   atomic.Pointer[wire]  // nil: nothing was reported
}

// wire is what transports reported about an attempt. Most tools have none, so it
// is made by the first report. Writers of requests run on goroutines of their
// own, and may outlive the attempt.
type wire struct {
	mu   sync.Mutex
	sent fault.Sent     // whether a request was written
	resp fault.Response // last response, Status 0 for none

	keys requestKeys // of the requests that were handed the key
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

// dialing says that a request is about to be sent: until wrote is called,
// nothing has left this process.
func (a *attempt) dialing() {
	w := a.onWire()
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.sent == fault.SentUnknown {
		w.sent = fault.SentNo
	}
}

// wrote says that a request was written, at least in part. It stays so for the
// whole attempt: a second request that never left does not undo the first.
func (a *attempt) wrote() {
	w := a.onWire()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = fault.SentYes
}

// responded keeps the last response: its status, headers, and as much of the
// body as was read; truncated says that there was more.
func (a *attempt) responded(status int, h http.Header, body []byte, truncated bool) {
	w := a.onWire()
	w.mu.Lock()
	defer w.mu.Unlock()
	w.sent = fault.SentYes
	w.resp = fault.Response{Status: status, Header: h, Body: body, Truncated: truncated}
}

// reported says whether a transport has reported anything.
func (a *attempt) reported() bool { return a.wire.Load() != nil }

// seen returns what was reported so far.
func (a *attempt) seen() (fault.Sent, fault.Response) {
	w := a.wire.Load()
	if w == nil {
		return fault.SentUnknown, fault.Response{}
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.sent, w.resp
}

// handled forgets the last response.
func (a *attempt) handled() {
	if w := a.wire.Load(); w != nil {
		w.mu.Lock()
		defer w.mu.Unlock()
		w.resp = fault.Response{}
	}
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

// Handled says that the function has dealt with the last HTTP response itself.
// A function whose requests go through [Transport] and which returns no error
// after a status of 400 or more is otherwise taken to have overlooked it, and
// its call fails with that status. Outside a wrapped call it does nothing.
func Handled(ctx context.Context) {
	if a := attemptFrom(ctx); a != nil {
		a.handled()
	}
}
