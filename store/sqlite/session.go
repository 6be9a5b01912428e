package sqlite

import (
	"context"
	"database/sql"
	"database/sql/driver"
	"errors"
	"strconv"
	"strings"
	"time"
)

const (
	// clockEvery is how often the newest time is written. What is lost of it by a
	// crash does no harm: from the last one known the clock runs on.
	clockEvery = time.Second
	// truncateWait is how long an erasure waits for readers before it leaves the
	// write-ahead log to the next one.
	truncateWait = 500 * time.Millisecond
	// eventsAtOnce is the largest number of events in one statement.
	eventsAtOnce = 32
)

// session is the connection that writes, with its statements. Only the writer's
// goroutine uses it.
type session struct {
	conn *sql.Conn
	tx   *sql.Tx // nil where no request of the batch needs it

	begin, commit, rollback  *sql.Stmt
	lock, clock              *sql.Stmt
	insert, end, update, get *sql.Stmt
	putBlob, dropBlob        *sql.Stmt
	events                   map[int]*sql.Stmt // by how many they write

	pending  []any     // arguments of the events of this batch
	newest   time.Time // newest time written by this batch
	recorded time.Time // newest time that the database knows of
	erased   bool      // something must not be found in the files any more
}

const (
	insertCall = `INSERT INTO failloud_calls (id, tenant, tool, state, run_id, task_key, identity, gate,
		to_run, announce, due, version, created, updated, blobs, body, args, result)
		VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?) ON CONFLICT (id) DO NOTHING`
	// endCall is what most writes are: nothing else of the row changes.
	endCall = `UPDATE failloud_calls SET state = ?, run_id = ?, gate = ?, to_run = ?, announce = ?, due = ?, hold = NULL,
		version = ?, updated = ?, blobs = ?, body = ?, result = ? WHERE n = ? AND version = ? AND id = ?`
	updateCall = `UPDATE failloud_calls SET state = ?, run_id = ?, gate = ?, to_run = ?, announce = ?, due = ?, hold = NULL,
		version = ?, updated = ?, blobs = ?, body = ?, result = ?, args = ?, task_key = ?, identity = ?
		WHERE n = ? AND version = ? AND id = ?`
	// selectCall reads a row in one statement, and so at one moment.
	selectCall = `SELECT n, id, version, state, blobs, body,
		CASE WHEN blobs & 1 THEN (SELECT data FROM failloud_blobs WHERE failloud_blobs.id = n << 1) ELSE args END,
		CASE WHEN blobs & 2 THEN (SELECT data FROM failloud_blobs WHERE failloud_blobs.id = n << 1 | 1) ELSE result END
		FROM failloud_calls`
	insertEvent = `INSERT INTO failloud_events (id, at, command, before, after, epoch, actor, note) VALUES `
	eventValues = `(?, ?, ?, ?, ?, ?, ?, ?)`
	eventWidth  = 8
)

// newSession prepares the statements on a connection, which it owns from then on.
func newSession(ctx context.Context, conn *sql.Conn, recorded time.Time) (*session, error) {
	s := &session{conn: conn, recorded: recorded, events: map[int]*sql.Stmt{}}
	for _, p := range []struct {
		stmt  **sql.Stmt
		query string
	}{
		{&s.begin, `BEGIN IMMEDIATE`}, {&s.commit, `COMMIT`}, {&s.rollback, `ROLLBACK`},
		{&s.lock, `UPDATE failloud_clock SET high = high`},
		{&s.clock, `UPDATE failloud_clock SET high = max(high, ?)`},
		{&s.insert, insertCall}, {&s.end, endCall}, {&s.update, updateCall},
		{&s.get, selectCall + ` WHERE id = ?`},
		{&s.putBlob, `INSERT OR REPLACE INTO failloud_blobs (id, data) VALUES (?, ?)`},
		{&s.dropBlob, `DELETE FROM failloud_blobs WHERE id = ?`},
	} {
		var err error
		if *p.stmt, err = conn.PrepareContext(ctx, p.query); err != nil {
			s.discard()
			return nil, err
		}
	}
	return s, nil
}

// start begins the transaction of a batch.
func (s *session) start(ctx context.Context, tx bool) (err error) {
	clear(s.pending)
	s.pending, s.newest, s.erased, s.tx = s.pending[:0], time.Time{}, false, nil
	if !tx {
		_, err = s.begin.ExecContext(ctx)
		return err
	}
	if s.tx, err = s.conn.BeginTx(ctx, nil); err != nil {
		return err
	}
	// A caller's database may begin without the write lock. To take it first means
	// that nothing that is read then can be out of date.
	if _, err = s.lock.ExecContext(ctx); err != nil {
		_ = s.tx.Rollback()
	}
	return err
}

// finish writes what the requests of a batch have in common, and commits.
func (s *session) finish(ctx context.Context) error {
	if err := s.flush(ctx); err != nil {
		return err
	}
	// The clock is for the next start. To write it each time would be a page more in
	// every commit.
	if s.newest.Sub(s.recorded) > clockEvery {
		if _, err := s.clock.ExecContext(ctx, s.newest.UnixNano()); err != nil {
			return err
		}
		s.recorded = s.newest
	}
	var err error
	if s.tx != nil {
		err = s.tx.Commit()
	} else {
		_, err = s.commit.ExecContext(ctx)
	}
	if err == nil && s.erased {
		s.truncate(ctx)
	}
	return err
}

// undo rolls back. An error means that the state of the connection is not known.
func (s *session) undo(ctx context.Context) error {
	if s.tx != nil {
		if err := s.tx.Rollback(); !errors.Is(err, sql.ErrTxDone) {
			return err
		}
		return nil // a commit that failed has done it
	}
	_, err := s.rollback.ExecContext(ctx)
	return err
}

// flush writes the events of the batch, many in a statement.
func (s *session) flush(ctx context.Context) error {
	for rest := s.pending; len(rest) > 0; {
		n := 1
		for n*2 <= min(len(rest)/eventWidth, eventsAtOnce) {
			n *= 2
		}
		stmt := s.events[n]
		if stmt == nil {
			var err error
			query := insertEvent + strings.Repeat(eventValues+", ", n-1) + eventValues //nolint:gosec // placeholders
			if stmt, err = s.conn.PrepareContext(ctx, query); err != nil {
				return err
			}
			s.events[n] = stmt
		}
		if _, err := stmt.ExecContext(ctx, rest[:n*eventWidth]...); err != nil {
			return err
		}
		rest = rest[n*eventWidth:]
	}
	return nil
}

// truncate empties the write-ahead log, in which the erased can still be found.
func (s *session) truncate(ctx context.Context) {
	wait := func(d time.Duration) {
		_, _ = s.conn.ExecContext(ctx, "PRAGMA busy_timeout = "+strconv.FormatInt(d.Milliseconds(), 10))
	}
	wait(truncateWait)
	_, _ = s.conn.ExecContext(ctx, `PRAGMA wal_checkpoint(TRUNCATE)`)
	wait(busyTimeout)
}

// close gives the connection back.
func (s *session) close() error {
	s.closeStatements()
	return s.conn.Close()
}

// discard closes the connection for good.
func (s *session) discard() {
	s.closeStatements() // first: a statement does not outlive its connection
	_ = s.conn.Raw(func(any) error { return driver.ErrBadConn })
	_ = s.conn.Close()
}

func (s *session) closeStatements() {
	for _, stmt := range s.events {
		_ = stmt.Close()
	}
	for _, stmt := range []*sql.Stmt{
		s.begin, s.commit, s.rollback, s.lock, s.clock, s.insert, s.end, s.update, s.get, s.putBlob, s.dropBlob,
	} {
		if stmt != nil {
			_ = stmt.Close()
		}
	}
}
