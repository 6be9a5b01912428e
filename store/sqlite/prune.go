package sqlite

import (
	"context"
	"errors"
	"time"
)

const (
	pruneLook = 1024 // rows looked at in one query
	pruneStep = 64   // rows removed in one request, so that a claim waits for a few milliseconds at the most
)

// Prune implements [idempotency.Pruner]. It removes rows in small steps, between
// which others write. Rows that may have happened, other than by having succeeded,
// are kept, and so is whatever is not terminal.
func (db *DB) Prune(ctx context.Context, age time.Duration) (int, error) {
	removed := 0
	before := db.clock.now().Add(-age).UnixNano()
	for after, more := int64(0), true; more; {
		var old []int64
		var err error
		if old, after, more, err = db.old(ctx, after, before); err != nil {
			return removed, db.wrap("prune", err)
		}
		for len(old) > 0 {
			step := old[:min(pruneStep, len(old))]
			old = old[len(step):]
			n, err := db.remove(ctx, step, before)
			removed += n
			if err != nil {
				return removed, db.wrap("prune", err)
			}
		}
	}
	return removed, nil
}

// terminal is where a row may be removed. Whether it is in doubt is told by its body
// alone, since nothing else asks for it.
const terminal = `(state = 'succeeded' OR state IN ('failed', 'rejected') AND json_extract(body, '$.may_have_applied') IS NOT TRUE)`

// old looks through the next rows for those that may be removed. Rows are numbered
// in the order in which they were made, so the first that is too young is the end.
func (db *DB) old(ctx context.Context, after, before int64) (found []int64, last int64, more bool, err error) {
	rows, err := db.read.QueryContext(ctx,
		`SELECT n, created < ?, updated < ? AND `+terminal+` FROM failloud_calls WHERE n > ? ORDER BY n LIMIT ?`,
		before, before, after, pruneLook)
	if err != nil {
		return nil, after, false, err
	}
	defer rows.Close()
	for rows.Next() {
		var old, remove bool
		if err := rows.Scan(&last, &old, &remove); err != nil {
			return nil, after, false, err
		}
		if !old {
			return found, last, false, nil
		}
		if remove {
			found = append(found, last)
		}
		more = true
	}
	return found, last, more, rows.Err()
}

// remove removes rows that still may be, with all that belongs to them.
func (db *DB) remove(ctx context.Context, numbers []int64, before int64) (removed int, err error) {
	err = db.writer.write(ctx, &request{do: func(s *session) error {
		removed = 0
		ctx := context.Background()
		for _, n := range numbers {
			r, err := s.conn.ExecContext(ctx, `DELETE FROM failloud_calls WHERE n = ? AND updated < ? AND `+terminal, n, before)
			if err != nil {
				return err
			}
			gone, err := r.RowsAffected()
			if err != nil {
				return err
			}
			if gone == 0 {
				continue
			}
			if _, err := s.conn.ExecContext(ctx, `DELETE FROM failloud_events WHERE id BETWEEN ? AND ?`, eventID(n, 0), eventID(n, -1)); err != nil {
				return err
			}
			if _, err := s.conn.ExecContext(ctx, `DELETE FROM failloud_blobs WHERE id IN (?, ?)`, blobID(n, blobArgs), blobID(n, blobResult)); err != nil {
				return err
			}
			removed++
		}
		return nil
	}})
	return removed, err
}

// retain removes what is older than the retentions, now and every hour.
func (db *DB) retain() {
	for {
		var err error
		if keep := db.cfg.Retention; keep > 0 {
			_, err = db.Prune(db.life, keep)
		}
		if keep := db.cfg.RunRetention; keep > 0 {
			_, rerr := db.runs.Prune(db.life, keep)
			err = errors.Join(err, rerr)
		}
		if db.life.Err() == nil {
			db.pruneErr = err
		}
		if pauseFor(db.life, pruneEvery) != nil {
			return
		}
	}
}
