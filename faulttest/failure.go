package faulttest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"syscall"
	"time"

	"github.com/failloud/failloud/fault"
)

// Failure is one way in which a call goes wrong, the same for a [Server] and a
// [Tool]. Failures are values: the methods return changed copies, and they may
// be used in any number of plans at the same time. The zero value is [Healthy].
type Failure struct {
	name     string
	implicit bool
	after    bool
	rules    fault.Rules
	answer   *answer
	cuts     bool                            // ends the connection: see Server.closing
	wire     func(x *exchange)               // on the wire; nil: the answer
	local    func(ctx context.Context) error // in process; nil: the answer
}

// answer is a whole HTTP response.
type answer struct {
	status int
	header http.Header
	body   string
}

// Name says what goes wrong, as one word with dashes.
func (f Failure) Name() string {
	switch {
	case f.name == "":
		return "healthy"
	case f.after:
		return f.name + "-after-effect"
	}
	return f.name
}

// Implicit reports whether the failure looks like a success: status 200, no error.
func (f Failure) Implicit() bool { return f.implicit }

// Rules are what a tool's owner has to declare so that an implicit failure can
// be told from a success. They are zero where nothing needs to be declared.
func (f Failure) Rules() fault.Rules { return f.rules }

// AfterEffect moves the failure behind the effect and before the reply: the
// effect happens and is counted, then the call fails. Before that is the default.
func (f Failure) AfterEffect() Failure {
	f.after = f.name != ""
	return f
}

// WithHeader adds a header to a failure made by [Status], [Answer] and what is
// built on them; the others have no headers of their own.
func (f Failure) WithHeader(key, value string) Failure {
	if f.answer == nil {
		return f
	}
	a := *f.answer
	if a.header = a.header.Clone(); a.header == nil {
		a.header = http.Header{}
	}
	a.header.Add(key, value)
	f.answer = &a
	return f
}

// Healthy does not fail. It is for the places in a plan where nothing happens.
func Healthy() Failure { return Failure{} }

// Status answers with a status and a short JSON error. In process it is a
// [StatusError].
func Status(code int) Failure {
	return Answer(code, "application/json",
		fmt.Sprintf(`{"error":{"code":%d,"message":%q}}`, code, http.StatusText(code))).named(fmt.Sprint("status-", code))
}

// Answer answers with anything. With a status below 400 it is implicit; in
// process the body is then decoded into the result, as an API client would,
// and above that it is a [StatusError].
func Answer(status int, contentType, body string) Failure {
	return Failure{
		name:     fmt.Sprint("answer-", status),
		implicit: status < 400,
		answer:   &answer{status: status, header: http.Header{"Content-Type": {contentType}}, body: body},
	}
}

func (f Failure) named(name string) Failure { f.name = name; return f }

// BadGatewayPage is the HTML page with which a proxy says that the service
// behind it is not there.
func BadGatewayPage() Failure {
	return Answer(http.StatusBadGateway, "text/html",
		"<html><head><title>502 Bad Gateway</title></head><body><center><h1>502 Bad Gateway</h1></center></body></html>").named("bad-gateway-page")
}

// Reset ends the connection with a TCP reset, without a byte of a reply.
func Reset() Failure {
	return Failure{name: "reset", cuts: true,
		wire:  func(x *exchange) { x.hangUp(true) },
		local: func(context.Context) error { return cutError(syscall.ECONNRESET) }}
}

// Cut ends the connection in order, without a byte of a reply: the client sees
// an EOF.
func Cut() Failure {
	return Failure{name: "cut", cuts: true,
		wire:  func(x *exchange) { x.hangUp(false) },
		local: func(context.Context) error { return fmt.Errorf("post: %w", io.EOF) }}
}

// Hang never answers: the request ends when the client gives up, or when the
// server is closed.
func Hang() Failure {
	return Failure{name: "hang",
		wire:  func(x *exchange) { x.wait() },
		local: waitForEnd}
}

// SlowBody sends headers at once and then one byte of the body at each pause,
// without ever coming to its end: the time limit of the client has to cover the
// body too. A pause of 0 is 50 ms.
func SlowBody(pause time.Duration) Failure {
	if pause <= 0 {
		pause = 50 * time.Millisecond
	}
	return Failure{name: "slow-body",
		wire:  func(x *exchange) { x.dribble(pause) },
		local: waitForEnd}
}

// TruncatedBody promises more bytes (Content-Length) than it sends.
func TruncatedBody() Failure {
	return Failure{name: "truncated-body", cuts: true,
		wire:  func(x *exchange) { x.cutBody(true) },
		local: func(context.Context) error { return fmt.Errorf("read body: %w", io.ErrUnexpectedEOF) }}
}

// CutChunks cuts a chunked body in the middle of its JSON.
func CutChunks() Failure {
	return Failure{name: "cut-chunks", cuts: true,
		wire:  func(x *exchange) { x.cutBody(false) },
		local: func(context.Context) error { return fmt.Errorf("read body: %w", io.ErrUnexpectedEOF) }}
}

// RedirectLoop redirects for ever, keeping method and body (307). The requests
// of the loop itself are not counted and take no step of a plan.
func RedirectLoop() Failure {
	return Failure{name: "redirect-loop",
		wire:  func(x *exchange) { http.Redirect(x.w, x.r, loopPath, http.StatusTemporaryRedirect) },
		local: func(context.Context) error { return errors.New("stopped after 10 redirects") }}
}

// Panic panics in process; on the wire, where a handler's panic ends the
// connection, it is a [Cut].
func Panic(value any) Failure {
	return Failure{name: "panic", cuts: true,
		wire:  func(x *exchange) { x.hangUp(false) },
		local: func(context.Context) error { panic(value) }}
}

// Error returns err in process; on the wire it is a [Status] 500.
func Error(err error) Failure {
	f := Status(http.StatusInternalServerError).named("error")
	f.local = func(context.Context) error { return err }
	return f
}

// StatusError is the error of an answer of 400 and above in process, shaped as
// the clients of HTTP services return it.
type StatusError struct {
	Status int         // of the answer
	Head   http.Header // of the answer
	Body   string      // whole
}

// Error has the status and the start of the body, like those of most clients.
func (e *StatusError) Error() string {
	return fmt.Sprintf("unexpected status %d %s: %.200s", e.Status, http.StatusText(e.Status), e.Body)
}

// StatusCode returns the status.
func (e *StatusError) StatusCode() int { return e.Status }

// Header returns the headers.
func (e *StatusError) Header() http.Header { return e.Head }

// inProcess fails without a wire: an error, or a lie decoded into out.
func (f Failure) inProcess(ctx context.Context, out any) error {
	if f.local != nil {
		return f.local(ctx)
	}
	a := f.answer
	if a.status >= http.StatusBadRequest {
		return &StatusError{a.status, a.header.Clone(), a.body}
	}
	switch out := out.(type) {
	case *string:
		*out = a.body
		return nil
	case *[]byte:
		*out = []byte(a.body)
		return nil
	}
	if err := json.NewDecoder(strings.NewReader(a.body)).Decode(out); err != nil {
		return fmt.Errorf("decode answer: %w", err)
	}
	return nil
}

func waitForEnd(ctx context.Context) error {
	<-ctx.Done()
	return ctx.Err()
}

// cutError is the error of a read from a connection that the other side reset.
func cutError(errno syscall.Errno) error {
	return &net.OpError{Op: "read", Net: "tcp", Err: os.NewSyscallError("read", errno)}
}
