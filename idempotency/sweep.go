package idempotency

import (
	"context"
	"fmt"
	"time"
)

// List returns rows, see [Query]. The error matches [ErrUnsupported] where the
// store is no [Lister].
func (l *Ledger) List(ctx context.Context, q Query) ([]Row, error) {
	s, ok := l.cfg.Store.(Lister)
	if !ok {
		return nil, fmt.Errorf("%w: list", ErrUnsupported)
	}
	rows, err := s.List(ctx, q)
	if err != nil {
		return nil, &StoreError{Op: "list", Err: err}
	}
	return rows, nil
}

// Take returns rows to work on, each to one caller at a time for as long as hold,
// or until it changes, where the store can do that, see [Taker]. Elsewhere it is
// [Ledger.List], and two workers may get the same row: the claim decides then.
func (l *Ledger) Take(ctx context.Context, q Query, hold time.Duration) ([]Row, error) {
	s, ok := l.cfg.Store.(Taker)
	if !ok {
		return l.List(ctx, q)
	}
	rows, err := s.Take(ctx, q, hold)
	if err != nil {
		return nil, &StoreError{Op: "take", Err: err}
	}
	return rows, nil
}

// Events returns the history of a row.
func (l *Ledger) Events(ctx context.Context, id string) ([]Event, error) {
	s, ok := l.cfg.Store.(Lister)
	if !ok {
		return nil, fmt.Errorf("%w: events", ErrUnsupported)
	}
	events, err := s.Events(ctx, id)
	if err != nil && !refused(err) {
		return nil, &StoreError{Op: "events", Err: err}
	}
	return events, err
}

// Sweep applies to every row whose time has come what time alone may decide,
// see [Expire], and returns the rows it changed. It is safe to run in many
// processes at once.
func (l *Ledger) Sweep(ctx context.Context) ([]Row, error) {
	var moved []Row
	for q := (Query{Due: true}); ; {
		rows, err := l.List(ctx, q)
		if err != nil {
			return moved, err
		}
		for _, old := range rows {
			row, err := l.apply(ctx, old.ID, Expire{})
			if err != nil {
				return moved, err
			}
			if row.Version > old.Version {
				moved = append(moved, row)
			}
			q.After = old.ID
		}
		if len(rows) < DefaultLimit {
			return moved, nil
		}
	}
}

// Prune forgets terminal rows that were not changed for longer than age. Work
// done before that could be done a second time: choose an age beyond any retry.
// Rows of unknown outcome are never forgotten.
func (l *Ledger) Prune(ctx context.Context, age time.Duration) (int, error) {
	s, ok := l.cfg.Store.(Pruner)
	if !ok {
		return 0, fmt.Errorf("%w: prune", ErrUnsupported)
	}
	defer l.cache.clear()
	n, err := s.Prune(ctx, age)
	if err != nil {
		return n, &StoreError{Op: "prune", Err: err}
	}
	return n, nil
}
