package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zapcore"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type query struct {
	Customer string `json:"customer"`
	Year     int    `json:"year"`
}

type invoice struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

func lookUp(context.Context, query) (invoice, error) { return invoice{"INV-1", 1200}, nil }

// reader returns a typed read tool, and a run to call it in.
func reader(tb testing.TB, timeout time.Duration) (context.Context, *toolkit.Kit, *toolkit.Wrapped[query, invoice]) {
	tb.Helper()
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Timeout: timeout, Call: lookUp})
	ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "bench"})
	require.NoError(tb, err)
	tb.Cleanup(run.End)
	return ctx, kit, tool
}

func TestASuccessCostsFewAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	ask := query{"ACME", 2026}
	for _, tt := range []struct {
		name    string
		timeout time.Duration
		nearer  bool // the caller's deadline is nearer than the tool's timeout
		most    float64
	}{
		{"no timeout", 0, false, 1},
		{"a timeout", time.Minute, false, 1},
		{"a nearer deadline of the caller", time.Hour, true, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ctx, _, tool := reader(t, tt.timeout)
			if tt.nearer {
				var cancel context.CancelFunc
				ctx, cancel = context.WithTimeout(ctx, time.Minute)
				defer cancel()
			}
			got := testing.AllocsPerRun(500, func() {
				if res := tool.Invoke(ctx, ask); !res.Outcome.OK() {
					t.Fatal(res.Outcome)
				}
			})
			// The record of the run grows now and then; that is less than one a call.
			require.LessOrEqual(t, got, tt.most)
		})
	}
}

func TestOtherCallsCostBoundedAllocations(t *testing.T) {
	if raceEnabled {
		t.Skip("the race detector allocates")
	}
	ctx, kit, _ := reader(t, 0)
	refuse := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "gone", Effect: fault.Read,
		Call: func(context.Context, query) (invoice, error) { return invoice{}, statusError(404) }})
	raw := json.RawMessage(`{"customer":"ACME","year":2026}`)
	for name, tt := range map[string]struct {
		call func() fault.Outcome
		kind fault.Kind
		most float64
	}{
		"by name": {func() fault.Outcome { return kit.Invoke(ctx, "get_invoice", raw).Outcome }, fault.KindOK, 12},
		"a failure and its line": {func() fault.Outcome {
			res := refuse.Invoke(ctx, query{"ACME", 2026})
			_ = res.String()
			return res.Outcome
		}, fault.KindFailed, 24},
	} {
		require.LessOrEqual(t, testing.AllocsPerRun(500, func() {
			if o := tt.call(); o.Kind != tt.kind {
				t.Fatal(o)
			}
		}), tt.most, name)
	}
}

func BenchmarkRead(b *testing.B) {
	ask := query{"ACME", 2026}
	for _, bb := range []struct {
		name    string
		timeout time.Duration
	}{{"plain", 0}, {"timeout", time.Minute}} {
		b.Run(bb.name, func(b *testing.B) {
			ctx, _, tool := reader(b, bb.timeout)
			b.ReportAllocs()
			for b.Loop() {
				_ = tool.Invoke(ctx, ask)
			}
		})
	}
	b.Run("nearer deadline", func(b *testing.B) {
		ctx, _, tool := reader(b, 2*time.Hour)
		ctx, cancel := context.WithTimeout(ctx, time.Hour)
		defer cancel()
		b.ReportAllocs()
		for b.Loop() {
			_ = tool.Invoke(ctx, ask)
		}
	})
	b.Run("by name", func(b *testing.B) {
		ctx, kit, _ := reader(b, 0)
		raw := json.RawMessage(`{"customer":"ACME","year":2026}`)
		b.ReportAllocs()
		for b.Loop() {
			_ = kit.Invoke(ctx, "get_invoice", raw)
		}
	})
	b.Run("own run and upstream", func(b *testing.B) {
		b.SetParallelism(8)
		b.ReportAllocs()
		b.RunParallel(func(pb *testing.PB) {
			ctx, _, tool := reader(b, 0)
			for pb.Next() {
				_ = tool.Invoke(ctx, ask)
			}
		})
	})
}

func BenchmarkFailure(b *testing.B) {
	logger := zap.New(zapcore.NewCore(zapcore.NewJSONEncoder(zap.NewProductionEncoderConfig()), zapcore.AddSync(io.Discard), zap.InfoLevel))
	for _, bb := range []struct {
		name string
		end  error
	}{
		{"a fault", refusedBy(fault.ReasonNotFound, 404)},
		{"a status", statusError(404)},
		{"an error", errors.New("crm: connection reset by peer")},
	} {
		b.Run(bb.name, func(b *testing.B) {
			upstream := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Breaker: toolkit.BreakerConfig{MinCalls: 1 << 30}})
			kit := toolkit.New(toolkit.Config{Logger: logger, MaxAttempts: 1})
			tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: upstream,
				Call: func(context.Context, query) (invoice, error) { return invoice{}, bb.end }})
			ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "bench"})
			require.NoError(b, err)
			defer run.End()
			b.ReportAllocs()
			for b.Loop() {
				_ = tool.Invoke(ctx, query{"ACME", 2026}).String()
			}
		})
	}
}

// statusError is an error of a client that knows the status.
type statusError int

func (e statusError) Error() string   { return "crm: status " + strconv.Itoa(int(e)) }
func (e statusError) StatusCode() int { return int(e) }
