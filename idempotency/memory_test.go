package idempotency_test

import (
	"strconv"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// A process that lives long and does much must not grow for ever, and must not
// forget what may have happened.
func TestMemoryForgetsTheOldestOfWhatIsDone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		const kept, made = 100, 5000
		store := idempotency.NewMemoryOf(idempotency.MemoryConfig{Closed: kept})
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		claim := func(key string) *idempotency.Claim {
			c, err := ledger.Claim(t.Context(), idempotency.Intent{
				Key: idempotency.Key{Tool: "pay", Intent: "key:" + key}, Effect: fault.Write, Dispatch: true,
			})
			require.NoError(t, err)
			return c
		}
		require.NoError(t, claim("doubt").Doubt(t.Context(), idempotency.Trouble{}))
		held := claim("running")
		for i := range made {
			require.NoError(t, claim(strconv.Itoa(i)).Succeed(t.Context(), nil, 0))
			time.Sleep(time.Millisecond)
		}
		rows, err := ledger.List(t.Context(), idempotency.Query{Limit: made})
		require.NoError(t, err)
		require.Less(t, len(rows), kept+1100, "looked through every 1,024 new rows")
		require.Equal(t, idempotency.Replay, claim(strconv.Itoa(made-1)).Answer)
		require.Equal(t, idempotency.Execute, claim("0").Answer, "forgotten, and so not protected any more")
		require.Equal(t, idempotency.InDoubt, claim("doubt").Answer)
		require.Equal(t, idempotency.Busy, claim("running").Answer)
		require.NoError(t, held.Succeed(t.Context(), nil, 0))
	})
}

func TestMemoryKeepsClosedRowsAsLongAsItIsTold(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := idempotency.NewMemoryOf(idempotency.MemoryConfig{Retention: time.Hour})
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		intent := func(key string) idempotency.Intent {
			return idempotency.Intent{Key: idempotency.Key{Tool: "pay", Intent: "key:" + key}, Effect: fault.Write}
		}
		for i := range 2000 {
			if i == 500 {
				time.Sleep(2 * time.Hour)
			}
			c, err := ledger.Claim(t.Context(), intent(strconv.Itoa(i)))
			require.NoError(t, err)
			require.NoError(t, c.Succeed(t.Context(), nil, 0))
		}
		rows, err := ledger.List(t.Context(), idempotency.Query{Limit: 5000})
		require.NoError(t, err)
		require.Len(t, rows, 1500)
	})
}
