package postgres

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// Load implements [idempotency.Store].
func (db *DB) Load(ctx context.Context, id string) (idempotency.Row, error) {
	row, err := db.load(ctx, id)
	if errors.Is(err, idempotency.ErrNotFound) {
		return row, err
	}
	return row, wrap(ctx, "read", err)
}

// load reads a committed row, and so a durable one.
func (db *DB) load(ctx context.Context, id string) (idempotency.Row, error) {
	rows, err := db.rows(ctx, db.say.load, plain(id))
	if err == nil && len(rows) == 0 {
		err = idempotency.ErrNotFound
	}
	if err != nil {
		return idempotency.Row{}, err
	}
	return rows[0], nil
}

// rows runs a query whose first column is the server's time, and the others a row.
// A connection that broke is no reason to give up: nothing is changed by a query.
func (db *DB) rows(ctx context.Context, query string, args ...any) (all []idempotency.Row, err error) {
	for try := range sends {
		if err := pause(ctx, try); err != nil {
			return nil, err
		}
		if all, err = db.rowsOnce(ctx, query, args); err == nil || ctx.Err() != nil || kind(err) != ErrLost { //nolint:errorlint // kind returns it bare
			break
		}
	}
	return all, err
}

func (db *DB) rowsOnce(ctx context.Context, query string, args []any) ([]idempotency.Row, error) {
	asked := time.Now()
	found, err := db.pool.Query(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer found.Close()
	var all []idempotency.Row
	for found.Next() {
		var server time.Time
		var at kept
		if err := found.Scan(append([]any{&server}, at.into()...)...); err != nil {
			return nil, err
		}
		if len(all) == 0 {
			db.clock.saw(server, asked, time.Now())
		}
		if at.id == nil {
			break
		}
		row, err := at.decode(db.seal)
		if err != nil {
			return nil, err
		}
		all = append(all, row)
	}
	return all, found.Err()
}

// List implements [idempotency.Lister].
func (db *DB) List(ctx context.Context, q idempotency.Query) ([]idempotency.Row, error) {
	where, args := conditions(q)
	rows, err := db.rows(ctx, db.say.list+where, args...)
	return rows, wrap(ctx, "list", err)
}

// Take implements [idempotency.Taker]. The hold lies in the database, so that it
// holds against every process; each change of the row ends it. Rows that another
// process takes or writes to just now are passed over instead of waited for.
func (db *DB) Take(ctx context.Context, q idempotency.Query, hold time.Duration) ([]idempotency.Row, error) {
	where, args := conditions(q, "(hold IS NULL OR hold <= statement_timestamp())")
	args = append(args, hold)
	query := strings.NewReplacer("{where}", where, "{hold}", "$"+strconv.Itoa(len(args))+"::interval").Replace(db.say.take)
	rows, err := db.rowsOnce(ctx, query, args)
	if err != nil {
		return nil, wrap(ctx, "take", err)
	}
	slices.SortFunc(rows, func(a, b idempotency.Row) int { return q.Compare(&a, &b) })
	return rows, nil
}

// Events implements [idempotency.Lister]. All of them are kept, as long as the row is.
func (db *DB) Events(ctx context.Context, id string) ([]idempotency.Event, error) {
	rows, err := db.pool.Query(ctx, db.say.events, plain(id))
	if err != nil {
		return nil, wrap(ctx, "events", err)
	}
	defer rows.Close()
	var all []idempotency.Event
	for rows.Next() {
		e := idempotency.Event{Row: id}
		var before, after string
		var actor, note *string
		if err := rows.Scan(&e.Seq, &e.At, &e.Command, &before, &after, &e.Epoch, &actor, &note); err != nil {
			return nil, wrap(ctx, "events", err)
		}
		if err := errors.Join(e.From.UnmarshalText([]byte(before)), e.To.UnmarshalText([]byte(after))); err != nil {
			return nil, &Error{Op: "events", Kind: ErrCorrupt, Err: err}
		}
		e.At, e.Actor, e.Note = e.At.UTC(), original(actor), original(note)
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, wrap(ctx, "events", err)
	}
	if all == nil { // every write has one
		return nil, fmt.Errorf("%w: %s", idempotency.ErrNotFound, id)
	}
	return all, nil
}

func original(s *string) string {
	if s == nil {
		return ""
	}
	return withZero.Replace(*s)
}

// MaxResult implements [idempotency.Keeper]: 16 MiB.
func (db *DB) MaxResult() int { return maxResult }
