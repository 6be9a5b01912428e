package audit_test

import (
	"bytes"
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// A captured record of our own is judged again by what the guard saw then: the
// results, the draft, and what the user said later.
func TestACapturedRecordIsJudgedAgain(t *testing.T) {
	t.Parallel()
	for draft, decision := range map[string]string{
		"The price is 17.25 EUR, and you offered 4,321.55.": "answer",
		"The price is 19.40 EUR, and you offered 4,321.55.": "disclose",
	} {
		var lines bytes.Buffer
		kit := toolkit.New(toolkit.Config{Sinks: []runrecord.Sink{runrecord.NewJSONLines(&lines)}, Capture: runrecord.CaptureFull})
		price := toolkit.Wrap(kit, toolkit.Tool[struct{}, float64]{
			Name: "get_price", Effect: fault.Read,
			Call: func(context.Context, struct{}) (float64, error) { return 17.25, nil },
		})
		answers := guard.New()
		ctx, run, err := kit.Start(t.Context(), runrecord.Task{Name: "price", Question: "What does it cost?", Judge: answers})
		require.NoError(t, err)
		require.True(t, price.Invoke(ctx, struct{}{}).Outcome.OK())
		run.Hear("I offer 4,321.55")
		answers.Final(ctx, draft)
		run.End()

		row := one(t, lines.String())
		require.False(t, row.Recorded, "the draft is there to be judged")
		require.Equal(t, decision, row.Decision, "%s: %+v", draft, row.Findings)
	}
}
