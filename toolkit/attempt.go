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
// wire. Everything that a transport may touch is behind the mutex: request
// writers run on goroutines of their own, and may outlive the attempt.
type attempt struct {
	parent context.Context

	reported atomic.Bool // something below was set: a call that sees no wire skips the lock
	mu       sync.Mutex
	remote   string         // idempotency key for the service
	sent     fault.Sent     // whether a request was written
	resp     fault.Response // last response, Status 0 for none

	keys requestKeys // of the requests that were handed the key
}

// attemptKey is the context key under which an attempt finds itself.
type attemptKey struct{}

// attemptFrom returns the attempt that ctx belongs to, nil outside a wrapped call.
func attemptFrom(ctx context.Context) *attempt {
	a, _ := ctx.Value(attemptKey{}).(*attempt)
	return a
}

// Deadline, Done, Err and Value make the attempt a context: its parent's, with
// itself as the one value added.
func (a *attempt) Deadline() (time.Time, bool) { return a.parent.Deadline() }
func (a *attempt) Done() <-chan struct{}       { return a.parent.Done() }
func (a *attempt) Err() error                  { return a.parent.Err() }
func (a *attempt) Value(key any) any {
	if _, ok := key.(attemptKey); ok {
		return a
	}
	return a.parent.Value(key)
}

// key is the idempotency key to hand to the service, "" for none.
func (a *attempt) key() string {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.remote
}

// setKey is called before the function is entered.
func (a *attempt) setKey(key string) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.remote = key
}

// dialing says that a request is about to be sent: until wrote is called,
// nothing has left this process.
func (a *attempt) dialing() {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.sent == fault.SentUnknown {
		a.sent = fault.SentNo
		a.reported.Store(true)
	}
}

// wrote says that a request was written, at least in part. It stays so for the
// whole attempt: a second request that never left does not undo the first.
func (a *attempt) wrote() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent = fault.SentYes
	a.reported.Store(true)
}

// responded keeps the last response: its status, headers, and as much of the
// body as was read; truncated says that there was more.
func (a *attempt) responded(status int, h http.Header, body []byte, truncated bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.sent = fault.SentYes
	a.reported.Store(true)
	a.resp = fault.Response{Status: status, Header: h, Body: body, Truncated: truncated}
}

// seen returns what was reported so far.
func (a *attempt) seen() (fault.Sent, fault.Response) {
	a.mu.Lock()
	defer a.mu.Unlock()
	return a.sent, a.resp
}

// handled forgets the last response.
func (a *attempt) handled() {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.resp = fault.Response{}
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
