package idempotency

import (
	"context"
	"time"
)

// Store keeps rows. It knows no rule: it loads a row, calls [Apply] with its
// own clock, and saves row and event in one transaction. It must be safe for
// concurrent use, across processes where it is shared by processes.
//
// A store may do this with a lock, inside a transaction of a single writer, or
// by compare-and-set on [Row.Version], applying the command to the newer row
// when it loses. What it returns must be durable by then. An error of [Apply] is
// returned as it is, so that errors.Is finds it. An error of the store may mean
// that the write happened; commands are made to be sent again.
//
// Run idempotencytest against every store.
type Store interface {
	// Apply applies cmd to the row of this id and returns the row as it is then.
	Apply(ctx context.Context, id string, cmd Command) (Row, error)
	// Load returns the row; the error matches [ErrNotFound] where there is none.
	Load(ctx context.Context, id string) (Row, error)
}

// Lister is a store that can be looked into. [Ledger.Sweep] and the list of
// cases need it.
type Lister interface {
	// List returns the rows that match, ordered by id.
	List(ctx context.Context, q Query) ([]Row, error)
	// Events returns the events of a row in the order of their Seq.
	Events(ctx context.Context, id string) ([]Event, error)
}

// Waiter is a store that can tell when a row changes. Without it the ledger
// looks again in growing intervals.
type Waiter interface {
	// Changed returns when the row has a version above the given one.
	Changed(ctx context.Context, id string, version int64) error
}

// Pruner is a store that can forget. It removes terminal rows only, and their
// events: a row of unknown outcome is kept for ever, and so is one that may
// have happened.
type Pruner interface {
	// Prune removes terminal rows not changed for longer than age, and returns how many.
	Prune(ctx context.Context, age time.Duration) (int, error)
}

// Query selects rows. The zero value selects the first 100 of all.
type Query struct {
	States []State // any of these; empty: all
	Tenant string  // "" for any
	Tool   string  // "" for any
	RunID  string  // "" for any
	Due    bool    // only rows whose Due has come, by the store's clock
	ToRun  bool    // only rows that a person wants to be run, see [Row.ToRun]
	After  string  // ids after this one: the next page
	Limit  int     // 0: 100
}

// DefaultLimit is the length of a page where a [Query] asks for none.
const DefaultLimit = 100

// Match reports whether a row is selected, the page aside.
func (q Query) Match(r *Row, now time.Time) bool {
	if len(q.States) > 0 {
		found := false
		for _, s := range q.States {
			found = found || s == r.State
		}
		if !found {
			return false
		}
	}
	return (q.Tenant == "" || q.Tenant == r.Key.Tenant) &&
		(q.Tool == "" || q.Tool == r.Key.Tool) &&
		(q.RunID == "" || q.RunID == r.RunID) &&
		(!q.ToRun || r.ToRun()) &&
		(!q.Due || (!r.Due.IsZero() && !now.Before(r.Due)))
}
