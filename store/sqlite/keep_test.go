package sqlite_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/runs"
	"github.com/failloud/failloud/store/sqlite"
)

// A clock that was set back, with a restart in between, must not make a lease hold
// again.
func TestAClockThatWasSetBackRevivesNoLease(t *testing.T) {
	t.Parallel()
	path := made(t)
	hour := time.Now().Add(time.Hour)
	change(t, path, fmt.Sprintf(`UPDATE failloud_clock SET high = %d`, hour.UnixNano())) // as if now were then
	db := open(t, path)
	now, err := db.Engine().Now(t.Context())
	require.NoError(t, err)
	require.False(t, now.Before(hour), "%s", now)
	rows, err := ledger(t, db).Sweep(t.Context())
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, idempotency.Unknown, rows[0].State)
	later, err := db.Engine().Now(t.Context())
	require.NoError(t, err)
	require.True(t, later.After(now), "it goes on")
}

func TestTheNewestTimeIsKeptForTheNextStart(t *testing.T) {
	t.Parallel()
	path := made(t)
	var high int64
	require.NoError(t, raw(t, path, "").QueryRowContext(t.Context(), `SELECT high FROM failloud_clock`).Scan(&high))
	require.Less(t, time.Since(time.Unix(0, high)), time.Minute)
}

func TestLargeResultsLieBesideTheirRow(t *testing.T) {
	t.Parallel()
	db := open(t, fresh(t))
	l := ledger(t, db)
	c, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	large := text(3 << 20)
	require.NoError(t, c.Succeed(t.Context(), large, 0))
	again, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.Equal(t, idempotency.Replay, again.Answer)
	require.True(t, bytes.Equal(large, again.Result))
	require.Equal(t, 1, count(t, db, "failloud_blobs"))

	// Its end is that of its row.
	require.NoError(t, l.Erase(t.Context(), c.Row.ID))
	require.Zero(t, count(t, db, "failloud_blobs"))
	row, err := db.Load(t.Context(), c.Row.ID)
	require.NoError(t, err)
	require.Nil(t, row.Result)
}

func count(t testing.TB, db *sqlite.DB, table string) (n int) {
	t.Helper()
	require.NoError(t, db.Engine().Read.QueryRowContext(t.Context(), `SELECT count(*) FROM `+table).Scan(&n))
	return n
}

// What was erased is in none of the files any more, wherever the row has lain.
func TestErasedIsGoneFromTheFiles(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	db := open(t, path)
	l := ledger(t, db)
	holds := func(what string) bool {
		for _, name := range []string{path, path + "-wal"} {
			whole, err := os.ReadFile(name)
			require.NoError(t, err)
			if bytes.Contains(whole, []byte(what)) {
				return true
			}
		}
		return false
	}
	in := payment("4711")
	in.Args = json.RawMessage(`{"iban":"DE02120300000000202051","text":"` + strings.Repeat("x", 3000) + `"}`)
	c, err := l.Claim(t.Context(), in)
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`{"receipt":"R-0815"}`), 0))
	for i := range 20 { // others move it about
		_, err := l.Claim(t.Context(), payment(fmt.Sprint(i)))
		require.NoError(t, err)
	}
	require.True(t, holds("DE02120300000000202051"))
	require.NoError(t, l.Erase(t.Context(), c.Row.ID))
	require.False(t, holds("DE02120300000000202051"))
	require.False(t, holds("R-0815"))
}

func TestPayloadsAreSealedInTheFile(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path, Keys: [][]byte{bytes.Repeat([]byte{1}, 32)}})
	require.NoError(t, err)
	c, err := ledger(t, db).Claim(t.Context(), payment("DE02"))
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`{"receipt":"R-0815"}`), 0))
	again, err := ledger(t, db).Claim(t.Context(), payment("DE02"))
	require.NoError(t, err)
	require.JSONEq(t, `{"receipt":"R-0815"}`, string(again.Result))
	require.NoError(t, db.Close())
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NotContains(t, string(whole), "R-0815")
	require.NotContains(t, string(whole), `"amount"`)
	_, err = open(t, path).Load(t.Context(), c.Row.ID)
	require.ErrorIs(t, err, sqlite.ErrCorrupt, "without the key")
}

func TestPruneForgetsOnlyWhatIsCertain(t *testing.T) {
	t.Parallel()
	db := open(t, fresh(t))
	l := ledger(t, db)
	kept := map[string]bool{}
	for i := range 300 {
		c, err := l.Claim(t.Context(), payment(fmt.Sprint(i)))
		require.NoError(t, err)
		switch i % 5 {
		case 0:
			kept[c.Row.ID] = true // running
		case 1:
			kept[c.Row.ID] = true
			require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{}))
		case 2: // a person ended it without knowing whether it happened
			kept[c.Row.ID] = true
			require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{}))
			row, err := db.Load(t.Context(), c.Row.ID)
			require.NoError(t, err)
			row, _, err = l.Escalate(t.Context(), row, "", 0)
			require.NoError(t, err)
			row, err = l.Decide(t.Context(), row.ID, idempotency.Decision{
				Choice: idempotency.Abort, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint,
			})
			require.NoError(t, err)
			require.Equal(t, idempotency.Rejected, row.State)
		case 3:
			require.NoError(t, c.Succeed(t.Context(), text(100<<10), 0))
		case 4:
			require.NoError(t, c.Deny(t.Context(), idempotency.Trouble{}))
		}
	}
	n, err := db.Prune(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Zero(t, n)
	n, err = db.Prune(t.Context(), 0)
	require.NoError(t, err)
	require.Equal(t, 120, n)
	rows, err := db.List(t.Context(), idempotency.Query{Limit: 1000})
	require.NoError(t, err)
	require.Len(t, rows, 180)
	for _, row := range rows {
		require.True(t, kept[row.ID], "%s", row.State)
	}
	require.Zero(t, count(t, db, "failloud_blobs"))
	events := 0
	for id := range kept {
		all, err := db.Events(t.Context(), id)
		require.NoError(t, err)
		events += len(all)
	}
	require.Equal(t, events, count(t, db, "failloud_events"), "events of nobody")
}

func TestRetentionForgetsByItself(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.NoError(t, err)
	c, err := ledger(t, db).Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), nil, 0))
	keepRun(t, db)
	require.NoError(t, db.Close())
	require.NoError(t, db.Close(), "again")

	db, err = sqlite.Open(t.Context(), sqlite.Config{Path: path, Retention: time.Nanosecond, RunRetention: time.Nanosecond})
	require.NoError(t, err)
	defer db.Close()
	require.Eventually(t, func() bool {
		return count(t, db, "failloud_calls") == 0 && count(t, db, "failloud_runs") == 0
	}, 5*time.Second, 5*time.Millisecond)
}

// keepRun records a run, which is durable when the database was closed.
func keepRun(t *testing.T, db *sqlite.DB) {
	t.Helper()
	recorder, err := runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{db.Runs()}})
	require.NoError(t, err)
	_, run, err := recorder.Start(t.Context(), runrecord.Task{Name: "invoices"}, nil)
	require.NoError(t, err)
	run.End()
}

func TestRunsLieInTheSameFile(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.NoError(t, err)
	keepRun(t, db)
	require.NoError(t, db.Close())
	list, err := open(t, path).Runs().List(t.Context(), runs.Query{})
	require.NoError(t, err)
	require.Len(t, list, 1)
}

func TestABackupIsAWholeDatabase(t *testing.T) {
	t.Parallel()
	path, copied := fresh(t), fresh(t)
	db := open(t, path)
	l := ledger(t, db)
	c, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, db.Backup(t.Context(), copied))
	require.NoError(t, c.Succeed(t.Context(), nil, 0))
	info, err := os.Stat(copied)
	require.NoError(t, err)
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm())
	row, err := open(t, copied).Load(t.Context(), c.Row.ID)
	require.NoError(t, err)
	require.Equal(t, idempotency.Running, row.State, "as it was then")
	require.ErrorIs(t, db.Backup(t.Context(), copied), sqlite.ErrPath, "nothing is overwritten")
	row, err = db.Load(t.Context(), c.Row.ID)
	require.NoError(t, err)
	require.Equal(t, idempotency.Succeeded, row.State)
}
