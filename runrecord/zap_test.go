package runrecord_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestLogLinesOfARun(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewZap(zap.New(core))}})
	_, run := start(t, rec, t.Context(), runrecord.Task{Name: "invoice-question", Key: "ticket-4711", Tenant: "acme"})

	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Attempts: 2})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Qualifiers: fault.Empty})
	require.Zero(t, logs.Len(), "a success has no line")

	run.Attempted(runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Reason: fault.ReasonOverloaded, Action: fault.Retry, Status: 503, Attempts: 1}, 2*time.Second)
	one(t, run, runrecord.Call{
		Tool: lookup, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Status: 401, Attempts: 1,
		Detail: &runrecord.Detail{Rule: "http_status", Error: "token=abcdef123456 has expired"},
	})
	pending := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindPending, Status: 202})
	run.Settle(pending, fault.Outcome{Kind: fault.KindOK})
	run.Judged(runrecord.Judgment{Decision: "refuse", Step: 2, State: runrecord.Refused, Unmet: []string{"get_invoices"}})
	run.End()
	run.End()

	var got []string
	for _, l := range logs.All() {
		got = append(got, l.Level.CapitalString()+" "+l.Message)
		require.Equal(t, run.ID(), l.ContextMap()["run_id"])
		require.Equal(t, "invoice-question", l.ContextMap()["task"])
	}
	require.Equal(t, []string{"WARN tool retry", "WARN tool call failed", "INFO call settled", "ERROR answer refused", "INFO run ended"}, got)

	fields := func(i int) map[string]any { return logs.All()[i].ContextMap() }
	require.Equal(t, 2*time.Second, fields(0)["wait"])
	require.Subset(t, fields(1), map[string]any{
		"tool": "get_invoices", "status": int64(401), "reason": "auth", "action": "fail_fast", "attempts": int64(1),
		"outcome": "failed", "ran": "no", "rule": "http_status", "error": "token=[REDACTED] has expired",
		"task_key": "ticket-4711", "tenant": "acme", "upstream": "billing",
	})
	require.Subset(t, fields(2), map[string]any{"tool": "pay_invoice", "outcome": "ok", "was": "pending"})
	require.Subset(t, fields(3), map[string]any{"state": "refused", "step": int64(2), "unmet": []any{"get_invoices"}, "reported": false})
	require.Subset(t, fields(4), map[string]any{
		"state": "refused", "decision": "refuse", "calls": int64(4), "ok": int64(3), "failed": int64(1), "pending": int64(0),
		"attempts": int64(5), "retries": int64(1),
	})
}

// A stack of this package tells nobody anything, and makes an alert of two
// lines a page.
func TestLinesHaveNoStackAndNoCaller(t *testing.T) {
	core, logs := observer.New(zapcore.DebugLevel)
	z := runrecord.NewZap(zap.New(core, zap.AddCaller(), zap.AddStacktrace(zapcore.DebugLevel)))
	require.NoError(t, z.Write(runrecord.Event{Type: runrecord.EventJudged, Decision: "refuse"}))
	require.Equal(t, 1, logs.Len())
	require.Empty(t, logs.All()[0].Stack)
	require.False(t, logs.All()[0].Caller.Defined)
}

func TestTheEndOfABudgetIsSaidInWords(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewZap(zap.New(core))}})
	_, run := start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 1}})
	_, err := run.Admit(2)
	require.ErrorIs(t, err, runrecord.ErrBudget)
	run.End()
	require.Equal(t, "the limit of calls is used up", logs.FilterMessage("run ended").All()[0].ContextMap()["error"])
}

func TestWhichCallsHaveALine(t *testing.T) {
	for kind, want := range map[fault.Kind]int{
		fault.KindOK: 0, fault.KindPending: 0, fault.KindFailed: 1, fault.KindDenied: 1, fault.KindNotRun: 1, fault.KindUnknown: 1,
	} {
		core, logs := observer.New(zapcore.DebugLevel)
		z := runrecord.NewZap(zap.New(core))
		require.NoError(t, z.Write(runrecord.Event{Type: runrecord.EventCall, Outcome: kind}))
		require.Equal(t, want, logs.FilterMessage("tool call failed").Len(), kind)
	}
}

func TestEveryLegLogsItsEnd(t *testing.T) {
	core, logs := observer.New(zapcore.InfoLevel)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewZap(zap.New(core))}})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	run.Wait("case-1")
	run.End()
	run.Resume("case-1")
	run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
	run.End()
	lines := logs.FilterMessage("run ended").All()
	require.Len(t, lines, 2)
	require.Equal(t, "waiting", lines[0].ContextMap()["state"])
	require.Equal(t, []any{"case-1"}, lines[0].ContextMap()["cases"])
	require.EqualValues(t, 2, lines[1].ContextMap()["leg"])
	require.Equal(t, "answered", lines[1].ContextMap()["state"])
	require.NoError(t, runrecord.NewZap(nil).Write(runrecord.Event{Type: runrecord.EventRunEnded}))
}
