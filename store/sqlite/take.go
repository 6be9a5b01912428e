package sqlite

import (
	"context"
	"strings"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// Take implements [idempotency.Taker]. The hold lies in the database, so that it
// holds against every process; each change of the row ends it.
func (db *DB) Take(ctx context.Context, q idempotency.Query, hold time.Duration) ([]idempotency.Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	var found []stored
	err := db.writer.write(ctx, &request{do: func(s *session) (err error) {
		now := db.clock.now()
		where, args := conditions(q, now, "(hold IS NULL OR hold <= ?)")
		args = append([]any{now.UnixNano()}, args...)
		if found, err = db.scan(s.conn.QueryContext(context.Background(), selectCall+where, args...)); err != nil || len(found) == 0 {
			return err
		}
		until := []any{now.Add(hold).UnixNano()}
		for _, at := range found {
			until = append(until, at.n)
		}
		_, err = s.conn.ExecContext(context.Background(),
			`UPDATE failloud_calls SET hold = ? WHERE n IN (?`+strings.Repeat(", ?", len(found)-1)+`)`, until...) //nolint:gosec // placeholders
		return err
	}})
	if err != nil {
		return nil, db.wrap("take", err)
	}
	return rowsOf(found), nil
}
