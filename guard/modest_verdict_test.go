package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
)

// A verdict says why a run without one success was not refused.
func TestAVerdictTellsADraftThatStatesNothing(t *testing.T) {
	for draft, want := range map[string]bool{
		"I'm sorry, I could not load the invoices.": true,
		"No problems found.":                        false,
		"The invoices come to 4,820 EUR.":           false,
	} {
		s := begin(t, guard.New(), read("get_invoices"))
		s.call("get_invoices", "a", failed(fault.ReasonAuth))
		v := s.final(draft)
		require.Equal(t, want, v.StatesNothing, draft)
		require.Equal(t, want, v.Decision == guard.Answer, draft)
	}
	s := begin(t, guard.New(), read("get_invoices"))
	s.call("get_invoices", "a")
	require.False(t, s.final("I'm sorry, I could not load the invoices.").StatesNothing, "a call has succeeded")
}
