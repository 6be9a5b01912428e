package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"time"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/rowcodec"
)

// inline is how large a payload may be to lie in its row.
const inline = 64 << 10

// change is a command, and what it makes of a row.
type change struct {
	id  string
	cmd idempotency.Command

	from    stored // the row it was applied to
	next    stored
	event   idempotency.Event
	columns rowcodec.Columns
	err     error // what the rules say against it
}

// none reports whether there is nothing to write.
func (c *change) none() bool { return c.err != nil || c.event.None() }

// plan applies the command to a row, and encodes what comes of it.
func (db *DB) plan(c *change, from stored) error {
	c.from = from
	c.next = from
	c.next.row, c.event, c.err = idempotency.Apply(from.row, c.cmd, db.clock.now())
	if c.none() {
		return nil
	}
	var err error
	c.columns, err = rowcodec.Encode(&c.next.row, db.seal)
	return err
}

// Apply implements [idempotency.Store]. The command is applied and encoded on the
// caller's goroutine, to the row as it was last seen; the writer only compares and
// sets, and applies it anew where somebody was faster. So a claim of something new
// is one statement and its event, and nothing is read before.
//
// The answer that nothing changes, or may not, is never given from memory. Whether a
// row that is not remembered is likely to be there is guessed from the last one that
// was not: work that repeats itself is looked up first and never meets the writer.
func (db *DB) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if err := ctx.Err(); err != nil {
		return idempotency.Row{}, err
	}
	c := &change{id: id, cmd: cmd}
	from, remembered := db.cache.get(id)
	look := !remembered && db.repeats.Load()
	if !look {
		if err := db.plan(c, from); err != nil {
			return idempotency.Row{}, db.wrap("encode", err)
		}
		look = c.none()
	}
	if look {
		at, err := db.load(ctx, id)
		if err != nil && !errors.Is(err, idempotency.ErrNotFound) {
			return idempotency.Row{}, err
		}
		db.repeats.Store(err == nil)
		if err := db.plan(c, at); err != nil {
			return idempotency.Row{}, db.wrap("encode", err)
		}
		if c.none() {
			return c.next.row, c.err
		}
	}
	err := db.writer.write(ctx, &request{
		do:    func(s *session) error { return db.save(s, c) },
		after: func(ok bool) { db.saved(c, ok) },
	})
	if err != nil {
		return idempotency.Row{}, db.wrap("write", err)
	}
	return c.next.row, c.err
}

// save writes a change, planned anew where the row is not what it was made from.
func (db *DB) save(s *session, c *change) error {
	ok, err := s.put(c)
	if ok || err != nil {
		return err
	}
	at, err := db.scanOne(s.get.QueryContext(context.Background(), c.id))
	if err != nil && !errors.Is(err, idempotency.ErrNotFound) {
		return err
	}
	if c.from.n == 0 && err == nil {
		db.repeats.Store(true)
	}
	if err := db.plan(c, at); err != nil || c.none() {
		return err
	}
	if ok, err = s.put(c); err == nil && !ok {
		err = errors.New("a row changed within the transaction")
	}
	return err
}

// saved tells what follows from a commit, or from one that failed.
func (db *DB) saved(c *change, ok bool) {
	switch {
	case !ok:
		db.cache.forget(c.id)
	case !c.none():
		db.cache.put(c.next)
		db.waits.changed(c.id)
	}
}

// put writes the row and remembers its event. It reports whether the row was the
// one that the change was made from.
func (s *session) put(c *change) (bool, error) {
	col, row := &c.columns, &c.next.row
	args, result := blobOr(col.Args), blobOr(col.Result)
	c.next.blobs = args.is(blobArgs) | result.is(blobResult)
	var r sql.Result
	var err error
	ctx := context.Background()
	state := []any{col.State, text(col.RunID), text(col.Gate), flag(col.ToRun), nanos(col.Announce), nanos(col.Due)}
	switch {
	case c.from.n == 0:
		r, err = s.insert.ExecContext(ctx, col.ID, text(col.Tenant), col.Tool, col.State, text(col.RunID),
			text(col.TaskKey), text(col.Identity), text(col.Gate), flag(col.ToRun), nanos(col.Announce), nanos(col.Due),
			col.Version, nanos(col.Created), nanos(col.Updated), c.next.blobs, string(col.Body), args.inline, result.inline)
	case samePayload(row.Args, c.from.row.Args) && row.TaskKey == c.from.row.TaskKey && row.Identity == c.from.row.Identity:
		args.large = nil // as it is
		c.next.blobs = c.from.blobs&blobArgs | c.next.blobs&blobResult
		r, err = s.end.ExecContext(ctx, append(state, col.Version, nanos(col.Updated), c.next.blobs, string(col.Body), result.inline,
			c.from.n, c.from.row.Version, col.ID)...)
	default:
		r, err = s.update.ExecContext(ctx, append(state, col.Version, nanos(col.Updated), c.next.blobs, string(col.Body), result.inline,
			args.inline, text(col.TaskKey), text(col.Identity), c.from.n, c.from.row.Version, col.ID)...)
	}
	if err != nil {
		return false, err
	}
	if n, err := r.RowsAffected(); err != nil || n != 1 {
		return false, err
	}
	if c.from.n == 0 {
		if c.next.n, err = r.LastInsertId(); err != nil {
			return false, err
		}
	}
	if err := s.putBlobs(c, args.large, result.large); err != nil {
		return false, err
	}
	s.remember(c.next.n, &c.event)
	s.erased = s.erased || row.Erased && !c.from.row.Erased
	return true, nil
}

// putBlobs writes the payloads that are too large for their row, and drops those
// that it has no more.
func (s *session) putBlobs(c *change, args, result []byte) error {
	for _, p := range []struct {
		which blobs
		data  []byte
	}{{blobArgs, args}, {blobResult, result}} {
		var err error
		switch {
		case p.data != nil:
			_, err = s.putBlob.ExecContext(context.Background(), blobID(c.next.n, p.which), p.data)
		case c.from.blobs&p.which != 0 && c.next.blobs&p.which == 0:
			_, err = s.dropBlob.ExecContext(context.Background(), blobID(c.next.n, p.which))
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// remember keeps an event until the batch is complete.
func (s *session) remember(n int64, e *idempotency.Event) {
	s.pending = append(s.pending, eventID(n, e.Seq), e.At.UnixNano(), e.Command, e.From.String(), e.To.String(), e.Epoch,
		text(e.Actor), text(e.Note))
	if e.At.After(s.newest) {
		s.newest = e.At
	}
}

// payload is where the bytes of a payload go: into the row or beside it.
type payload struct{ inline, large []byte }

func blobOr(data []byte) payload {
	if len(data) > inline {
		return payload{large: data}
	}
	return payload{inline: data}
}

func (p payload) is(which blobs) blobs {
	if p.large != nil {
		return which
	}
	return 0
}

// samePayload reports whether two payloads are one, without comparing large ones:
// those are the same piece of memory, or are written again.
func samePayload(a, b []byte) bool {
	return len(a) == len(b) && (len(a) == 0 || &a[0] == &b[0] || len(a) <= inline && string(a) == string(b))
}

// Columns that most rows do not have are NULL, which costs nothing and stays out of
// the partial indexes.

func text(s string) any {
	if s == "" {
		return nil
	}
	return s
}

func flag(b bool) any {
	if b {
		return int64(1)
	}
	return nil
}

func nanos(t time.Time) any {
	if t.IsZero() {
		return nil
	}
	return t.UnixNano()
}
