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
	// List returns the rows that match, in the order of [Query.Compare].
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

// Taker is a store that hands rows out to one worker at a time. Without it
// [Ledger.Take] lists them, and workers meet at the claim.
type Taker interface {
	// Take returns what List would, without the rows that another Take has
	// returned, until hold is over or the row has changed since.
	Take(ctx context.Context, q Query, hold time.Duration) ([]Row, error)
}

// Keeper is a store that says how large a result it keeps.
type Keeper interface {
	// MaxResult is the largest result the store keeps, in bytes.
	MaxResult() int
}
