package idempotency_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// outage is a store that can be down.
type outage struct {
	*idempotency.Memory
	down atomic.Bool
}

func (s *outage) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if s.down.Load() {
		return idempotency.Row{}, errors.New("connection refused")
	}
	return s.Memory.Apply(ctx, id, cmd)
}

// The second claim on the work comes while the store is down, and gives up after
// the first has ended: giving it up must not take the place of that success.
func TestAClaimThatWasGivenUpLeavesAnUnsavedSuccessInTheQueue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &outage{Memory: idempotency.NewMemory()}
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		intent := idempotency.Intent{
			Key:    idempotency.Key{Tool: "pay", Intent: "invoice:4711"},
			Effect: fault.Write, Args: json.RawMessage(`{}`), Dispatch: true,
		}
		claim, err := ledger.Claim(t.Context(), intent)
		require.NoError(t, err)
		store.down.Store(true)
		second := make(chan error)
		go func() {
			_, err := ledger.Claim(t.Context(), intent)
			second <- err
		}()
		synctest.Wait() // between two of its tries
		require.ErrorIs(t, claim.Succeed(t.Context(), json.RawMessage(`"paid"`), 0), idempotency.ErrNotRecorded)
		require.ErrorIs(t, <-second, idempotency.ErrStore)
		third, err := ledger.Claim(t.Context(), intent)
		require.NoError(t, err, "this process knows that it was done")
		require.Equal(t, idempotency.Replay, third.Answer)
		store.down.Store(false)
		time.Sleep(time.Minute)
		row, err := ledger.Row(t.Context(), claim.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		require.JSONEq(t, `"paid"`, string(row.Result))
		require.NoError(t, ledger.Close(t.Context()))
	})
}
