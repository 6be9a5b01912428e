package grounding_test

import (
	"fmt"
	"math"
	"strconv"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/grounding"
)

// written is a number in one of the forms in which answers write it.
func written(t *rapid.T, n int64) string {
	digits := strconv.FormatInt(n, 10)
	grouped := func(by string) string {
		var b strings.Builder
		for i, c := range digits {
			if i > 0 && (len(digits)-i)%3 == 0 {
				b.WriteString(by)
			}
			b.WriteRune(c)
		}
		return b.String()
	}
	return rapid.SampledFrom([]string{
		digits, grouped(","), grouped("."), grouped("\u00a0"), grouped("\u202f"), grouped("'"),
		"$" + grouped(","), grouped(",") + " EUR", grouped(".") + " đồng", digits + ".00",
	}).Draw(t, "form")
}

// inEvidence is a result that holds a number somewhere.
func inEvidence(t *rapid.T, n int64) string {
	form := rapid.SampledFrom([]string{
		`{"total":%d}`, `{"a":{"b":[{"total":%d,"name":"x"}]}}`, `[%d]`, `{"total":"%d"}`, `Total: %d`,
		"id,total\nx,%d\n", `{"content":[{"type":"text","text":"{\"total\":%d}"}]}`, `| total | %d |`,
		"The total is %d.", `{"total":%d.0}`,
	}).Draw(t, "evidence")
	return fmt.Sprintf(form, n)
}

var numbers = rapid.Int64Range(10_000, 999_999_999)

func TestANumberIsSupportedInAnyForm(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := numbers.Draw(t, "n")
		draft := "It comes to " + written(t, n) + " now."
		got := check(draft, inEvidence(t, n))
		require.Equal(t, []grounding.Verdict{supported}, got, draft)
	})
}

func TestANumberWithAnotherDigitIsNot(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		n := numbers.Draw(t, "n")
		place := rapid.IntRange(0, len(strconv.FormatInt(n, 10))-1).Draw(t, "place")
		wrong := n + int64(math.Pow10(place))
		draft := "It comes to " + written(t, wrong) + " now."
		for _, r := range check(draft, inEvidence(t, n)) {
			require.True(t, r.Finding(), "%s is %v beside %d", draft, r, n)
		}
	})
}

func TestATimestampIsReadLikeAnyOtherDay(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		zone := rapid.SampledFrom([]*time.Location{time.UTC, time.FixedZone("", 7*3600), time.FixedZone("", -5*3600-1800)}).Draw(t, "zone")
		at := time.Unix(rapid.Int64Range(0, 4e9).Draw(t, "seconds"), 0).In(zone)
		layout := rapid.SampledFrom([]string{
			"2006-01-02", "2006-01-02T15:04:05Z07:00", "2006-01-02T15:04:05.000Z07:00", "2006-01-02 15:04:05", "2006-01-02T15:04",
		}).Draw(t, "layout")
		draft := rapid.SampledFrom([]string{
			at.Format("On 2 January 2006 it began."), at.Format("On 2006-01-02 at 15:04 it began."), at.AddDate(0, 0, 3).Format("On 2 January 2006 it began."),
			at.Add(time.Hour).Format("On 2 January 2006, 15:04 UTC it began."), at.Add(20 * time.Minute).Format("At 15:04 it began."),
		}).Draw(t, "draft")
		written := at.Format(layout)
		require.Equal(t, check(draft, written), check(draft, `{"at":"`+written+`"}`), "%s beside %s", draft, written)
	})
}

func TestUnrelatedEvidenceTakesNothingAway(t *testing.T) {
	all := pairs(t)
	rapid.Check(t, func(t *rapid.T) {
		p := rapid.SampledFrom(all).Draw(t, "pair")
		var noise []string
		for i := range rapid.IntRange(1, 8).Draw(t, "results") {
			a, b := rapid.Int64().Draw(t, "a"), rapid.Float64().Draw(t, "b")
			noise = append(noise, fmt.Sprintf(`{"zz%d":%d,"yy":[%g,"%s"]}`, i, a, b, rapid.StringMatching(`[a-z]{0,20}`).Draw(t, "s")))
		}
		before, after := p.check(), p.check(noise...)
		for i, r := range before {
			if r.Verdict == supported || r.Verdict == exempt {
				require.False(t, after[i].Verdict.Finding(), "%s: %q", p.ID, p.Answer[r.Start:r.End])
			}
		}
	})
}

func FuzzCheck(f *testing.F) {
	for _, p := range pairs(f) {
		for _, e := range p.Evidence {
			f.Add(string(e), p.Answer)
		}
	}
	f.Add(`{"a":[1,2,{"b":"\ud83d\ude00 12"}],"unit":"kg"}{`, "12 kg on 2026-02-30 at 25:99, a@b.c")
	f.Fuzz(func(t *testing.T, evidence, draft string) {
		var x grounding.Index
		x.Add(grounding.Source{Call: 1, Tool: "t"}, evidence)
		first := x.Check(draft, day)
		x.Add(grounding.Source{Kind: grounding.Heard}, draft)
		end := 0
		for _, r := range first {
			require.NotZero(t, r.Verdict)
			require.True(t, 0 <= r.Start && r.Start < r.End && r.End <= len(draft), "%d:%d of %d", r.Start, r.End, len(draft))
			if r.Kind != 0 {
				require.GreaterOrEqual(t, r.Start, end, "in order, without overlap")
				end = r.End
			}
			n := r.Nearest
			require.LessOrEqual(t, len(n.Text), 120)
			require.True(t, utf8.ValidString(n.Text))
			require.True(t, 0 <= n.Start && n.Start <= n.End && n.End <= len(evidence), "%d:%d of %d", n.Start, n.End, len(evidence))
		}
		require.Len(t, x.Check(draft, day), len(first))
	})
}
