package postgres_test

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strings"
	"testing"
	"time"

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

// What the store says that it keeps comes back whole, encrypted too. It stands before
// the suite, because memory that is touched for the first time is slow under the race
// detector, and the suite gives a save of this size one second.
func TestTheLargestResultComesBack(t *testing.T) {
	url := pgtest.URL(t)
	for _, keys := range [][][]byte{nil, {bytes.Repeat([]byte{1}, 32)}} {
		db := open(t, postgres.Config{URL: url, Keys: keys, Schema: fmt.Sprintf("keys_%d", len(keys))})
		id, claim := acquire("4711", "mine", time.Hour)
		_, err := db.Apply(t.Context(), id, claim)
		require.NoError(t, err)
		largest := json.RawMessage(`"` + strings.Repeat("x", db.MaxResult()-2) + `"`)
		_, err = db.Apply(t.Context(), id, idempotency.Complete{Epoch: 1, Result: largest, Size: len(largest)})
		require.NoError(t, err)
		row, err := db.Load(t.Context(), id)
		require.NoError(t, err)
		require.True(t, bytes.Equal(largest, row.Result))
	}
}

// Not in parallel: the suite gives a save one second, 16 MiB included.
func TestStore(t *testing.T) {
	url, n := pgtest.URL(t), 0
	idempotencytest.Run(t, func(t *testing.T) idempotency.Store {
		n++
		return open(t, postgres.Config{URL: url, Schema: fmt.Sprintf("scenario_%d", n)})
	})
}
