package runrecord_test

import (
	"context"
	"reflect"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func success(run *runrecord.Run) {
	seq, err := run.Admit(1)
	if err != nil {
		panic(err)
	}
	start := run.Elapsed()
	run.Finish(runrecord.Call{Seq: seq, Tool: lookup, Kind: fault.KindOK, Attempts: 1, ArgsHash: uint64(seq), Start: start, Duration: run.Elapsed() - start})
}

func TestASuccessAllocatesNothing(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	for name, cfg := range map[string]runrecord.Config{
		"without sinks":          {},
		"with a sink for faults": {Sinks: []runrecord.Sink{runrecord.NewZap(nil)}},
		"in an endless run":      {KeepCalls: 64},
	} {
		_, run := start(t, newRecorder(t, cfg), t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 1 << 40}})
		run.Watch(func(*runrecord.Run, runrecord.Call) {})
		require.Zero(t, testing.AllocsPerRun(5000, func() { success(run) }), name)
	}
	ctx, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	require.Zero(t, testing.AllocsPerRun(100, func() {
		if runrecord.FromContext(ctx) != run || run.Kept("get_invoices") != nil || run.Halted() != nil {
			t.Error("not the run")
		}
	}))
}

func TestACallTakesWhatItsDocumentationSays(t *testing.T) {
	require.EqualValues(t, 80, reflect.TypeFor[runrecord.Call]().Size())
}

// Two cores that work on two runs must not fight over one cache line.
func TestRunsShareNoCacheLine(t *testing.T) {
	require.Zero(t, reflect.TypeFor[runrecord.Run]().Size()%64)
}

func TestARunOfEightCallsAllocatesItsListOnce(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector allocates")
	}
	rec := newRecorder(t, runrecord.Config{})
	ctx := t.Context()
	perRun := func(calls int) float64 {
		return testing.AllocsPerRun(200, func() {
			_, run, _ := rec.Start(ctx, runrecord.Task{}, nil)
			for range calls {
				success(run)
			}
		})
	}
	require.Equal(t, 1.0, perRun(8)-perRun(0))
}

// A service keeps the runs it has finished for as long as someone may ask
// about them, so what a finished run holds on to is a bound of its own.
func TestAFinishedRunKeepsLittle(t *testing.T) {
	if raceDetector {
		t.Skip("the race detector changes sizes")
	}
	const runs, calls = 50_000, 5
	rec := newRecorder(t, runrecord.Config{})
	tools := []*runrecord.ToolInfo{lookup, pay}
	kept := make([]*runrecord.Run, runs)
	before := heap()
	for i := range kept {
		ctx, cancel := context.WithCancel(context.Background())
		_, run, err := rec.Start(ctx, runrecord.Task{Name: "invoice-question", Key: "ticket-4711"}, tools)
		require.NoError(t, err)
		for range calls {
			success(run)
		}
		run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		run.End()
		cancel()
		kept[i] = run
	}
	perRun := float64(heap()-before) / runs
	t.Logf("%.0f bytes per finished run of %d calls", perRun, calls)
	require.Less(t, perRun, float64(calls*128+512))
	require.Equal(t, calls, kept[runs-1].Stats()["get_invoices"].OK)
	runtime.KeepAlive(kept)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func BenchmarkSuccess(b *testing.B) {
	for name, cfg := range map[string]runrecord.Config{
		"no sinks": {}, "zap": {Sinks: []runrecord.Sink{runrecord.NewZap(nil)}}, "memory": {Sinks: []runrecord.Sink{runrecord.NewMemory(0)}},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			_, run := start(b, newRecorder(b, cfg), b.Context(), runrecord.Task{})
			for b.Loop() {
				success(run)
			}
		})
	}
	b.Run("a run for each goroutine", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8)
		rec := newRecorder(b, runrecord.Config{})
		b.RunParallel(func(pb *testing.PB) {
			_, run, _ := rec.Start(context.Background(), runrecord.Task{}, nil)
			for pb.Next() {
				success(run)
			}
		})
	})
}

func BenchmarkRunOfFiveCalls(b *testing.B) {
	b.ReportAllocs()
	rec := newRecorder(b, runrecord.Config{})
	for b.Loop() {
		_, run, _ := rec.Start(context.Background(), runrecord.Task{Name: "n"}, nil)
		for range 5 {
			success(run)
		}
		run.End()
	}
}

func BenchmarkFailure(b *testing.B) {
	b.ReportAllocs()
	_, run := start(b, newRecorder(b, runrecord.Config{}), b.Context(), runrecord.Task{})
	for b.Loop() {
		run.Finish(runrecord.Call{Tool: lookup, Kind: fault.KindFailed, Reason: fault.ReasonAuth, Status: 401, Attempts: 1,
			Detail: &runrecord.Detail{Rule: "http_status", Error: `GET "https://api.example.com/v1/invoices?customer=7": 401 Unauthorized: {"error":"token expired","request_id":"req_123"}`}})
	}
}
