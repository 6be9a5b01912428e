package sqlite

import (
	"context"
	"database/sql"
	"fmt"
	"time"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
)

// Load implements [idempotency.Store].
func (db *DB) Load(ctx context.Context, id string) (idempotency.Row, error) {
	if err := ctx.Err(); err != nil {
		return idempotency.Row{}, err
	}
	at, err := db.load(ctx, id)
	return at.row, err
}

// load reads a committed row, and so a durable one: it cannot be seen before. The
// context is not handed to the driver, which would start a goroutine to watch it for
// a few microseconds.
func (db *DB) load(ctx context.Context, id string) (stored, error) {
	at, err := db.scanOne(db.get.QueryContext(context.WithoutCancel(ctx), id))
	if err != nil {
		return stored{}, db.readError(err)
	}
	return at, nil
}

// readError keeps the answers of the rules apart from trouble of the database.
func (db *DB) readError(err error) error {
	if err == idempotency.ErrNotFound { //nolint:errorlint // made here
		return err
	}
	return db.wrap("read", err)
}

// scanOne reads the first row of an answer; the error is ErrNotFound where there is none.
func (db *DB) scanOne(rows *sql.Rows, err error) (stored, error) {
	all, err := db.scan(rows, err)
	if err == nil && len(all) == 0 {
		err = idempotency.ErrNotFound
	}
	if err != nil {
		return stored{}, err
	}
	return all[0], nil
}

// scan reads an answer of selectCall.
func (db *DB) scan(rows *sql.Rows, err error) ([]stored, error) {
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var (
		all                []stored
		body, args, result sql.RawBytes // decoded before the next row
	)
	for rows.Next() {
		var at stored
		var c rowcodec.Columns
		if err := rows.Scan(&at.n, &c.ID, &c.Version, &c.State, &at.blobs, &body, &args, &result); err != nil {
			return nil, err
		}
		c.Body, c.Args, c.Result = body, owned(args), owned(result)
		if at.row, err = rowcodec.Decode(c, db.seal); err != nil {
			return nil, &Error{Op: "read", Path: db.path, Kind: ErrCorrupt, Err: err}
		}
		db.clock.saw(at.row.Updated)
		all = append(all, at)
	}
	return all, rows.Err()
}

// owned copies what belongs to the driver.
func owned(b sql.RawBytes) []byte {
	if b == nil {
		return nil
	}
	return append([]byte{}, b...)
}

// List implements [idempotency.Lister].
func (db *DB) List(ctx context.Context, q idempotency.Query) ([]idempotency.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	where, args := conditions(q, db.clock.now())
	found, err := db.scan(db.read.QueryContext(ctx, selectCall+where, args...))
	if err != nil {
		return nil, db.wrap("list", err)
	}
	return rowsOf(found), nil
}

func rowsOf(found []stored) []idempotency.Row {
	var rows []idempotency.Row
	for _, at := range found {
		rows = append(rows, at.row)
	}
	return rows
}

// Events implements [idempotency.Lister]. All of them are kept, as long as the row is.
func (db *DB) Events(ctx context.Context, id string) ([]idempotency.Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	// One statement, so that the row is not pruned in between. Its number without an
	// event tells that there is a row.
	rows, err := db.read.QueryContext(ctx, `SELECT e.id, e.at, e.command, e.before, e.after, e.epoch, e.actor, e.note
		FROM failloud_calls AS c JOIN failloud_events AS e ON e.id BETWEEN c.n << 24 AND (c.n << 24) + 16777215
		WHERE c.id = ? ORDER BY e.id`, id)
	if err != nil {
		return nil, db.wrap("events", err)
	}
	defer rows.Close()
	var all []idempotency.Event
	for rows.Next() {
		e := idempotency.Event{Row: id}
		var at int64
		var before, after string
		var actor, note sql.NullString
		if err := rows.Scan(&e.Seq, &at, &e.Command, &before, &after, &e.Epoch, &actor, &note); err != nil {
			return nil, db.wrap("events", err)
		}
		e.Seq &= 1<<eventBits - 1
		e.At, e.Actor, e.Note = time.Unix(0, at).UTC(), actor.String, note.String
		if err := e.From.UnmarshalText([]byte(before)); err != nil {
			return nil, &Error{Op: "events", Path: db.path, Kind: ErrCorrupt, Err: err}
		}
		if err := e.To.UnmarshalText([]byte(after)); err != nil {
			return nil, &Error{Op: "events", Path: db.path, Kind: ErrCorrupt, Err: err}
		}
		all = append(all, e)
	}
	if err := rows.Err(); err != nil {
		return nil, db.wrap("events", err)
	}
	if all == nil { // every write has one
		return nil, fmt.Errorf("%w: %s", idempotency.ErrNotFound, id)
	}
	return all, nil
}

// MaxResult implements [idempotency.Keeper]: 16 MiB. What is larger than 64 KiB lies
// in a table of its own.
func (db *DB) MaxResult() int { return maxResult }
