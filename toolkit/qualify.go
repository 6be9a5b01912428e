package toolkit

import (
	"errors"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
)

// A tool says that its result needs a word of caution by returning one of these
// in the place of its error, beside the value:
//
//	return rows, toolkit.Partial(err)
//	return rate, toolkit.Stale(age)
//	return page, toolkit.Truncated()
//	return job, toolkit.Pending(job.ID)
//
// [errors.Join] joins several. Joined with any other error the call has failed.

// Partial marks the value as part of what was asked for; why is kept for the
// record and may be nil. For a write it says that the part is usable as it is.
func Partial(why error) error {
	return &qualification{Qualifier: fault.Partial, why: why}
}

// Stale marks the value as older than asked for. An age of 0 is not known.
func Stale(age time.Duration) error {
	return &qualification{Qualifier: fault.Stale, age: max(age, 0)}
}

// Truncated marks the value as cut by a limit: there is more.
func Truncated() error { return &qualification{Qualifier: fault.Truncated} }

// Pending says that the request was accepted and is not done. The handle is how
// the service names the work; the record keeps it as the call's code, and the
// model is not shown it.
func Pending(handle string) error { return &qualification{pending: true, handle: handle} }

// qualification is a mark in the place of an error.
type qualification struct {
	fault.Qualifier
	age     time.Duration
	pending bool
	handle  string
	why     error
}

// Error says what the mark means to a caller who takes it for an error.
func (q *qualification) Error() string {
	var words []string
	if q.pending {
		words = append(words, "pending")
	}
	if q.Qualifier != 0 {
		words = append(words, q.Qualifier.String())
	}
	return "toolkit: the result is " + strings.Join(words, ", ")
}

// Unwrap returns why a result is partial.
func (q *qualification) Unwrap() error { return q.why }

// qualified reads err as marks alone: it is false where any part of err is a
// real error.
func qualified(err error) (q qualification, ok bool) {
	switch e := err.(type) { //nolint:errorlint // a mark inside another error is no mark
	case *qualification:
		return *e, true
	case interface{ Unwrap() []error }:
		for _, part := range e.Unwrap() {
			p, ok := qualified(part)
			if !ok {
				return qualification{}, false
			}
			q = q.with(p)
		}
		return q, len(e.Unwrap()) > 0
	case nil:
		return qualification{}, false
	}
	if inner := errors.Unwrap(err); inner != nil {
		return qualified(inner)
	}
	return qualification{}, false
}

func (q qualification) with(p qualification) qualification {
	q.Qualifier |= p.Qualifier
	q.age = max(q.age, p.age)
	q.pending = q.pending || p.pending
	if q.handle == "" {
		q.handle = p.handle
	}
	if p.why != nil {
		q.why = errors.Join(q.why, p.why)
	}
	return q
}
