package runs_test

import (
	"context"
	"database/sql"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/runs"
	"github.com/failloud/failloud/store/sqlite"
)

func TestMain(m *testing.M) {
	goleak.VerifyTestMain(m,
		goleak.IgnoreTopFunction("github.com/failloud/failloud/store/postgres/pgtest.start.func1"),
		goleak.IgnoreTopFunction("os/exec.(*Cmd).watchCtx.func1"))
}

// databases are what every test of the tables runs on.
var databases = []struct {
	name string
	open func(t testing.TB, keys ...[]byte) engine.Engine
}{
	{"sqlite", openSQLite},
	{"postgres", func(t testing.TB, keys ...[]byte) engine.Engine {
		db, err := postgres.Open(context.Background(), postgres.Config{URL: pgtest.URL(t), Keys: keys})
		require.NoError(t, err)
		t.Cleanup(func() { require.NoError(t, db.Close()) })
		return withTables(t, db.Engine())
	}},
}

func openSQLite(t testing.TB, keys ...[]byte) engine.Engine {
	return openFile(t, filepath.Join(t.TempDir(), "failloud.db"), keys...)
}

func openFile(t testing.TB, path string, keys ...[]byte) engine.Engine {
	db, err := sqlite.Open(context.Background(), sqlite.Config{Path: path, Keys: keys})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return withTables(t, db.Engine())
}

func withTables(t testing.TB, e engine.Engine) engine.Engine {
	require.NoError(t, e.Write(context.Background(), func(tx *sql.Tx) error {
		for _, s := range runs.Schema(e.Dialect) {
			if _, err := tx.Exec(s); err != nil {
				return err
			}
		}
		return nil
	}))
	return e
}

// onEach runs a test on every database.
func onEach(t *testing.T, test func(t *testing.T, db engine.Engine), keys ...[]byte) {
	for _, d := range databases {
		t.Run(d.name, func(t *testing.T) { test(t, d.open(t, keys...)) })
	}
}

func open(t testing.TB, db engine.Engine, cfg runs.Config) *runs.Store {
	t.Helper()
	s, err := runs.New(db, cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, s.Close()) })
	return s
}

func write(t testing.TB, s *runs.Store, events ...runrecord.Event) {
	t.Helper()
	for _, e := range events {
		if e.Schema == 0 {
			e.Schema = runrecord.SchemaVersion
		}
		require.NoError(t, s.Write(e))
	}
	require.NoError(t, s.Flush(context.Background()))
}
