package main

import (
	"bytes"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/guard"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestWhatLeaves(t *testing.T) {
	want := []struct {
		decision guard.Decision
		missing  []string
		leaves   bool // the draft does, perhaps with a sentence behind it
	}{
		{guard.Refuse, nil, false},
		{guard.Disclose, nil, true},
		{guard.Answer, nil, true},
		{guard.Refuse, nil, false},
		{guard.Answer, nil, true},
		{guard.Refuse, []string{"Globex"}, false},
	}
	all := scenes()
	require.Len(t, all, len(want))
	kit := newKit()
	for i, s := range all {
		t.Run(s.title, func(t *testing.T) {
			verdict, err := play(t.Context(), kit, s)
			require.NoError(t, err)
			require.Equal(t, want[i].decision, verdict.Decision, verdict.Findings)
			require.Equal(t, want[i].leaves, strings.HasPrefix(verdict.Text, s.draft), verdict.Text)
			var missing []string
			for _, unmet := range verdict.Unmet {
				missing = append(missing, unmet.Missing...)
			}
			require.Equal(t, want[i].missing, missing)
		})
	}
}

func TestARequirementForAToolThatIsNotThereStopsTheRun(t *testing.T) {
	_, err := play(t.Context(), newKit(), scene{guard: guard.New(guard.Require("get_invoice"))})
	require.ErrorIs(t, err, guard.ErrNotBound)
	require.ErrorContains(t, err, "get_invoices", "the nearest name is given")
}

func TestThePageFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, demo(t.Context(), &out))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, line)
	}
}
