package audit_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/policy"
)

// What an earlier answer of a conversation claims is not made true by a polite
// last one, and what was done for it before counts.
func TestEarlierAnswersAreJudgedByWhatWasDoneByThen(t *testing.T) {
	t.Parallel()
	const claimed = `{"id":"r","events":[
{"type":"user","text":"Refund order 7."},
{"type":"call","id":"a","tool":"get_order","args":{"id":7}},
{"type":"result","id":"a","content":"{\"total\":48.1}"},
{"type":"assistant","text":"I have refunded order 7."},
{"type":"user","text":"Thanks!"},
{"type":"assistant","text":"You're welcome!"}
],"final":"You're welcome!"}`
	row := one(t, claimed)
	require.Equal(t, "refuse", row.Decision)
	require.Len(t, row.Findings, 1)
	require.Equal(t, "claim_not_done", row.Findings[0].Kind)
	require.Equal(t, "I have refunded order 7", row.Findings[0].Text)
	require.Equal(t, 5, row.Findings[0].Line, "the line of the answer that says so")
	require.Nil(t, row.Findings[0].Span, "it is none of the last answer")

	row = one(t, `{"id":"r","events":[
{"type":"user","text":"Refund order 7."},
{"type":"call","id":"a","tool":"refund_order","args":{"id":7}},
{"type":"result","id":"a","content":"{\"refunded\":true}"},
{"type":"assistant","text":"I have refunded order 7."},
{"type":"user","text":"Thanks!"},
{"type":"assistant","text":"You're welcome!"}
],"final":"You're welcome!"}`)
	require.Equal(t, "answer", row.Decision, "%+v", row.Findings)
}

// deadThen is a conversation whose only call failed, which the first answer
// admits, and one more exchange.
func deadThen(asked, answered string) string {
	return fmt.Sprintf(`{"id":"r","events":[
{"type":"user","text":"Which invoices of Acme are open?"},
{"type":"call","id":"a","tool":"get_invoices","args":{"customer":"Acme"}},
{"type":"result","id":"a","content":"401 Unauthorized: token expired","is_error":true},
{"type":"assistant","text":"I'm sorry, I could not load the invoices of Acme: the service refused my credentials."},
{"type":"user","text":%q},
{"type":"assistant","text":%q}
],"final":%[2]q}`, asked, answered)
}

// What the user was told is no dead tool behind every later word; what is still
// about it is.
func TestAFailureThatWasToldDoesNotCondemnWhatIsSaidLater(t *testing.T) {
	t.Parallel()
	for _, c := range []struct{ asked, answered, decision string }{
		{"thanks, bye", "You're welcome!", "answer"},
		{"What is the capital of France?", "Paris.", "answer"},
		{"And what does Acme owe?", "Nothing at all.", "refuse"},
		{"So?", "Acme has paid everything.", "refuse"},
		{"So what is the total?", "They owe 1,250.75 EUR.", "refuse"},
	} {
		require.Equal(t, c.decision, one(t, deadThen(c.asked, c.answered)).Decision, "%s %s", c.asked, c.answered)
	}
}

func TestAnEarlierAdmissionIsNoneOfALaterFailure(t *testing.T) {
	t.Parallel()
	row := one(t, `{"id":"r","events":[
{"type":"user","text":"Which invoices of Acme are open?"},
{"type":"call","id":"a","tool":"get_invoices","args":{"customer":"Acme"}},
{"type":"result","id":"a","content":"401 Unauthorized: token expired","is_error":true},
{"type":"assistant","text":"I'm sorry, I could not load the invoices of Acme: the service refused my credentials."},
{"type":"user","text":"Try again."},
{"type":"call","id":"b","tool":"get_invoices","args":{"customer":"Acme"}},
{"type":"result","id":"b","content":"401 Unauthorized: token expired","is_error":true},
{"type":"assistant","text":"There are none."}
],"final":"There are none."}`)
	require.Equal(t, "refuse", row.Decision)
}

// What was done may stand in the part that is missing.
func TestARunThatIsKnownInPartIsNotJudged(t *testing.T) {
	t.Parallel()
	const many = 60_000
	row := one(t, `{"id":"r","events":[`+strings.Repeat(`{"type":"user","text":"y"},`, many)+`
{"type":"call","id":"a","tool":"get_total","args":{}},
{"type":"result","id":"a","content":"299997"}],"final":"It is 299997."}`)
	require.Equal(t, "none", row.Decision)
	require.True(t, row.Partial)
	require.Equal(t, 3, row.Answer, "the answer is known")
	require.Equal(t, "unchecked", row.Findings[0].Kind)
	require.Equal(t, "answer", row.Findings[0].Asks)
	require.Contains(t, row.Problems[0], "events were not kept")
}

// Who says the same twice is told once, and who admits all has no finding, also
// where a policy wants findings reported.
func TestThereAreNoIdleAndNoDoubleFindings(t *testing.T) {
	t.Parallel()
	_, rows := under(t, "version: 1\n", `{"id":"r","events":[
{"type":"call","id":"a","tool":"get_order","args":{"id":7}},
{"type":"result","id":"a","content":"503 Service Unavailable","is_error":true}],"final":"I'm sorry, I could not load the order: the service is not available."}`)
	require.Equal(t, "answer", rows[0].Decision)
	require.Empty(t, rows[0].Findings)

	row := one(t, `{"id":"r","events":[
{"type":"user","text":"Hoàn tiền đơn 7."},
{"type":"call","id":"a","tool":"get_order","args":{"id":7}},
{"type":"result","id":"a","content":"{\"total\":48.1}"}],"final":"I've sent the email to Ana. I've sent the email to Ana."}`)
	for i, f := range row.Findings {
		for _, other := range row.Findings[:i] {
			require.NotEqual(t, f, other)
		}
	}
}

// conversation is one in which the first of two answers says this, after order 7
// was cancelled.
func conversation(answer string) string {
	return `{"id":"r","events":[
{"type":"user","text":"Cancel order 7."},
{"type":"call","id":"a","tool":"cancel_order","args":{"id":7}},
{"type":"result","id":"a","content":"{\"status\":\"cancelled\"}"},
{"type":"assistant","text":"` + answer + `"},
{"type":"user","text":"Thanks!"},
{"type":"assistant","text":"You're welcome!"}
],"final":"You're welcome!"}`
}

// A finding about an earlier answer asks for what the guard asks for, no more.
func TestAnEarlierAnswerIsJudgedNoStricterThanTheLast(t *testing.T) {
	t.Parallel()
	row := one(t, conversation("I've refunded $40 to your card."))
	require.Len(t, row.Findings, 1)
	require.Equal(t, "disclose", row.Findings[0].Asks)
	require.Equal(t, "disclose", row.Decision)
}

// What a policy says of claims holds for earlier answers as well.
func TestAPolicyRulesEarlierAnswersToo(t *testing.T) {
	t.Parallel()
	rules, err := policy.Parse("failloud.yaml", []byte("version: 1\nguard: {steps: {claims: off}}\n"))
	require.NoError(t, err)
	a, err := audit.New(audit.Config{Policy: rules})
	require.NoError(t, err)
	_, err = a.Stream(t.Context(), strings.NewReader(conversation("I've refunded $40 to your card.")), transcript.Options{}, func(row *audit.Row) error {
		require.Equal(t, "answer", row.Decision, "%+v", row.Findings)
		return nil
	})
	require.NoError(t, err)
	require.Equal(t, "disclose", one(t, conversation("I've refunded $40 to your card.")).Decision, "without the policy")
}
