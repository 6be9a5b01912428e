package idempotencytest

import (
	"errors"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// exits are the moves of the state machine. Staying is always allowed.
var exits = map[idempotency.State][]idempotency.State{
	idempotency.Absent:           {idempotency.Running, idempotency.AwaitingApproval},
	idempotency.Ready:            {idempotency.Running, idempotency.Succeeded, idempotency.Unknown, idempotency.Escalated},
	idempotency.Deferred:         {idempotency.Running, idempotency.Succeeded, idempotency.Escalated},
	idempotency.Running:          {idempotency.Succeeded, idempotency.Ready, idempotency.Deferred, idempotency.Failed, idempotency.Unknown},
	idempotency.Unknown:          {idempotency.Succeeded, idempotency.Ready, idempotency.Escalated},
	idempotency.Escalated:        {idempotency.Succeeded, idempotency.Ready, idempotency.Failed, idempotency.Rejected},
	idempotency.AwaitingApproval: {idempotency.Ready, idempotency.Rejected, idempotency.Succeeded},
}

// randomCommands sends random commands of random epochs to a few rows and
// checks after each what must never be otherwise.
func randomCommands(t *testing.T, e *env) {
	n := 0
	rapid.Check(t, func(rt *rapid.T) {
		n++
		key := idempotency.Key{Tool: "pay_invoice", Intent: "key:" + invoice(n)}
		req := idempotency.Request{
			Key: key, Fingerprint: "f", Args: []byte(`{"a":1}`),
			Effect: rapid.SampledFrom([]fault.Effect{fault.Write, fault.Idempotent, fault.Undeclared}).Draw(rt, "effect"),
			KeyTTL: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(rt, "key ttl"),
			Settle: rapid.SampledFrom([]time.Duration{0, time.Hour}).Draw(rt, "settle"),
		}
		var row idempotency.Row
		clock, moves := e.store.(Clock)
		for range rapid.IntRange(1, 40).Draw(rt, "length") {
			cmd := draw(rt, req, row)
			if moves && rapid.IntRange(0, 3).Draw(rt, "jumps") == 0 {
				clock.Shift(rapid.SampledFrom([]time.Duration{-2 * jump, -jump, -time.Second, time.Second, jump}).Draw(rt, "jump"))
			}
			after, err := e.store.Apply(t.Context(), key.ID(), cmd)
			if err != nil {
				known := errors.Is(err, idempotency.ErrFenced) || errors.Is(err, idempotency.ErrConflict) ||
					errors.Is(err, idempotency.ErrNoCase) || errors.Is(err, idempotency.ErrDecided) ||
					errors.Is(err, idempotency.ErrStale) || errors.Is(err, idempotency.ErrNotFound) ||
					errors.Is(err, idempotency.ErrExpired) || errors.Is(err, idempotency.ErrUnsupported)
				require.True(rt, known, "%s: %v", cmd.Name(), err)
				continue
			}
			check(rt, cmd, row, after)
			row = after
		}
		if s, ok := e.store.(idempotency.Lister); ok && row.Version > 0 {
			events, err := s.Events(t.Context(), row.ID)
			require.NoError(rt, err)
			require.EqualValues(rt, row.Version, len(events), "a write without an event")
		}
	})
}

// draw is a command, most often about the current epoch.
func draw(t *rapid.T, req idempotency.Request, row idempotency.Row) idempotency.Command {
	epoch := max(row.Epoch-int64(rapid.SampledFrom([]int{0, 0, 0, 1, -1}).Draw(t, "epochs ago")), 0)
	if rapid.IntRange(0, 9).Draw(t, "other arguments") == 0 {
		req.Fingerprint, req.Args = "g", []byte(`{"a":2}`)
	}
	lease := rapid.SampledFrom([]time.Duration{time.Minute, -time.Minute}).Draw(t, "lease") // -: already over
	cmds := append(everyCommand(row),
		idempotency.Acquire{Request: req, Attempt: rapid.SampledFrom([]string{"x", "y", "z"}).Draw(t, "attempt"), Lease: lease, Dispatch: rapid.Bool().Draw(t, "dispatch")},
		idempotency.Hold{Request: req, Token: "t", Within: rapid.SampledFrom([]time.Duration{0, time.Nanosecond}).Draw(t, "within"), ApprovedFor: rapid.SampledFrom([]time.Duration{0, time.Nanosecond}).Draw(t, "approved for")},
		idempotency.Dispatch{Epoch: epoch},
		idempotency.Extend{Epoch: epoch, Lease: lease},
		idempotency.Release{Epoch: epoch, Fresh: rapid.Bool().Draw(t, "fresh")},
		idempotency.Postpone{Epoch: epoch},
		idempotency.Refuse{Epoch: epoch},
		idempotency.Doubt{Epoch: epoch, Trouble: idempotency.Trouble{Ran: rapid.SampledFrom([]fault.Ran{fault.RanUnknown, fault.RanYes}).Draw(t, "ran")}},
		idempotency.Complete{Epoch: epoch, Result: receipt, Size: len(receipt)},
		idempotency.Verdict{Epoch: epoch, Finding: idempotency.Finding(rapid.IntRange(0, 2).Draw(t, "finding")), Result: receipt},
		idempotency.Escalate{Epoch: epoch, Token: "t"},
		idempotency.Announce{Epoch: epoch, Token: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "announcer"), For: lease},
		idempotency.Told{Epoch: epoch, Token: rapid.SampledFrom([]string{"x", "y"}).Draw(t, "teller")},
	)
	cmd := cmds[rapid.IntRange(0, len(cmds)-1).Draw(t, "command")]
	if a, ok := cmd.(idempotency.Acquire); ok && a.Attempt == "other" {
		a.Request = req
		return a
	}
	if h, ok := cmd.(idempotency.Hold); ok && h.Token == "other" {
		h.Request = req
		return h
	}
	return cmd
}

// check holds the invariants of one step.
func check(t *rapid.T, cmd idempotency.Command, before, after idempotency.Row) {
	name := cmd.Name()
	if after.Version == before.Version {
		require.Equal(t, before.State, after.State, "%s changed a row without a version", name)
		return
	}
	require.Equal(t, before.Version+1, after.Version, "%s", name)
	require.GreaterOrEqual(t, after.Epoch, before.Epoch)
	if after.State != before.State {
		allowed := exits[before.State]
		switch {
		case name == "acquire": // may let a lease lapse on the way
			allowed = append([]idempotency.State{idempotency.Rejected, idempotency.Escalated}, allowed...)
		case name == "hold" && (before.State == idempotency.Ready || before.State == idempotency.Deferred || !before.Dispatched):
			allowed = append([]idempotency.State{idempotency.AwaitingApproval}, allowed...)
		}
		require.Contains(t, allowed, after.State, "%s: %s → %s", name, before.State, after.State)
	}
	if before.State.Terminal() {
		require.Equal(t, before.State, after.State, "%s leads out of %s", name, before.State)
	}
	if after.Epoch > before.Epoch {
		require.Equal(t, "acquire", name)
		require.Equal(t, before.Epoch+1, after.Epoch)
		// Never started without a reason: nothing can have happened, or it is safe.
		require.False(t, before.State == idempotency.Running && before.Dispatched, "a dispatched call was taken over")
		if before.MayHaveApplied {
			require.True(t, !before.Effect.Writes() || before.KeyTTL > 0, "a write in doubt was started again")
			require.Equal(t, before.Generation, after.Generation, "a repetition in doubt must keep its key")
		}
		require.Contains(t, []idempotency.State{idempotency.Absent, idempotency.Ready, idempotency.Deferred, idempotency.Running}, before.State)
	}
	if before.MayHaveApplied && !after.MayHaveApplied {
		require.Contains(t, []string{"verdict", "decide"}, name, "only proof ends a doubt")
	}
	if after.State == idempotency.Escalated && before.State == idempotency.Ready {
		require.True(t, before.MayHaveApplied, "a person was asked about nothing")
	}
	if after.State == idempotency.Failed {
		require.False(t, after.MayHaveApplied, "called failed when it may have happened")
	}
	if before.MayHaveApplied && after.Generation != before.Generation {
		require.False(t, after.MayHaveApplied, "the key of a doubt was given up")
	}
	if name == "announce" || name == "told" {
		told := before
		told.Version, told.Updated, told.Due, told.KeySince = after.Version, after.Updated, after.Due, after.KeySince
		told.Announced, told.Announcer, told.AnnounceBy = after.Announced, after.Announcer, after.AnnounceBy
		require.Equal(t, told, after, "telling of it changes the work")
		require.True(t, before.State.Open(), "nobody is asked")
	}
	if after.State == idempotency.AwaitingApproval {
		require.False(t, after.MayHaveApplied || after.Approved, "approval is asked for beforehand")
	}
	if !before.Announced.IsZero() && before.CaseID() == after.CaseID() && name != "hold" { // which asks anew about other arguments
		require.Equal(t, before.Announced, after.Announced, "somebody was told, and is told again")
	}
	if name == "expire" {
		require.False(t, after.State == idempotency.Ready && before.Dispatched, "time made a dispatched call runnable")
	}
	if after.State == idempotency.Ready || after.State == idempotency.Deferred {
		require.False(t, after.Happened, "known to have happened, and runnable")
	}
}
