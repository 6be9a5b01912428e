package runs

import (
	"context"
	"database/sql"
	"time"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/internal/engine"
)

// EventErased is the type of the event that says that the payloads of a run were
// erased. It is written by [Store.Erase] alone.
const EventErased runrecord.EventType = "erased"

// Erase removes the payloads of a run and of the runs that descend from it: the
// question and what was heard later, arguments, results and drafts. Its events, how
// it ended and all counts stay, and that it was erased becomes an event of its own.
// Payloads that come later are not kept. Erasing a run again changes nothing.
//
// The ledger has payloads of its own, see [idempotency.Ledger.Erase]; backups and,
// until the database has reused the space, its files may still hold the bytes.
func (s *Store) Erase(ctx context.Context, id string) error {
	if err := s.Flush(ctx); err != nil {
		return err
	}
	if run, err := s.Find(ctx, id); err != nil {
		return err
	} else if run.ID != id {
		return &NoRunError{ID: id, Near: []string{run.ID}}
	}
	return s.db.Write(ctx, func(tx *sql.Tx) error {
		if s.db.Dialect == engine.SQLite { // freed pages are overwritten
			if _, err := tx.ExecContext(ctx, `PRAGMA secure_delete = ON`); err != nil {
				return err
			}
		}
		ids, err := s.descendants(ctx, tx, id)
		if err != nil {
			return err
		}
		found, err := s.readRuns(ctx, tx, ids)
		if err != nil {
			return err
		}
		f, now := family{}, time.Now().UTC()
		var said []*entry
		for _, r := range found {
			if !r.Erased.IsZero() {
				continue
			}
			r.Erased = now
			f[r.ID] = r
			n, err := newEntry(runrecord.Event{
				Schema: runrecord.SchemaVersion, Type: EventErased, Time: now,
				Run: r.ID, Parent: r.Parent, Task: r.Task, Key: r.Key, Tenant: r.Tenant, Leg: r.Legs,
			})
			if err != nil {
				return err
			}
			said = append(said, n)
			if _, err := tx.ExecContext(ctx, s.db.Bind(`UPDATE failloud_run_events SET question = NULL, args = NULL, result = NULL, draft = NULL
				WHERE run = ? AND (question IS NOT NULL OR args IS NOT NULL OR result IS NOT NULL OR draft IS NOT NULL)`), r.ID); err != nil {
				return err
			}
		}
		first, err := s.eventIDs(ctx, tx)
		if err != nil {
			return err
		}
		rows := make([][]any, len(said))
		for i, n := range said {
			rows[i] = s.eventRow(first+int64(i), n, now)
		}
		if err := s.insert(ctx, tx, insertEvents, "", rows); err != nil {
			return err
		}
		return s.saveRuns(ctx, tx, f)
	})
}
