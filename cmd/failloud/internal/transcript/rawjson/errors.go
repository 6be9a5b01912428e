package rawjson

import (
	"errors"
	"fmt"
)

// What can be wrong with a value, for errors.Is on a [ValueError].
var (
	ErrTorn    = errors.New("ends too early")
	ErrNotJSON = errors.New("is no JSON")
	ErrTooLong = errors.New("is too long")
	ErrTooDeep = errors.New("is nested too deeply")
)

// ValueError is a value that was passed over; reading can go on. It quotes
// nothing of the value.
type ValueError struct {
	Line int   // where the value begins, from 1
	Err  error // what is wrong with it
}

// Error names the line and what is wrong.
func (e *ValueError) Error() string { return fmt.Sprintf("line %d: the value %v", e.Line, e.Err) }

// Unwrap returns what is wrong.
func (e *ValueError) Unwrap() error { return e.Err }
