package postgres_test

import (
	"context"
	"sync"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

// waiting starts to wait and returns once the row says so.
func waiting(t *testing.T, db *postgres.DB, watch *pgx.Conn, id string, version int64) <-chan error {
	t.Helper()
	done := make(chan error, 1)
	go func() { done <- db.Changed(t.Context(), id, version) }()
	require.Eventually(t, func() bool {
		var awaited *int64
		err := watch.QueryRow(t.Context(), `SELECT awaited FROM failloud.failloud_calls WHERE id = $1`, id).Scan(&awaited)
		return err == nil && awaited != nil && *awaited == version
	}, 10*time.Second, 5*time.Millisecond)
	return done
}

func within(t *testing.T, done <-chan error, limit time.Duration) {
	t.Helper()
	select {
	case err := <-done:
		require.NoError(t, err)
	case <-time.After(limit):
		t.Fatalf("who waits was not told within %s", limit)
	}
}

// Well below the time after which a waiter looks by itself.
const soon = 2 * time.Second

func TestWhoWaitsIsToldByAnotherProcess(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	worker, waiter := open(t, postgres.Config{URL: url}), open(t, postgres.Config{URL: url})
	watch, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer watch.Close(context.Background())
	for range 3 { // also a second time for the same row
		id, claim := acquire("4711", "mine", time.Hour)
		row, err := worker.Apply(t.Context(), id, claim)
		require.NoError(t, err)
		done := waiting(t, waiter, watch, id, row.Version)
		_, err = worker.Apply(t.Context(), id, idempotency.Release{Epoch: row.Epoch})
		require.NoError(t, err)
		within(t, done, soon)
	}
}

// A connection that broke without anybody noticing must not leave those who wait to
// themselves, and those who come next are told again.
func TestListeningIsTakenUpAgain(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	worker, waiter := open(t, postgres.Config{URL: url}), open(t, postgres.Config{URL: url})
	watch, err := pgx.Connect(t.Context(), url)
	require.NoError(t, err)
	defer watch.Close(context.Background())
	listeners := func() (n int) {
		require.NoError(t, watch.QueryRow(t.Context(), `SELECT count(*) FROM pg_stat_activity
			WHERE datname = current_database() AND query LIKE 'LISTEN%'`).Scan(&n))
		return n
	}
	id, claim := acquire("4711", "mine", time.Hour)
	row, err := worker.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	done := waiting(t, waiter, watch, id, row.Version)
	require.Equal(t, 1, listeners(), "one connection a process")
	_, err = watch.Exec(t.Context(), `SELECT pg_terminate_backend(pid) FROM pg_stat_activity
		WHERE datname = current_database() AND query LIKE 'LISTEN%'`)
	require.NoError(t, err)
	row, err = worker.Apply(t.Context(), id, idempotency.Release{Epoch: row.Epoch})
	require.NoError(t, err)
	within(t, done, soon)
	require.Eventually(t, func() bool { return listeners() == 1 }, 10*time.Second, 10*time.Millisecond)
	done = waiting(t, waiter, watch, id, row.Version)
	_, claim = acquire("4711", "again", time.Hour)
	_, err = worker.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	within(t, done, soon)
}

// No change is missed, whenever the wait begins.
func TestNoChangeIsMissed(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	worker, waiter := open(t, postgres.Config{URL: url}), open(t, postgres.Config{URL: url})
	id, claim := acquire("4711", "mine", time.Hour)
	row, err := worker.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	for range 100 {
		var told sync.WaitGroup
		start, version := time.Now(), row.Version
		for range 4 {
			told.Go(func() {
				if err := waiter.Changed(t.Context(), id, version); err != nil {
					t.Errorf("waiting: %v", err)
				}
			})
		}
		row, err = worker.Apply(t.Context(), id, idempotency.Extend{Epoch: row.Epoch, Lease: time.Hour})
		require.NoError(t, err)
		told.Wait()
		require.Less(t, time.Since(start), soon, "it was found by looking, not by being told")
	}
}

func TestAWaitEndsWithItsContextAndWithTheStore(t *testing.T) {
	t.Parallel()
	db, err := postgres.Open(t.Context(), postgres.Config{URL: pgtest.URL(t)})
	require.NoError(t, err)
	id, claim := acquire("4711", "mine", time.Hour)
	row, err := db.Apply(t.Context(), id, claim)
	require.NoError(t, err)
	ctx, cancel := context.WithTimeout(t.Context(), 50*time.Millisecond)
	defer cancel()
	require.ErrorIs(t, db.Changed(ctx, id, row.Version), context.DeadlineExceeded)
	require.NoError(t, db.Changed(t.Context(), "nothing", 0), "there is nothing to wait for")

	done := make(chan error, 1)
	go func() { done <- db.Changed(context.Background(), id, row.Version) }()
	time.AfterFunc(20*time.Millisecond, func() { db.Close() })
	require.ErrorIs(t, <-done, postgres.ErrClosed)
	require.NoError(t, db.Close())
	_, err = db.Load(context.Background(), id)
	require.ErrorIs(t, err, postgres.ErrClosed)
}
