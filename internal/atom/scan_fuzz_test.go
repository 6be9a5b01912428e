package atom_test

import (
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/atom"
)

// FuzzScan holds that whatever the text, the atoms are in order, inside of the
// text, apart from each other, and cut no character.
func FuzzScan(f *testing.F) {
	for _, seed := range []string{
		jsonText(2), proseText(1), "1.234.567,89 € – (4,500) 10–20 % 5‰ 3×10⁶ −5", "từ 5 đến 10 triệu đồng, hai mươi lăm hóa đơn, 2 giờ 30 phút",
		"```\n1\n```\n## 2.1 x\n1. [1] $5-10 US$ 1h30m .5 5'10\" ½ \xff5\xe2\x80", "0 ×10^400 0×10^-400 USD1 Rs.5 1e+ 1×10^ 5 ° C 5 per 5 percentage 5 sq", "a@b.co 4111 1111 1111 1111 DE44 5001 0517 5407 3249 31",
	} {
		f.Add(seed, false)
		f.Add(seed, true)
	}
	f.Fuzz(func(t *testing.T, text string, prose bool) {
		mode := atom.Evidence
		if prose {
			mode = atom.Prose
		}
		last := 0
		atom.Scan(text, mode, func(a *atom.Atom) bool {
			require.LessOrEqual(t, last, a.Start, "in order")
			require.Less(t, a.Start, a.End, "not empty")
			require.LessOrEqual(t, a.End, len(text), "inside")
			last = a.End
			boundary(t, text, a.Start)
			boundary(t, text, a.End)
			require.LessOrEqual(t, a.N, len(a.Readings))
			switch a.Kind {
			case atom.Number, atom.Money, atom.Percent:
				require.Positive(t, a.N)
				require.Equal(t, a.Kind == atom.Money, a.Unit.Dimension() == atom.Currency)
				require.Equal(t, a.Kind == atom.Percent, a.Unit.Dimension() == atom.Fraction)
			case 0:
				require.Fail(t, "an atom of no kind")
			}
			for _, r := range a.Readings[:a.N] {
				require.False(t, r.Value != r.Value, "not a number") //nolint:testifylint // this is what NaN is
				require.GreaterOrEqual(t, r.Round, r.Step)
				require.True(t, r.Covers(r.Value, false) || r.Value-r.Value != 0, "%v covers itself", r)
			}
			if a.Noun != [2]int{} {
				require.LessOrEqual(t, a.End, a.Noun[0])
				require.Less(t, a.Noun[0], a.Noun[1])
				boundary(t, text, a.Noun[0])
				boundary(t, text, a.Noun[1])
			}
			return true
		})
	})
}

// boundary holds that a valid text is not cut within a character.
func boundary(t *testing.T, text string, at int) {
	require.True(t, at == len(text) || utf8.RuneStart(text[at]) || !utf8.ValidString(text), "%q is cut at %d", text, at)
}

// Texts that make a recogniser begin again and again cost no more per byte when
// they are longer.
func TestScanIsLinear(t *testing.T) {
	for _, piece := range []string{
		"a", "1", "a-", "1-", "1,", "1.", "1 ", "1:", "1/", "a.", "a@", "a1", "1a", "-", "(", "+1", "(1", "[1", "```\n", "\n```", "  ```\n", "x```\n", "$", "$1", "é", "é1", "https://", "http://a/", "and ", "one ", "hundred ", "một ",
		"1 to ", "1–", "between 1 and ", "May ", "1 May ", "June 1–", "DE44 ", "AB12", "1h", "1 h 1 m ", "0", "00 ", "+", "#1", "a_", "1_000", "1,000,", "1.000.", "1 000 ", "12:30 ", "#", "`", "[", "a:", "0:", "::",
	} {
		for _, m := range []atom.Mode{atom.Evidence, atom.Prose} {
			short, long := strings.Repeat(piece, 2000/len(piece)), strings.Repeat(piece, 16000/len(piece))
			a, b := cost(short, m), cost(long, m)
			assert.Less(t, b, 8*8*a+time.Millisecond, "%q, mode %d: %v for %d bytes, %v for %d", piece, m, a, len(short), b, len(long))
		}
	}
}

// cost is the least time that a scan takes of three.
func cost(text string, m atom.Mode) time.Duration {
	least := time.Hour
	for range 3 {
		start := time.Now()
		atom.Scan(text, m, func(*atom.Atom) bool { return true })
		least = min(least, time.Since(start))
	}
	return least
}

func TestScanAllocatesNothing(t *testing.T) {
	json, prose := jsonText(20), proseText(5)
	visit := func(*atom.Atom) bool { return true }
	for name, text := range map[string]string{"json": json, "prose": prose, "vietnamese": "từ 5 đến 10 triệu đồng, TRIỆU 12 hóa đơn, 2 giờ 30 phút, 15,3% và 1.243.500 VND"} {
		for _, m := range []atom.Mode{atom.Evidence, atom.Prose} {
			atom.Scan(text, m, visit)
			// A collection may empty the pool in between: then one scanner is made again.
			assert.Less(t, testing.AllocsPerRun(100, func() { atom.Scan(text, m, visit) }), 1.0, "%s, mode %d", name, m)
		}
	}
}

func TestScanStopsWhenVisitHasEnough(t *testing.T) {
	n := 0
	atom.Scan("1 and 2 and 3", atom.Evidence, func(*atom.Atom) bool {
		n++
		return n < 2
	})
	assert.Equal(t, 2, n)
}

func TestVisitMayScan(t *testing.T) {
	var inner []float64
	atom.Scan("12 then 34", atom.Evidence, func(a *atom.Atom) bool {
		outer := a.Readings[0].Value
		atom.Scan("56", atom.Evidence, func(b *atom.Atom) bool {
			inner = append(inner, outer, b.Readings[0].Value)
			return true
		})
		assert.InDelta(t, outer, a.Readings[0].Value, 0)
		return true
	})
	assert.Equal(t, []float64{12, 56, 34, 56}, inner)
}
