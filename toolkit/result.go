package toolkit

import (
	"errors"
	"strconv"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// Result is the end of a typed call.
type Result[Out any] struct {
	// Value is what the tool returned. It is zero unless the outcome is ok or
	// pending. Replayed from the ledger, a number in an any is a float64, and an
	// integer from 2^53 on a json.Number, which keeps its digits.
	Value    Out
	Outcome  fault.Outcome
	Attempts int // how often the tool's function was entered, substitutes included
	view
}

// String is what the model may see of the result: the value as JSON (a string as
// it is) up to the tool's MaxResult, with an honest mark where it was cut and a
// note where it needs caution; or the failure line, which holds nothing that the
// upstream wrote. A result that had to be cut is recorded as truncated with it.
func (r Result[Out]) String() string { return r.text(r.Value, r.Outcome) }

// Twin is the structured form of what the line says.
func (r Result[Out]) Twin() fault.LineData { return fault.Twin(r.line(r.Outcome)) }

// Err is nil for a success, else a [*CallError].
func (r Result[Out]) Err() error { return r.err(r.Outcome) }

// Response is the end of a call by name.
type Response struct {
	Name     string // as the model gave it
	Value    any    // of the tool's Out; nil unless the outcome is ok or pending
	Outcome  fault.Outcome
	Attempts int // how often the tool's function was entered, substitutes included
	view
}

// String is what the model may see, as [Result.String].
func (r Response) String() string { return r.text(r.Value, r.Outcome) }

// Twin is the structured form of what the line says.
func (r Response) Twin() fault.LineData { return fault.Twin(r.line(r.Outcome)) }

// Err is nil for a success, else a [*CallError].
func (r Response) Err() error { return r.err(r.Outcome) }

// view is what a result needs to be shown.
type view struct {
	tool        *core          // that gave the outcome; nil for an unknown name
	run         *runrecord.Run // nil outside a run
	seq         uint32
	attempts    int       // of tool alone, without those of what it replaced or was replaced by
	id          string    // the model's id of the call
	standIn     any       // *Out of the substitute that gave the value
	unknown     *misnomer // nil: the name was one of a tool
	shown       *shown    // nil: the text is made when it is asked for
	notRecorded error
}

// misnomer is a name that no tool has.
type misnomer struct {
	name    string
	nearest []string // tools of similar name
}

// CallID is the model's id of the call where it came with one, else the run's id
// and the call's number in it; "" outside a run.
func (v view) CallID() string {
	switch {
	case v.id != "":
		return v.id
	case v.run != nil:
		return v.run.ID() + "/" + strconv.FormatUint(uint64(v.seq), 10)
	}
	return ""
}

// Seq is the number of the call in its run, for [runrecord.Run.Settle]; 0
// outside a run.
func (v view) Seq() uint32 { return v.seq }

// NotRecorded is not nil where the ledger does not know yet how the call ended,
// because its store did not answer: the outcome stands, but another process may
// find the work in doubt. It matches [idempotency.ErrNotRecorded].
func (v view) NotRecorded() error { return v.notRecorded }

func (v view) line(o fault.Outcome) fault.LineInput {
	in := fault.LineInput{Outcome: o, Attempts: v.attempts}
	switch {
	case v.tool != nil:
		in.Tool, in.Effect, in.Printed = v.tool.name, v.tool.effect(), v.tool.prints
	case v.unknown != nil:
		in.Tool, in.Nearest = v.unknown.name, v.unknown.nearest
	}
	return in
}

func (v view) err(o fault.Outcome) error {
	if o.OK() {
		return nil
	}
	return &CallError{Tool: fault.Twin(v.line(o)).Tool, Outcome: o}
}

// What [CallError] matches by [errors.Is], by the kind of its outcome.
var (
	ErrFailed  = errors.New("toolkit: the call failed")
	ErrNotRun  = errors.New("toolkit: the call was not run")
	ErrDenied  = errors.New("toolkit: the call was denied")
	ErrPending = errors.New("toolkit: the call is not done yet")
	ErrUnknown = errors.New("toolkit: the call may have run")
)

// CallError is a call that was not a success, as an error. Its text is made from
// enumerations; [errors.As] reaches the [fault.Fault] and the cause.
type CallError struct {
	Tool    string // an invented name is reduced to the letters of names
	Outcome fault.Outcome
}

// Error names the tool, how the call ended and why.
func (e *CallError) Error() string {
	s := "toolkit: " + e.Tool + ": " + e.Outcome.Kind.String()
	if e.Outcome.Fault != nil {
		s += ": " + e.Outcome.Fault.Error()
	}
	return s
}

// Unwrap returns the fault.
func (e *CallError) Unwrap() error {
	if e.Outcome.Fault == nil {
		return nil
	}
	return e.Outcome.Fault
}

// Is matches the error of the outcome's kind.
func (e *CallError) Is(target error) bool {
	switch e.Outcome.Kind {
	case fault.KindFailed:
		return target == ErrFailed
	case fault.KindNotRun:
		return target == ErrNotRun
	case fault.KindDenied:
		return target == ErrDenied
	case fault.KindPending:
		return target == ErrPending
	case fault.KindUnknown:
		return target == ErrUnknown
	}
	return false
}
