package runs

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"time"

	"github.com/failloud/failloud/store/internal/engine"
)

const (
	pruneRuns   = 100 // runs without a parent of one transaction
	pruneBlocks = 32  // blocks of facts of one transaction
)

// Prune removes the runs whose last event, or that of a child, is older than age,
// whatever their state: their events, and what the views count of them. It works in
// small transactions; where it is stopped half-way, the next Prune goes on. It
// returns how many runs were removed.
func (s *Store) Prune(ctx context.Context, age time.Duration) (removed int, err error) {
	if age <= 0 {
		return 0, fmt.Errorf("runs: %w: pruning at the age of %v", ErrQuery, age)
	}
	if err := s.Flush(ctx); err != nil {
		return 0, err
	}
	now, err := s.db.Now(ctx)
	if err != nil {
		return 0, err
	}
	before := now.Add(-age)
	for {
		n, err := s.pruneRuns(ctx, before)
		removed += n
		if err != nil {
			return removed, err
		}
		if n == 0 {
			break
		}
	}
	for id := int64(math.MinInt64); ; {
		next, err := s.pruneBlocks(ctx, id, before)
		if err != nil || next == id {
			return removed, err
		}
		id = next
	}
}

func (s *Store) pruneRuns(ctx context.Context, before time.Time) (removed int, err error) {
	err = s.db.Write(ctx, func(tx *sql.Tx) error {
		removed = 0
		roots, err := column[any](ctx, tx, s.db.Bind(`SELECT id FROM failloud_runs WHERE last < ? AND root = id ORDER BY last LIMIT ?`), micros(before), pruneRuns)
		if err != nil || len(roots) == 0 {
			return err
		}
		in := `root IN (` + marks(len(roots)) + `)`
		if _, err := tx.ExecContext(ctx, s.db.Bind(`DELETE FROM failloud_run_events WHERE run IN (SELECT id FROM failloud_runs WHERE `+in+`)`), roots...); err != nil {
			return err
		}
		done, err := tx.ExecContext(ctx, s.db.Bind(`DELETE FROM failloud_runs WHERE `+in), roots...)
		if err != nil {
			return err
		}
		n, err := done.RowsAffected()
		removed = int(n)
		return err
	})
	return removed, err
}

// pruneBlocks takes the facts of runs that are gone out of some of the blocks behind
// the given one, and returns the last of these.
func (s *Store) pruneBlocks(ctx context.Context, after int64, before time.Time) (last int64, err error) {
	err = s.db.Write(ctx, func(tx *sql.Tx) error {
		last = after
		lock := ""
		if s.db.Dialect == engine.Postgres {
			lock = " FOR UPDATE"
		}
		rows, err := tx.QueryContext(ctx, s.db.Bind(`SELECT id, data FROM failloud_run_facts WHERE id > ? AND since <= ? ORDER BY id LIMIT ?`+lock), after, before.Unix(), pruneBlocks)
		if err != nil {
			return err
		}
		var blocks []block
		for rows.Next() {
			var b block
			if err := rows.Scan(&b.id, &b.data); err != nil {
				rows.Close()
				return err
			}
			blocks = append(blocks, b)
		}
		if err := rows.Err(); err != nil {
			return err
		}
		for i := range blocks {
			last = blocks[i].id
			if err := s.pruneBlock(ctx, tx, &blocks[i]); err != nil {
				return err
			}
		}
		return nil
	})
	return last, err
}

func (s *Store) pruneBlock(ctx context.Context, tx *sql.Tx, b *block) error {
	first, lastRun := int64(math.MaxInt64), int64(math.MinInt64)
	var f fact
	total := 0
	r := factReader{unpacker: unpacker{data: b.data}}
	for r.next(&f) {
		first, lastRun = min(first, f.run), max(lastRun, f.run)
		total++
	}
	if r.err != nil {
		return damaged(fmt.Sprintf("facts %d", b.id), r.err)
	}
	nums, err := column[int64](ctx, tx, s.db.Bind(`SELECT num FROM failloud_runs WHERE num BETWEEN ? AND ?`), first, lastRun)
	if err != nil {
		return err
	}
	there := make(map[int64]bool, len(nums))
	for _, n := range nums {
		there[n] = true
	}
	left, kept := block{id: b.id}, 0
	r = factReader{unpacker: unpacker{data: b.data}}
	for r.next(&f) {
		if there[f.run] {
			left.add(&f)
			kept++
		}
	}
	switch kept {
	case total:
		return nil
	case 0:
		_, err = tx.ExecContext(ctx, s.db.Bind(`DELETE FROM failloud_run_facts WHERE id = ?`), b.id)
		return err
	}
	return s.saveBlock(ctx, tx, &left)
}
