package audit_test

import (
	"fmt"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
)

// failing is a run of n calls that fail, each of another tool.
func failing(n int, final string) string {
	var b strings.Builder
	b.WriteString(`{"id":"r","events":[`)
	for i := range n {
		fmt.Fprintf(&b, `{"type":"call","id":"c%d","tool":"tool%[1]d","args":{"n":%[1]d}},{"type":"result","id":"c%[1]d","content":"401 Unauthorized","is_error":true},`, i)
	}
	fmt.Fprintf(&b, `{"type":"user","text":"and?"}],"final":%q}`, final)
	return b.String()
}

func TestOfVeryManyCallsTheRestIsCounted(t *testing.T) {
	t.Parallel()
	row := one(t, failing(2500, "All is well."))
	require.Equal(t, "refuse", row.Decision)
	require.Len(t, row.Failed, 2500, "which failed is known of each")
	require.Contains(t, strings.Join(row.Problems, "\n"), "452 of 2500 calls were only counted")
	require.Empty(t, one(t, failing(3, "All is well.")).Problems)
}

func TestAHugeAnswerIsJudgedInItsBeginning(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("All is well. ", 100_000)
	row := one(t, failing(1, "It costs 17.25 EUR. "+long))
	require.Contains(t, strings.Join(row.Problems, "\n"), "bytes of the answer were judged")
	require.Equal(t, "refuse", row.Decision)
}

func TestLargeRunsAreNotHeldAllAtOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		f := audit.NewFlight(20)
		f.Enter(100) // there is nothing else
		entered := 0
		go func() {
			for range 3 {
				f.Enter(10)
				entered++
			}
		}()
		synctest.Wait()
		require.Zero(t, entered)
		f.Leave(100)
		synctest.Wait()
		require.Equal(t, 2, entered)
		f.Open()
		synctest.Wait()
		require.Equal(t, 3, entered)
	})
}
