package guard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/failloud/failloud/guard"
)

// What is marked in a draft is the sentence that was judged, not another that
// reads the same.
func TestFindingsPointAtTheSentenceThatWasJudged(t *testing.T) {
	const lie = "I've sent the email to Ana"
	for name, c := range map[string]struct {
		before string // what stands before the first sentence that is judged
		draft  string
	}{
		"once":                 {"", lie + "."},
		"behind a greeting":    {"Hello! ", "Hello! " + lie + "."},
		"behind a quotation":   {"The template says \"" + lie + " today.\"\n", "The template says \"" + lie + " today.\"\n" + lie + "."},
		"behind “this” kind":   {"It says “" + lie + "”. So: ", "It says “" + lie + "”. So: " + lie + "."},
		"behind code":          {"```\n" + lie + ".\n```\n", "```\n" + lie + ".\n```\n" + lie + "."},
		"behind a quoted line": {"> " + lie + ".\n\n", "> " + lie + ".\n\n" + lie + "."},
		"behind a comment":     {"<!-- " + lie + ". -->\n", "<!-- " + lie + ". -->\n" + lie + "."},
		"behind struck text":   {"~~" + lie + "~~\n", "~~" + lie + "~~\n" + lie + "."},
		"within tags":          {"<p><b>", "<p><b>" + lie + "</b>.</p>"},
		"behind a link":        {"See [the page](https://a.test/x?y=1).\n\n", "See [the page](https://a.test/x?y=1).\n\n" + lie + "."},
		"behind many lines":    {strings.Repeat("Đây là dòng khác.\n", 9), strings.Repeat("Đây là dòng khác.\n", 9) + lie + "."},
		"behind marks apart":   {norm.NFD.String("Tiếng Việt. "), norm.NFD.String("Tiếng Việt. ") + lie + "."},
		"with zero width":      {"So\u200b: \u200b", "So\u200b: \u200b" + lie + "."},
		"an indented item":     {"Done:\n  - ", "Done:\n  - " + lie + "."},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, guard.New(), write("send_email"), read("search"))
			s.call("search", "1")
			var spans []string
			for _, f := range s.final(c.draft).Findings {
				if f.Kind == guard.KindClaim {
					require.Equal(t, len(c.before), f.Start)
					spans = append(spans, c.draft[f.Start:f.End])
				}
			}
			require.Equal(t, []string{lie}, spans)
		})
	}
}

func TestEqualClaimsHaveSpansOfTheirOwn(t *testing.T) {
	const lie = "I've sent the email to Ana."
	draft := lie + " The weather is fine.\n" + lie + "\n\nThe rest follows. " + lie
	s := begin(t, guard.New(), write("send_email"), read("search"))
	s.call("search", "1")
	last := 0
	n := 0
	for _, f := range s.final(draft).Findings {
		if f.Kind != guard.KindClaim {
			continue
		}
		require.Equal(t, lie, draft[f.Start:f.End]+".")
		require.GreaterOrEqual(t, f.Start, last)
		last = f.End
		n++
	}
	require.Equal(t, 3, n)
}

func TestInventedAttemptsHaveSpansOfTheirOwn(t *testing.T) {
	const lie = "I tried the search five times"
	draft := "\"" + lie + " before\" is what I say. " + lie + ". Then " + lie + "."
	s := begin(t, guard.New(), read("search"))
	s.call("search", "1")
	var starts []int
	for _, f := range s.final(draft).Findings {
		if f.Kind == guard.KindAttempts {
			require.Contains(t, draft[f.Start:f.End], lie)
			starts = append(starts, f.Start)
		}
	}
	require.Equal(t, []int{strings.Index(draft, ". "+lie) + 2, strings.Index(draft, "Then "+lie)}, starts)
}
