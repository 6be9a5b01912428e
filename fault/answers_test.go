package fault_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

// TestShortAnswersOfUnknownTools holds the classifier to short results of tools
// about which nothing is declared: each says of its own call that it failed, or
// answers what it was asked, be it with bad news.
func TestShortAnswersOfUnknownTools(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/answers.jsonl")
	require.NoError(t, err)
	defer file.Close()
	counts := map[bool][2]int{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		var row struct {
			Text   string
			Failed bool
			Reason string
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &row))
		o := classify(told(fault.Read, row.Text))
		n := counts[row.Failed]
		n[0]++
		if failed := o.Fault != nil; failed == row.Failed {
			n[1]++
		} else {
			t.Errorf("failed=%v, want %v: %s", failed, row.Failed, row.Text)
		}
		if row.Failed && row.Reason != "" && o.Fault != nil && o.Reason().String() != row.Reason {
			t.Errorf("reason=%v, want %v: %s", o.Reason(), row.Reason, row.Text)
		}
		counts[row.Failed] = n
	}
	t.Logf("figure: %d of %d failures found, %d of %d successes let through", counts[true][1], counts[true][0], counts[false][1], counts[false][0])
}
