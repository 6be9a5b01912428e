package idempotency_test

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// deaf is a store that does not listen to its context, and hangs or panics when
// it is told to.
type deaf struct {
	*idempotency.Memory
	hang   atomic.Pointer[chan struct{}] // closed to let it go on; nil: it does not hang
	panics atomic.Bool
}

// hangs lets the store hang until the channel is closed.
func (s *deaf) hangs() chan struct{} {
	hang := make(chan struct{})
	s.hang.Store(&hang)
	return hang
}

func (s *deaf) Apply(_ context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if s.panics.Load() {
		panic("the driver has a bug")
	}
	if hang := s.hang.Load(); hang != nil {
		<-*hang
	}
	return s.Memory.Apply(context.Background(), id, cmd)
}

func TestAStoreThatHangsHoldsNoFinishedCallUp(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &deaf{Memory: idempotency.NewMemory()}
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		hang := store.hangs()
		start := time.Now()
		err = c.Succeed(t.Context(), json.RawMessage(`"paid"`), 0)
		require.ErrorIs(t, err, idempotency.ErrNotRecorded)
		require.Equal(t, 5*time.Second, time.Since(start), "SaveTimeout, and not longer")
		time.Sleep(time.Hour)
		close(hang)
		require.NoError(t, l.Close(t.Context()))
		row, err := l.Row(t.Context(), c.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		require.Empty(t, row.Evidence, "what was saved twice counts once")
		require.EqualValues(t, 2, row.Version)
	})
}

func TestAStoreThatHangsDoesNotKeepTheProcessFromEnding(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &deaf{Memory: idempotency.NewMemory()}
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		hang := store.hangs()
		require.Error(t, c.Succeed(t.Context(), nil, 0))
		time.Sleep(time.Second) // the queue hangs in it, too
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		start := time.Now()
		require.ErrorIs(t, l.Close(ctx), idempotency.ErrNotRecorded)
		require.Equal(t, time.Minute+5*time.Second, time.Since(start))
		close(hang) // so that nothing is left of the test
	})
}

func TestAStoreThatPanicsIsAStoreInTrouble(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &deaf{Memory: idempotency.NewMemory()}
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		store.panics.Store(true)
		_, err = l.Claim(t.Context(), payment("4712"))
		require.ErrorIs(t, err, idempotency.ErrStore)
		require.ErrorIs(t, c.Succeed(t.Context(), nil, 0), idempotency.ErrNotRecorded)
		time.Sleep(time.Second) // the queue tries, and survives
		store.panics.Store(false)
		require.NoError(t, l.Close(t.Context()))
		row, err := l.Row(t.Context(), c.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
	})
}

func TestAWorkerHearsThatItsClaimIsLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := idempotency.NewMemory()
		l := open(t, idempotency.Config{Store: store})
		in := payment("4711")
		in.Lease = 30 * time.Second
		c, err := l.Claim(t.Context(), in)
		require.NoError(t, err)
		stop := c.KeepAlive()
		defer stop()
		time.Sleep(25 * time.Second)
		_, err = store.Apply(t.Context(), c.Row.ID, idempotency.Doubt{Epoch: c.Epoch}) // as a clock that was set would
		require.NoError(t, err)
		select {
		case <-c.Lost():
			t.Fatal("nobody can know yet")
		default:
		}
		start := time.Now()
		<-c.Lost()
		require.LessOrEqual(t, time.Since(start), 10*time.Second, "a third of the lease")
		require.NoError(t, c.Succeed(t.Context(), nil, 0), "what it did all the same is not lost")
	})
}

func TestAClaimThatHasEndedIsNotLost(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		l := open(t, idempotency.Config{})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		stop := c.KeepAlive()
		time.Sleep(time.Minute)
		stop()
		require.NoError(t, c.Succeed(t.Context(), nil, 0))
		time.Sleep(time.Minute)
		select {
		case <-c.Lost():
			t.Fatal("it has ended well")
		default:
		}
	})
}
