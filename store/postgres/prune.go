package postgres

import (
	"context"
	"errors"
	"time"
)

// pruneStep is how many rows are removed in one transaction, so that nobody waits
// for it, and what is lost where it fails is little.
const pruneStep = 500

// Prune implements [idempotency.Pruner]. It removes rows in small steps, and several
// processes may do so at once. Rows that may have happened, other than by having
// succeeded, are kept, and so is whatever has not ended.
func (db *DB) Prune(ctx context.Context, age time.Duration) (int, error) {
	removed := 0
	for {
		var n int
		if err := db.pool.QueryRow(ctx, db.say.prune, age, pruneStep).Scan(&n); err != nil {
			return removed, wrap(ctx, "prune", err)
		}
		if removed += n; n < pruneStep {
			return removed, nil
		}
	}
}

// retain removes what is older than the retentions, now and every hour.
func (db *DB) retain(rows, ofRuns time.Duration) {
	for {
		var err error
		if rows > 0 {
			_, err = db.Prune(db.life, rows)
		}
		if ofRuns > 0 {
			_, rerr := db.runs.Prune(db.life, ofRuns)
			err = errors.Join(err, rerr)
		}
		if db.life.Err() == nil {
			db.pruneErr = err
		}
		if sleep(db.life, pruneEvery) != nil {
			return
		}
	}
}
