package policy_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/guard"
)

// judged is the decision on a draft after one success of get_invoices, which the
// file describes.
func judged(t *testing.T, file, draft string) guard.Verdict {
	t.Helper()
	service := &billing{answer: map[string]any{"customer": "Acme", "total": 1250}}
	p, kit, tool := agent(t, file, service)
	ctx, run, err := kit.Start(t.Context(), p.Task("any", "k"))
	require.NoError(t, err)
	defer run.End()
	require.NoError(t, tool.Invoke(ctx, query{"Acme"}).Err())
	return p.Guard("any").Final(ctx, draft)
}

func TestFiguresThatTheFileKnowsNeedNoLookUp(t *testing.T) {
	t.Parallel()
	const draft = "Acme owes 1250 USD. Reminders cost 187.40 USD."
	const read = "tools: {get_invoices: {effect: read}}\nguard: {steps: {sources: disclose}, "
	require.Equal(t, guard.Disclose, judged(t, read+"known: [19.20]}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, read+"known: [187.40]}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, read+"known: ['Reminders: 187.40 USD each']}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, "tools: {get_invoices: {effect: read}}\nguard: {steps: {sources: off}}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, read+"evidence_limit: 1}", draft).Decision, "what was not kept is not held against a draft")
}

func TestClaimsOfTheFileLetAnAnswerSaySo(t *testing.T) {
	t.Parallel()
	const draft = "I have refunded the order."
	require.Equal(t, guard.Refuse, judged(t, "tools: {get_invoices: {effect: read}}", draft).Decision)
	require.Equal(t, guard.Refuse, judged(t, "tools: {get_invoices: {effect: idempotent, claims: []}}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, "tools: {get_invoices: {effect: idempotent, claims: [refund]}}", draft).Decision)
	require.Equal(t, guard.Answer, judged(t, "tools: {get_invoices: {effect: read}}\nguard: {steps: {claims: off}}", draft).Decision)
}
