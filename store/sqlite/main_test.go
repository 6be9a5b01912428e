package sqlite_test

import (
	"os"
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/store/sqlite"
)

func TestMain(m *testing.M) {
	if play := os.Getenv(roleVar); play != "" {
		os.Exit(playRole(play))
	}
	goleak.VerifyTestMain(m)
}

// open opens a database in a folder of the test.
func open(t testing.TB, path string) *sqlite.DB {
	t.Helper()
	db, err := sqlite.Open(t.Context(), sqlite.Config{Path: path})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func fresh(t testing.TB) string { return filepath.Join(t.TempDir(), "failloud.db") }
