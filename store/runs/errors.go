package runs

import (
	"errors"
	"fmt"
	"strings"
)

// What can go wrong, for errors.Is.
var (
	// ErrNoRun: there is no such run, see [*NoRunError].
	ErrNoRun = errors.New("no such run")
	// ErrUnusable: an event cannot be kept: it names no run, or is too large.
	ErrUnusable = errors.New("the event cannot be kept")
	// ErrFull: the database takes events more slowly than they come, or not at all.
	ErrFull = errors.New("the buffer of events is full")
	// ErrLost: events that had been taken could not be written before the end, see [*LostError].
	ErrLost = errors.New("events were not written")
	// ErrSealed: a payload cannot be read without the key that sealed it.
	ErrSealed = errors.New("payloads are sealed by a key that was not given")
	// ErrDamaged: what lies in the tables is not what was written.
	ErrDamaged = errors.New("the record is damaged")
	// ErrQuery: what is asked for makes no sense.
	ErrQuery = errors.New("unusable query")
)

// NoRunError is a run that is not there, or that is not named clearly.
type NoRunError struct {
	ID   string   // that was asked for
	Near []string // ids that may be meant; where there are several that begin with ID, these
}

// Error names the ids that may be meant.
func (e *NoRunError) Error() string {
	text := fmt.Sprintf("runs: %v: %q", ErrNoRun, e.ID)
	if len(e.Near) > 0 {
		text += "; did you mean " + strings.Join(e.Near, ", ") + "?"
	}
	return text
}

// Unwrap returns [ErrNoRun].
func (e *NoRunError) Unwrap() error { return ErrNoRun }

// LostError says how many events were lost, and why.
type LostError struct {
	Events int   // how many
	Err    error // of the last attempt to write them
}

// Error says how many.
func (e *LostError) Error() string { return fmt.Sprintf("runs: %d %v: %v", e.Events, ErrLost, e.Err) }

// Unwrap returns [ErrLost] and the cause.
func (e *LostError) Unwrap() []error { return []error{ErrLost, e.Err} }

func damaged(what string, err error) error {
	return fmt.Errorf("runs: %w: %s: %w", ErrDamaged, what, err)
}
