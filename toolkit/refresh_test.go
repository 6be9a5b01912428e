package toolkit_test

import (
	"context"
	"strings"
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

// An upstream that was busy first and then refused the credential had used up the
// attempts, and a credential that a hook could have renewed ended the run.
func TestARefusedCredentialIsRefreshedAfterTheLastAttempt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		auth := refusedBy(fault.ReasonAuth, 401)
		for _, tt := range []struct {
			name     string
			effect   fault.Effect
			ends     []error
			kind     fault.Kind
			attempts int
			hooks    int32
		}{
			{"a read", fault.Read, []error{overloaded(), overloaded(), auth, nil}, fault.KindOK, 4, 1},
			{"a write that did nothing", fault.Write, []error{overloaded(), overloaded(), auth, nil}, fault.KindOK, 4, 1},
			{"only one more attempt", fault.Read, []error{overloaded(), overloaded(), auth, overloaded(), nil}, fault.KindFailed, 4, 1},
			{"it is refused again", fault.Read, []error{overloaded(), overloaded(), auth, auth, nil}, fault.KindFailed, 4, 1},
			{"a write in doubt", fault.Write, []error{noAnswer(), auth, nil}, fault.KindUnknown, 1, 0},
		} {
			var hooks atomic.Int32
			crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: func(context.Context) error { hooks.Add(1); return nil }})
			kit := toolkit.New(toolkit.Config{Retries: toolkit.NewRetryBudget(100)})
			tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: tt.effect, Upstream: crm, Call: ending(tt.ends...).call})
			ctx, _ := start(t, kit, ticket)
			res := tool.Invoke(ctx, acme)
			require.Equal(t, tt.kind, res.Outcome.Kind, tt.name)
			require.Equal(t, tt.attempts, res.Attempts, tt.name)
			require.Equal(t, tt.hooks, hooks.Load(), tt.name)
		}
	})
}

// A hook writes a file or asks a vault: for ten tenants at once it would do so
// ten times at once.
func TestAHookHasOneTurnForAllPartsOfItsUpstream(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var running, most atomic.Int32
		var mu sync.Mutex
		renewed := map[string]int{}
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", PerTenant: true, Refresh: func(ctx context.Context) error {
			most.Store(max(most.Load(), running.Add(1)))
			defer running.Add(-1)
			time.Sleep(time.Second)
			mu.Lock()
			defer mu.Unlock()
			renewed[runrecord.FromContext(ctx).Task().Tenant]++
			return nil
		}})
		kit := toolkit.New(toolkit.Config{})
		tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: crm,
			Part: func(q query) string { return q.Customer },
			Call: func(ctx context.Context, _ query) (invoice, error) {
				mu.Lock()
				defer mu.Unlock()
				if renewed[runrecord.FromContext(ctx).Task().Tenant] == 0 {
					return invoice{}, refusedBy(fault.ReasonAuth, 401)
				}
				return invoice{}, nil
			}})
		before := time.Now()
		var all sync.WaitGroup
		for i := range 10 {
			all.Go(func() {
				ctx, _ := start(t, kit, runrecord.Task{Tenant: strings.Repeat("t", i)})
				require.True(t, tool.Invoke(ctx, acme).Outcome.OK())
			})
		}
		all.Wait()
		require.EqualValues(t, 1, most.Load())
		require.Len(t, renewed, 10)
		require.Equal(t, 10*time.Second, time.Since(before))
	})
}

func TestAHookThatIgnoresItsContextHoldsNobodyUpForLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		stuck := make(chan struct{})
		var hooks atomic.Int32
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", PerTenant: true, Refresh: func(context.Context) error {
			if hooks.Add(1) == 1 {
				<-stuck
			}
			return nil
		}})
		kit := toolkit.New(toolkit.Config{})
		refuse := atomic.Bool{}
		refuse.Store(true)
		tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: crm,
			Call: func(context.Context, query) (invoice, error) {
				if refuse.Load() {
					return invoice{}, refusedBy(fault.ReasonAuth, 401)
				}
				return invoice{}, nil
			}})
		call := func(tenant string) (toolkit.Result[invoice], time.Duration) {
			ctx, _ := start(t, kit, runrecord.Task{Tenant: tenant})
			before := time.Now()
			res := tool.Invoke(ctx, acme)
			return res, time.Since(before)
		}
		res, took := call("a")
		require.ErrorIs(t, res.Err(), toolkit.ErrRefresh)
		require.ErrorContains(t, res.Outcome.Fault.Err, "has not returned within 30s")
		require.LessOrEqual(t, took, 31*time.Second)
		res, took = call("a")
		require.ErrorIs(t, res.Err(), toolkit.ErrRefresh)
		require.Zero(t, took, "it still has not")

		call("b")
		require.EqualValues(t, 2, hooks.Load(), "another tenant has its turn")
		close(stuck)
		synctest.Wait()
		refuse.Store(false)
		res, _ = call("a")
		require.True(t, res.Outcome.OK())
	})
}

// A hook that honours its context says itself why it has not got a credential.
func TestAHookThatRunsOutOfTimeSaysWhy(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: func(ctx context.Context) error {
			<-ctx.Done()
			return context.Cause(ctx)
		}})
		kit := toolkit.New(toolkit.Config{})
		tool := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Upstream: crm,
			Call: ending(refusedBy(fault.ReasonAuth, 401)).call})
		ctx, _ := start(t, kit, runrecord.Task{})
		require.ErrorIs(t, tool.Invoke(ctx, acme).Outcome.Fault.Err, context.DeadlineExceeded)
	})
}
