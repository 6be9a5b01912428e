package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"
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
