package audit_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/policy"
)

// under judges runs by a policy.
func under(t *testing.T, yaml, input string, require_ ...string) (*audit.Auditor, []*audit.Row) {
	t.Helper()
	p, err := policy.Parse("failloud.yaml", []byte(yaml))
	require.NoError(t, err)
	a, err := audit.New(audit.Config{Policy: p, Require: require_})
	require.NoError(t, err)
	var rows []*audit.Row
	_, err = a.Stream(t.Context(), strings.NewReader(input), transcript.Options{}, func(row *audit.Row) error {
		rows = append(rows, row)
		return nil
	})
	require.NoError(t, err)
	return a, rows
}

func TestAFallbackOfAPatternStandsInForWhatItMatches(t *testing.T) {
	t.Parallel()
	const runs = `{"id":"r","events":[
{"type":"call","id":"a","tool":"gh/issue","args":{"n":7}},{"type":"result","id":"a","content":"503 Service Unavailable","is_error":true},
{"type":"call","id":"b","tool":"gh_cached","args":{"n":7}},{"type":"result","id":"b","content":"{\"state\":\"open\"}"}],"final":"It is open."}`
	for _, named := range []string{"gh/*", "gh/issue"} {
		_, rows := under(t, `version: 1
tools:
  "`+named+`": {effect: read, fallback: [gh_cached]}
  gh_cached: {effect: read}
`, runs)
		require.Equal(t, "answer", rows[0].Decision, "%s: %+v", named, rows[0].Findings)
		require.Empty(t, rows[0].Open)
	}
}

func TestWhatIsVolatileDoesNotTellTwoCallsApart(t *testing.T) {
	t.Parallel()
	const runs = `{"id":"r","events":[
{"type":"call","id":"a","tool":"pay_invoice","args":{"invoice":"I-7","customer":"Acme","trace":"91-a","nonce":"qq-81"}},{"type":"result","id":"a","content":"503 Service Unavailable","is_error":true},
{"type":"call","id":"b","tool":"pay_invoice","args":{"nonce":"zz-12","trace":"77-b","invoice":"I-7","customer":"Acme"}},{"type":"result","id":"b","content":"{\"paid\":true}"}],"final":"I have paid it."}`
	open := func(volatile string) []string {
		_, rows := under(t, "version: 1\ntools:\n  pay_invoice: {effect: write"+volatile+"}\n", runs)
		return rows[0].Open
	}
	require.Empty(t, open(", volatile: [trace, nonce]"))
	require.NotEmpty(t, open(""))
}

func TestARuleOfThePolicyHoldsForACodeInTheText(t *testing.T) {
	t.Parallel()
	_, rows := under(t, "version: 1\ntools:\n  Bash: {effect: write, rules: {no_match_exit: [4]}}\n", ran("find-it", "Exit code 4"))
	require.Empty(t, rows[0].Failed)
	_, rows = under(t, "version: 1\ntools:\n  Bash: {effect: write, rules: {no_match_exit: [4]}}\n", ran("find-it", "Exit code 5"))
	require.NotEmpty(t, rows[0].Failed)
}

func TestNamesThatNoRunHadAreTold(t *testing.T) {
	t.Parallel()
	const rules = `version: 1
tools:
  get_invoces: {effect: read}
  "get_*": {effect: read}
  "zz*": {effect: read}
tasks:
  monthly: {require: [get_invoices]}
  weekly: {}
`
	a, rows := under(t, rules, `{"id":"r","task":"weekly","events":[{"type":"call","id":"a","tool":"get_invoices","args":{}},{"type":"result","id":"a","content":"7"}],"final":"7"}`, "nowhere")
	require.Len(t, rows, 1)
	require.Equal(t, []string{
		`no run has a tool that --require names: "nowhere"`,
		`no run has a tool that the policy names: "get_invoces" (did you mean "get_invoices"?), "zz*"`,
		`no run has a task that the policy names: "monthly"`,
	}, a.Unmatched())
	a, _ = under(t, rules, "")
	require.Empty(t, a.Unmatched(), "nothing was read")
}
