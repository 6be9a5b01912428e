package fault_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
)

func TestNextIsTheTable(t *testing.T) {
	t.Parallel()
	const key, check = true, true
	type row struct {
		name     string
		effect   fault.Effect
		reason   fault.Reason
		action   fault.Action
		ran      fault.Ran
		key      bool
		check    bool
		expected fault.Step
	}
	rows := []row{
		{"read, refused, transient", fault.Read, fault.ReasonRateLimit, fault.Retry, fault.RanNo, false, false, fault.Again},
		{"read, refused, final", fault.Read, fault.ReasonAuth, fault.FailFast, fault.RanNo, key, check, fault.Stop},
		{"read, in doubt, transient", fault.Read, fault.ReasonTimeout, fault.Retry, fault.RanUnknown, false, false, fault.Again},
		{"read, in doubt, final", fault.Read, fault.ReasonPanic, fault.FailFast, fault.RanUnknown, key, check, fault.Stop},
		{"read, ran, cut reply", fault.Read, fault.ReasonMalformedResponse, fault.Retry, fault.RanYes, false, false, fault.Again},
		{"read has nothing to ask a person about", fault.Read, fault.ReasonPartial, fault.Escalate, fault.RanYes, false, check, fault.Stop},

		{"idempotent, in doubt, transient", fault.Idempotent, fault.ReasonNetwork, fault.Retry, fault.RanUnknown, false, false, fault.Again},
		{"idempotent, half done", fault.Idempotent, fault.ReasonPartial, fault.Retry, fault.RanYes, false, false, fault.Again},
		{"idempotent, detector escalates", fault.Idempotent, fault.ReasonPartial, fault.Escalate, fault.RanYes, false, false, fault.Ask},
		{"idempotent, nothing ran, nothing to ask", fault.Idempotent, fault.ReasonConflict, fault.Escalate, fault.RanNo, false, false, fault.Stop},

		{"write, never sent", fault.Write, fault.ReasonNetwork, fault.Retry, fault.RanNo, false, false, fault.Again},
		{"write, refused for good", fault.Write, fault.ReasonPermission, fault.FailFast, fault.RanNo, key, check, fault.Stop},
		{"write, in doubt, key honoured", fault.Write, fault.ReasonTimeout, fault.Retry, fault.RanUnknown, key, check, fault.Again},
		{"write, in doubt, key expired, can look", fault.Write, fault.ReasonTimeout, fault.Retry, fault.RanUnknown, false, check, fault.CheckIt},
		{"write, in doubt, blind", fault.Write, fault.ReasonTimeout, fault.Retry, fault.RanUnknown, false, false, fault.Ask},
		{"write, panicked: a key does not make it worth repeating", fault.Write, fault.ReasonPanic, fault.FailFast, fault.RanUnknown, key, false, fault.Ask},
		{"write, panicked, can look", fault.Write, fault.ReasonPanic, fault.FailFast, fault.RanUnknown, key, check, fault.CheckIt},
		{"write, reply unreadable, blind", fault.Write, fault.ReasonMalformedResponse, fault.Retry, fault.RanYes, key, false, fault.Ask},
		{"write, reply unreadable, can look", fault.Write, fault.ReasonMalformedResponse, fault.Retry, fault.RanYes, key, check, fault.CheckIt},
		{"write, half done", fault.Write, fault.ReasonPartial, fault.Retry, fault.RanYes, key, check, fault.Ask},
		{"write, command exited with an error: an answer", fault.Write, fault.ReasonCommandFailed, fault.FailFast, fault.RanYes, false, check, fault.Stop},
		{"write, cancelled", fault.Write, fault.ReasonCancelled, fault.NoAction, fault.RanUnknown, key, check, fault.Stop},
		{"undeclared counts as a write", fault.Undeclared, fault.ReasonTimeout, fault.Retry, fault.RanUnknown, false, false, fault.Ask},
		{"an effect out of range counts as a write", fault.Effect(200), fault.ReasonTimeout, fault.Retry, fault.RanUnknown, false, false, fault.Ask},
		{"a ran out of range counts as unknown", fault.Write, fault.ReasonTimeout, fault.Retry, fault.Ran(200), false, false, fault.Ask},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			f := &fault.Fault{Reason: r.reason, Action: r.action, Ran: r.ran}
			require.Equal(t, r.expected.String(), fault.Next(r.effect, f, r.key, r.check).String())
		})
	}
	require.Equal(t, fault.Stop, fault.Next(fault.Write, nil, true, true), "no fault, nothing to do")
}

// TestNextKeepsItsPromises checks, over every input including invalid ones,
// what must hold whatever the table says in detail.
func TestNextKeepsItsPromises(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		effect := fault.Effect(rapid.Uint8Range(0, 6).Draw(t, "effect"))
		f := &fault.Fault{
			Reason: fault.Reason(rapid.Uint8Range(0, 40).Draw(t, "reason")),
			Action: fault.Action(rapid.Uint8Range(0, 5).Draw(t, "action")),
			Ran:    fault.Ran(rapid.Uint8Range(0, 4).Draw(t, "ran")),
		}
		key, check := rapid.Bool().Draw(t, "key"), rapid.Bool().Draw(t, "check")
		harmless := effect == fault.Read || effect == fault.Idempotent
		step := fault.Next(effect, f, key, check)

		if step == fault.Again && !f.Transient() {
			t.Fatal("repeated a fault that is not transient")
		}
		if step == fault.Again && !harmless && f.Ran == fault.RanYes {
			t.Fatal("repeated a write that ran")
		}
		if step == fault.Again && !harmless && f.Ran != fault.RanNo && !key {
			t.Fatal("repeated a write in doubt without a key")
		}
		if step == fault.CheckIt && (!check || harmless) {
			t.Fatal("asked a Check that is not there or not needed")
		}
		if step == fault.Ask && (f.Ran == fault.RanNo || effect == fault.Read) {
			t.Fatal("asked a person where nothing can have happened")
		}
		if !harmless && f.Ran != fault.RanNo && f.Ran != fault.RanYes && f.Action != fault.NoAction && step == fault.Stop {
			t.Fatal("a write in doubt was called a plain failure")
		}
		if (f.Action == fault.NoAction) && step != fault.Stop {
			t.Fatal("acted on something that is not a fault")
		}
	})
}
