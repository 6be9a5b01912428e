package idempotencytest

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// Clock is a store whose clock a test can move. It is no ability of a store in
// use: a store under test that implements it passes the scenarios on clocks that
// jump, too, and another is excused from them.
type Clock interface {
	// Shift makes the clock show d more than it would, negative d less.
	Shift(d time.Duration)
}

// Clocks that jump, as those of machines do that were set wrong or have slept.
var clocks = []scenario{
	{"a clock that jumps starts nothing that was dispatched", jumpAfterDispatch},
	{"a clock that jumps lets one of two enter", jumpBeforeDispatch},
	{"a clock that jumps makes no remote key last longer", jumpAndRemoteKey},
	{"a clock that jumps back ends no lease and no wait", jumpBack},
}

const jump = time.Hour

func (e *env) clock(t *testing.T) Clock {
	t.Helper()
	c, ok := e.store.(Clock)
	if !ok {
		t.Skip("the clock of the store cannot be moved")
	}
	return c
}

func jumpAfterDispatch(t *testing.T, e *env) {
	clock := e.clock(t)
	for i, jumps := range [][]time.Duration{{jump, -jump}, {-jump, jump}, {jump, jump, -2 * jump}} {
		in := payment(invoice(i))
		c := e.execute(t, in)
		for _, d := range jumps {
			clock.Shift(d)
			require.Contains(t, []idempotency.Answer{idempotency.Busy, idempotency.InDoubt}, e.claim(t, in).Answer)
		}
		require.NoError(t, c.Succeed(t.Context(), receipt, 0), "and what was done is not lost")
		require.Equal(t, idempotency.Replay, e.claim(t, in).Answer)
		require.False(t, e.row(t, c).PossibleDuplicate)
	}
}

func jumpBeforeDispatch(t *testing.T, e *env) {
	clock := e.clock(t)
	in := payment("4711")
	in.Dispatch = false
	first := e.execute(t, in)
	clock.Shift(jump)
	second := e.execute(t, in) // the lease of the first is over, by that clock
	clock.Shift(-jump)
	require.ErrorIs(t, first.Dispatch(t.Context()), idempotency.ErrFenced)
	require.NoError(t, second.Dispatch(t.Context()))
	require.Equal(t, idempotency.Busy, e.claim(t, in).Answer)
	require.NoError(t, second.Succeed(t.Context(), receipt, 0))
}

func jumpAndRemoteKey(t *testing.T, e *env) {
	clock := e.clock(t)
	// First used while the clock was ahead: by the time that was noted the service
	// would seem to honour the key for an hour longer than it does.
	in := payment("4711")
	in.KeyTTL = jump
	clock.Shift(jump)
	c := e.execute(t, in)
	clock.Shift(-jump)
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	require.Equal(t, idempotency.InDoubt, e.claim(t, in).Answer)
	clock.Shift(jump + time.Minute)
	row, err := e.ledger.Repeat(t.Context(), e.row(t, c))
	require.NoError(t, err)
	require.Equal(t, idempotency.Unknown, row.State, "nor when the clock gets there again")
	clock.Shift(-jump - time.Minute)

	// The clock goes back while the work is in doubt.
	in = payment("4712")
	in.KeyTTL = jump
	require.NoError(t, e.execute(t, in).Doubt(t.Context(), timedOut))
	clock.Shift(-jump)
	require.Equal(t, idempotency.InDoubt, e.claim(t, in).Answer)
	clock.Shift(jump)

	// A step as clocks are corrected by is no reason to give anything up.
	in = payment("4713")
	in.KeyTTL = jump
	require.NoError(t, e.execute(t, in).Doubt(t.Context(), timedOut))
	clock.Shift(-time.Second)
	e.execute(t, in)
}

func jumpBack(t *testing.T, e *env) {
	clock := e.clock(t)
	c := e.execute(t, payment("4711"))
	held := e.hold(t, payment("4712"), time.Minute)
	clock.Shift(-jump)
	stop := c.KeepAlive()
	require.Equal(t, idempotency.Busy, e.claim(t, payment("4711")).Answer)
	require.Equal(t, idempotency.Held, e.claim(t, payment("4712")).Answer)
	stop()
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	require.NoError(t, e.decide(t, held.Row, idempotency.Approve))
	e.execute(t, payment("4712"))
	clock.Shift(jump)
	require.Equal(t, idempotency.InDoubt, e.claim(t, payment("4712")).Answer)
}
