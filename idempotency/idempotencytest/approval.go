package idempotencytest

import (
	"context"
	"encoding/json"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// What a person has said, and what it allows.
var approvals = []scenario{
	{"approval and its expiry", approvalExpires},
	{"approved edited arguments are the ones executed", approvedEdited},
	{"an approval outlives an attempt that did not run", approvalOutlives},
	{"a denial is not asked about again", denialStays},
	{"what runs is what was approved", approvedIsBound},
	{"a caller's patience is no answer", patienceIsNoAnswer},
	{"an approval that comes too late is none", lateApproval},
	{"one approval is one execution", oneApprovalOneExecution},
	{"other arguments are asked about anew", otherArgumentsAskAnew},
	{"work that nobody has allowed can be held", unallowedIsHeld},
	{"an approval that is too old is none", oldApproval},
}

func (e *env) holdAgain(t *testing.T, in idempotency.Intent) *idempotency.Claim {
	t.Helper()
	c, opened, err := e.ledger.Hold(t.Context(), in, "asked anew", 0)
	require.NoError(t, err)
	require.True(t, opened)
	require.Equal(t, idempotency.Held, c.Answer)
	require.Equal(t, "asked anew", c.Row.CaseReason)
	return c
}

func otherArgumentsAskAnew(t *testing.T, e *env) {
	larger := payment("4711")
	larger.Args = json.RawMessage(`{"invoice":"4711","amount":10000}`)
	first := e.hold(t, payment("4711"), 0)
	second := e.holdAgain(t, larger)
	require.ErrorIs(t, e.decide(t, first.Row, idempotency.Approve), idempotency.ErrStale, "the person was shown the smaller sum")
	require.NoError(t, e.decide(t, second.Row, idempotency.Approve))
	third := e.holdAgain(t, payment("4711"))
	_, err := e.ledger.Claim(t.Context(), larger)
	require.ErrorIs(t, err, idempotency.ErrConflict, "the approval of it was given up")
	require.NoError(t, e.decide(t, third.Row, idempotency.Approve))
	require.JSONEq(t, string(payment("4711").Args), string(e.execute(t, payment("4711")).Args))
	c, opened, err := e.ledger.Hold(t.Context(), payment("4711"), "too late", 0)
	require.NoError(t, err)
	require.False(t, opened)
	require.Equal(t, idempotency.Busy, c.Answer, "what runs is not held")
}

func unallowedIsHeld(t *testing.T, e *env) {
	down := idempotency.Trouble{Reason: fault.ReasonOverloaded, Action: fault.Retry, Ran: fault.RanNo, Status: 503}
	require.NoError(t, e.execute(t, payment("released")).Release(t.Context(), down, false))
	e.deferred(t, "deferred", "bank")
	for _, name := range []string{"released", "deferred"} {
		held := e.holdAgain(t, payment(name))
		require.Equal(t, idempotency.Held, e.claim(t, payment(name)).Answer)
		require.NoError(t, e.decide(t, held.Row, idempotency.Approve))
		require.NoError(t, e.execute(t, payment(name)).Succeed(t.Context(), receipt, 0))
	}
	doubtful := e.execute(t, payment("doubtful"))
	require.NoError(t, doubtful.Doubt(t.Context(), idempotency.Trouble{}))
	c, opened, err := e.ledger.Hold(t.Context(), payment("doubtful"), "", 0)
	require.NoError(t, err)
	require.False(t, opened)
	require.Equal(t, idempotency.InDoubt, c.Answer, "that question comes first")
}

func oldApproval(t *testing.T, e *env) {
	in := payment("4711")
	in.ApprovedFor = short
	held := e.hold(t, in, 0)
	require.NoError(t, e.decide(t, held.Row, idempotency.Approve))
	e.eventually(t, func() bool {
		_, opened, err := e.ledger.Hold(t.Context(), in, "asked anew", 0)
		require.NoError(t, err)
		return opened
	})
	require.Equal(t, idempotency.Held, e.claim(t, in).Answer)
}

func (e *env) hold(t *testing.T, in idempotency.Intent, within time.Duration) *idempotency.Claim {
	t.Helper()
	c, opened, err := e.ledger.Hold(t.Context(), in, "over the limit", within)
	require.NoError(t, err)
	require.True(t, opened)
	require.Equal(t, idempotency.Held, c.Answer)
	return c
}

func (e *env) decide(t *testing.T, row idempotency.Row, choice idempotency.Choice) error {
	t.Helper()
	_, err := e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{
		Choice: choice, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint,
	})
	return err
}

func approvalOutlives(t *testing.T, e *env) {
	held := e.hold(t, payment("4711"), 0)
	require.NoError(t, e.decide(t, held.Row, idempotency.Approve))
	down := idempotency.Trouble{Reason: fault.ReasonOverloaded, Action: fault.Retry, Ran: fault.RanNo, Status: 503}
	require.NoError(t, e.execute(t, payment("4711")).Release(t.Context(), down, false))

	c, opened, err := e.open(t, e.store).Hold(t.Context(), payment("4711"), "over the limit", 0)
	require.NoError(t, err)
	require.False(t, opened, "a person is asked once")
	require.NotEqual(t, idempotency.Held, c.Answer)
	require.NoError(t, e.execute(t, payment("4711")).Succeed(t.Context(), receipt, 0))
}

func denialStays(t *testing.T, e *env) {
	held := e.hold(t, payment("4711"), 0)
	require.NoError(t, e.decide(t, held.Row, idempotency.Reject))
	restarted := e.open(t, e.store)
	c, opened, err := restarted.Hold(t.Context(), payment("4711"), "over the limit", 0)
	require.NoError(t, err)
	require.False(t, opened)
	require.Equal(t, idempotency.Refused, c.Answer)
	require.Equal(t, held.CaseID, c.CaseID)
	c, err = restarted.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.Equal(t, idempotency.Refused, c.Answer)
	require.ErrorIs(t, e.decide(t, held.Row, idempotency.Approve), idempotency.ErrDecided)
	e.state(t, held, idempotency.Rejected)
}

func approvedIsBound(t *testing.T, e *env) {
	first, second := e.hold(t, payment("4711"), 0), e.hold(t, payment("4712"), 0)
	swapped := second.Row
	swapped.ID = first.Row.ID
	require.ErrorIs(t, e.decide(t, swapped, idempotency.Approve), idempotency.ErrStale, "shown was another call")
	require.NoError(t, e.decide(t, second.Row, idempotency.Approve))
	require.Equal(t, idempotency.Held, e.claim(t, payment("4711")).Answer, "the other one was approved")

	larger := payment("4712")
	larger.Args = json.RawMessage(`{"invoice":"4712","amount":10000}`)
	_, err := e.ledger.Claim(t.Context(), larger)
	require.ErrorIs(t, err, idempotency.ErrConflict)
	require.JSONEq(t, string(payment("4712").Args), string(e.execute(t, payment("4712")).Args))
}

func patienceIsNoAnswer(t *testing.T, e *env) {
	held := e.hold(t, payment("4711"), time.Hour)
	gone, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, _ = e.ledger.Hold(gone, payment("4711"), "over the limit", time.Hour) // the caller has hung up
	_, _ = e.ledger.Wait(gone, held.Row.ID)
	row := e.state(t, held, idempotency.AwaitingApproval)
	require.Nil(t, row.Decision)
	require.False(t, row.Expired)
	require.NoError(t, e.decide(t, held.Row, idempotency.Approve), "and the question is still open")
	e.execute(t, payment("4711"))
}

func lateApproval(t *testing.T, e *env) {
	held := e.hold(t, payment("4711"), short)
	start := time.Now()
	e.eventually(t, func() bool { return time.Since(start) > 10*short })
	require.ErrorIs(t, e.decide(t, held.Row, idempotency.Approve), idempotency.ErrExpired, "though nobody has swept yet")
	row := e.state(t, held, idempotency.Rejected)
	require.True(t, row.Expired)
	require.Nil(t, row.Decision, "neither a yes nor a no")
	require.Equal(t, idempotency.Refused, e.claim(t, payment("4711")).Answer)
}

func oneApprovalOneExecution(t *testing.T, e *env) {
	held := e.hold(t, payment("4711"), 0)
	require.NoError(t, e.decide(t, held.Row, idempotency.Approve))
	var executed atomic.Int32
	race(func(i int) {
		c, err := e.ledger.Claim(t.Context(), payment("4711"))
		if err != nil {
			t.Errorf("claim %d: %v", i, err)
			return
		}
		if c.Answer == idempotency.Execute {
			executed.Add(1)
			if err := c.Succeed(t.Context(), receipt, 0); err != nil {
				t.Errorf("saving the success: %v", err)
			}
		}
	})
	require.EqualValues(t, 1, executed.Load())
	require.Equal(t, idempotency.Replay, e.claim(t, payment("4711")).Answer)
}
