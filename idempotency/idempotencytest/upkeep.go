package idempotencytest

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// lister returns the optional ability or skips.
func (e *env) lister(t *testing.T) idempotency.Lister {
	t.Helper()
	l, ok := e.store.(idempotency.Lister)
	if !ok {
		t.Skip("the store is no Lister")
	}
	return l
}

func eventPerWrite(t *testing.T, e *env) {
	s := e.lister(t)
	row := e.escalated(t, payment("4711"))
	row, err := e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{Choice: idempotency.RunAgain, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint})
	require.NoError(t, err)
	c := e.execute(t, payment("4711"))
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	_, err = e.ledger.Claim(t.Context(), payment("4711")) // a replay writes nothing
	require.NoError(t, err)

	events, err := s.Events(t.Context(), row.ID)
	require.NoError(t, err)
	require.EqualValues(t, e.row(t, c).Version, len(events))
	var names []string
	for i, ev := range events {
		require.EqualValues(t, i+1, ev.Seq)
		require.Equal(t, row.ID, ev.Row)
		require.False(t, ev.At.IsZero())
		if i > 0 {
			require.Equal(t, events[i-1].To, ev.From)
		}
		names = append(names, ev.Command)
	}
	require.Equal(t, []string{"acquire", "doubt", "escalate", "decide", "acquire", "complete"}, names)
	require.Equal(t, "ops", events[3].Actor)
	_, err = s.Events(t.Context(), "nothing")
	require.ErrorIs(t, err, idempotency.ErrNotFound)
	_, err = e.ledger.Row(t.Context(), "nothing")
	require.ErrorIs(t, err, idempotency.ErrNotFound)
}

func pagesAndDueRows(t *testing.T, e *env) {
	e.lister(t)
	const n = 7
	for i := range n {
		in := payment(invoice(i))
		in.Key.Tenant = []string{"a", "b"}[i%2]
		in.Lease = time.Hour
		if i == 3 {
			in.Lease = short
		}
		e.execute(t, in)
	}
	seen := map[string]bool{}
	for q := (idempotency.Query{Limit: 3}); ; {
		page, err := e.ledger.List(t.Context(), q)
		require.NoError(t, err)
		require.LessOrEqual(t, len(page), 3)
		for _, r := range page {
			require.False(t, seen[r.ID])
			seen[r.ID] = true
			q.After = r.ID
		}
		if len(page) < 3 {
			break
		}
	}
	require.Len(t, seen, n)

	count := func(q idempotency.Query) int {
		rows, err := e.ledger.List(t.Context(), q)
		require.NoError(t, err)
		return len(rows)
	}
	require.Equal(t, 4, count(idempotency.Query{Tenant: "a"}))
	require.Equal(t, n, count(idempotency.Query{Tool: "pay_invoice", RunID: "run-1"}))
	require.Equal(t, 0, count(idempotency.Query{RunID: "run-2"}))
	require.Equal(t, 0, count(idempotency.Query{States: []idempotency.State{idempotency.Unknown, idempotency.Escalated}}))

	e.eventually(t, func() bool { return count(idempotency.Query{Due: true}) == 1 })
	moved, err := e.ledger.Sweep(t.Context())
	require.NoError(t, err)
	require.Len(t, moved, 1, "only the one whose lease ran out")
	require.Equal(t, idempotency.Unknown, moved[0].State)
	require.Equal(t, 0, count(idempotency.Query{Due: true}))

	asked := e.escalated(t, payment("decided"))
	require.Equal(t, 0, count(idempotency.Query{ToRun: true}))
	_, err = e.ledger.Decide(t.Context(), asked.ID, idempotency.Decision{
		Choice: idempotency.RunAgain, Actor: "ops", Epoch: asked.Epoch, Fingerprint: asked.Fingerprint,
	})
	require.NoError(t, err)
	require.Equal(t, 1, count(idempotency.Query{ToRun: true}))
	again := e.execute(t, payment("decided"))
	require.NoError(t, again.Release(t.Context(), idempotency.Trouble{Reason: fault.ReasonInvalidArgs, Action: fault.FailFast}, false))
	require.Equal(t, 0, count(idempotency.Query{ToRun: true}), "it was run")
}

func pruneSparesDoubt(t *testing.T, e *env) {
	if _, ok := e.store.(idempotency.Pruner); !ok {
		t.Skip("the store is no Pruner")
	}
	done := e.execute(t, payment("done"))
	require.NoError(t, done.Succeed(t.Context(), receipt, 0))
	unknown := e.unknown(t, payment("unknown"))
	asked := e.escalated(t, payment("escalated"))
	keyed := payment("keyed")
	keyed.KeyTTL = time.Hour
	ready := e.execute(t, keyed)
	require.NoError(t, ready.Doubt(t.Context(), timedOut))
	e.execute(t, payment("running"))

	n, err := e.ledger.Prune(t.Context(), time.Hour)
	require.NoError(t, err)
	require.Zero(t, n, "nothing is old enough")
	e.eventually(t, func() bool {
		n, err = e.ledger.Prune(t.Context(), time.Millisecond)
		require.NoError(t, err)
		return n > 0
	})
	require.Equal(t, 1, n)
	_, err = e.ledger.Row(t.Context(), done.Row.ID)
	require.ErrorIs(t, err, idempotency.ErrNotFound)
	e.state(t, unknown, idempotency.Unknown)
	e.state(t, ready, idempotency.Ready)
	row, err := e.ledger.Row(t.Context(), asked.ID)
	require.NoError(t, err)
	require.Equal(t, idempotency.Escalated, row.State)
}

func waiting(t *testing.T, e *env) {
	c := e.execute(t, payment("4711"))
	found := make(chan idempotency.State, 1)
	go func() {
		row, err := e.ledger.Wait(t.Context(), c.Row.ID)
		if err != nil {
			t.Errorf("waiting: %v", err)
		}
		found <- row.State
	}()
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	require.Equal(t, idempotency.Succeeded, <-found)

	// A worker that died does not hold its waiters for ever.
	in := payment("4712")
	in.Lease = short
	c = e.execute(t, in)
	row, err := e.ledger.Wait(t.Context(), c.Row.ID)
	require.NoError(t, err)
	require.Equal(t, idempotency.Unknown, row.State)

	// And patience is the caller's.
	c = e.execute(t, payment("4713"))
	ctx, cancel := context.WithTimeout(t.Context(), short)
	defer cancel()
	_, err = e.ledger.Wait(ctx, c.Row.ID)
	require.True(t, errors.Is(err, context.DeadlineExceeded), "%v", err)
}
