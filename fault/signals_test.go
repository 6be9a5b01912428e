package fault_test

import (
	"bufio"
	"encoding/json"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

// TestSignalsOfTheWorld holds the classifier to a table of signals in the forms
// that public services, servers and programs use. They were written from their
// documentation and labelled by hand, by the default table of the package documentation.
func TestSignalsOfTheWorld(t *testing.T) {
	t.Parallel()
	file, err := os.Open("testdata/signals.jsonl")
	require.NoError(t, err)
	defer file.Close()
	var classifier fault.Classifier
	rows := 0
	for lines := bufio.NewScanner(file); lines.Scan(); rows++ {
		var want struct {
			IsFailure bool         `json:"is_failure"`
			Reason    fault.Reason `json:"reason"`
			Action    fault.Action `json:"action"`
		}
		require.NoError(t, json.Unmarshal(lines.Bytes(), &want))
		c, err := casefile.Parse(lines.Bytes())
		require.NoError(t, err, lines.Text())
		t.Run(c.ID, func(t *testing.T) {
			t.Parallel()
			got := casefile.Decide(&classifier, c)
			require.Equal(t, want.IsFailure, got.IsFailure, "failure or not; decided by %s", got.Rule)
			require.Equal(t, want.Action, got.Action, "action; decided by %s", got.Rule)
			require.Equal(t, want.Reason, got.Reason, "reason; decided by %s", got.Rule)
		})
	}
	require.Greater(t, rows, 1000)
}
