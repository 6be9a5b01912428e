package runrecord_test

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func newViews(t testing.TB, cfg runrecord.ViewsConfig) *runrecord.Views {
	t.Helper()
	v, err := runrecord.NewViews(cfg)
	require.NoError(t, err)
	return v
}

// aDay writes a day of two tasks through a real recorder and reads it back.
func aDay(t *testing.T) *bytes.Buffer {
	t.Helper()
	var file bytes.Buffer
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewJSONLines(&file)}})
	run := func(task string, judged runrecord.Judgment, calls ...runrecord.Call) {
		_, r := start(t, rec, t.Context(), runrecord.Task{Name: task})
		for _, c := range calls {
			one(t, r, c)
		}
		if judged.Decision != "" {
			r.Judged(judged)
		}
		r.End()
	}
	answer := runrecord.Judgment{Decision: "answer", State: runrecord.Answered}
	refuse := runrecord.Judgment{Decision: "refuse", State: runrecord.Refused}
	reported := runrecord.Judgment{Decision: "refuse", State: runrecord.Answered, Reported: true}
	ok := runrecord.Call{Tool: lookup, Kind: fault.KindOK}
	expired := runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Status: 401}
	dead := runrecord.Call{Tool: lookup, Kind: fault.KindNotRun, Reason: fault.ReasonToolDead}
	retried := runrecord.Call{Tool: pay, Kind: fault.KindOK, Attempts: 3}

	run("invoices", answer, ok, ok)
	run("invoices", refuse, expired, dead)
	run("invoices", refuse, expired, dead, dead)
	run("invoices", reported, expired, ok)
	run("invoices", answer) // a greeting
	run("payments", answer, retried, ok)
	run("payments", runrecord.Judgment{}, retried, retried, retried)
	run("payments", answer, runrecord.Call{Tool: pay, Kind: fault.KindDenied}, runrecord.Call{Tool: pay, Kind: fault.KindFailed, Reason: fault.ReasonCancelled}, ok)
	return &file
}

func TestTheFourViewsOfADay(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	skipped, err := v.Read(runrecord.ReadJSONLines(aDay(t)))
	require.NoError(t, err)
	require.Zero(t, skipped)

	require.Equal(t, runrecord.RunsView{Ended: 8, NoSuccess: 3, NoSuccessCalled: 2}, v.Runs())
	require.InDelta(t, 3.0/8, v.Runs().Share(), 1e-9)

	failures := v.Failures(0)
	require.Equal(t, 6, failures.Failures, "denials and cancellations are not the tool's")
	require.Len(t, failures.Rows, 2)
	require.Equal(t, 401, failures.Rows[0].Status)
	require.Equal(t, fault.ReasonAuth, failures.Rows[0].Reason)
	require.Equal(t, 3, failures.Rows[0].Failures)
	require.Equal(t, 11, failures.Rows[0].Calls)
	require.Equal(t, fault.ReasonToolDead, failures.Rows[1].Reason)
	require.Len(t, v.Failures(1).Rows, 1)

	require.Equal(t, runrecord.RefusalsView{Ended: 8, Answered: 5, Refused: 2, Unjudged: 1, Reported: 1, Failing: 4}, v.Refusals())
	require.Contains(t, v.Refusals().Warning(), "without asking the guard")

	require.Equal(t, runrecord.RetriesView{Runs: 8, Calls: 17, Retries: 8, Most: 6, ByRun: [5]int{6, 0, 1, 0, 1}}, v.Retries())
	require.InDelta(t, 1, v.Retries().PerRun(), 1e-9)
}

func TestViewsByTaskToolAndStatus(t *testing.T) {
	for _, tt := range []struct {
		name     string
		filter   runrecord.Filter
		runs     runrecord.RunsView
		failures int
		retries  int
	}{
		{"task", runrecord.Filter{Task: "invoices"}, runrecord.RunsView{Ended: 5, NoSuccess: 3, NoSuccessCalled: 2}, 6, 0},
		{"tool", runrecord.Filter{Tool: "pay_invoice"}, runrecord.RunsView{Ended: 3, NoSuccess: 1, NoSuccessCalled: 1}, 0, 8},
		{"status", runrecord.Filter{Status: 401}, runrecord.RunsView{Ended: 3, NoSuccess: 2, NoSuccessCalled: 2}, 3, 0},
		{"tenant", runrecord.Filter{Tenant: "nobody"}, runrecord.RunsView{}, 0, 0},
		{"later", runrecord.Filter{Since: time.Now().Add(time.Hour)}, runrecord.RunsView{}, 0, 0},
		{"earlier", runrecord.Filter{Until: time.Now().Add(-time.Hour)}, runrecord.RunsView{}, 0, 0},
		{"now", runrecord.Filter{Since: time.Now().Add(-time.Hour), Until: time.Now().Add(time.Hour)}, runrecord.RunsView{Ended: 8, NoSuccess: 3, NoSuccessCalled: 2}, 6, 8},
	} {
		t.Run(tt.name, func(t *testing.T) {
			v := newViews(t, runrecord.ViewsConfig{Filter: tt.filter})
			_, err := v.Read(runrecord.ReadJSONLines(aDay(t)))
			require.NoError(t, err)
			require.Equal(t, tt.runs, v.Runs())
			require.Equal(t, tt.failures, v.Failures(0).Failures)
			require.Equal(t, tt.retries, v.Retries().Retries)
		})
	}
}

func TestAParentIsCountedWithItsChildrensCalls(t *testing.T) {
	for _, filter := range []runrecord.Filter{{}, {Tool: "get_invoices"}, {Task: "parent"}} {
		v := newViews(t, runrecord.ViewsConfig{Filter: filter})
		rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{v}})
		ctx, parent := start(t, rec, t.Context(), runrecord.Task{Name: "parent"})
		_, child := start(t, rec, ctx, runrecord.Task{Name: "child"})
		one(t, child, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Attempts: 2})
		child.End()
		parent.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		parent.End()
		require.Equal(t, runrecord.RunsView{Ended: 1}, v.Runs(), "%+v", filter)
		require.Equal(t, 1, v.Retries().Retries)
		require.Empty(t, v.Refusals().Warning(), "a child answers to its parent, whose guard was asked")
	}
}

func TestAnExpiredCredentialStandsAboveTheCallsItKilled(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{v}}), t.Context(), runrecord.Task{})
	defer run.End()
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Status: 401})
	for range 5 {
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindNotRun, Reason: fault.ReasonToolDead})
	}
	rows := v.Failures(0).Rows
	require.Len(t, rows, 2)
	require.Equal(t, 401, rows[0].Status)
	require.Equal(t, 5, rows[1].Failures)
}

func TestACallInDoubtIsOneFailureSettledOrNot(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{Filter: runrecord.Filter{Tool: "pay_invoice"}})
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{v}}), t.Context(), runrecord.Task{})
	doubt := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindUnknown, Reason: fault.ReasonTimeout})
	pending := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindPending, Status: 202})
	require.Equal(t, 1, v.Failures(0).Failures)
	run.Settle(doubt, fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonTimeout}})
	require.Equal(t, 1, v.Failures(0).Failures)
	run.Settle(pending, fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonBilling}})
	require.Equal(t, 2, v.Failures(0).Failures)
	require.Equal(t, 2, v.Failures(0).Calls)
	run.End()
	require.Equal(t, 1, v.Runs().NoSuccessCalled)
}

func TestAWaitingLegIsNoEnd(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{v}}), t.Context(), runrecord.Task{})
	run.Wait("case-1")
	run.End()
	require.Equal(t, runrecord.RunsView{Open: 1}, v.Runs())
	run.Resume("case-1")
	run.End()
	require.Equal(t, 1, v.Runs().Ended)
	require.Zero(t, v.Runs().Open)
}

func TestRefusalsAtZeroWhileToolsFailIsAWarning(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{v}})
	for range 20 {
		require.Empty(t, v.Refusals().Warning())
		_, run := start(t, rec, t.Context(), runrecord.Task{})
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Status: 500})
		run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		run.End()
	}
	require.Contains(t, v.Refusals().Warning(), "no answer was refused")
}

func TestViewsDoNotGrowWithTheRuns(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{OpenRuns: 10, Rows: 5})
	at := time.Now()
	event := func(i int, typ runrecord.EventType) runrecord.Event {
		return runrecord.Event{
			Schema: 1, Type: typ, Time: at, Run: fmt.Sprint("run-", i), Tool: fmt.Sprint("tool-", i%50), Outcome: fault.KindFailed,
			Status: 500, Attempts: 1, State: runrecord.Refused, Counts: &runrecord.Counts{Calls: 1, Failed: 1},
		}
	}
	before := heap()
	const runs = 20_000
	for i := range runs { // none of them has ended when the next starts
		require.NoError(t, v.Write(event(i, runrecord.EventCall)))
	}
	for i := range runs {
		require.NoError(t, v.Write(event(i, runrecord.EventRunEnded)))
	}
	require.Less(t, heap()-before, int64(64<<10))
	require.Equal(t, runrecord.RunsView{Ended: runs, NoSuccess: runs, NoSuccessCalled: runs, Forgotten: runs - 10}, v.Runs())
	f := v.Failures(0)
	require.Len(t, f.Rows, 5)
	require.Equal(t, runs, f.Failures)
	require.Equal(t, runs-5*runs/50, f.Other)
	require.Contains(t, f.String(), fmt.Sprintf("(other)  %21d", f.Other))
	runtime.KeepAlive(v)
}

func TestTablesCannotMoveTheCursor(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	require.NoError(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: "r", Tool: "a\x1b[2J\ttool\u202e" + strings.Repeat("x", 500), Outcome: fault.KindFailed}))
	require.NoError(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: "r", Outcome: fault.KindNotRun, Reason: fault.ReasonUnknownTool}))
	out := v.Failures(0).String()
	require.NotContains(t, out, "\x1b")
	require.NotContains(t, out, "\u202e")
	require.Contains(t, out, "(no such tool)")
	require.Len(t, strings.Split(strings.TrimSpace(out), "\n"), 3)
	for _, line := range strings.Split(out, "\n") {
		require.Less(t, len(line), 200)
	}
}

func TestViewsRefuseWhatTheyCannotCount(t *testing.T) {
	_, err := runrecord.NewViews(runrecord.ViewsConfig{Rows: -1})
	require.Error(t, err)
	v := newViews(t, runrecord.ViewsConfig{})
	require.ErrorIs(t, v.Write(runrecord.Event{Schema: 2, Type: runrecord.EventRunEnded, State: runrecord.Answered}), runrecord.ErrNewerSchema)
	require.Zero(t, v.Runs().Ended)
	skipped, err := v.Read(runrecord.ReadJSONLines(strings.NewReader("junk\n{\"schema\":2,\"type\":\"x\"}\n{\"sche")))
	require.NoError(t, err)
	require.Equal(t, 3, skipped)
}

// Which runs are open, and whose children they are, is known from all events, also
// from those of calls that the filter leaves out.
func TestOpenRunsDoNotDependOnTheToolThatIsAskedFor(t *testing.T) {
	for _, tool := range []string{"", "get_invoices"} {
		v := newViews(t, runrecord.ViewsConfig{Filter: runrecord.Filter{Tool: tool}})
		for _, e := range []runrecord.Event{ // both starts are lost
			{Type: runrecord.EventCall, Run: "parent", Tool: "pay_invoice", Outcome: fault.KindOK},
			{Type: runrecord.EventCall, Run: "child", Parent: "parent", Tool: "get_invoices", Outcome: fault.KindFailed, Status: 500},
		} {
			e.Schema = runrecord.SchemaVersion
			require.NoError(t, v.Write(e))
		}
		require.Equal(t, 2, v.Runs().Open, tool)
		require.NoError(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventRunEnded, Run: "parent", State: runrecord.Refused}))
		require.Equal(t, 1, v.Refusals().Failing, "the child's failure counts to its parent")
	}
}
