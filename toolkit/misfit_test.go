package toolkit_test

import (
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/toolkit"
)

func TestADecisionThatDoesNotFitTheToolIsRefused(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		_, kit, pay, ctx, run, c := lost(t, toolkit.Config{})
		for result, says := range map[string]string{
			`"R-17"`:                     "result",
			`{"id":17}`:                  "id",
			`{"number":"R-17"}`:          "number",
			`{"id":"R-17"} {"id":"x"}`:   "JSON",
			`{"id":"R-17","amount":1.5}`: "amount",
		} {
			d := c.Decide(idempotency.WentThrough, "maria")
			d.Result = json.RawMessage(result)
			_, err := kit.Cases().Resolve(ctx, d)
			require.ErrorIs(t, err, escalation.ErrDecision, result)
			require.ErrorContains(t, err, says)
			require.NotContains(t, err.Error(), "R-17", "no payload")
		}
		require.Len(t, run.OpenCases(), 1, "it is still open")

		d := c.Decide(idempotency.WentThrough, "maria") // nobody knows more than that
		_, err := kit.Cases().Resolve(ctx, d)
		require.NoError(t, err)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
		require.Equal(t, fault.Replayed|fault.Truncated|fault.NoValue, res.Outcome.Qualifiers)
	})
}

// Whoever decides in another process is not held against the tool.
func TestAResultFromElsewhereThatDoesNotFitIsNoValue(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		_, _, pay, ctx, _, c := lost(t, toolkit.Config{Ledger: ledger})
		d := c.Decide(idempotency.WentThrough, "maria")
		d.Result = json.RawMessage(`{"number":"R-17"}`)
		elsewhere, err := escalation.New(escalation.Config{Ledger: ledger})
		require.NoError(t, err)
		_, err = elsewhere.Resolve(ctx, d)
		require.NoError(t, err)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
		require.Equal(t, fault.Replayed|fault.Truncated|fault.NoValue, res.Outcome.Qualifiers)
	})
}
