package sqlite_test

import (
	"bytes"
	"database/sql"
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/sqlite"
)

// raw opens a file beside the store, as a person with a tool does.
func raw(t testing.TB, path, params string) *sql.DB {
	t.Helper()
	pool, err := sql.Open("sqlite", "file:"+(&url.URL{Path: path}).EscapedPath()+"?_pragma=busy_timeout(10000)&"+params)
	require.NoError(t, err)
	t.Cleanup(func() { _ = pool.Close() })
	return pool
}

func change(t testing.TB, path string, statements ...string) {
	t.Helper()
	pool := raw(t, path, "")
	for _, s := range statements {
		_, err := pool.ExecContext(t.Context(), s)
		require.NoError(t, err, s)
	}
	require.NoError(t, pool.Close())
}

// made is a database with one claim that has been closed.
func made(t testing.TB) string {
	path := fresh(t)
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.NoError(t, err)
	_, err = ledger(t, db).Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, db.Close())
	return path
}

func TestWhatCannotBeOpenedSaysWhatToDo(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		path func(t *testing.T) string
		kind error
	}{
		"a folder": {func(t *testing.T) string { return t.TempDir() }, sqlite.ErrPath},
		"below a file": {func(t *testing.T) string {
			return filepath.Join(made(t), "failloud.db")
		}, sqlite.ErrPath},
		"a text": {func(t *testing.T) string {
			path := fresh(t)
			require.NoError(t, os.WriteFile(path, bytes.Repeat([]byte("not a database\n"), 1000), 0o600))
			return path
		}, sqlite.ErrCorrupt},
		"a torn page": {func(t *testing.T) string {
			path := made(t)
			page := bytes.Repeat([]byte{0xa5}, 4096)
			whole, err := os.ReadFile(path)
			require.NoError(t, err)
			for at := 4096; at < len(whole); at += 4096 {
				copy(whole[at:], page)
			}
			require.NoError(t, os.WriteFile(path, whole, 0o600))
			return path
		}, sqlite.ErrCorrupt},
		"a newer version": {func(t *testing.T) string {
			path := made(t)
			change(t, path, `UPDATE failloud_schema SET version = 99 WHERE part = 'calls'`)
			return path
		}, sqlite.ErrNewer},
		"a missing table": {func(t *testing.T) string {
			path := made(t)
			change(t, path, `DROP TABLE failloud_events`)
			return path
		}, sqlite.ErrIncomplete},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			path := c.path(t)
			db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
			require.Nil(t, db)
			require.ErrorIs(t, err, c.kind)
			require.ErrorContains(t, err, path)
			require.ErrorContains(t, err, c.kind.Error())
		})
	}
	_, err := sqlite.Open(t.Context(), sqlite.Config{})
	require.ErrorIs(t, err, sqlite.ErrPath)
	_, err = sqlite.Open(t.Context(), sqlite.Config{Path: fresh(t), Keys: [][]byte{{1}}})
	require.ErrorContains(t, err, "32")
}

// A migration that is cut short leaves nothing, and the next start does it.
func TestAHalfDoneMigrationIsNothing(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	change(t, path, `PRAGMA journal_mode = WAL`, `CREATE TABLE failloud_blobs (id INTEGER)`) // in the way of a later statement
	_, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.ErrorContains(t, err, "failloud_blobs")
	pool := raw(t, path, "")
	var left int
	require.NoError(t, pool.QueryRowContext(t.Context(), `SELECT count(*) FROM sqlite_schema`).Scan(&left))
	require.Equal(t, 1, left)
	require.NoError(t, pool.Close())
	change(t, path, `DROP TABLE failloud_blobs`)
	open(t, path)
}

func TestADatabaseOfTheCallerMustBeDurable(t *testing.T) {
	t.Parallel()
	for name, params := range map[string]string{
		"synchronous is NORMAL": "_pragma=journal_mode(WAL)&_pragma=synchronous(NORMAL)",
		"no write-ahead log":    "_pragma=journal_mode(DELETE)&_pragma=synchronous(FULL)",
	} {
		_, err := sqlite.Open(t.Context(), sqlite.Config{DB: raw(t, fresh(t), params)})
		require.ErrorIs(t, err, sqlite.ErrNotDurable, name)
	}
	one := raw(t, fresh(t), "_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	one.SetMaxOpenConns(1)
	_, err := sqlite.Open(t.Context(), sqlite.Config{DB: one})
	require.ErrorIs(t, err, sqlite.ErrNotDurable)
	_, err = sqlite.Open(t.Context(), sqlite.Config{DB: raw(t, made(t), "mode=ro&_pragma=synchronous(FULL)")})
	require.ErrorIs(t, err, sqlite.ErrReadOnly)
}

func TestAReadOnlyFileSaysSo(t *testing.T) {
	t.Parallel()
	if os.Getuid() == 0 || runtime.GOOS == "windows" {
		t.Skip("a mode does not stop this user")
	}
	path := made(t)
	require.NoError(t, os.Chmod(path, 0o400))
	_, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.ErrorIs(t, err, sqlite.ErrReadOnly)
}

// On a full disk nothing is claimed, what is there can be read, and when there is
// space again the same store goes on.
func TestAFullDiskExecutesNothing(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	var limit *sql.DB
	pool := raw(t, path, "_txlock=immediate&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)&_pragma=max_page_count(60)")
	limit = pool
	db, err := sqlite.Open(t.Context(), sqlite.Config{DB: limit})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	claimed := 0
	for ; claimed < 1000; claimed++ {
		in := payment(fmt.Sprint(claimed))
		in.Args = text(2000)
		row, aerr := db.Apply(t.Context(), in.Key.ID(), idempotency.Acquire{
			Request: idempotency.Request{Key: in.Key, Args: in.Args, Fingerprint: "f"}, Attempt: "a", Lease: 1,
		})
		if err = aerr; err != nil {
			require.Empty(t, row.ID)
			_, err := db.Load(t.Context(), in.Key.ID())
			require.ErrorIs(t, err, idempotency.ErrNotFound)
			break
		}
	}
	require.ErrorIs(t, err, sqlite.ErrFull)
	require.Positive(t, claimed)
	rows, err := db.List(t.Context(), idempotency.Query{Limit: 2000})
	require.NoError(t, err)
	require.Len(t, rows, claimed)

	// Make room: the connection that hit the limit is given up, and others are not
	// limited any more.
	for range 5 {
		conn, err := limit.Conn(t.Context())
		require.NoError(t, err)
		_, err = conn.ExecContext(t.Context(), `PRAGMA max_page_count = 100000`)
		require.NoError(t, err)
		defer conn.Close()
	}
}

func TestADamagedRowIsNotTakenForNone(t *testing.T) {
	t.Parallel()
	path := made(t)
	change(t, path, `UPDATE failloud_calls SET version = 7`)
	db := open(t, path)
	_, err := ledger(t, db).Claim(t.Context(), payment("4711"))
	require.ErrorIs(t, err, sqlite.ErrCorrupt)
	require.ErrorIs(t, err, idempotency.ErrStore)
}

func TestFilesAreForTheirOwnerOnly(t *testing.T) {
	t.Parallel()
	if runtime.GOOS == "windows" {
		t.Skip("modes mean something else there")
	}
	path := filepath.Join(t.TempDir(), "of failloud?#%41", "a b.db")
	db := open(t, path)
	_, err := ledger(t, db).Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	for name, mode := range map[string]os.FileMode{
		filepath.Dir(path): 0o700, path: 0o600, path + "-wal": 0o600, path + "-shm": 0o600,
	} {
		info, err := os.Stat(name)
		require.NoError(t, err)
		require.Equal(t, mode, info.Mode().Perm(), name)
	}
	left, err := filepath.Glob(filepath.Join(filepath.Dir(path), ".failloud-*"))
	require.NoError(t, err)
	require.Empty(t, left)
}
