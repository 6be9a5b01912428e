package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// A start says all that is set up wrongly, so that it is mended at once.
func TestTheStartNamesEveryMistake(t *testing.T) {
	_, err := tryBegin(t, guard.New(guard.Require("get_ordr"), guard.Named("nope", "x"), guard.OnStep(9, guard.PolicyRefuse)), read("get_order"))
	require.ErrorContains(t, err, "no step 9")
	require.ErrorContains(t, err, `required tool "get_ordr" is not bound; did you mean get_order?`)
	require.ErrorContains(t, err, `no tool "nope" is bound`)
	require.ErrorIs(t, err, guard.ErrNotBound)
	require.ErrorIs(t, err, guard.ErrSetting)
}

// Customers read these: they know of no tools, and a cause that is known is told.
func TestTextsNameWhatASetUpLacks(t *testing.T) {
	s := begin(t, guard.New(), write("pay"), read("search"))
	s.call("search", "1")
	s.run.Finish(runrecord.Call{Kind: fault.KindNotRun, Reason: fault.ReasonUnknownTool, Detail: &runrecord.Detail{Name: "get_odrer"}})
	v := s.final("All is well.")
	require.Contains(t, v.Text, "Note: a step was tried that this assistant does not have, so")
	s.call("pay", "1", notRun(fault.ReasonUnknown), with(func(_ *runrecord.Call, d *runrecord.Detail) { d.Rule = "ledger:no_key" }))
	v = s.final("All is well.")
	require.Contains(t, v.Text, `the step "pay" failed (it is not set up so that it is never done twice)`)
	require.NotContains(t, v.Text, "not known")
}

// Without the user's words a figure of theirs is taken for one of nobody's.
func TestARunWithoutAQuestionIsTold(t *testing.T) {
	told := func(question string) (n int) {
		s := asked(t, guard.New(), question, read("search"))
		s.callWith("search", `{}`, `{"ok":true}`)
		for _, f := range s.final("You asked for 4,321.55 EUR, I have 99.17 EUR.").Findings {
			if f.Kind == guard.KindNote {
				require.Contains(t, f.What, "has no Question")
				n++
			}
		}
		return n
	}
	require.Equal(t, 1, told(""))
	require.Zero(t, told("Can I have 4,321.55 EUR?"))
}
