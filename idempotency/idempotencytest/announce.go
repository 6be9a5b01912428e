package idempotencytest

import (
	"context"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// Telling somebody of a case.
var announcements = []scenario{
	{"of many that would tell of a case one does", oneTells},
	{"who dies while telling is stood in for", tellerDies},
	{"a case that was decided needs no telling", decidedNeedsNoTelling},
}

// untold are the open cases of which somebody has still to be told; nil where the
// store cannot list them.
func (e *env) untold(t *testing.T) []string {
	t.Helper()
	if _, ok := e.store.(idempotency.Lister); !ok {
		return nil
	}
	rows, err := e.ledger.List(t.Context(), idempotency.Query{Unannounced: true})
	require.NoError(t, err)
	return ids(rows)
}

func (e *env) lists() bool {
	_, ok := e.store.(idempotency.Lister)
	return ok
}

func oneTells(t *testing.T, e *env) {
	row := e.escalated(t, payment("4711"))
	e.execute(t, payment("4712")) // nobody is asked about it
	if e.lists() {
		require.Equal(t, []string{row.ID}, e.untold(t))
	}
	ledgers := []*idempotency.Ledger{e.ledger, e.open(t, e.store)}
	var tellers atomic.Int32
	var told atomic.Pointer[func(context.Context) error]
	race(func(i int) {
		_, done, mine, err := ledgers[i%2].Announce(t.Context(), row, time.Hour)
		if err != nil {
			t.Errorf("announcing: %v", err)
		}
		if mine {
			tellers.Add(1)
			told.Store(&done)
		}
	})
	require.EqualValues(t, 1, tellers.Load())
	require.Empty(t, e.untold(t), "one is telling")
	require.NoError(t, (*told.Load())(t.Context()))
	after, err := e.ledger.Row(t.Context(), row.ID)
	require.NoError(t, err)
	require.False(t, after.Announced.IsZero())
	require.Equal(t, idempotency.Escalated, after.State)
	require.NoError(t, (*told.Load())(t.Context()), "after a lost reply")
	_, _, mine, err := e.ledger.Announce(t.Context(), row, time.Hour)
	require.NoError(t, err)
	require.False(t, mine)
}

func tellerDies(t *testing.T, e *env) {
	row := e.hold(t, payment("4711"), 0).Row
	_, late, mine, err := e.ledger.Announce(t.Context(), row, short)
	require.NoError(t, err)
	require.True(t, mine)
	other := e.open(t, e.store)
	var told func(context.Context) error
	e.eventually(t, func() bool {
		_, told, mine, err = other.Announce(t.Context(), row, time.Hour)
		require.NoError(t, err)
		return mine
	})
	// The first was only slow: a person has been told, and need not be again.
	require.NoError(t, late(t.Context()))
	after, err := e.ledger.Row(t.Context(), row.ID)
	require.NoError(t, err)
	require.False(t, after.Announced.IsZero())
	require.NoError(t, told(t.Context()))
	again, err := e.ledger.Row(t.Context(), row.ID)
	require.NoError(t, err)
	require.Equal(t, after.Version, again.Version)
}

func decidedNeedsNoTelling(t *testing.T, e *env) {
	row := e.escalated(t, payment("4711"))
	_, told, mine, err := e.ledger.Announce(t.Context(), row, time.Hour)
	require.NoError(t, err)
	require.True(t, mine)
	require.NoError(t, e.decide(t, row, idempotency.RunAgain), "by whoever was being told")
	require.NoError(t, told(t.Context()))
	_, _, mine, err = e.ledger.Announce(t.Context(), row, time.Hour)
	require.NoError(t, err)
	require.False(t, mine)
	require.Empty(t, e.untold(t))

	// The next doubt is another question.
	c := e.execute(t, payment("4711"))
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	again, opened, err := e.ledger.Escalate(t.Context(), e.row(t, c), "again", 0)
	require.NoError(t, err)
	require.True(t, opened)
	require.True(t, again.Announced.IsZero())
	_, _, mine, err = e.ledger.Announce(t.Context(), again, time.Hour)
	require.NoError(t, err)
	require.True(t, mine)
}
