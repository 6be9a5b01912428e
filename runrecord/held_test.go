package runrecord_test

import (
	"maps"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestAnEndlessRunForgetsPlainSuccessesFirst(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{KeepCalls: 8}), t.Context(), runrecord.Task{})
	unknown := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindUnknown, ArgsHash: 1})
	hidden := one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, ArgsHash: 2})
	madeGood := one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, ArgsHash: 3})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, ArgsHash: 3})
	for range 10_000 {
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, ArgsHash: 9})
	}
	held := seqs(run.Calls())
	require.LessOrEqual(t, len(held), 8)
	require.Contains(t, held, unknown)
	require.Contains(t, held, hidden)
	require.NotContains(t, held, madeGood)
	s := run.Stats()["get_invoices"]
	require.Equal(t, 10_003, s.Calls)
	require.Equal(t, 2, s.Failed)
	require.Zero(t, s.DroppedNotOK)
	require.Equal(t, s.Calls-(len(held)-1), s.Dropped)
	require.True(t, run.Settle(unknown, fault.Outcome{Kind: fault.KindOK}), "what is not resolved can still be settled")
}

func TestTheEndOfARunForgetsNothingMore(t *testing.T) {
	for calls := range 30 {
		_, run := start(t, newRecorder(t, runrecord.Config{KeepCalls: 8}), t.Context(), runrecord.Task{})
		for range calls {
			one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, ArgsHash: 9})
		}
		held, stats := run.Calls(), run.Stats()
		run.End()
		require.Equal(t, held, run.Calls())
		require.Equal(t, stats, run.Stats())
		run.Finish(runrecord.Call{Tool: lookup, Kind: fault.KindOK})
		require.Equal(t, calls+1, run.Stats()["get_invoices"].Calls, "a result that comes late is kept")
	}
}

func TestWhatMustBeForgottenIsCounted(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{KeepCalls: 4}), t.Context(), runrecord.Task{})
	pending := one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindPending})
	for range 100 {
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed})
	}
	s := run.Stats()["get_invoices"]
	require.Equal(t, 100, s.Failed)
	require.Equal(t, s.Dropped, s.DroppedNotOK)
	require.Greater(t, s.DroppedNotOK, 90)
	require.Contains(t, seqs(run.Calls()), pending, "the unresolved one goes last")
}

func TestADegradedSuccessMakesNothingGood(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{KeepCalls: 8}), t.Context(), runrecord.Task{})
	failed := one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, ArgsHash: 2})
	truncated := one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, ArgsHash: 2, Qualifiers: fault.Truncated})
	for range 100 {
		one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindOK, ArgsHash: 2})
	}
	require.Subset(t, seqs(run.Calls()), []uint32{failed, truncated})
}

func TestInventedNamesAreCountedTogether(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{KeepCalls: 4}), t.Context(), runrecord.Task{})
	for range 50 {
		run.Finish(runrecord.Call{Kind: fault.KindNotRun, Detail: &runrecord.Detail{Name: "make_coffee"}})
	}
	require.Equal(t, 50, run.Stats()[""].NotRun)
	require.Len(t, run.Stats(), 1)
}

// Whatever happens in whatever order, the counts are those of a list that
// forgets nothing, and no call that could still be settled goes before one that
// could not.
func TestCountsStayExact(t *testing.T) {
	kinds := []fault.Kind{fault.KindOK, fault.KindFailed, fault.KindDenied, fault.KindNotRun, fault.KindPending, fault.KindUnknown}
	rapid.Check(t, func(rt *rapid.T) {
		keep := rapid.IntRange(1, 12).Draw(rt, "keep")
		rec := newRecorder(t, runrecord.Config{KeepCalls: keep})
		ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
		_, child := start(t, rec, ctx, runrecord.Task{})
		runs := []*runrecord.Run{parent, child}
		tools := []*runrecord.ToolInfo{lookup, pay}
		type entry struct {
			run  int
			tool string
			kind fault.Kind
		}
		var model []entry
		for range rapid.IntRange(0, 80).Draw(rt, "steps") {
			if len(model) > 0 && rapid.IntRange(0, 3).Draw(rt, "what") == 0 {
				i := rapid.IntRange(0, len(model)-1).Draw(rt, "which")
				kind := rapid.SampledFrom(kinds).Draw(rt, "to")
				if parent.Settle(uint32(i+1), fault.Outcome{Kind: kind}) {
					model[i].kind = kind
				}
				continue
			}
			e := entry{rapid.IntRange(0, 1).Draw(rt, "run"), "", rapid.SampledFrom(kinds).Draw(rt, "kind")}
			tool := rapid.SampledFrom(tools).Draw(rt, "tool")
			e.tool = tool.Name
			runs[e.run].Finish(runrecord.Call{Tool: tool, Kind: e.kind, ArgsHash: rapid.Uint64Range(0, 2).Draw(rt, "args"), Attempts: 1})
			model = append(model, e)
			require.LessOrEqual(rt, len(parent.Calls()), keep)
		}
		for who, run := range runs {
			want := map[string]runrecord.ToolStats{}
			for _, e := range model {
				if who == 1 && e.run == 0 {
					continue
				}
				s := want[e.tool]
				s.Calls++
				s.Attempts++
				*map[fault.Kind]*int{fault.KindOK: &s.OK, fault.KindFailed: &s.Failed, fault.KindDenied: &s.Denied,
					fault.KindNotRun: &s.NotRun, fault.KindPending: &s.Pending, fault.KindUnknown: &s.Unknown}[e.kind]++
				want[e.tool] = s
			}
			got := maps.Clone(run.Stats())
			held := 0
			for name, s := range got {
				held += s.Calls - s.Dropped
				s.Dropped, s.DroppedNotOK, s.DroppedUnresolved = 0, 0, 0
				got[name] = s
			}
			require.Equal(rt, want, got)
			require.Len(rt, run.Calls(), held)
		}
	})
}

// A requirement points at these calls: they must outlive the calls that nobody
// asks about.
func TestCallsThatAJudgeAskedToKeepAreDroppedLast(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{KeepCalls: 16})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	run.Keep("get_invoices", "customer")
	run.Keep("pay_invoice")
	for _, customer := range []string{"Acme", "Globex"} {
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, ArgsHash: uint64(len(customer)), Detail: &runrecord.Detail{Args: map[string]string{"customer": customer}}})
	}
	one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindOK, ArgsHash: 7})
	for range 100 {
		one(t, run, runrecord.Call{Tool: &runrecord.ToolInfo{Name: "other"}, Kind: fault.KindOK, ArgsHash: 1})
	}
	calls := run.Calls()
	require.Equal(t, "Acme", calls[0].Detail.Args["customer"])
	require.Equal(t, "Globex", calls[1].Detail.Args["customer"])
	require.Equal(t, pay, calls[2].Tool)
	require.LessOrEqual(t, len(calls), 16)

	for range 100 { // the same again and again takes no room from the others
		one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindOK, ArgsHash: 7})
	}
	calls = run.Calls()
	require.Equal(t, "Acme", calls[0].Detail.Args["customer"])
	require.Zero(t, run.Stats()["pay_invoice"].DroppedNotOK)
}

func TestWhatIsDroppedIsCountedAsWhatItWas(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{KeepCalls: 4})
	_, run := start(t, rec, t.Context(), runrecord.Task{})
	for range 20 {
		one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Qualifiers: fault.Stale | fault.Empty})
	}
	for range 20 {
		one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindUnknown})
	}
	s := run.Stats()["get_invoices"]
	require.Equal(t, 20, s.DroppedDegraded)
	require.Equal(t, 20, s.DroppedNotOK)
	require.Equal(t, fault.Stale, s.DroppedQualifiers)
	require.Zero(t, s.DroppedUnresolved)
	s = run.Stats()["pay_invoice"]
	require.Equal(t, s.Dropped, s.DroppedUnresolved)
	require.NotZero(t, s.DroppedUnresolved)
}

// A child's calls are in its parent's record, by the parent's clock.
func TestTheCallsOfAChildStandWhereTheyWereInTheParent(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := newRecorder(t, runrecord.Config{})
		ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
		<-time.After(time.Minute)
		_, child := start(t, rec, ctx, runrecord.Task{})
		one(t, child, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Start: child.Elapsed()})
		require.Equal(t, time.Minute, parent.Calls()[0].Start)
		require.Zero(t, child.Calls()[0].Start)
		child.End()
		parent.End()
	})
}
