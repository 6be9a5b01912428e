package audit_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

func newAuditor(t testing.TB) *audit.Auditor {
	t.Helper()
	a, err := audit.New(audit.Config{})
	require.NoError(t, err)
	return a
}

// answers are n runs, numbered.
func answers(n int) string {
	var b strings.Builder
	for i := range n {
		fmt.Fprintf(&b, `{"id":"%d","evidence":["%d"],"prompt":"","answer":"%d"}`+"\n", i, i*7919, i*7919)
	}
	return b.String()
}

func TestRowsComeInTheOrderOfTheInput(t *testing.T) {
	t.Parallel()
	next := 0
	stats, err := newAuditor(t).Stream(t.Context(), strings.NewReader(answers(500)), transcript.Options{}, func(row *audit.Row) error {
		require.Equal(t, fmt.Sprint(next), row.ID)
		next++
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, 500, next)
	require.Equal(t, 500, stats.Transcripts)
}

func TestAStreamEndsWithTheErrorOfItsReceiver(t *testing.T) {
	t.Parallel()
	full := errors.New("disk full")
	rows := 0
	_, err := newAuditor(t).Stream(t.Context(), strings.NewReader(answers(500)), transcript.Options{}, func(*audit.Row) error {
		if rows++; rows == 3 {
			return full
		}
		return nil
	})
	require.ErrorIs(t, err, full)
	require.Equal(t, 3, rows, "and nothing is handed on after it")
}

func TestAStreamThatIsCancelledHandsOnWhatWasRead(t *testing.T) {
	t.Parallel()
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	r, w := io.Pipe()
	go func() {
		_, _ = io.WriteString(w, answers(20))
		cancel()
		_, _ = io.WriteString(w, answers(20)) // wakes the reader, which then sees the context
		_ = w.Close()
	}()
	rows := 0
	_, err := newAuditor(t).Stream(ctx, r, transcript.Options{}, func(row *audit.Row) error {
		require.Equal(t, audit.DecisionAnswer, row.Decision)
		rows++
		return nil
	})
	require.ErrorIs(t, err, context.Canceled)
	require.GreaterOrEqual(t, rows, 20)
	require.Less(t, rows, 41)
}

func TestAMistakeAboutOneRunIsTold(t *testing.T) {
	t.Parallel()
	run := &transcript.Transcript{ID: "r", File: "f", Line: 7, Final: "secret", HasFinal: true, Events: []transcript.Event{{Kind: transcript.Call, ID: "c", Tool: "a"}}}
	var none []int
	row, err := audit.Safely(run, func() (*audit.Row, error) { return nil, fmt.Errorf("%d", none[len(run.Events)]) })
	require.NoError(t, err)
	require.True(t, row.Unjudged)
	require.Equal(t, audit.DecisionNone, row.Decision)
	require.Len(t, row.Problems, 1)
	require.True(t, strings.HasPrefix(row.Problems[0], "f:7: it could not be judged"), row.Problems[0])
	require.Contains(t, row.Problems[0], "index out of range")
	require.Empty(t, row.Timeline())

	row, err = audit.Safely(run, func() (*audit.Row, error) { panic("payload") })
	require.NoError(t, err)
	require.NotContains(t, row.Problems[len(row.Problems)-1], "payload")
}
