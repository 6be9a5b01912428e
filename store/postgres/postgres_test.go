package postgres_test

import (
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/idempotency/idempotencytest"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func open(t testing.TB, cfg postgres.Config) *postgres.DB {
	t.Helper()
	db, err := postgres.Open(t.Context(), cfg)
	require.NoError(t, err)
	t.Cleanup(func() { require.NoError(t, db.Close()) })
	return db
}

func TestStore(t *testing.T) {
	t.Parallel()
	url, n := pgtest.URL(t), 0
	idempotencytest.Run(t, func(t *testing.T) idempotency.Store {
		n++
		return open(t, postgres.Config{URL: url, Schema: fmt.Sprintf("scenario_%d", n)})
	})
}
