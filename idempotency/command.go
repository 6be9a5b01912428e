package idempotency

import (
	"errors"
	"slices"
	"time"
)

// Command is one change that somebody asks of a row, as data. The commands of
// this package are all there are; [Apply] is their meaning.
type Command interface {
	// Name is the name of the command in events, "acquire".
	Name() string
	// apply changes r by the rules. It returns errUnchanged where there is
	// nothing to save, and a note for the event.
	apply(r *Row, now time.Time) (note string, err error)
}

// errUnchanged: the command asks for what is already so.
var errUnchanged = errors.New("unchanged")

// Event is the trace of one write, appended in the same transaction.
type Event struct {
	Row     string    `json:"row"`             // id of the row
	Seq     int64     `json:"seq"`             // the version of the row after the write, 1 for the first
	At      time.Time `json:"at"`              // by the clock of the store
	Command string    `json:"command"`         // its name
	From    State     `json:"from"`            // state before
	To      State     `json:"to"`              // state after
	Epoch   int64     `json:"epoch"`           // of the row after the write
	Actor   string    `json:"actor,omitempty"` // of a decision
	Note    string    `json:"note,omitempty"`  // never a payload
}

// None reports whether nothing was changed: there is no event to append and
// no row to save.
func (e Event) None() bool { return e.Seq == 0 }

// Apply is the whole meaning of the ledger: what becomes of a row when a
// command arrives at a time, which must be the store's. It is a pure function;
// the row it is given is not changed. A store loads the row (the zero Row where
// there is none), calls Apply, and saves row and event in one transaction, or
// neither where the event is [Event.None] or the error is not nil.
//
// Every store therefore has the same rules, and one test of them covers all.
func Apply(row Row, cmd Command, now time.Time) (Row, Event, error) {
	now = now.UTC().Round(0) // stored times have no monotonic clock
	next := row
	next.Attempts = slices.Clone(row.Attempts)
	next.Checks = slices.Clone(row.Checks)
	next.Evidence = slices.Clone(row.Evidence)
	next.distrust(now)
	note, err := cmd.apply(&next, now)
	if errors.Is(err, errUnchanged) {
		return row, Event{}, nil
	}
	if err != nil {
		return row, Event{}, err
	}
	next.Version++
	next.Updated = now
	next.Due = next.due()
	e := Event{
		Row: next.ID, Seq: next.Version, At: now, Command: cmd.Name(),
		From: row.State, To: next.State, Epoch: next.Epoch, Note: cut(note),
	}
	if d, ok := cmd.(Decide); ok {
		e.Actor = d.Decision.Actor
	}
	return next, e, nil
}

// due is when [Expire] has something to do.
func (r *Row) due() time.Time {
	switch {
	case r.State == Running:
		return r.LeaseUntil
	case r.State == AwaitingApproval:
		return r.Deadline
	case r.State == Deferred:
		return r.NotAfter
	case r.State == Ready && r.MayHaveApplied && r.Effect.Writes() && !r.KeySince.IsZero():
		return r.keyUntil()
	}
	return time.Time{}
}
