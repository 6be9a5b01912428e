package benchmarks_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"runtime"
	"sync/atomic"
	"testing"
	"time"

	"github.com/failsafe-go/failsafe-go"
	"github.com/failsafe-go/failsafe-go/circuitbreaker"
	"github.com/failsafe-go/failsafe-go/retrypolicy"
	"github.com/failsafe-go/failsafe-go/timeout"
	"github.com/sony/gobreaker/v2"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// BenchmarkOverhead is the success path, one goroutine. Compare rows of one run.
func BenchmarkOverhead(b *testing.B) {
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	in := query{ID: 7, Customer: "Acme"}

	b.Run("bare", func(b *testing.B) {
		b.ReportAllocs()
		for b.Loop() {
			sinkAnswer, _ = opFunc(ctx, in)
		}
	})
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		f := newFloor()
		for b.Loop() {
			sinkAnswer, _ = f.call(ctx, in)
		}
	})
	b.Run("floor_timeout", func(b *testing.B) {
		b.ReportAllocs()
		f := newFloor()
		for b.Loop() {
			sinkAnswer, _ = f.callWithTimeout(ctx, in)
		}
	})
	b.Run("gobreaker", func(b *testing.B) {
		b.ReportAllocs()
		cb := gobreaker.NewCircuitBreaker[answer](gobreaker.Settings{})
		for b.Loop() {
			sinkAnswer, _ = cb.Execute(func() (answer, error) { return opFunc(ctx, in) })
		}
	})
	b.Run("failsafe", func(b *testing.B) {
		b.ReportAllocs()
		policies := newFailsafe()
		for b.Loop() {
			sinkAnswer, _ = policies.WithContext(ctx).GetWithExecution(func(e failsafe.Execution[answer]) (answer, error) {
				return opFunc(e.Context(), in)
			})
		}
	})
	b.Run("failloud", func(b *testing.B) {
		b.ReportAllocs()
		tool, _, ctx := newTool(b, ctx, 0)
		for b.Loop() {
			sinkAnswer = tool.Invoke(ctx, in).Value
		}
	})
	b.Run("failloud_nearer_deadline", func(b *testing.B) {
		b.ReportAllocs()
		ctx, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		tool, _, ctx := newTool(b, ctx, 2*time.Hour)
		for b.Loop() {
			sinkAnswer = tool.Invoke(ctx, in).Value
		}
	})
	b.Run("failloud_timeout", func(b *testing.B) {
		b.ReportAllocs()
		tool, _, ctx := newTool(b, ctx, 10*time.Second)
		for b.Loop() {
			sinkAnswer = tool.Invoke(ctx, in).Value
		}
	})
	b.Run("failloud_evidence", func(b *testing.B) {
		b.ReportAllocs()
		kit := toolkit.New(toolkit.Config{})
		tool := toolkit.Wrap(kit, toolkit.Tool[query, answer]{Name: "lookup", Effect: fault.Read, Call: op})
		run, of := (*runrecord.Run)(nil), ctx
		for n := 0; b.Loop(); n++ {
			if n%callsOfARun == 0 {
				run.End()
				of, run = judged(b, kit)
			}
			sinkAnswer = tool.Invoke(of, in).Value
		}
	})
	b.Run("failloud_by_name", func(b *testing.B) {
		b.ReportAllocs()
		_, kit, ctx := newTool(b, ctx, 0)
		raw := json.RawMessage(`{"ID": 7, "Customer": "Acme"}`)
		for b.Loop() {
			sinkResponse = kit.Invoke(ctx, "lookup", raw)
		}
	})
}

// callsOfARun is how many calls a run with a judge makes: its start is a part of
// what the judge costs, and it does not keep evidence for ever.
const callsOfARun = 50

// judged starts a run whose judge keeps evidence.
func judged(b *testing.B, kit *toolkit.Kit) (context.Context, *runrecord.Run) {
	b.Helper()
	ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "bench", Judge: runrecord.JudgeFunc(
		func(_ context.Context, run *runrecord.Run) error { run.KeepEvidence(0); return nil })})
	if err != nil {
		b.Fatal(err)
	}
	return ctx, run
}

// BenchmarkFailedAttempt is one attempt that fails for good: classified,
// recorded, logged, and told to the model.
func BenchmarkFailedAttempt(b *testing.B) {
	b.ReportAllocs()
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(io.Discard), zapcore.InfoLevel))
	kit := toolkit.New(toolkit.Config{Logger: logger})
	refused := errors.New("http status 404: no such invoice")
	tool := toolkit.Wrap(kit, toolkit.Tool[query, answer]{
		Name: "lookup", Effect: fault.Read,
		Call: func(context.Context, query) (answer, error) { return answer{}, refused },
	})
	ctx, run, err := kit.Start(b.Context(), runrecord.Task{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	defer run.End()
	i := 0
	for b.Loop() {
		i++
		sinkText = tool.Invoke(ctx, query{ID: i}).String()
	}
}

// BenchmarkOwnRuns is sixteen goroutines with a run and a breaker each; compare
// the time of an operation with serial "failloud".
func BenchmarkOwnRuns(b *testing.B) {
	b.Run("own_breaker", func(b *testing.B) { ownRuns(b, nil, 0) })
	b.Run("shared_breaker", func(b *testing.B) {
		ownRuns(b, toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "shared"}), 0)
	})
	b.Run("own_breaker_timeout", func(b *testing.B) { ownRuns(b, nil, 10*time.Second) })
	b.Run("floor", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8)
		b.RunParallel(func(pb *testing.PB) {
			f := newFloor()
			in := query{ID: 7, Customer: "Acme"}
			for pb.Next() {
				_, _ = f.call(context.Background(), in)
			}
		})
	})
	b.Run("failsafe_shared", func(b *testing.B) {
		b.ReportAllocs()
		b.SetParallelism(8)
		policies := newFailsafe()
		b.RunParallel(func(pb *testing.PB) {
			in := query{ID: 7, Customer: "Acme"}
			for pb.Next() {
				_, _ = policies.WithContext(context.Background()).GetWithExecution(func(e failsafe.Execution[answer]) (answer, error) {
					return opFunc(e.Context(), in)
				})
			}
		})
	})
}

func ownRuns(b *testing.B, shared *toolkit.Upstream, limit time.Duration) {
	b.ReportAllocs()
	kit := toolkit.New(toolkit.Config{})
	const workers = 16
	var tools [workers]*toolkit.Wrapped[query, answer]
	for i := range tools {
		tools[i] = toolkit.Wrap(kit, toolkit.Tool[query, answer]{
			Name: "lookup" + string(rune('a'+i)), Effect: fault.Read, Timeout: limit, Upstream: shared, Call: op,
		})
	}
	var next atomic.Int32
	b.SetParallelism(workers / 2) // times GOMAXPROCS, which is 2 where this was measured
	b.RunParallel(func(pb *testing.PB) {
		ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "bench"})
		if err != nil {
			b.Error(err)
			return
		}
		defer run.End()
		tool := tools[int(next.Add(1))%workers]
		in := query{ID: 7, Customer: "Acme"}
		for pb.Next() {
			_ = tool.Invoke(ctx, in)
		}
	})
}

// BenchmarkFinishedRun is the memory that a finished run of five calls keeps for
// those who ask about it later.
func BenchmarkFinishedRun(b *testing.B) {
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, answer]{Name: "lookup", Effect: fault.Read, Call: op})
	runs := make([]*runrecord.Run, b.N)
	before := heap()
	for i := range runs {
		ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "bench", Key: "ticket-4711"})
		if err != nil {
			b.Fatal(err)
		}
		for id := range 5 {
			tool.Invoke(ctx, query{ID: id})
		}
		run.End()
		runs[i] = run
	}
	b.ReportMetric(float64(heap()-before)/float64(b.N), "kept-B/run")
	runtime.KeepAlive(runs)
}

func heap() int64 {
	runtime.GC()
	runtime.GC()
	var m runtime.MemStats
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func newTool(b *testing.B, ctx context.Context, limit time.Duration) (*toolkit.Wrapped[query, answer], *toolkit.Kit, context.Context) {
	b.Helper()
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, answer]{Name: "lookup", Effect: fault.Read, Timeout: limit, Call: op})
	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "bench"})
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(run.End)
	return tool, kit, ctx
}

func newFailsafe() failsafe.Executor[answer] {
	return failsafe.With(
		retrypolicy.NewBuilder[answer]().WithMaxRetries(2).Build(),
		circuitbreaker.NewBuilder[answer]().WithFailureRateThreshold(0.5, 10, time.Minute).Build(),
		timeout.NewBuilder[answer](10*time.Second).Build(),
	)
}

// Results go here so that no call is optimised away.
var (
	sinkAnswer   answer
	sinkResponse toolkit.Response
	sinkText     string
)
