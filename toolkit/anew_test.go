package toolkit_test

import (
	"context"
	"errors"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// suite is a tool that runs tests: each call is new work.
func suite(kit *toolkit.Kit, call func(ctx context.Context, n int) error) *toolkit.Wrapped[query, int] {
	var entered atomic.Int32
	return toolkit.Wrap(kit, toolkit.Tool[query, int]{
		Name: "run_tests", Effect: fault.Write, Anew: true,
		Call: func(ctx context.Context, _ query) (int, error) {
			n := int(entered.Add(1))
			return n, call(ctx, n)
		},
	})
}

func TestAnewWorkIsDoneEachTime(t *testing.T) {
	t.Parallel()
	failed := &fault.Fault{Reason: fault.ReasonCommandFailed, Action: fault.FailFast, Ran: fault.RanYes}
	for name, end := range map[string]error{
		"ok": nil, "failed": failed, "refused": refusedBy(fault.ReasonInvalidArgs, 422),
		"refused for good": fault.Permanent(errors.New("no")), "denied": fault.Denied("no"),
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			ledger, err := idempotency.New(idempotency.Config{})
			require.NoError(t, err)
			calls := 0
			for range 3 { // processes on one ledger
				kit := toolkit.New(toolkit.Config{Ledger: ledger})
				tests := suite(kit, func(context.Context, int) error { calls++; return end })
				ctx, _ := start(t, kit, ticket)
				for range 3 {
					before := calls
					require.False(t, tests.Invoke(ctx, acme).Outcome.Qualifiers.Has(fault.Replayed))
					require.Equal(t, before+1, calls)
				}
			}
		})
	}
}

func TestAnewWorkNeedsNoKeyAndIsApartByTask(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	tests := suite(kit, func(context.Context, int) error { return noAnswer() })
	for _, task := range []runrecord.Task{{Name: "a"}, {Name: "a"}, {Name: "b", Key: "b"}, {Name: "c", Key: "c"}} {
		ctx, _ := start(t, kit, task)
		res := tests.Invoke(ctx, acme)
		require.Equal(t, 1, res.Attempts, "%s: the doubt of another task is not its own", task.Name)
		require.Zero(t, tests.Invoke(ctx, acme).Attempts)
	}
	res := tests.Invoke(t.Context(), acme)
	require.Equal(t, 1, res.Attempts, "outside a run")
}

func TestAnewWorkOfOneTurnIsDoneOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{})
		suite(kit, func(context.Context, int) error { time.Sleep(time.Second); return nil })
		ctx, _ := start(t, kit, ticket)
		twice := []toolkit.Request{{Name: "run_tests", Args: []byte(`{"customer":"A","year":1}`)}, {Name: "run_tests", Args: []byte(`{"customer":"A","year":1}`)}}
		for want := 1; want <= 2; want++ { // in one turn once, in the next one more time
			for _, r := range kit.InvokeAll(ctx, twice) {
				require.Equal(t, want, r.Value, "%v", r.Outcome)
			}
		}
	})
}

// A crash in the middle leaves a doubt that the next process finds.
func TestAnewWorkLeftInDoubtByACrashIsNotRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		process := func(call func(context.Context, int) error) (*toolkit.Kit, *toolkit.Wrapped[query, int], context.Context) {
			kit := toolkit.New(toolkit.Config{Ledger: ledger})
			tests := suite(kit, call)
			ctx, _ := start(t, kit, ticket)
			return kit, tests, ctx
		}
		_, tests, ctx := process(func(_ context.Context, n int) error {
			if n < 3 {
				return nil
			}
			return noAnswer()
		})
		for range 3 {
			tests.Invoke(ctx, acme)
		}
		kit, tests, ctx := process(func(context.Context, int) error { return nil })
		res := tests.Invoke(ctx, acme)
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		c, err := kit.Cases().Show(ctx, res.Outcome.Case)
		require.NoError(t, err)
		require.Equal(t, 2, c.Occurrence)
		d := c.Decide(idempotency.WentThrough, "maria")
		d.Result = []byte(`3`)
		_, err = kit.Cases().Resolve(ctx, d)
		require.NoError(t, err)

		_, tests, ctx = process(func(context.Context, int) error { return nil })
		res = tests.Invoke(ctx, acme)
		require.True(t, res.Outcome.Qualifiers.Has(fault.Replayed), "the answer is told once")
		require.Equal(t, 3, res.Value)
		require.False(t, tests.Invoke(ctx, acme).Outcome.Qualifiers.Has(fault.Replayed))
	})
}
