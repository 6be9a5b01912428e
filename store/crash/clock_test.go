package crash_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// Two workers share a store and disagree about the time: the clock of one is far behind,
// and later jumps an hour ahead. In the bubble the year is 2000. A wrong clock may make
// somebody wait, or ask, for nothing; it must not make anybody pay twice.
func TestAClockThatIsWrong(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			t.Parallel()
			where := newStore(t, kind)
			right := openLedger(t, where)
			first, err := right.Claim(t.Context(), payment("first"))
			require.NoError(t, err)
			require.Equal(t, idempotency.Execute, first.Answer)

			synctest.Test(t, func(t *testing.T) {
				wrong := openLedger(t, where)
				answers := func(item string, want idempotency.Answer) {
					t.Helper()
					c, err := wrong.Claim(t.Context(), payment(item))
					require.NoError(t, err)
					require.Equal(t, want, c.Answer, "%s", item)
				}
				require.Equal(t, 2000, time.Now().Year())
				answers("first", idempotency.Busy)
				answers("behind", idempotency.Execute)
				time.Sleep(time.Hour)
				if kind == "postgres" { // there is one clock, that of the server
					answers("first", idempotency.Busy)
				} else {
					answers("first", idempotency.InDoubt)
				}
				answers("ahead", idempotency.Execute)
			})

			// Back where the clock is right: what the other has claimed is not free.
			for _, item := range []string{"behind", "ahead"} {
				c, err := right.Claim(t.Context(), payment(item))
				require.NoError(t, err)
				require.NotEqual(t, idempotency.Execute, c.Answer, "%s", item)
			}
			// The success of the one who was taken for dead settles the work.
			require.NoError(t, first.Succeed(t.Context(), json.RawMessage(`"R-1"`), 0))
			c, err := right.Claim(t.Context(), payment("first"))
			require.NoError(t, err)
			require.Equal(t, idempotency.Replay, c.Answer)
			require.False(t, c.Row.PossibleDuplicate)
		})
	}
}

func payment(item string) idempotency.Intent {
	return idempotency.Intent{
		Key: idempotency.Key{Tool: "pay", Intent: "key:" + item}, Effect: fault.Write, Dispatch: true, Lease: 30 * time.Minute,
	}
}

func openLedger(t *testing.T, where storeConfig) *idempotency.Ledger {
	t.Helper()
	db, err := where.open(t.Context())
	require.NoError(t, err)
	l, err := idempotency.New(idempotency.Config{Store: db, Cache: -1})
	require.NoError(t, err)
	t.Cleanup(func() {
		require.NoError(t, l.Close(context.Background()))
		require.NoError(t, db.Close())
	})
	return l
}
