package idempotencytest

import (
	"context"
	"encoding/json"
	"errors"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

func lostReplyToClaim(t *testing.T, e *env) {
	for _, dispatch := range []bool{false, true} {
		in := payment(map[bool]string{false: "4711", true: "4712"}[dispatch])
		in.Dispatch = dispatch
		l := e.open(t, lossy{Store: e.store, lose: times(2, "acquire")})
		c, err := l.Claim(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, idempotency.Execute, c.Answer, "it must recognise its own claim")
		require.EqualValues(t, 1, c.Epoch, "and not take itself over")
	}

	// Where no reply ever comes the caller executes nothing, and says so to the
	// store as soon as it can: the work is free, not in doubt.
	l := e.open(t, lossy{Store: e.store, lose: times(3, "acquire")})
	_, err := l.Claim(t.Context(), payment("4713"))
	require.ErrorIs(t, err, idempotency.ErrStore)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
	defer cancel()
	require.NoError(t, l.Close(ctx))
	row, err := e.ledger.Row(t.Context(), payment("4713").Key.ID())
	require.NoError(t, err)
	require.Equal(t, idempotency.Ready, row.State)
	require.False(t, row.MayHaveApplied)
}

func lostReplyToEnd(t *testing.T, e *env) {
	ends := map[string]func(*idempotency.Claim) error{
		"complete": func(c *idempotency.Claim) error { return c.Succeed(t.Context(), receipt, 0) },
		"release":  func(c *idempotency.Claim) error { return c.Release(t.Context(), refused, true) },
		"refuse":   func(c *idempotency.Claim) error { return c.Refuse(t.Context(), refused) },
		"doubt":    func(c *idempotency.Claim) error { return c.Doubt(t.Context(), timedOut) },
	}
	for name, end := range ends {
		l := e.open(t, lossy{Store: e.store, lose: times(1, name)})
		c, err := l.Claim(t.Context(), payment(name))
		require.NoError(t, err)
		err = end(c)
		require.ErrorIs(t, err, idempotency.ErrNotRecorded)
		nr, ok := errors.AsType[*idempotency.NotRecordedError](err)
		require.True(t, ok)
		require.True(t, nr.Queued)
		before := e.row(t, c)
		ctx, cancel := context.WithTimeout(t.Context(), 5*time.Second)
		require.NoError(t, l.Close(ctx))
		cancel()
		require.Equal(t, before.Version, e.row(t, c).Version, "%s sent twice must count once", name)
	}
}

func storeIsDown(t *testing.T, e *env) {
	var down atomic.Bool // the ledger saves from a goroutine of its own
	store := lossy{Store: e.store, drop: func(idempotency.Command) bool { return down.Load() }}
	l := e.open(t, store)
	c, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	down.Store(true)
	err = c.Succeed(t.Context(), receipt, 0)
	require.ErrorIs(t, err, idempotency.ErrNotRecorded)
	require.ErrorIs(t, err, errLost)

	// Until it is saved this process answers from what it knows.
	again, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.Equal(t, idempotency.Replay, again.Answer)
	require.JSONEq(t, string(receipt), string(again.Result))
	other := payment("4711")
	other.Args = json.RawMessage(`{"invoice":"4711","amount":99}`)
	_, err = l.Claim(t.Context(), other)
	require.ErrorIs(t, err, idempotency.ErrConflict, "which is not the answer to another question")

	_, err = l.Claim(t.Context(), payment("4712"))
	require.ErrorIs(t, err, idempotency.ErrStore, "no store, no execution")

	down.Store(false)
	ctx, cancel := context.WithTimeout(t.Context(), 10*time.Second)
	defer cancel()
	require.NoError(t, l.Close(ctx), "what is owed is saved when the store is back")
	e.state(t, c, idempotency.Succeeded)
}
