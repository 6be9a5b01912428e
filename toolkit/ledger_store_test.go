package toolkit_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/toolkit"
)

func TestAReadAsksNoLedger(t *testing.T) {
	t.Parallel()
	ledger, err := idempotency.New(idempotency.Config{Store: brokenStore{}})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger})
	find := read(kit, "find", lookUp)
	ctx, _ := start(t, kit, ticket)
	require.True(t, find.Invoke(ctx, acme).Outcome.OK())
}

// brokenStore is down.
type brokenStore struct{}

var errDisk = errors.New("disk full: /var/lib/secret-volume")

func (brokenStore) Apply(context.Context, string, idempotency.Command) (idempotency.Row, error) {
	return idempotency.Row{}, errDisk
}

func (brokenStore) Load(context.Context, string) (idempotency.Row, error) {
	return idempotency.Row{}, errDisk
}

func TestWithoutAStoreAWriteIsNotExecuted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{Store: brokenStore{}})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711"})
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.ErrorIs(t, res.Outcome.Fault, idempotency.ErrStore)
		require.Zero(t, b.effects.Load())
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		require.Error(t, ledger.Close(short))
	})
}

// forgetful is a store that goes down once a call was claimed.
type forgetful struct {
	idempotency.Store
	down atomic.Bool
}

func (s *forgetful) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if s.down.Load() {
		return idempotency.Row{}, errDisk
	}
	return s.Store.Apply(ctx, id, cmd)
}

func TestASuccessIsNotLostBecauseSavingItFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &forgetful{Store: idempotency.NewMemory()}
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		core, logs := observer.New(zap.WarnLevel)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger, Logger: zap.New(core)}), newBank()
		b.before = func(context.Context, int) error { store.down.Store(true); return nil }
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK())
		require.Equal(t, "R-4711", res.Value.ID)
		require.ErrorIs(t, res.NotRecorded(), idempotency.ErrNotRecorded, "the caller can tell")
		require.NoError(t, res.Err(), "it was done all the same")
		require.Equal(t, 1, logs.FilterMessage("end of call not recorded in the ledger").Len())
		require.NotContains(t, logs.All()[0].ContextMap()["error"], "secret-volume")

		again := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, again.Outcome.Qualifiers.Has(fault.Replayed), "this process knows")
		store.down.Store(false)
		require.NoError(t, ledger.Close(context.Background()))
		row, err := ledger.Row(context.Background(), idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}.ID())
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		require.JSONEq(t, `{"id":"R-4711","amount":10}`, string(row.Result))
		require.EqualValues(t, 1, b.effects.Load())
	})
}
