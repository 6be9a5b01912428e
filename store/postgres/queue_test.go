package postgres_test

import (
	"fmt"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

// Several workers drain one queue, and no row is handed to two of them.
func TestWorkersTakeDifferentRows(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	const rows, workers = 60, 4
	stores := make([]*postgres.DB, workers)
	for i := range stores {
		stores[i] = open(t, postgres.Config{URL: url})
	}
	for i := range rows {
		id, claim := acquire(fmt.Sprint(i), "mine", time.Hour)
		claim.Dispatch = false
		_, err := stores[0].Apply(t.Context(), id, claim)
		require.NoError(t, err)
		_, err = stores[0].Apply(t.Context(), id, idempotency.Postpone{Epoch: 1, Gate: "bank"})
		require.NoError(t, err)
	}
	var mu sync.Mutex
	var all sync.WaitGroup
	taken := map[string]int{}
	for _, db := range stores {
		all.Go(func() {
			for {
				got, err := db.Take(t.Context(), idempotency.Query{Gate: "bank", Limit: 7}, time.Hour)
				if err != nil {
					t.Errorf("take: %v", err)
				}
				mu.Lock()
				for i, row := range got {
					taken[row.ID]++
					if i > 0 && got[i-1].Created.After(row.Created) {
						t.Errorf("not the oldest first")
					}
				}
				n := len(taken)
				mu.Unlock()
				if err != nil || len(got) == 0 && n == rows {
					return
				}
			}
		})
	}
	all.Wait()
	require.Len(t, taken, rows)
	for id, n := range taken {
		require.Equal(t, 1, n, id)
	}
}

// A row that somebody else is writing to is passed over, not waited for.
func TestTakingDoesNotWaitForAnother(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	db := open(t, postgres.Config{URL: url})
	for _, name := range []string{"locked", "free"} {
		id, claim := acquire(name, "mine", time.Hour)
		_, err := db.Apply(t.Context(), id, claim)
		require.NoError(t, err)
	}
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	tx, err := conn.Begin(t.Context())
	require.NoError(t, err)
	locked, _ := acquire("locked", "", 0)
	_, err = tx.Exec(t.Context(), `SELECT FROM failloud.failloud_calls WHERE id = $1 FOR UPDATE`, locked)
	require.NoError(t, err)
	got, err := db.Take(t.Context(), idempotency.Query{}, time.Hour)
	require.NoError(t, err)
	require.Len(t, got, 1)
	require.NotEqual(t, locked, got[0].ID)
}

// More rows than one step removes, by two processes at once, and what must stay.
func TestPruningInSteps(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	db, other := open(t, postgres.Config{URL: url}), open(t, postgres.Config{URL: url})
	const ended = 1200
	var all sync.WaitGroup
	for w := range 8 {
		all.Go(func() {
			for i := w; i < ended; i += 8 {
				id, claim := acquire(fmt.Sprint(i), "mine", time.Hour)
				if _, err := db.Apply(t.Context(), id, claim); err != nil {
					t.Errorf("claim: %v", err)
				}
				if _, err := db.Apply(t.Context(), id, complete(1)); err != nil {
					t.Errorf("complete: %v", err)
				}
			}
		})
	}
	all.Wait()
	open1, claim := acquire("still running", "mine", time.Hour)
	_, err := db.Apply(t.Context(), open1, claim)
	require.NoError(t, err)
	doubt, claim := acquire("in doubt", "mine", time.Hour)
	_, err = db.Apply(t.Context(), doubt, claim)
	require.NoError(t, err)
	_, err = db.Apply(t.Context(), doubt, idempotency.Doubt{Epoch: 1})
	require.NoError(t, err)

	none, err := db.Prune(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Zero(t, none, "nothing is that old")
	var removed [2]int
	for i, s := range []*postgres.DB{db, other} {
		all.Go(func() {
			var err error
			if removed[i], err = s.Prune(t.Context(), 0); err != nil {
				t.Errorf("prune: %v", err)
			}
		})
	}
	all.Wait()
	require.Equal(t, ended, removed[0]+removed[1])
	rows, err := db.List(t.Context(), idempotency.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 2)
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	var events int
	require.NoError(t, conn.QueryRow(t.Context(), `SELECT count(*) FROM failloud.failloud_events`).Scan(&events))
	require.Equal(t, 3, events, "the events of the removed rows are gone, those of the others are not")
}

func TestRetentionRemovesByItself(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	db := open(t, postgres.Config{URL: url})
	id, claim := acquire("4711", "mine", time.Hour)
	_, err := db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	_, err = db.Apply(t.Context(), id, complete(1))
	require.NoError(t, err)
	open(t, postgres.Config{URL: url, Retention: time.Nanosecond})
	require.Eventually(t, func() bool {
		_, err := db.Load(t.Context(), id)
		return err != nil
	}, 10*time.Second, 5*time.Millisecond)
}

// What recovery, the cases and the drain ask for all the time is found without
// looking at every row that there ever was.
func TestQueriesUseIndexes(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	open(t, postgres.Config{URL: url})
	conn, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer conn.Close(t.Context())
	_, err = conn.Exec(t.Context(), `INSERT INTO failloud.failloud_calls (id, tenant, tool, state, version, created, updated, body, closed)
		SELECT md5(n::text), '', 'pay', 'succeeded', 2, now(), now(), '', now() FROM generate_series(1, 20000) AS n`)
	require.NoError(t, err)
	_, err = conn.Exec(t.Context(), `ANALYZE failloud.failloud_calls`)
	require.NoError(t, err)
	for name, q := range map[string]idempotency.Query{
		"due":         {Due: true},
		"in doubt":    {States: []idempotency.State{idempotency.Unknown}},
		"open cases":  {States: []idempotency.State{idempotency.Escalated, idempotency.AwaitingApproval}, Tenant: "a"},
		"running":     {States: []idempotency.State{idempotency.Running}},
		"to run":      {States: []idempotency.State{idempotency.Ready}, ToRun: true},
		"unannounced": {Unannounced: true},
		"gate":        {Gate: "bank"},
		"identity":    {Tool: "pay", Identity: "0123", TaskKey: "t"},
		"a page":      {After: "5"},
	} {
		query, args := postgres.ListQuery("failloud", q)
		rows, err := conn.Query(t.Context(), `EXPLAIN `+query, args...)
		require.NoError(t, err, name)
		lines, err := pgx.CollectRows(rows, pgx.RowTo[string])
		require.NoError(t, err, name)
		require.NotContains(t, strings.Join(lines, "\n"), "Seq Scan", name)
	}
}
