package pgtest_test

import (
	"testing"

	"github.com/jackc/pgx/v5"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/store/postgres/pgtest"
)

func TestEachTestHasADatabaseOfItsOwn(t *testing.T) {
	t.Parallel()
	for range 2 {
		conn, err := pgx.Connect(t.Context(), pgtest.URL(t))
		require.NoError(t, err)
		_, err = conn.Exec(t.Context(), `CREATE TABLE mine (n int)`)
		require.NoError(t, err, "another test's table is here")
		require.NoError(t, conn.Close(t.Context()))
	}
}

// A server that does not flush would be faster than anything that users have, and
// would hide what a crash takes.
func TestTheServerIsDurable(t *testing.T) {
	t.Parallel()
	conn, err := pgx.Connect(t.Context(), pgtest.URL(t))
	require.NoError(t, err)
	var fsync string
	require.NoError(t, conn.QueryRow(t.Context(), `SHOW fsync`).Scan(&fsync))
	require.Equal(t, "on", fsync)
	require.NoError(t, conn.Close(t.Context()))
}
