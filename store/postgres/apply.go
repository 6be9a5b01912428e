package postgres

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
)

const (
	// tries is how often a command is applied to a newer row, because others write to
	// the same one: each time one of them has succeeded, so that 64 who start at once
	// are all through by then.
	tries = 100
	// sends is how often a command is sent where connections break.
	sends = 3

	firstPause = time.Millisecond
	longPause  = 50 * time.Millisecond
)

// change is a command, and what it makes of a row.
type change struct {
	from idempotency.Row // the row it was applied to
	now  time.Time       // the time that the server's clock must be near
	row  idempotency.Row // what becomes of it

	event   idempotency.Event
	columns rowcodec.Columns
	err     error // what the rules say against it
}

// none reports whether there is nothing to write.
func (c *change) none() bool { return c.err != nil || c.event.None() }

// plan applies a command to a row, and encodes what comes of it.
func (db *DB) plan(from idempotency.Row, cmd idempotency.Command) (*change, error) {
	c := &change{from: from, now: db.clock.now()}
	c.row, c.event, c.err = idempotency.Apply(from, cmd, applied(c.now, from.Updated))
	if c.none() {
		return c, nil
	}
	var err error
	c.columns, err = rowcodec.Encode(&c.row, db.seal)
	return c, err
}

// Apply implements [idempotency.Store]. The command is applied to the row as this
// process last wrote it, or to none, and the server compares and sets: that is one
// round trip for a claim of something new and one for its end. Where another was
// faster, the row is read, and the command applied to that.
//
// The answer that nothing changes, or may not, is never given from memory.
func (db *DB) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	from, read, lost := db.cache.get(id), false, 0
	for try := 0; try < tries; try++ {
		if err := pause(ctx, try); err != nil {
			return idempotency.Row{}, err
		}
		c, err := db.plan(from, cmd)
		if err == nil && c.none() && !read {
			if from, err = db.find(ctx, id); err == nil {
				c, err = db.plan(from, cmd)
			}
		}
		if err != nil {
			return idempotency.Row{}, wrap(ctx, "read", err)
		}
		if c.none() {
			return c.row, c.err
		}
		ok, err := db.put(ctx, c)
		if ok {
			db.cache.put(c.row)
			return c.row, nil
		}
		if err == nil {
			if from, err = db.find(ctx, id); err != nil {
				return idempotency.Row{}, wrap(ctx, "read", err)
			}
			read = true
			continue
		}
		db.cache.forget(id)
		err = wrap(ctx, "write", err)
		if lost++; ctx.Err() != nil || !again(err) && (!errors.Is(err, ErrLost) || lost >= sends) {
			return idempotency.Row{}, err
		}
		// It may have been written. The rules know a command that comes twice.
		from, read = idempotency.Row{}, false
	}
	return idempotency.Row{}, &Error{Op: "write", Kind: ErrBusy, Err: errors.New("the row is changed by others all the time")}
}

// find reads a row, the zero Row where there is none.
func (db *DB) find(ctx context.Context, id string) (idempotency.Row, error) {
	row, err := db.load(ctx, id)
	if errors.Is(err, idempotency.ErrNotFound) {
		return idempotency.Row{}, nil
	}
	return row, err
}

// pause lets others finish before the next try; the first two follow at once. The
// time is random, so that those who met once do not meet again.
func pause(ctx context.Context, try int) error {
	if try < 2 {
		return ctx.Err()
	}
	return sleep(ctx, rand.N(min(firstPause<<min(try-2, 10), longPause)))
}

func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// put writes a change, if the row is the one that it was made from, and the server's
// clock is near the time that it was made for.
func (db *DB) put(ctx context.Context, c *change) (ok bool, err error) {
	var server time.Time
	col, e := &c.columns, &c.event
	query := db.say.insert
	args := []any{
		col.ID, plain(col.Tenant), plain(col.Tool), col.State, text(col.RunID), text(col.TaskKey), text(col.Identity), text(col.Gate),
		flag(col.ToRun), moment(col.Announce), moment(col.Due), moment(closed(&c.row)), col.Args, col.Result,
		col.Version, col.Created, col.Updated, e.Command, e.From.String(), e.To.String(), e.Epoch, text(e.Actor), text(e.Note),
		col.Body, c.now.Add(-trust), c.now.Add(trust),
	}
	if c.from.Version > 0 {
		query = db.say.update
		newArgs, newResult := !same(c.row.Args, c.from.Args), !same(c.row.Result, c.from.Result)
		if !newArgs {
			args[12] = nil
		}
		if !newResult {
			args[13] = nil
		}
		args = append(args, c.from.Version, newArgs, newResult)
	}
	into := []any{&server}
	if c.from.Version > 0 {
		into = append(into, nil) // whether somebody was notified
	}
	asked := time.Now()
	err = db.pool.QueryRow(ctx, query, args...).Scan(into...)
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return false, nil
	case err != nil:
		return false, err
	}
	db.clock.saw(server, asked, time.Now())
	return true, nil
}

// closed is since when a row may be forgotten: its last change where its work has
// ended, and there is no doubt left about how. Zero: not at all.
func closed(r *idempotency.Row) time.Time {
	if r.State == idempotency.Succeeded || r.State.Terminal() && !r.MayHaveApplied {
		return r.Updated
	}
	return time.Time{}
}

// same reports whether two payloads are one, without comparing large ones: those
// are the same piece of memory, or are written again.
func same(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 && (a == nil) == (b == nil) ||
		len(a) > 0 && (&a[0] == &b[0] || len(a) <= cachedPayload && string(a) == string(b)))
}
