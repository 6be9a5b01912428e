package toolkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"path"
	"runtime"
	"runtime/debug"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/redact"
)

// ErrPanic is matched by every [PanicError].
var ErrPanic = errors.New("toolkit: a panic")

// PanicError is the cause of a call in which a function of the tool's owner
// panicked. Its text is for the record and the logs, which redact it; no model is
// shown it, whatever the tool's Detail says.
type PanicError struct {
	In    string // what panicked: "the tool", "its Check", …
	Value any    // what it panicked with
	Frame string // where: the function with the name of its file and the line; "" where it is not known
	Stack []byte // for whoever looks for the bug; not recorded
}

// newPanicError is called by the function that recovered.
func newPanicError(in string, value any) *PanicError {
	if passed, ok := value.(*PanicError); ok {
		return passed
	}
	return &PanicError{In: in, Value: value, Frame: panickedAt(), Stack: debug.Stack()}
}

// maxPanicValue bounds the value of a panic in its text.
const maxPanicValue = 256

// Error says what panicked, with what and where.
func (e *PanicError) Error() string {
	s := fmt.Sprintf("%s: %s", e.Detail(), redact.Cut(fmt.Sprint(e.Value), maxPanicValue))
	if e.Frame != "" {
		s += ", at " + e.Frame
	}
	return s
}

// Detail implements [Detailer]: it says what panicked, and of the value its type
// only.
func (e *PanicError) Detail() string {
	return fmt.Sprintf("toolkit: %s panicked with a %T", e.In, e.Value)
}

// Is matches [ErrPanic].
func (e *PanicError) Is(target error) bool { return target == ErrPanic }

// Unwrap returns the value where it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// sign is deferred by a function that calls a callback of the tool's owner in the
// middle of other work: a panic passes on under the callback's name.
func sign(in string) {
	if p := recover(); p != nil {
		panic(newPanicError(in, p)) //nolint:forbidigo // passes on what is caught further up, nothing new
	}
}

// panickedAt is the innermost function below the panic that is being recovered
// and not one of Go's runtime.
func panickedAt() string {
	var pcs [32]uintptr
	frames := runtime.CallersFrames(pcs[:runtime.Callers(2, pcs[:])])
	for below := false; ; {
		frame, more := frames.Next()
		switch {
		case frame.Function == "runtime.gopanic":
			below = true
		case below && !strings.HasPrefix(frame.Function, "runtime."):
			return path.Base(frame.Function) + " (" + path.Base(frame.File) + ":" + strconv.Itoa(frame.Line) + ")"
		}
		if !more {
			return ""
		}
	}
}

var errGoexit = errors.New("toolkit: the tool ended the goroutine of its call")

// marshal is [json.Marshal] for values whose own methods may panic.
func marshal(v any) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, newPanicError("a value that is written as JSON", p)
		}
	}()
	return json.Marshal(v)
}

// unmarshal is [json.Unmarshal] for the same.
func unmarshal(raw []byte, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("a value that is read from JSON", p)
		}
	}()
	return json.Unmarshal(raw, into)
}
