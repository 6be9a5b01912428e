package store_test

import (
	"path/filepath"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

func TestEitherDatabaseKeepsTheLedgerAndTheRuns(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "failloud.db")
	for name, dsn := range map[string]string{"a path": file, "sqlite": "sqlite:" + file + "2", "postgres": pgtest.URL(t)} {
		t.Run(name, func(t *testing.T) {
			for _, answer := range []idempotency.Answer{idempotency.Execute, idempotency.Replay} {
				s, err := store.Open(t.Context(), dsn, store.Options{})
				require.NoError(t, err)
				ledger, err := idempotency.New(idempotency.Config{Store: s.Ledger})
				require.NoError(t, err)
				claim, err := ledger.Claim(t.Context(), idempotency.Intent{Key: idempotency.Key{Tool: "pay", Intent: "key:1"}, Effect: fault.Write})
				require.NoError(t, err)
				require.Equal(t, answer, claim.Answer)
				if answer == idempotency.Execute {
					require.NoError(t, claim.Succeed(t.Context(), []byte(`"R-1"`), 0))
					require.NoError(t, s.Runs.Write(runrecord.Event{Schema: 1, Type: runrecord.EventRunStarted, Run: "r-1", Leg: 1, Task: "invoices"}))
				} else {
					events, err := s.Runs.Events(t.Context(), "r-1")
					require.NoError(t, err)
					require.Len(t, events, 1, "what Write took was written by Close")
				}
				require.NoError(t, ledger.Close(t.Context()))
				require.NoError(t, s.Close())
			}
		})
	}
}

func TestOtherNamesAreRefused(t *testing.T) {
	t.Parallel()
	for _, name := range []string{"", "sqlite:", "mysql://user:secret@host/db"} {
		_, err := store.Open(t.Context(), name, store.Options{})
		require.ErrorIs(t, err, store.ErrName, name)
		require.NotContains(t, err.Error(), "secret")
	}
	_, err := store.Open(t.Context(), filepath.Join(t.TempDir(), "a.db"), store.Options{Schema: "x"})
	require.ErrorIs(t, err, store.ErrName)
}
