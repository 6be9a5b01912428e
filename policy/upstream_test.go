package policy_test

import (
	"context"
	"net/http"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/toolkit"
)

// shared is a kit with a tool of an upstream as the file describes it. The tool
// takes a second, and fails while it is broken.
func shared(t *testing.T, upstream string, broken *bool) (*policy.Policy, *toolkit.Kit, *toolkit.Wrapped[query, string]) {
	t.Helper()
	p := parse(t, "kit: {max_attempts: 1}\nguard: {loop_after: 0}\ntools: {x: {effect: read, upstream: u}}\nupstreams: {u: "+upstream+"}")
	kit := toolkit.New(p.Kit(toolkit.Config{}))
	tool := toolkit.Wrap(kit, toolkit.Tool[query, string]{Name: "x", Call: func(context.Context, query) (string, error) {
		<-time.After(time.Second)
		if *broken {
			return "", &toolkit.HTTPError{Status: http.StatusBadGateway}
		}
		return "fine", nil
	}})
	return p, kit, tool
}

// call makes n calls at the same time for a tenant and returns the last reason.
func call(t *testing.T, p *policy.Policy, kit *toolkit.Kit, tool *toolkit.Wrapped[query, string], tenant string, n int) fault.Reason {
	t.Helper()
	task := p.Task("any", "k")
	task.Tenant = tenant
	ctx, run, err := kit.Start(t.Context(), task)
	require.NoError(t, err)
	defer run.End()
	reasons := make([]fault.Reason, n)
	var all sync.WaitGroup
	for i := range reasons {
		all.Go(func() {
			if f := tool.Invoke(ctx, query{}).Outcome.Fault; f != nil {
				reasons[i] = f.Reason
			}
		})
	}
	all.Wait()
	return reasons[n-1]
}

func TestLimitsOfAnUpstreamAreKept(t *testing.T) {
	t.Parallel()
	for upstream, want := range map[string]time.Duration{
		"{}":                      time.Second,
		"{concurrency: 2}":        2 * time.Second,
		"{rate: 0.5}":             7 * time.Second, // the fourth starts after six
		"{rate: 1800/h}":          7 * time.Second,
		"{rate: 0.5, burst: 3}":   3 * time.Second,
		"{rate: 100, burst: 100}": time.Second,
	} {
		t.Run(upstream, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				p, kit, tool := shared(t, upstream, new(bool))
				begin := time.Now()
				call(t, p, kit, tool, "", 4)
				require.Equal(t, want, time.Since(begin))
			})
		})
	}
}

func TestTheBreakerOfAnUpstreamOpensAsTheFileSays(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		broken := true
		p, kit, tool := shared(t, "{breaker: {ratio: 0.9, min_calls: 3, window: 20s, open_for: 7s}}", &broken)
		call(t, p, kit, tool, "", 2)
		require.Equal(t, "closed", p.Upstream("u").State(), "two calls are too few")
		<-time.After(30 * time.Second)
		call(t, p, kit, tool, "", 2)
		require.Equal(t, "closed", p.Upstream("u").State(), "the first two are out of the window")
		call(t, p, kit, tool, "", 1)
		require.Equal(t, "open", p.Upstream("u").State())
		require.Equal(t, fault.ReasonBreakerOpen, call(t, p, kit, tool, "", 1))
		broken = false
		<-time.After(6 * time.Second)
		require.Equal(t, fault.ReasonBreakerOpen, call(t, p, kit, tool, "", 1))
		<-time.After(2 * time.Second)
		require.Equal(t, fault.ReasonNone, call(t, p, kit, tool, "", 1), "a probe is let through")
		require.Equal(t, "closed", p.Upstream("u").State())
	})
	synctest.Test(t, func(t *testing.T) {
		broken := false
		p, kit, tool := shared(t, "{breaker: {ratio: 0.9, min_calls: 3}}", &broken)
		call(t, p, kit, tool, "", 1)
		broken = true
		call(t, p, kit, tool, "", 4)
		require.Equal(t, "closed", p.Upstream("u").State(), "80 % are not above the ratio")
	})
}

func TestTenantsOfAnUpstreamAreApart(t *testing.T) {
	t.Parallel()
	for upstream, want := range map[string]fault.Reason{
		"{breaker: {min_calls: 2}, per_tenant: true}": fault.ReasonNone,
		"{breaker: {min_calls: 2}}":                   fault.ReasonBreakerOpen,
	} {
		synctest.Test(t, func(t *testing.T) {
			broken := true
			p, kit, tool := shared(t, upstream, &broken)
			call(t, p, kit, tool, "acme", 3)
			broken = false
			require.Equal(t, want, call(t, p, kit, tool, "globex", 1), upstream)
		})
	}
}
