package runrecord_test

import (
	"context"
	"errors"
	"math"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

var (
	lookup = &runrecord.ToolInfo{Name: "get_invoices", Upstream: "billing", Effect: fault.Read}
	pay    = &runrecord.ToolInfo{Name: "pay_invoice", Upstream: "bank", Effect: fault.Write}
)

func newRecorder(t testing.TB, cfg runrecord.Config) *runrecord.Recorder {
	t.Helper()
	rec, err := runrecord.NewRecorder(cfg)
	require.NoError(t, err)
	return rec
}

func start(t testing.TB, rec *runrecord.Recorder, ctx context.Context, task runrecord.Task) (context.Context, *runrecord.Run) {
	t.Helper()
	ctx, run, err := rec.Start(ctx, task, []*runrecord.ToolInfo{lookup, pay})
	require.NoError(t, err)
	return ctx, run
}

// one makes a call the way the toolkit does.
func one(t testing.TB, run *runrecord.Run, c runrecord.Call) uint32 {
	t.Helper()
	seq, err := run.Admit(1)
	require.NoError(t, err)
	c.Seq, c.Attempts = seq, max(c.Attempts, 1)
	run.Finish(c)
	return seq
}

// A caller that overlooks the error of Start goes on with a nil run.
func TestARunThatDidNotStartTakesEverythingAndGivesNothing(t *testing.T) {
	var run *runrecord.Run
	require.ErrorIs(t, run.Turn(), runrecord.ErrNoRun)
	require.ErrorIs(t, run.Spend(1, 1), runrecord.ErrNoRun)
	require.ErrorIs(t, run.Halted(), runrecord.ErrNoRun)
	require.ErrorIs(t, run.Turn(), runrecord.ErrHalted)
	_, err := run.Admit(1)
	require.ErrorIs(t, err, runrecord.ErrNoRun)
	run.Abort(fault.ReasonLoop, "x")
	run.Judged(runrecord.Judgment{})
	run.Wait("case")
	run.Resume("case")
	run.Watch(func(*runrecord.Run, runrecord.Call) {})
	run.Keep("tool", "field")
	run.Finish(runrecord.Call{})
	run.Attempted(runrecord.Call{}, 0)
	require.False(t, run.Settle(1, fault.Outcome{Kind: fault.KindOK}))
	_, limited := run.Deadline()
	require.False(t, limited)
	require.NoError(t, run.TimeUp())
	require.Equal(t, runrecord.Aborted, run.State())
	require.Zero(t, run.ID())
	require.Zero(t, run.Task())
	require.Nil(t, run.Parent())
	require.Nil(t, run.Tool("x"))
	require.Nil(t, run.Tools())
	require.Nil(t, run.Kept("x"))
	require.Zero(t, run.Started())
	require.Zero(t, run.Elapsed())
	require.Zero(t, run.Leg())
	require.Empty(t, run.OpenCases())
	require.Empty(t, run.Calls())
	require.Empty(t, run.Stats())
	run.End()
	require.Nil(t, runrecord.FromContext(runrecord.NewContext(t.Context(), run)))
}

func TestAnEndedRunInTheContextSaysWhereToStartInstead(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{})
	run.End()
	_, _, err := rec.Start(ctx, runrecord.Task{}, nil)
	require.ErrorIs(t, err, runrecord.ErrHalted)
	require.ErrorContains(t, err, "use the context from before its start")
}

func TestStartRefusesWhatCannotBeALimit(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	for field, limits := range map[string]runrecord.Limits{
		"Calls": {Calls: -1}, "Turns": {Turns: -1}, "Tokens": {Tokens: -1}, "Money": {Money: -0.01}, "Time": {Time: -1},
		"Money ": {Money: math.NaN()}, "Money is": {Money: math.Inf(1)},
	} {
		ctx, run, err := rec.Start(t.Context(), runrecord.Task{Limits: limits}, nil)
		require.ErrorContains(t, err, "Limits."+field)
		require.Nil(t, run)
		require.Equal(t, t.Context(), ctx)
		run.End() // the deferred End of a caller that has not looked at the error yet
	}
}

func TestStartRefusesBrokenInput(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	_, _, err := rec.Start(t.Context(), runrecord.Task{}, []*runrecord.ToolInfo{lookup, nil})
	require.ErrorContains(t, err, "tools[1]")

	cancelled, cancel := context.WithCancel(t.Context())
	cancel()
	_, _, err = rec.Start(cancelled, runrecord.Task{}, nil)
	require.ErrorIs(t, err, context.Canceled)

	_, err = runrecord.NewRecorder(runrecord.Config{KeepCalls: -1})
	require.ErrorContains(t, err, "KeepCalls")
	_, err = runrecord.NewRecorder(runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewMemory(0), nil}})
	require.ErrorContains(t, err, "Sinks[1]")
}

func TestJudgeIsAskedAtTheStart(t *testing.T) {
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}})
	missing := errors.New("required tool is not bound")

	var seen *runrecord.Run
	_, _, err := rec.Start(t.Context(), runrecord.Task{Judge: runrecord.JudgeFunc(func(ctx context.Context, run *runrecord.Run) error {
		require.Same(t, run, runrecord.FromContext(ctx))
		require.Same(t, lookup, run.Tool("get_invoices"))
		require.Nil(t, run.Tool("send_mail"))
		seen = run
		return missing
	})}, []*runrecord.ToolInfo{lookup})
	require.ErrorIs(t, err, missing)
	require.ErrorIs(t, seen.Halted(), runrecord.ErrHalted, "a run that never started makes no call")

	_, _, err = rec.Start(t.Context(), runrecord.Task{Judge: runrecord.JudgeFunc(func(context.Context, *runrecord.Run) error { panic("judge") })}, nil)
	require.ErrorContains(t, err, "panic: judge")
	require.Empty(t, mem.Events(), "a run that did not start is no run")
}

func TestContextCarriesTheRun(t *testing.T) {
	type key struct{}
	require.Nil(t, runrecord.FromContext(t.Context()))
	ctx, run := start(t, newRecorder(t, runrecord.Config{}), context.WithValue(t.Context(), key{}, "kept"), runrecord.Task{Name: "n", Key: "k"})
	require.Same(t, run, runrecord.FromContext(ctx))
	require.Equal(t, "kept", ctx.Value(key{}))
	require.Equal(t, "k", run.Task().Key)
	require.Len(t, run.ID(), 36)
	require.Same(t, run, runrecord.FromContext(runrecord.NewContext(t.Context(), run)))
}

func TestHowARunEnds(t *testing.T) {
	for _, tt := range []struct {
		name   string
		during func(run *runrecord.Run, cancel func())
		state  runrecord.State
		reason fault.Reason
	}{
		{"nobody asked the guard", func(*runrecord.Run, func()) {}, runrecord.Unjudged, fault.ReasonNone},
		{"answered", func(run *runrecord.Run, _ func()) {
			run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		}, runrecord.Answered, fault.ReasonNone},
		{"the last judgment decides", func(run *runrecord.Run, _ func()) {
			run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused})
			run.Judged(runrecord.Judgment{Decision: "disclose", State: runrecord.Disclosed})
		}, runrecord.Disclosed, fault.ReasonNone},
		{"aborted", func(run *runrecord.Run, _ func()) {
			run.Abort(fault.ReasonLoop, "three times")
			run.Abort(fault.ReasonBudget, "later")
		}, runrecord.Aborted, fault.ReasonLoop},
		{"aborted, and its draft refused", func(run *runrecord.Run, _ func()) {
			run.Abort(fault.ReasonLoop, "")
			run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused})
		}, runrecord.Refused, fault.ReasonLoop},
		{"an open case keeps it waiting whatever was judged", func(run *runrecord.Run, _ func()) {
			run.Wait("case-1")
			run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		}, runrecord.Waiting, fault.ReasonNone},
		{"deferred", func(run *runrecord.Run, _ func()) {
			run.Judged(runrecord.Judgment{Decision: "defer", State: runrecord.Deferred})
		}, runrecord.Deferred, fault.ReasonNone},
		{"its context was cancelled before the guard was asked", func(_ *runrecord.Run, cancel func()) { cancel() }, runrecord.Aborted, fault.ReasonCancelled},
		{"its context was cancelled after the guard was asked", func(run *runrecord.Run, cancel func()) {
			run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
			cancel()
		}, runrecord.Answered, fault.ReasonNone},
	} {
		t.Run(tt.name, func(t *testing.T) {
			mem := runrecord.NewMemory(0)
			ctx, cancel := context.WithCancel(t.Context())
			defer cancel()
			_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), ctx, runrecord.Task{})
			tt.during(run, cancel)
			run.End()
			run.End()
			require.Equal(t, tt.state, run.State())
			var ends []runrecord.Event
			for _, e := range mem.Events() {
				if e.Type == runrecord.EventRunEnded {
					ends = append(ends, e)
				}
			}
			require.Len(t, ends, 1, "a leg ends once")
			require.Equal(t, tt.state, ends[0].State)
			require.Equal(t, tt.reason, ends[0].Reason)
			var halt *runrecord.HaltError
			require.ErrorAs(t, run.Halted(), &halt)
			require.Equal(t, run.ID(), halt.Run)
		})
	}
}

func TestAbortStopsFurtherCallsAtOnce(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	seq, err := run.Admit(1)
	require.NoError(t, err)
	require.NoError(t, run.Halted())
	run.Abort(fault.ReasonLoop, "")
	require.Equal(t, runrecord.Aborted, run.State())
	_, err = run.Admit(1)
	var halt *runrecord.HaltError
	require.ErrorAs(t, err, &halt)
	require.Equal(t, fault.ReasonLoop, halt.Reason)
	require.ErrorIs(t, run.Turn(), runrecord.ErrHalted)

	run.Finish(runrecord.Call{Seq: seq, Tool: lookup, Kind: fault.KindOK})
	require.Len(t, run.Calls(), 1, "the call that was under way has a result, and it is kept")
}

func TestAChildsEvidenceCountsToItsParents(t *testing.T) {
	ctx, parent := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Name: "parent"})
	childCtx, child := start(t, newRecorder(t, runrecord.Config{}), ctx, runrecord.Task{Name: "child"})
	_, grandchild := start(t, newRecorder(t, runrecord.Config{}), childCtx, runrecord.Task{Name: "grandchild"})
	require.Same(t, parent, child.Parent())

	var told []string
	parent.Watch(func(by *runrecord.Run, c runrecord.Call) { told = append(told, by.Task().Name+" "+c.Kind.String()) })
	one(t, parent, runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Attempts: 3})
	one(t, child, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	unknown := one(t, grandchild, runrecord.Call{Tool: pay, Kind: fault.KindUnknown})

	require.Equal(t, []uint32{1, 2, 3}, seqs(parent.Calls()), "one numbering over the family")
	require.Equal(t, []uint32{2, 3}, seqs(child.Calls()))
	require.Equal(t, []uint32{3}, seqs(grandchild.Calls()))
	require.Equal(t, map[string]runrecord.ToolStats{
		"get_invoices": {Calls: 2, OK: 1, Failed: 1, Attempts: 4, Retries: 2},
		"pay_invoice":  {Calls: 1, Unknown: 1, Attempts: 1},
	}, parent.Stats())

	require.True(t, parent.Settle(unknown, fault.Outcome{Kind: fault.KindOK}))
	require.Equal(t, 1, grandchild.Stats()["pay_invoice"].OK)
	pending := one(t, parent, runrecord.Call{Tool: pay, Kind: fault.KindPending})
	require.False(t, child.Settle(pending, fault.Outcome{Kind: fault.KindOK}), "a child cannot settle its parent's call")
	require.Equal(t, []string{"parent failed", "child ok", "grandchild unknown", "grandchild ok", "parent pending"}, told)
}

func seqs(calls []runrecord.Call) []uint32 {
	var all []uint32
	for _, c := range calls {
		all = append(all, c.Seq)
	}
	return all
}

func TestWhatHaltsAParentHaltsItsChildren(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
	childCtx, child := start(t, rec, ctx, runrecord.Task{})
	_, sibling := start(t, rec, ctx, runrecord.Task{})

	child.Abort(fault.ReasonLoop, "")
	require.NoError(t, parent.Halted(), "a child's abort is its own")
	require.NoError(t, sibling.Halted())

	parent.Abort(fault.ReasonBudget, "money")
	_, err := sibling.Admit(1)
	var halt *runrecord.HaltError
	require.ErrorAs(t, err, &halt)
	require.Equal(t, parent.ID(), halt.Run)
	require.Equal(t, fault.ReasonBudget, halt.Reason)
	sibling.End()
	require.Equal(t, runrecord.Aborted, sibling.State())

	_, _, err = rec.Start(childCtx, runrecord.Task{}, nil)
	require.ErrorIs(t, err, runrecord.ErrHalted)
	parent.End()
	_, _, err = rec.Start(ctx, runrecord.Task{}, nil)
	require.ErrorIs(t, err, runrecord.ErrHalted, "the context of an ended run starts no child by mistake")
}

func TestOneRunUnder64Goroutines(t *testing.T) {
	const workers, each = 64, 50
	mem := runrecord.NewMemory(workers*each*2 + 10)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}, KeepCalls: 100})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: workers * each}})
	var mu sync.Mutex
	told := map[uint32]int{}
	run.Watch(func(_ *runrecord.Run, c runrecord.Call) {
		mu.Lock()
		defer mu.Unlock()
		told[c.Seq]++
	})
	var wg sync.WaitGroup
	for w := range workers {
		wg.Go(func() {
			by := run
			if w%4 == 0 {
				_, child, err := rec.Start(ctx, runrecord.Task{}, nil)
				if err != nil {
					t.Error(err)
					return
				}
				defer child.End()
				by = child
			}
			for i := range each {
				seq, err := by.Admit(1)
				if err != nil {
					t.Error(err)
					return
				}
				kind := []fault.Kind{fault.KindOK, fault.KindFailed, fault.KindPending}[i%3]
				by.Finish(runrecord.Call{Seq: seq, Tool: lookup, Kind: kind, Attempts: 1, Leg: 1})
				if kind == fault.KindPending {
					by.Settle(seq, fault.Outcome{Kind: fault.KindOK})
				}
				_, _, _ = by.Stats(), by.Calls(), by.State()
			}
		})
	}
	wg.Wait()
	_, err := run.Admit(1)
	require.ErrorIs(t, err, runrecord.ErrBudget, "every call was counted once, by whoever made it")
	run.End()
	s := run.Stats()["get_invoices"]
	require.Equal(t, workers*each, s.Calls)
	require.Equal(t, workers*17, s.Failed)
	require.Equal(t, workers*33, s.OK)
	require.Len(t, told, workers*each)
	require.LessOrEqual(t, len(run.Calls()), 100)
}

func TestElapsedIsTheTimeSinceTheStart(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
		time.Sleep(90 * time.Second)
		require.Equal(t, 90*time.Second, run.Elapsed())
	})
}

func TestKeepIsMergedOverTheFamily(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
	_, child := start(t, rec, ctx, runrecord.Task{})
	require.Nil(t, child.Kept("get_invoices"))
	parent.Keep("get_invoices", "customer")
	require.Equal(t, []string{"customer"}, child.Kept("get_invoices"))
	child.Keep("get_invoices", "year", "customer")
	require.Equal(t, []string{"year", "customer"}, child.Kept("get_invoices"))
	require.Equal(t, []string{"customer"}, parent.Kept("get_invoices"))
	require.Nil(t, child.Kept("pay_invoice"))
}
