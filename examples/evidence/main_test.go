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

func TestWhatIsFoundAndWhatLeaves(t *testing.T) {
	type found struct {
		kind guard.Kind
		span string
	}
	figures := []found{{guard.KindContradicted, "RX-40781"}, {guard.KindUnsupported, "14.20 USD"}}
	claim := []found{{guard.KindClaim, strings.TrimSuffix(claimed, ".")}}
	want := []struct {
		decision, would guard.Decision
		findings        []found
		leaves          string // what stands behind the draft; "no" where the draft does not leave
	}{
		{guard.Answer, guard.Answer, figures, ""},
		{guard.Disclose, guard.Disclose, figures, "“RX-40781”, “14.20 USD”"},
		{guard.Answer, guard.Answer, nil, ""},
		{guard.Refuse, guard.Refuse, claim, "no"},
		{guard.Answer, guard.Refuse, claim, ""},
		{guard.Answer, guard.Answer, nil, ""},
	}
	all := scenes()
	require.Len(t, all, len(want))
	kit := newKit()
	for i, s := range all {
		t.Run(s.title, func(t *testing.T) {
			v, err := play(t.Context(), kit, s)
			require.NoError(t, err)
			require.Equal(t, want[i].decision, v.Decision, v.Findings)
			require.Equal(t, want[i].would, v.Would)
			var got []found
			for _, f := range v.Findings {
				got = append(got, found{f.Kind, v.Draft[f.Start:f.End]})
			}
			require.Equal(t, want[i].findings, got)
			behind, leaves := strings.CutPrefix(v.Text, s.draft)
			require.Equal(t, want[i].leaves != "no", leaves, v.Text)
			if leaves {
				require.Contains(t, behind, want[i].leaves)
				require.Equal(t, want[i].leaves == "", behind == "", behind)
			}
		})
	}
}

func TestTheFindingShowsWhatTheEvidenceHas(t *testing.T) {
	v, err := play(t.Context(), newKit(), scenes()[0])
	require.NoError(t, err)
	require.Equal(t, "get_booking", v.Findings[0].Tool)
	require.Contains(t, v.Findings[0].Evidence, "RX-40718")
	require.NotContains(t, v.Findings[0].String(), "RX-4", "it is payload, and no log has it")
}

func TestTheRefusalHasNoWordOfTheDraft(t *testing.T) {
	v, err := play(t.Context(), newKit(), scenes()[3])
	require.NoError(t, err)
	require.NotContains(t, v.Text, "ana@example.com")
	require.Contains(t, v.Text, "anything was sent")
}

func TestThePageFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, demo(t.Context(), &out))
	require.Contains(t, out.String(), "(reported, would refuse)")
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, line)
	}
}
