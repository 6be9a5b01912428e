package postgres_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

// The clock in the bubble shows the year 2000, and jumps by an hour at once, as that
// of a machine that slept does. What the worker writes has the server's time all the
// same, and its lease holds for others just as long as it should.
func TestTheClockOfAWorkerIsNoMatter(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	outside := open(t, postgres.Config{URL: url})
	start := time.Now().Add(-time.Minute)
	synctest.Test(t, func(t *testing.T) {
		require.Equal(t, 2000, time.Now().Year(), "the worker's clock is wrong")
		worker, err := postgres.Open(t.Context(), postgres.Config{URL: url})
		require.NoError(t, err)
		defer worker.Close()
		for _, name := range []string{"first", "after an hour", "after another"} {
			id, claim := acquire(name, "mine", time.Minute)
			row, err := worker.Apply(t.Context(), id, claim)
			require.NoError(t, err)
			require.WithinRange(t, row.Created, start, start.Add(10*time.Minute), name)
			require.Equal(t, row.Created.Add(time.Minute), row.LeaseUntil)
			row, err = worker.Apply(t.Context(), id, idempotency.Expire{})
			require.NoError(t, err)
			require.Equal(t, idempotency.Running, row.State, "%s: a worker with a wrong clock ends its own lease", name)
			time.Sleep(time.Hour)
		}
	})
	for _, name := range []string{"first", "after an hour", "after another"} {
		id, _ := acquire(name, "", 0)
		row, err := outside.Apply(t.Context(), id, idempotency.Expire{})
		require.NoError(t, err)
		require.Equal(t, idempotency.Running, row.State, "%s: a lease ends before its time", name)
		events, err := outside.Events(t.Context(), id)
		require.NoError(t, err)
		require.WithinRange(t, events[0].At, start, start.Add(10*time.Minute))
	}
}

// A time that has come for the one who looks has come for the one who acts on it.
func TestWhatIsListedAsDueIsDue(t *testing.T) {
	t.Parallel()
	url := pgtest.URL(t)
	db, other := open(t, postgres.Config{URL: url}), open(t, postgres.Config{URL: url})
	for i := range 50 {
		id, claim := acquire(string(rune('A'+i)), "mine", time.Duration(i)*37*time.Microsecond+time.Nanosecond)
		_, err := other.Apply(t.Context(), id, claim)
		require.NoError(t, err)
		rows, err := db.List(t.Context(), idempotency.Query{Due: true})
		require.NoError(t, err)
		for _, old := range rows {
			row, err := db.Apply(t.Context(), old.ID, idempotency.Expire{})
			require.NoError(t, err)
			require.NotEqual(t, old.Version, row.Version, "it was listed as due, and is not")
		}
	}
}
