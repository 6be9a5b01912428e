package idempotencytest

import (
	"encoding/json"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

func decisionIsBound(t *testing.T, e *env) {
	row := e.escalated(t, payment("4711"))
	good := idempotency.Decision{ID: "d-1", Choice: idempotency.RunAgain, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint}

	wrong := good
	wrong.Epoch++
	_, err := e.ledger.Decide(t.Context(), row.ID, wrong)
	require.ErrorIs(t, err, idempotency.ErrStale)
	wrong = good
	wrong.Fingerprint = "of other arguments"
	_, err = e.ledger.Decide(t.Context(), row.ID, wrong)
	require.ErrorIs(t, err, idempotency.ErrStale)
	wrong = good
	wrong.Choice = idempotency.Approve
	_, err = e.ledger.Decide(t.Context(), row.ID, wrong)
	require.ErrorIs(t, err, idempotency.ErrNoCase, "not an answer to this question")
	wrong = good
	wrong.Actor = ""
	_, err = e.ledger.Decide(t.Context(), row.ID, wrong)
	require.ErrorIs(t, err, idempotency.ErrNoCase, "nobody decides anonymously")
	_, err = e.ledger.Decide(t.Context(), "nothing", good)
	require.ErrorIs(t, err, idempotency.ErrNotFound)

	after, err := e.ledger.Decide(t.Context(), row.ID, good)
	require.NoError(t, err)
	require.Equal(t, idempotency.Ready, after.State)
	require.Equal(t, row.Generation+1, after.Generation)
	require.False(t, after.MayHaveApplied)
	repeated, err := e.ledger.Decide(t.Context(), row.ID, good)
	require.NoError(t, err, "the same decision again, after a lost reply")
	require.Equal(t, after.Version, repeated.Version)
	second := good
	second.ID, second.Choice = "d-2", idempotency.GiveUp
	_, err = e.ledger.Decide(t.Context(), row.ID, second)
	require.ErrorIs(t, err, idempotency.ErrDecided)

	// The same doubt again is a new question, which the old answer does not fit.
	c := e.execute(t, payment("4711"))
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	again, opened, err := e.ledger.Escalate(t.Context(), e.row(t, c), "again", 0)
	require.NoError(t, err)
	require.True(t, opened)
	require.NotEqual(t, row.CaseID(), again.CaseID())
	good.ID = "d-3"
	_, err = e.ledger.Decide(t.Context(), row.ID, good)
	require.ErrorIs(t, err, idempotency.ErrStale)

	through, err := e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{
		Choice: idempotency.WentThrough, Actor: "ops", Epoch: again.Epoch, Fingerprint: again.Fingerprint, Result: receipt,
	})
	require.NoError(t, err)
	require.Equal(t, idempotency.Succeeded, through.State)
	require.JSONEq(t, string(receipt), string(e.claim(t, payment("4711")).Result))
}

func approvalExpires(t *testing.T, e *env) {
	hold := func(in idempotency.Intent, within time.Duration) (*idempotency.Claim, bool) {
		t.Helper()
		c, opened, err := e.ledger.Hold(t.Context(), in, "over the limit", within)
		require.NoError(t, err)
		return c, opened
	}
	c, opened := hold(payment("4710"), time.Hour)
	require.Equal(t, idempotency.Held, c.Answer)
	require.True(t, opened)
	require.NotEmpty(t, c.CaseID)
	require.Equal(t, idempotency.Held, hold2(hold(payment("4710"), time.Hour)).Answer)

	c, _ = hold(payment("4711"), short)
	row := e.outlive(t, c)
	require.Equal(t, idempotency.Rejected, row.State)
	require.True(t, row.Expired, "neither a yes nor a no")
	require.Nil(t, row.Decision)
	_, err := e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{Choice: idempotency.Approve, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint})
	require.ErrorIs(t, err, idempotency.ErrExpired)

	// A decision that comes too late expires the row itself.
	c, _ = hold(payment("4712"), short)
	e.eventually(t, func() bool {
		_, err = e.ledger.Decide(t.Context(), c.Row.ID, idempotency.Decision{Choice: idempotency.ApproveEdited, Args: json.RawMessage(`{`), Actor: "ops"})
		require.Error(t, err)
		row, err := e.ledger.Sweep(t.Context())
		if err != nil { // no Lister: outlive does it
			e.outlive(t, c)
			return true
		}
		return len(row) == 1
	})

	c, _ = hold(payment("4713"), 0)
	require.Equal(t, idempotency.Held, e.claim(t, payment("4713")).Answer, "not before somebody has approved")
	other := payment("4713")
	other.Args = json.RawMessage(`{"invoice":"4713","amount":1000}`)
	_, err = e.ledger.Claim(t.Context(), other)
	require.ErrorIs(t, err, idempotency.ErrConflict)
	_, err = e.ledger.Decide(t.Context(), c.Row.ID, idempotency.Decision{Choice: idempotency.Approve, Actor: "ops", Fingerprint: c.Row.Fingerprint})
	require.NoError(t, err)
	_, err = e.ledger.Claim(t.Context(), other)
	require.ErrorIs(t, err, idempotency.ErrConflict, "only what was approved")
	e.execute(t, payment("4713"))

	c, _ = hold(payment("4714"), 0)
	_, err = e.ledger.Decide(t.Context(), c.Row.ID, idempotency.Decision{Choice: idempotency.Reject, Actor: "ops", Fingerprint: c.Row.Fingerprint})
	require.NoError(t, err)
	require.Equal(t, idempotency.Refused, e.claim(t, payment("4714")).Answer)
}

func hold2(c *idempotency.Claim, _ bool) *idempotency.Claim { return c }

func approvedEdited(t *testing.T, e *env) {
	c, _, err := e.ledger.Hold(t.Context(), payment("4711"), "over the limit", 0)
	require.NoError(t, err)
	edited := json.RawMessage(`{"invoice":"4711","amount":5}`)
	_, err = e.ledger.Decide(t.Context(), c.Row.ID, idempotency.Decision{
		Choice: idempotency.ApproveEdited, Actor: "ops", Fingerprint: c.Row.Fingerprint, Args: edited,
	})
	require.NoError(t, err)
	run := e.execute(t, payment("4711")) // the agent asks with its own arguments
	require.JSONEq(t, string(edited), string(run.Args))
}

func eraseKeepsProtection(t *testing.T, e *env) {
	c := e.unknown(t, payment("4711"))
	require.NoError(t, e.ledger.Erase(t.Context(), c.Row.ID))
	row := e.state(t, c, idempotency.Unknown)
	require.Empty(t, row.Args)
	require.Equal(t, idempotency.InDoubt, e.claim(t, payment("4711")).Answer)

	done := e.execute(t, payment("4712"))
	require.ErrorIs(t, e.ledger.Erase(t.Context(), done.Row.ID), idempotency.ErrUnsupported, "it is running")
	require.NoError(t, done.Succeed(t.Context(), receipt, 0))
	require.NoError(t, e.ledger.Erase(t.Context(), done.Row.ID))
	again := e.claim(t, payment("4712"))
	require.Equal(t, idempotency.Replay, again.Answer)
	require.Empty(t, again.Result)
	require.True(t, again.Row.Erased)
}
