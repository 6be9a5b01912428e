package fault

import (
	"context"
	"errors"
	"io"
	"net"
	"syscall"
)

// NotRun says that the call did not do anything: the error came before the
// effect, so that repeating it is safe even for a write. Whether repeating is
// worth while is read from err; where err says nothing, it is tried.
//
// It returns nil for a nil err. The text and the chain of err stay as they are.
func NotRun(err error) error { return mark(err, markNotRun) }

// Permanent says that the same call cannot work: it was refused for good and
// did nothing. The reason is read from err. An err that leaves in doubt whether
// something happened (a timeout, a cut connection) stays in doubt; the call is
// then not repeated and a write is not called failed.
//
// It returns nil for a nil err. The text and the chain of err stay as they are.
func Permanent(err error) error { return mark(err, markPermanent) }

// Denied says that a person or a policy said no, and that nothing was done.
// why goes to the record, redacted; the model is told only that it was denied.
func Denied(why string) error { return &marker{errors.New(why), markDenied} }

// As finds a [*Fault] in the chain of err. A tool that knows exactly what
// happened returns one as its error, and it decides.
func As(err error) (*Fault, bool) {
	var f *Fault
	ok := errors.As(err, &f)
	return f, ok && f != nil
}

type markKind uint8

const (
	markNotRun markKind = iota
	markPermanent
	markDenied
)

// marker is how a tool says more than its error does. It is transparent: same
// text, same chain. It never leaves this package in a [Fault]: see [unmarked].
type marker struct {
	err  error
	kind markKind
}

func (m *marker) Error() string { return m.err.Error() }
func (m *marker) Unwrap() error { return m.err }

func mark(err error, kind markKind) error {
	if err == nil {
		return nil
	}
	return &marker{err, kind}
}

// marked reads what the tool itself said about err: a *Fault it returned, or
// the outermost marker. The reason is [ReasonUnknown] where a marker leaves the
// cause open; [refine] then takes it from what the detectors make of the cause.
func marked(err error) (Outcome, bool) {
	var m *marker
	hasMark := errors.As(err, &m)
	f, hasFault := As(err)
	switch {
	case hasFault:
		f = complete(f)
	case hasMark:
		f = &Fault{Reason: ReasonUnknown, Action: Retry, Err: unmarked(err)}
	default:
		return Outcome{}, false
	}
	if hasMark {
		m.apply(f)
		if m.kind == markDenied {
			return Outcome{Kind: KindDenied, Fault: f}, true
		}
	}
	return Outcome{Kind: KindFailed, Fault: f}, true
}

// complete returns a copy of f with what a tool may have left out or got wrong:
// no reason leaves the cause open, no action means that repeating is of no use,
// and a code keeps to its promised alphabet.
func complete(f *Fault) *Fault {
	g := *f
	if g.Action == NoAction && g.Reason != ReasonCancelled {
		g.Action = FailFast
	}
	if g.Reason == ReasonNone {
		g.Reason = ReasonUnknown
	}
	if g.Rule == "" {
		g.Rule = "tool"
	}
	g.Code = string(appendName(nil, g.Code, maxName))
	return &g
}

// apply writes into f what the marker claims.
func (m *marker) apply(f *Fault) {
	switch m.kind {
	case markNotRun:
		f.Ran, f.Rule = RanNo, "marker:not_run"
	case markPermanent:
		f.Action, f.Rule = FailFast, "marker:permanent"
		if f.Ran == RanUnknown && !inDoubt(m.err) {
			f.Ran = RanNo
		}
	case markDenied:
		f.Reason, f.Action, f.Ran, f.Rule = ReasonPermission, FailFast, RanNo, "marker:denied"
	}
}

// refine completes what the marker of err said by what the detectors made of
// its cause: the reason and everything that was read from the answer are the
// cause's; what the marker claims stays.
func refine(said, cause Outcome) Outcome {
	if said.Kind != KindFailed || said.Fault.Reason != ReasonUnknown ||
		cause.Fault == nil || cause.Fault.Reason == ReasonUnknown {
		return said
	}
	f := *cause.Fault
	f.Ran, f.Rule, f.Err = said.Fault.Ran, said.Fault.Rule, said.Fault.Err
	if said.Fault.Action != Retry {
		f.Action = said.Fault.Action
	}
	said.Fault = &f
	return said
}

// inDoubt reports whether err is of the kind after which nobody can tell what
// the other side did.
func inDoubt(err error) bool {
	var t interface{ Timeout() bool }
	var op *net.OpError
	return errors.As(err, &t) && t.Timeout() ||
		errors.As(err, &op) && op.Op != "dial" || // a connection that was in use
		errors.Is(err, context.DeadlineExceeded) || errors.Is(err, context.Canceled) ||
		errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) ||
		errors.Is(err, syscall.ECONNRESET) || errors.Is(err, syscall.EPIPE)
}

// unmarked takes the markers off the outside of err. One that is wrapped deeper
// stays in the chain, where it is invisible: it adds no text and hides no cause.
func unmarked(err error) error {
	for {
		m, ok := err.(*marker) //nolint:errorlint // only the outermost is taken off
		if !ok {
			return err
		}
		err = m.err
	}
}
