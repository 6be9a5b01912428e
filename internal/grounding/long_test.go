package grounding_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// Of a number that names something each digit counts, also where two of them are
// the same floating-point number.
func TestLongIDsAreComparedDigitByDigit(t *testing.T) {
	for evidence, draft := range map[string]string{
		`{"id":123456789012345678}`:    "It is transfer 12345678901234567",
		`{"id":"1234567890123456781"}`: "It is transfer 123456789012345678",
		`{"id":9007199254740993}`:      "It is transfer 900719925474099",
	} {
		right := evidence[len(evidence)-2 : len(evidence)-1]
		if right == `"` {
			right = evidence[len(evidence)-3 : len(evidence)-2]
		}
		wrong := string([]byte{'0' + ('9'-right[0])%10})
		for last, good := range map[string]bool{right: true, wrong: false} {
			var x grounding.Index
			x.Add(grounding.Source{Call: 1, Tool: "get"}, evidence)
			results := x.Check(draft+last+".", time.Now())
			require.Len(t, results, 1)
			require.Equal(t, good, results[0].Verdict == grounding.Supported, "%s: %s%s: %s", evidence, draft, last, results[0].Verdict)
		}
	}
}
