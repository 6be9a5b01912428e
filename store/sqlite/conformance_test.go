package sqlite_test

import (
	"database/sql"
	"testing"

	_ "github.com/ncruces/go-sqlite3/driver"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/idempotency/idempotencytest"
	"github.com/failloud/failloud/store/sqlite"
)

func TestStore(t *testing.T) {
	t.Parallel()
	idempotencytest.Run(t, func(t *testing.T) idempotency.Store { return open(t, fresh(t)) })
}

// The other driver in Go, as a database that the caller has opened.
func TestStoreOnADatabaseOfTheCaller(t *testing.T) {
	t.Parallel()
	idempotencytest.Run(t, func(t *testing.T) idempotency.Store { return brought(t, fresh(t)) })
}

func brought(t *testing.T, path string) *sqlite.DB {
	pool, err := sql.Open("sqlite3", "file:"+path+"?_txlock=deferred&_pragma=busy_timeout(10000)&_pragma=journal_mode(WAL)&_pragma=synchronous(FULL)")
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, pool.Close()) })
	pool.SetMaxOpenConns(6)
	db, err := sqlite.Open(t.Context(), sqlite.Config{DB: pool})
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}
