package main_test

import (
	"database/sql"
	"encoding/base64"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/sqlite"
)

func TestADatabaseThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	text := filepath.Join(folder, "notes.txt")
	require.NoError(t, os.WriteFile(text, []byte(strings.Repeat("not a database\n", 100)), 0o600))
	missing := filepath.Join(folder, "missing.db")
	for _, tt := range []struct {
		name, store, keys, want string
	}{
		{name: "none named", want: "--store"},
		{name: "not there", store: missing, want: missing + ": no such file"},
		{name: "not there, by scheme", store: "sqlite:" + missing, want: missing + ": no such file"},
		{name: "a folder", store: folder, want: "no place for a database"},
		{name: "a text", store: text, want: "no database"},
		{name: "another kind", store: "mysql://u:hunter2@h/d", want: "mysql"},
		{name: "another kind of address", store: "mysql:u:hunter2@tcp(h)/d", want: "postgres://"},
		{name: "keywords", store: "host=h user=u password=hunter2", want: "postgres://"},
		{name: "nobody listens", store: "postgres://u:hunter2@127.0.0.1:1/d?connect_timeout=2", want: "cannot be reached"},
		{name: "no address", store: "postgres://u:hunter2@127.0.0.1:port/d", want: "names no database"},
		{name: "a short key", store: text, keys: "c2hvcnQ=", want: "FAILLOUD_KEYS: key 1"},
		{name: "no key", store: text, keys: "hunter2", want: "FAILLOUD_KEYS: key 1"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			for _, command := range []string{"cases", "runs"} {
				got := failloudIn(t, []string{"FAILLOUD_STORE=" + tt.store, "FAILLOUD_KEYS=" + tt.keys}, command, "list")
				require.Equal(t, 1, got.code)
				require.Empty(t, got.stdout)
				require.Contains(t, got.stderr, tt.want)
				require.NotContains(t, got.stderr, "hunter2", "no secret is shown")
			}
		})
	}
	t.Cleanup(func() { require.NoFileExists(t, missing, "looking makes nothing") })
}

// change does something to a database that no agent does.
func change(t *testing.T, path string, statements ...string) *sql.DB {
	db, err := sql.Open("sqlite", path)
	require.NoError(t, err)
	db.SetMaxOpenConns(1)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	for _, s := range statements {
		_, err := db.ExecContext(t.Context(), s)
		require.NoError(t, err)
	}
	return db
}

// To say that no case is open would be worse than to fail.
func TestADatabaseOfSomebodyElse(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	plain, other := filepath.Join(folder, "other.db"), filepath.Join(folder, "#other %20.db")
	require.NoError(t, change(t, plain, `CREATE TABLE mine (n INTEGER)`).Close())
	require.NoError(t, os.Rename(plain, other))
	empty := filepath.Join(folder, "empty.db")
	require.NoError(t, os.WriteFile(empty, nil, 0o600))
	for _, name := range []string{other, "sqlite:" + other, empty, pgtest.URL(t)} {
		for range 2 { // looking makes nothing
			got := failloudIn(t, []string{"FAILLOUD_STORE=" + name}, "cases", "list")
			require.Equal(t, 1, got.code, got.stdout)
			require.Contains(t, got.stderr, "holds nothing of failloud")
		}
	}
	info, err := os.Stat(empty)
	require.NoError(t, err)
	require.Zero(t, info.Size())
	got := failloudIn(t, []string{"FAILLOUD_STORE=" + pgtest.URL(t)}, "cases", "list", "--schema", `no"such`)
	require.Equal(t, 1, got.code)
}

func TestADatabaseOfANewerVersion(t *testing.T) {
	t.Parallel()
	_, env := openStore(t)
	change(t, strings.TrimPrefix(env[0], "FAILLOUD_STORE="), `UPDATE failloud_schema SET version = version + 1`)
	got := failloudIn(t, env, "cases", "list")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "upgrade this program")
}

func TestADatabaseThatSomebodyHoldsLocked(t *testing.T) {
	t.Parallel()
	_, env := openStore(t)
	db := change(t, strings.TrimPrefix(env[0], "FAILLOUD_STORE="), `BEGIN IMMEDIATE`)
	got := failloudIn(t, env, "cases", "list")
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "another process")
	_, err := db.ExecContext(t.Context(), `ROLLBACK`)
	require.NoError(t, err)
	require.Zero(t, failloudIn(t, env, "cases", "list").code)
}

// What is sealed is not lost: it must not be said to be damaged.
func TestTheKeysOfADatabaseAreMissing(t *testing.T) {
	t.Parallel()
	path := filepath.Join(t.TempDir(), "failloud.db")
	keys := [][]byte{make([]byte, 32), make([]byte, 32), make([]byte, 32)}
	for i, k := range keys {
		k[i] = 1
	}
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path, Keys: keys[:1]})
	require.NoError(t, err)
	b := newBank(t, db, db.Runs())
	b.lost = true
	b.run(t, payment{"4711", 900})
	require.NoError(t, db.Close())
	env := func(keys ...[]byte) []string {
		var texts []string
		for _, k := range keys {
			texts = append(texts, base64.StdEncoding.EncodeToString(k))
		}
		return []string{"FAILLOUD_STORE=" + path, "FAILLOUD_KEYS=" + strings.Join(texts, ",")}
	}
	for _, given := range [][]string{env(), env(keys[1]), env(keys[1:]...)} {
		for _, args := range [][]string{{"cases", "list"}, {"runs", "export"}} {
			got := failloudIn(t, given, args...)
			require.Equal(t, 1, got.code)
			require.Contains(t, got.stderr, "FAILLOUD_KEYS")
			require.NotContains(t, got.stderr, "damaged")
		}
		require.Zero(t, failloudIn(t, given, "runs", "list").code, "states are never sealed")
	}
	got := failloudIn(t, env(keys[1], keys[0]), "cases", "show", caseID(t, env(keys[0])))
	require.Zero(t, got.code, got.stderr)
	require.Contains(t, got.stdout, `"cents":900`)
}
