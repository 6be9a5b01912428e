package idempotencytest

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

func otherArguments(t *testing.T, e *env) {
	c := e.execute(t, payment("4711"))
	other := payment("4711")
	other.Args = json.RawMessage(`{"invoice":"4711","amount":99887766}`)
	conflict := func() {
		t.Helper()
		_, err := e.ledger.Claim(t.Context(), other)
		require.ErrorIs(t, err, idempotency.ErrConflict)
		ce, ok := errors.AsType[*idempotency.ConflictError](err)
		require.True(t, ok)
		require.Equal(t, []string{"/amount"}, ce.Fields)
		require.NotContains(t, err.Error(), "99887766", "a conflict names fields, not values")
	}
	conflict() // while it runs
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	conflict() // and afterwards: never the old result

	same := payment("4711")
	same.Args = json.RawMessage(` {"amount":1e1, "invoice":"4711"}`)
	require.Equal(t, idempotency.Replay, e.claim(t, same).Answer, "another spelling is the same request")

	worded := payment("4712")
	worded.Volatile = []string{"memo"}
	worded.Args = json.RawMessage(`{"invoice":"4712","memo":"thanks"}`)
	require.NoError(t, e.execute(t, worded).Succeed(t.Context(), receipt, 0))
	worded.Args = json.RawMessage(`{"invoice":"4712","memo":"thank you so much"}`)
	require.Equal(t, idempotency.Replay, e.claim(t, worded).Answer, "other free text is the same request")
}

func correctedArguments(t *testing.T, e *env) {
	c := e.execute(t, payment("4711"))
	require.NoError(t, c.Release(t.Context(), refused, false))
	better := payment("4711")
	better.Args = json.RawMessage(`{"invoice":"4711","amount":11}`)
	again := e.execute(t, better)
	require.JSONEq(t, string(better.Args), string(again.Args))
	require.NotEqual(t, c.RemoteKey, again.RemoteKey, "the service may have stored its refusal")

	// Once it may have happened, nothing can be corrected.
	require.NoError(t, again.Doubt(t.Context(), timedOut))
	require.Equal(t, idempotency.InDoubt, e.claim(t, payment("4711")).Answer)
}

func earlierEpochIsFenced(t *testing.T, e *env) {
	in := payment("4711")
	in.Dispatch, in.Lease = false, short
	old := e.execute(t, in)
	e.outlive(t, old)
	in.Lease = time.Minute
	now := e.execute(t, in)
	require.Greater(t, now.Epoch, old.Epoch)

	ctx := t.Context()
	require.ErrorIs(t, old.Dispatch(ctx), idempotency.ErrFenced, "the old worker must not enter the function")
	require.ErrorIs(t, old.Release(ctx, refused, false), idempotency.ErrFenced)
	require.ErrorIs(t, old.Refuse(ctx, refused), idempotency.ErrFenced)
	require.ErrorIs(t, old.Doubt(ctx, timedOut), idempotency.ErrFenced)
	require.ErrorIs(t, old.Postpone(ctx, refused, "api", time.Time{}), idempotency.ErrFenced)
	row := e.state(t, now, idempotency.Running)
	require.Equal(t, now.Epoch, row.Epoch)
	require.False(t, row.MayHaveApplied)
	require.NoError(t, now.Dispatch(ctx))
	require.NoError(t, now.Succeed(ctx, receipt, 0))
}

func leaseLostBeforeDispatch(t *testing.T, e *env) {
	in := payment("4711")
	in.Dispatch, in.Lease = false, short
	c := e.execute(t, in)
	row := e.outlive(t, c)
	require.Equal(t, idempotency.Ready, row.State, "it was never entered")
	require.False(t, row.MayHaveApplied)
	require.ErrorIs(t, c.Dispatch(t.Context()), idempotency.ErrFenced)
	e.execute(t, in)
}

func leaseLostAfterDispatch(t *testing.T, e *env) {
	for name, effect := range map[string]fault.Effect{"write": fault.Write, "undeclared": fault.Undeclared, "idempotent": fault.Idempotent} {
		in := payment(name)
		in.Effect, in.Lease = effect, short
		c := e.execute(t, in)
		row := e.outlive(t, c)
		require.Equal(t, idempotency.Unknown, row.State, "time alone must not make a dispatched call runnable")
		require.True(t, row.MayHaveApplied)
		require.Equal(t, idempotency.InDoubt, e.claim(t, in).Answer)
		row, err := e.ledger.Repeat(t.Context(), row)
		require.NoError(t, err)
		if effect == fault.Idempotent {
			require.Equal(t, idempotency.Ready, row.State, "again changes nothing more")
		} else {
			require.Equal(t, idempotency.Unknown, row.State)
		}
		require.True(t, row.MayHaveApplied)
	}
}

func lateSuccess(t *testing.T, e *env) {
	// Of an unknown row.
	in := payment("4711")
	in.Lease = short
	c := e.execute(t, in)
	require.Equal(t, idempotency.Unknown, e.outlive(t, c).State)
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	row := e.state(t, c, idempotency.Succeeded)
	require.Equal(t, "run-1", row.RunID, "it must find its way back")
	require.EqualValues(t, 3, row.Call)
	require.Equal(t, idempotency.Replay, e.claim(t, in).Answer)

	// Of one that a person was asked about: the case closes.
	in = payment("4712")
	in.Lease = short
	c = e.execute(t, in)
	row, _, err := e.ledger.Escalate(t.Context(), e.outlive(t, c), "no check", 0)
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	e.state(t, c, idempotency.Succeeded)
	_, err = e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{Choice: idempotency.RunAgain, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint})
	require.ErrorIs(t, err, idempotency.ErrNoCase, "nobody may run it again now")

	// Of one that was found not done and not yet started again.
	c = e.unknown(t, payment("4713"))
	row, err = e.ledger.Check(t.Context(), e.row(t, c), idempotency.NotDone, nil, "")
	require.NoError(t, err)
	require.Equal(t, idempotency.Ready, row.State)
	require.NoError(t, c.Succeed(t.Context(), receipt, 0))
	e.state(t, c, idempotency.Succeeded)
	require.Equal(t, idempotency.Replay, e.claim(t, payment("4713")).Answer)
}

func lateSuccessOfAnEarlierEpoch(t *testing.T, e *env) {
	old := e.unknown(t, payment("4711"))
	_, err := e.ledger.Check(t.Context(), e.row(t, old), idempotency.NotDone, nil, "")
	require.NoError(t, err)
	now := e.execute(t, payment("4711"))

	require.NoError(t, old.Succeed(t.Context(), receipt, 0), "a success is never refused")
	row := e.state(t, now, idempotency.Running)
	require.Len(t, row.Evidence, 1)
	require.True(t, row.PossibleDuplicate, "both were started under keys of their own")

	// The second was refused: the first is the one that counts.
	require.NoError(t, now.Release(t.Context(), refused, false))
	row = e.state(t, now, idempotency.Succeeded)
	require.JSONEq(t, string(receipt), string(row.Result))
}

func twoSuccesses(t *testing.T, e *env) {
	old := e.unknown(t, payment("4711"))
	_, err := e.ledger.Check(t.Context(), e.row(t, old), idempotency.NotDone, nil, "")
	require.NoError(t, err)
	now := e.execute(t, payment("4711"))
	require.NoError(t, now.Succeed(t.Context(), receipt, 0))
	require.False(t, e.row(t, now).PossibleDuplicate)
	require.NoError(t, old.Succeed(t.Context(), json.RawMessage(`{"receipt":"R-0"}`), 0))
	row := e.state(t, now, idempotency.Succeeded)
	require.True(t, row.PossibleDuplicate)
	require.Len(t, row.Evidence, 1)
	require.JSONEq(t, string(receipt), string(row.Result), "the stored result stays")
}

func mayHaveAppliedIsSticky(t *testing.T, e *env) {
	in := payment("4711")
	in.KeyTTL = time.Hour
	c := e.execute(t, in)
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	require.True(t, e.state(t, c, idempotency.Ready).MayHaveApplied, "the service honours the key")

	// A later attempt that did not run proves nothing about the first.
	again := e.execute(t, in)
	require.NoError(t, again.Release(t.Context(), refused, true))
	row := e.state(t, again, idempotency.Ready)
	require.True(t, row.MayHaveApplied)
	require.Equal(t, again.RemoteKey, row.RemoteKey(), "nor may its key be given up")

	// Nor does a refusal that is declared final make a failure of it.
	in.KeyTTL = 0
	third := e.claim(t, in)
	require.NotEqual(t, idempotency.GivenUp, third.Answer)
	other := e.unknown(t, payment("4712"))
	row, err := e.ledger.Repeat(t.Context(), e.row(t, other))
	require.NoError(t, err)
	require.Equal(t, idempotency.Unknown, row.State)

	final := payment("4713")
	final.KeyTTL = time.Hour
	require.NoError(t, e.execute(t, final).Doubt(t.Context(), timedOut))
	last := e.execute(t, final)
	require.NoError(t, last.Refuse(t.Context(), refused))
	require.NotEqual(t, idempotency.Failed, e.row(t, last).State)
}

func answeredFailure(t *testing.T, e *env) {
	answered := refused
	answered.Ran = fault.RanYes
	c := e.execute(t, payment("4711"))
	require.NoError(t, c.Refuse(t.Context(), answered))
	row := e.state(t, c, idempotency.Failed)
	require.False(t, row.MayHaveApplied)
	require.Equal(t, fault.RanYes, row.Attempts[0].Ran)
	require.Equal(t, idempotency.GivenUp, e.claim(t, payment("4711")).Answer, "and is not run again")

	// Of two attempts under one remote key, the answer to the second says nothing
	// about the first.
	in := payment("4712")
	in.KeyTTL = time.Hour
	require.NoError(t, e.execute(t, in).Doubt(t.Context(), timedOut))
	again := e.execute(t, in)
	require.NoError(t, again.Refuse(t.Context(), answered))
	require.True(t, e.state(t, again, idempotency.Unknown).MayHaveApplied)
}

func notDoneMustSettle(t *testing.T, e *env) {
	slow, err := idempotency.New(idempotency.Config{Store: e.store, Settle: time.Hour})
	require.NoError(t, err)
	c, err := slow.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	row, err := slow.Check(t.Context(), e.row(t, c), idempotency.NotDone, nil, "")
	require.NoError(t, err)
	require.Equal(t, idempotency.Unknown, row.State, "the request may still be on its way")
	require.True(t, row.MayHaveApplied)
	require.True(t, row.Checks[0].Early)

	row, err = slow.Check(t.Context(), row, idempotency.CannotTell, nil, "timeout")
	require.NoError(t, err)
	require.Equal(t, idempotency.Unknown, row.State)
	row, err = slow.Check(t.Context(), row, idempotency.Done, receipt, "")
	require.NoError(t, err)
	require.Equal(t, idempotency.Succeeded, row.State, "done needs no settling")

	_, err = slow.Check(t.Context(), row, idempotency.NotDone, nil, "")
	require.ErrorIs(t, err, idempotency.ErrFenced, "an answer to a question that is closed")
}

func remoteKeys(t *testing.T, e *env) {
	in := payment("4711")
	in.KeyTTL = time.Hour
	first := e.execute(t, in)
	require.NoError(t, first.Release(t.Context(), idempotency.Trouble{Reason: fault.ReasonRateLimit, Ran: fault.RanNo}, false))
	second := e.execute(t, in)
	require.Equal(t, first.RemoteKey, second.RemoteKey)
	require.NoError(t, second.Doubt(t.Context(), timedOut))
	third := e.execute(t, in)
	require.Equal(t, first.RemoteKey, third.RemoteKey, "the repetition is only safe under the same key")
	require.NoError(t, third.Succeed(t.Context(), receipt, 0))

	c := e.unknown(t, payment("4712"))
	_, err := e.ledger.Check(t.Context(), e.row(t, c), idempotency.NotDone, nil, "")
	require.NoError(t, err)
	again := e.execute(t, payment("4712"))
	require.NotEqual(t, c.RemoteKey, again.RemoteKey, "the service would answer the old key with its old error")
	require.False(t, e.row(t, again).MayHaveApplied)

	// A key that is no longer honoured does not allow a repetition.
	in = payment("4713")
	in.KeyTTL = 10 * short
	require.NoError(t, e.execute(t, in).Doubt(t.Context(), timedOut))
	e.eventually(t, func() bool {
		row, err := e.store.Apply(t.Context(), in.Key.ID(), idempotency.Expire{})
		require.NoError(t, err)
		return row.State == idempotency.Unknown
	})
	require.Equal(t, idempotency.InDoubt, e.claim(t, in).Answer)
}

func inDoubtStartsNothing(t *testing.T, e *env) {
	c := e.unknown(t, payment("4711"))
	before := e.row(t, c)
	require.Equal(t, idempotency.InDoubt, e.claim(t, payment("4711")).Answer)
	other := payment("4711")
	other.Args = json.RawMessage(`{"invoice":"4711","amount":99}`)
	require.Equal(t, idempotency.InDoubt, e.claim(t, other).Answer, "not with other arguments either")

	row, opened, err := e.ledger.Escalate(t.Context(), before, "no check", time.Hour)
	require.NoError(t, err)
	require.True(t, opened)
	require.NotEmpty(t, row.CaseID())
	asked := e.claim(t, payment("4711"))
	require.Equal(t, idempotency.InDoubt, asked.Answer)
	require.Equal(t, row.CaseID(), asked.CaseID)
	_, opened, err = e.ledger.Escalate(t.Context(), before, "no check", time.Hour)
	require.NoError(t, err)
	require.False(t, opened, "nobody is asked twice")
	require.Equal(t, before.Epoch, e.row(t, c).Epoch)
}

func closedRowHasNoExit(t *testing.T, e *env) {
	close := map[string]func(*idempotency.Claim, idempotency.Row) error{
		"succeeded": func(c *idempotency.Claim, _ idempotency.Row) error { return c.Succeed(t.Context(), receipt, 0) },
		"failed":    func(c *idempotency.Claim, _ idempotency.Row) error { return c.Refuse(t.Context(), refused) },
		"rejected": func(c *idempotency.Claim, row idempotency.Row) error {
			require.NoError(t, c.Doubt(t.Context(), timedOut))
			row, _, err := e.ledger.Escalate(t.Context(), row, "", 0)
			require.NoError(t, err)
			_, err = e.ledger.Decide(t.Context(), row.ID, idempotency.Decision{Choice: idempotency.Abort, Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint})
			return err
		},
	}
	for name, end := range close {
		c := e.execute(t, payment(name))
		require.NoError(t, end(c, e.row(t, c)))
		row := e.row(t, c)
		require.Equal(t, name, row.State.String())
		for _, cmd := range everyCommand(row) {
			after, err := e.store.Apply(t.Context(), row.ID, cmd)
			if err == nil {
				require.Equal(t, name, after.State.String(), "%s leads out of it", cmd.Name())
				require.Equal(t, row.Epoch, after.Epoch)
			}
		}
		require.NotEqual(t, idempotency.Execute, e.claim(t, payment(name)).Answer)
	}
}

// everyCommand is one of each, addressed to the row as it is.
func everyCommand(row idempotency.Row) []idempotency.Command {
	request := idempotency.Request{Key: row.Key, Effect: row.Effect, Args: row.Args, Fingerprint: row.Fingerprint}
	decision := idempotency.Decision{ID: "again", Actor: "ops", Epoch: row.Epoch, Fingerprint: row.Fingerprint}
	cmds := []idempotency.Command{
		idempotency.Acquire{Request: request, Attempt: "other", Lease: time.Minute},
		idempotency.Hold{Request: request, Token: "other"},
		idempotency.Dispatch{Epoch: row.Epoch},
		idempotency.Extend{Epoch: row.Epoch, Lease: time.Minute},
		idempotency.Release{Epoch: row.Epoch},
		idempotency.Postpone{Epoch: row.Epoch},
		idempotency.Refuse{Epoch: row.Epoch},
		idempotency.Doubt{Epoch: row.Epoch},
		idempotency.Complete{Epoch: row.Epoch, Result: receipt},
		idempotency.Abandon{Attempt: row.Attempt},
		idempotency.Expire{},
		idempotency.Repeat{Epoch: row.Epoch},
		idempotency.Verdict{Epoch: row.Epoch, Finding: idempotency.NotDone},
		idempotency.Escalate{Epoch: row.Epoch, Token: "other"},
		idempotency.Announce{Epoch: row.Epoch, Token: "other", For: time.Minute},
		idempotency.Told{Epoch: row.Epoch, Token: "other"},
		idempotency.Erase{},
	}
	for choice := idempotency.Approve; choice <= idempotency.Abort; choice++ {
		decision.Choice = choice
		cmds = append(cmds, idempotency.Decide{Decision: decision})
	}
	return cmds
}
