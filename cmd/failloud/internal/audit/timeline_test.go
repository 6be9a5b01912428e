package audit_test

import (
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
)

// one audits an input of one run.
func one(t *testing.T, input string) *audit.Row {
	t.Helper()
	var only *audit.Row
	_, err := newAuditor(t).Stream(t.Context(), strings.NewReader(input), transcript.Options{File: "f"}, func(row *audit.Row) error {
		require.Nil(t, only)
		only = row
		return nil
	})
	require.NoError(t, err)
	return only
}

func TestATimelineTellsEachCallWithItsEnd(t *testing.T) {
	t.Parallel()
	steps := one(t, `{"id":"r","events":[
{"type":"user","text":"What do both owe?"},
{"type":"call","id":"a","tool":"get_invoices","args":{"customer":"Acme"}},
{"type":"call","id":"b","tool":"get_invoices","args":{"customer":"Globex"}},
{"type":"result","id":"b","content":"{\"error\":\"overloaded\"}","is_error":true},
{"type":"result","id":"a","content":"[{\"total\":1250}]"},
{"type":"call","id":"c","tool":"get_rates","args":{}}
],"final":"Acme owes 1250. The invoices of Globex could not be loaded."}`).Timeline()
	require.Len(t, steps, 4)
	require.Equal(t, transcript.User, steps[0].Kind)

	a, b, c := steps[1], steps[2], steps[3]
	require.Equal(t, []string{"a", "b", "c"}, []string{a.Call, b.Call, c.Call}, "in the order in which they were asked for")
	require.Equal(t, `[{"total":1250}]`, a.Result)
	require.Equal(t, 6, a.ResultLine)
	require.False(t, a.Failed())
	require.True(t, b.Failed())
	require.True(t, b.Open)
	require.True(t, b.Told, "the answer says so")
	require.Equal(t, fault.KindUnknown, c.Outcome.Kind)
	require.Zero(t, c.ResultLine)
	require.True(t, c.Open)
	require.False(t, c.Told)
}

func TestATimelineOfAnAnswerWithoutAnAgentIsItsEvidence(t *testing.T) {
	t.Parallel()
	steps := one(t, `{"id":"e","evidence":["first",{"n":2}],"prompt":"?","answer":"2"}`).Timeline()
	require.Len(t, steps, 4)
	require.Equal(t, "first", steps[0].Result)
	require.Equal(t, `{"n":2}`, steps[1].Result)
}

func TestATimelineOfOurOwnRecordKnowsAttemptsAndSettlements(t *testing.T) {
	t.Parallel()
	row := one(t, `{"schema":1,"type":"run_started","time":"2026-04-01T10:00:00Z","run_id":"r","leg":1}
{"schema":1,"type":"call","time":"2026-04-01T10:00:04Z","run_id":"r","leg":1,"seq":1,"tool":"pay","effect":"write","outcome":"unknown","reason":"timeout","attempts":2,"waited_ns":1500000000}
{"schema":1,"type":"settled","time":"2026-04-01T10:05:00Z","run_id":"r","leg":1,"seq":1,"tool":"pay","effect":"write","outcome":"ok","was":"unknown","attempts":2,"duration_ns":300000000000}
{"schema":1,"type":"judged","time":"2026-04-01T10:05:01Z","run_id":"r","leg":1,"state":"disclosed","decision":"disclose","step":4,"findings":["step 4: pay #1 was late","a remark"]}
{"schema":1,"type":"run_ended","time":"2026-04-01T10:05:02Z","run_id":"r","leg":1,"state":"disclosed"}
`)
	steps := row.Timeline()
	require.Len(t, steps, 1)
	require.Equal(t, fault.KindOK, steps[0].Outcome.Kind)
	require.Equal(t, fault.KindUnknown, steps[0].Was)
	require.Equal(t, 2, steps[0].Attempts)
	require.Equal(t, 5*time.Minute, steps[0].Took)

	require.True(t, row.Recorded, "no draft was captured")
	require.Equal(t, audit.DecisionDisclose, row.Decision)
	require.Equal(t, []audit.Finding{{Kind: "hidden_failure", Step: 4, What: "pay #1 was late", Asks: audit.DecisionDisclose}}, row.Findings)
}
