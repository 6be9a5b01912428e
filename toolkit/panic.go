package toolkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"runtime/debug"
)

// PanicError is the cause of a call whose tool panicked. Its text names the
// panic's type only; value and stack are for whoever looks for the bug, and go
// neither to a model nor to the record.
type PanicError struct {
	Value any
	Stack []byte
}

// newPanicError is called by the function that recovered.
func newPanicError(value any) *PanicError {
	return &PanicError{Value: value, Stack: debug.Stack()}
}

// Error names the type of the value.
func (e *PanicError) Error() string {
	return fmt.Sprintf("toolkit: the tool panicked with a %T", e.Value)
}

// Unwrap returns the value where it was an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

var errGoexit = errors.New("toolkit: the tool ended the goroutine of its call")

// marshal is [json.Marshal] for values whose own methods may panic.
func marshal(v any) (raw []byte, err error) {
	defer func() {
		if p := recover(); p != nil {
			raw, err = nil, newPanicError(p)
		}
	}()
	return json.Marshal(v)
}

// unmarshal is [json.Unmarshal] for the same.
func unmarshal(raw []byte, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError(p)
		}
	}()
	return json.Unmarshal(raw, into)
}
