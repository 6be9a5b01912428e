package grounding_test

import (
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// What no honest tool returns must not break the check, and what stands in it is
// still found.
func TestHostileEvidence(t *testing.T) {
	million := make([]byte, 0, 8<<20)
	million = append(million, '[')
	for i := range 1_000_000 {
		million = strconv.AppendInt(million, int64(i), 10)
		million = append(million, ',')
	}
	million = append(million, "7654321]"...)
	var keys strings.Builder
	keys.WriteString("{")
	for i := range 100_000 {
		keys.WriteString(`"k` + strconv.Itoa(i) + `":` + strconv.Itoa(i) + ",")
	}
	keys.WriteString(`"end":7654321}`)
	for name, text := range map[string]string{
		"nested objects":      strings.Repeat(`{"a":`, 10_000) + "7654321" + strings.Repeat("}", 10_000),
		"nested arrays":       strings.Repeat("[", 10_000) + "7654321" + strings.Repeat("]", 10_000),
		"torn":                `{"rows":[{"total":7654321},{"tot`,
		"torn in an escape":   `{"total":7654321,"a":"\u12`,
		"not JSON after all":  `{"total":7654321 and so on`,
		"invalid UTF-8":       "total \xff\xfe 7654321 \xc3",
		"invalid in a string": "{\"a\":\"\xff\",\"total\":7654321}",
		"NUL bytes":           "total\x00\x00 7654321 \x00",
		"5 MB in one line":    strings.Repeat("abc def ", 650_000) + "7654321",
		"5 MB of quotes":      strings.Repeat(`"`, 5<<20) + " 7654321",
		"a million numbers":   string(million),
		"100,000 keys":        keys.String(),
		"string of strings":   `{"a":"{\"a\":\"{\\\"a\\\":\\\"7654321\\\"}\"}"}`,
	} {
		t.Run(name, func(t *testing.T) {
			var x grounding.Index
			x.Add(grounding.Source{Call: 1}, text)
			start := time.Now()
			got := x.Check("The total is 7,654,321, not 9,999,333.", day)
			require.Less(t, time.Since(start), 10*time.Second)
			require.Len(t, got, 2)
			require.Equal(t, grounding.Supported, got[0].Verdict)
			require.True(t, got[1].Verdict.Finding())
		})
	}
}

func TestHostileDraft(t *testing.T) {
	var x grounding.Index
	x.Add(grounding.Source{Call: 1}, `{"total":7654321,"items":[1,2,3]}`)
	for name, draft := range map[string]string{
		"a hundred thousand figures": strings.Repeat("1,234 items and 55.5% of 777 EUR on 3 May 2026; ", 25_000),
		"invalid UTF-8":              "total \xff 7654321\xfe",
		"one long line of digits":    strings.Repeat("9", 1<<20),
		"fences that never close":    strings.Repeat("```\n1234\n", 10_000),
	} {
		t.Run(name, func(t *testing.T) {
			start := time.Now()
			for _, r := range x.Check(draft, day) {
				require.LessOrEqual(t, r.Start, r.End)
				require.LessOrEqual(t, r.End, len(draft))
			}
			require.Less(t, time.Since(start), 20*time.Second)
		})
	}
}
