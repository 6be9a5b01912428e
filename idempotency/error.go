package idempotency

import (
	"errors"
	"strings"
)

// What an operation of the ledger can be refused for. Anything else a store
// returns is taken for trouble of the store.
var (
	// ErrNoKey: the call has neither a business key nor a task key, so that
	// nobody could tell whether it was made before. It is not executed.
	ErrNoKey = errors.New("idempotency: no key to tell this piece of work from another")
	// ErrConflict: the key was used before with other arguments, see [*ConflictError].
	ErrConflict = errors.New("idempotency: same key, other arguments")
	// ErrFenced: the writer's epoch is no longer the row's. What it did is not lost
	// by that: a success that comes too late is kept as evidence.
	ErrFenced = errors.New("idempotency: claim was lost")
	// ErrStore: the store did not answer, see [*StoreError]. A write is not executed.
	ErrStore = errors.New("idempotency: store unavailable")
	// ErrNotRecorded: the call has ended and the store does not know it yet, see
	// [*NotRecordedError]. The result counts.
	ErrNotRecorded = errors.New("idempotency: outcome not recorded yet")
	// ErrNotFound: there is no row of this id.
	ErrNotFound = errors.New("idempotency: no such row")
	// ErrNoCase: nobody is asked about this row, or the choice does not answer
	// what is asked.
	ErrNoCase = errors.New("idempotency: no open case for this decision")
	// ErrDecided: the case was decided before. A decision is single-use.
	ErrDecided = errors.New("idempotency: case already decided")
	// ErrStale: the decision was made about another epoch or other arguments.
	ErrStale = errors.New("idempotency: decision does not match what is asked")
	// ErrExpired: the time to decide is over. That is neither a yes nor a no.
	ErrExpired = errors.New("idempotency: case expired")
	// ErrUnsupported: the store lacks an optional ability.
	ErrUnsupported = errors.New("idempotency: store cannot do this")
)

// ConflictError names the fields in which a claim differs from the row under
// its key, never their values.
type ConflictError struct {
	Tool   string   // name of the tool
	Fields []string // JSON pointers; nil where the earlier arguments were erased
}

// Error names the tool and the fields.
func (e *ConflictError) Error() string {
	if len(e.Fields) == 0 {
		return ErrConflict.Error() + ": " + e.Tool
	}
	return ErrConflict.Error() + ": " + e.Tool + " differs in " + strings.Join(e.Fields, ", ")
}

// Unwrap returns [ErrConflict].
func (e *ConflictError) Unwrap() error { return ErrConflict }

// StoreError is trouble of a store; Err is what the store said.
type StoreError struct {
	Op  string // name of the command, or "load", "list", …
	Err error  // what the store said
}

// Error names the operation; the text of the store is left to [StoreError.Unwrap].
func (e *StoreError) Error() string { return ErrStore.Error() + ": " + e.Op }

// Unwrap returns [ErrStore] and the cause.
func (e *StoreError) Unwrap() []error { return []error{ErrStore, e.Err} }

// NotRecordedError says that a call has ended but saving its end failed.
type NotRecordedError struct {
	Queued bool  // the ledger goes on trying within this process
	Err    error // what the store said
}

// Error says whether the ledger goes on trying.
func (e *NotRecordedError) Error() string {
	if e.Queued {
		return ErrNotRecorded.Error() + ", still trying"
	}
	return ErrNotRecorded.Error() + ", given up"
}

// Unwrap returns [ErrNotRecorded] and the cause.
func (e *NotRecordedError) Unwrap() []error { return []error{ErrNotRecorded, e.Err} }

// refusals are the answers of the rules, as opposed to trouble of a store.
var refusals = []error{
	ErrConflict, ErrFenced, ErrNotFound, ErrNoCase, ErrDecided, ErrStale, ErrExpired, ErrUnsupported, ErrNoKey,
}

// refused reports whether err is an answer of the rules.
func refused(err error) bool {
	for _, r := range refusals {
		if errors.Is(err, r) {
			return true
		}
	}
	return false
}
