package toolkit_test

import (
	"context"
	"errors"
	"runtime"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// single is a kit that makes one attempt a call.
func single() *toolkit.Kit { return toolkit.New(toolkit.Config{MaxAttempts: 1}) }

func TestABreakerLeavesAFailingUpstreamAlone(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  error
		open bool
	}{
		{"no answer", noAnswer(), true},
		{"answers that cannot be read", &fault.Fault{Reason: fault.ReasonMalformedResponse, Action: fault.Retry}, true},
		{"panics", errors.New("boom"), true},
		{"the caller's fault", refusedBy(fault.ReasonInvalidArgs, 422), false},
		{"not found", refusedBy(fault.ReasonNotFound, 404), false},
		{"too many requests", refusedBy(fault.ReasonQuota, 429), false},
		{"works", nil, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := single()
				tool := ending(tt.end)
				get := read(kit, "get_invoice", tool.call)
				for range 10 {
					ctx, run := start(t, kit, runrecord.Task{})
					get.Invoke(ctx, acme)
					run.End()
				}
				ctx, _ := start(t, kit, runrecord.Task{})
				res := get.Invoke(ctx, acme)
				require.Equal(t, tt.open, res.Outcome.Reason() == fault.ReasonBreakerOpen)
				if !tt.open {
					return
				}
				require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
				require.Equal(t, 30*time.Second, res.Outcome.Fault.Wait, "it says when it opens again")
				require.Contains(t, res.String(), "it opens again in 30 s")
				require.EqualValues(t, 10, tool.entered.Load())

				time.Sleep(31 * time.Second)
				tool.ends = []error{nil}
				require.True(t, get.Invoke(ctx, acme).Outcome.OK(), "one probe")
				require.True(t, get.Invoke(ctx, acme).Outcome.OK())
			})
		})
	}
}

func TestAProbeThatEndsItsGoroutineBlocksNobody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := single()
		end := noAnswer
		get := read(kit, "get_invoice", func(context.Context, query) (invoice, error) { return invoice{}, end() })
		ctx, _ := start(t, kit, runrecord.Task{})
		for range 10 {
			get.Invoke(ctx, acme)
		}
		time.Sleep(31 * time.Second)
		end = func() error { runtime.Goexit(); return nil }
		var gone sync.WaitGroup
		gone.Go(func() { get.Invoke(ctx, acme) })
		gone.Wait()
		time.Sleep(31 * time.Second)
		end = func() error { return nil }
		require.True(t, get.Invoke(ctx, acme).Outcome.OK())
	})
}

func TestARetryThatTheBreakerStopsReportsWhatHappened(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{MaxAttempts: 4})
		get := read(kit, "get_invoice", ending(noAnswer()).call)
		ctx, _ := start(t, kit, runrecord.Task{})
		var last toolkit.Result[invoice]
		for range 3 {
			last = get.Invoke(ctx, acme)
		}
		require.Equal(t, fault.KindFailed, last.Outcome.Kind, "the function was entered: not 'not run'")
		require.Equal(t, fault.ReasonNetwork, last.Outcome.Reason())
		require.Equal(t, 2, last.Attempts)
	})
}

func TestEveryoneKeepsThePauseAfterA429(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var limited atomic.Bool
		began := time.Now()
		var early atomic.Int32
		var returns sync.Map
		limited.Store(true)
		call := func(_ context.Context, q query) (invoice, error) {
			if limited.CompareAndSwap(true, false) {
				return invoice{}, &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Status: 429, Wait: 10 * time.Second}
			}
			if time.Since(began) < 10*time.Second {
				early.Add(1)
			}
			returns.Store(time.Since(began), true)
			return invoice{}, nil
		}
		kit := toolkit.New(toolkit.Config{})
		get := read(kit, "get_invoice", call)
		ctx, _ := start(t, kit, runrecord.Task{})
		var all sync.WaitGroup
		all.Go(func() { get.Invoke(ctx, acme) })
		synctest.Wait()
		for i := range 10 {
			all.Go(func() { require.True(t, get.Invoke(ctx, query{"ACME", i}).Outcome.OK()) })
		}
		hasty, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		res := get.Invoke(hasty, acme)
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind, "a pause that does not fit is not waited for")
		require.Equal(t, fault.ReasonRateLimit, res.Outcome.Reason())
		require.InDelta(t, 10, res.Outcome.Fault.Wait.Seconds(), 1.1)
		all.Wait()
		require.Zero(t, early.Load())
		moments := 0
		returns.Range(func(any, any) bool { moments++; return true })
		require.Greater(t, moments, 5, "they do not all come back at once")
	})
}

func TestAnUpstreamBoundsWhatIsUnderWay(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		slow := func(context.Context, query) (invoice, error) {
			n := now.Add(1)
			defer now.Add(-1)
			for old := most.Load(); n > old && !most.CompareAndSwap(old, n); old = most.Load() {
			}
			time.Sleep(time.Second)
			return invoice{}, nil
		}
		db := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "db", Concurrency: 3})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: db, Call: slow})
		list := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "list", Effect: fault.Read, Upstream: db, Call: slow})
		ctx, _ := start(t, kit, runrecord.Task{})
		var all sync.WaitGroup
		for range 6 {
			all.Go(func() { require.True(t, get.Invoke(ctx, acme).Outcome.OK()) })
			all.Go(func() { require.True(t, list.Invoke(ctx, acme).Outcome.OK()) })
		}
		all.Wait()
		require.EqualValues(t, 3, most.Load())
	})
}

func TestAnUpstreamBoundsTheRate(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		api := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "api", Rate: 2, Burst: 2})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: api, Call: lookUp})
		ctx, _ := start(t, kit, runrecord.Task{})
		began := time.Now()
		for range 10 {
			require.True(t, get.Invoke(ctx, acme).Outcome.OK())
		}
		require.InDelta(t, 4, time.Since(began).Seconds(), 0.01)
	})
}

func TestPartsDieOnTheirOwn(t *testing.T) {
	t.Parallel()
	kit := single()
	fetch := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
		Name: "http_get", Effect: fault.Read, Part: func(q query) string { return q.Customer },
		Call: func(_ context.Context, q query) (invoice, error) {
			if q.Customer == "down.example" {
				return invoice{}, noAnswer()
			}
			return invoice{}, nil
		},
	})
	ctx, _ := start(t, kit, runrecord.Task{})
	for range 10 {
		fetch.Invoke(ctx, query{Customer: "down.example"})
	}
	require.Equal(t, fault.ReasonBreakerOpen, fetch.Invoke(ctx, query{Customer: "down.example"}).Outcome.Reason())
	require.True(t, fetch.Invoke(ctx, query{Customer: "up.example"}).Outcome.OK())
}

func TestTenantsDieOnTheirOwn(t *testing.T) {
	t.Parallel()
	crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", PerTenant: true})
	kit := single()
	get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: crm, Call: ending(noAnswer()).call})
	ctx, _ := start(t, kit, runrecord.Task{Tenant: "one"})
	for range 11 {
		get.Invoke(ctx, acme)
	}
	require.Equal(t, "open", crm.Part("one").State())
	require.Equal(t, "crm/one", crm.Part("one").Name())
	other, _ := start(t, kit, runrecord.Task{Tenant: "two"})
	require.Equal(t, fault.KindFailed, get.Invoke(other, acme).Outcome.Kind)
}

func TestNamesOfPartsCannotFillTheMemory(t *testing.T) {
	t.Parallel()
	web := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "web"})
	for i := range 10000 {
		web.Part(strconv.Itoa(i))
	}
	require.LessOrEqual(t, toolkit.Parts(web), 1024)
	require.Same(t, web, web.Part(""))
	require.Same(t, web.Part("x"), web.Part("x"))
}

// Whoever was already queued when the 429 came keeps the pause as well.
func TestThoseInTheQueueKeepThePauseAfterA429(t *testing.T) {
	t.Parallel()
	for name, cfg := range map[string]toolkit.UpstreamConfig{
		"for a slot":    {Name: "api", Concurrency: 1},
		"for the rate":  {Name: "api", Rate: 2, Burst: 1},
		"for both":      {Name: "api", Concurrency: 1, Rate: 10, Burst: 1},
		"two at a time": {Name: "api", Concurrency: 2},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				var pause, early atomic.Int64 // until when, in ns since began
				began := time.Now()
				limited := true
				var mu sync.Mutex
				call := func(context.Context, query) (invoice, error) {
					time.Sleep(time.Second)
					mu.Lock()
					defer mu.Unlock()
					started := time.Since(began) - time.Second
					if until := time.Duration(pause.Load()); until > 0 && started > until-10*time.Second && started < until {
						early.Add(1)
					}
					if limited {
						limited = false
						pause.Store(int64(time.Since(began) + 10*time.Second))
						return invoice{}, &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Status: 429, Wait: 10 * time.Second}
					}
					return invoice{}, nil
				}
				kit := toolkit.New(toolkit.Config{MaxWait: time.Minute})
				get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: toolkit.NewUpstream(cfg), Call: call})
				ctx, _ := start(t, kit, runrecord.Task{})
				var all sync.WaitGroup
				for i := range 6 {
					all.Go(func() { require.True(t, get.Invoke(ctx, query{"ACME", i}).Outcome.OK()) })
				}
				all.Wait()
				require.Zero(t, early.Load(), "started during the pause")
			})
		})
	}
}
