package toolkit_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestRecoverRunsWhatAPersonHasDecided(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, kit, _, ctx, run, c := lost(t, toolkit.Config{})
		run.End()
		_, err := kit.Cases().Resolve(ctx, c.Decide(idempotency.RunAgain, "maria"))
		require.NoError(t, err)
		require.Empty(t, run.OpenCases())
		require.Equal(t, fault.KindUnknown, run.Calls()[0].Kind, "decided is not done")

		r, err := kit.Recover(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Recovery{Executed: 1, Resumed: 1}, r)
		require.EqualValues(t, 2, b.effects.Load())
		require.NotEqual(t, b.keys[0], b.keys[1], "the service is handed a new key")
		require.Equal(t, fault.KindOK, run.Calls()[0].Kind)
		require.Len(t, run.Calls(), 1, "nobody asked for it once more")

		r, err = kit.Recover(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Recovery{}, r)
		require.EqualValues(t, 2, b.effects.Load())
	})
}

func TestRecoverRunsAnApprovedCallWithTheApprovedArguments(t *testing.T) {
	t.Parallel()
	for _, choice := range []idempotency.Choice{idempotency.Approve, idempotency.ApproveEdited, idempotency.Reject} {
		t.Run(choice.String(), func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ledger, err := idempotency.New(idempotency.Config{})
				require.NoError(t, err)
				kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
				pay := toolkit.Wrap(kit, b.tool())
				_, _, err = ledger.Hold(t.Context(), idempotency.Intent{
					Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}, Effect: fault.Write,
					Args: json.RawMessage(`{"invoice":"4711","amount":10}`),
				}, "over the limit", time.Hour)
				require.NoError(t, err)
				ctx, run := start(t, kit, ticket)
				res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
				c, err := kit.Cases().Show(ctx, res.Outcome.Case)
				require.NoError(t, err)
				r, err := kit.Recover(ctx)
				require.NoError(t, err)
				require.Zero(t, r.Executed, "nobody has decided")

				d := c.Decide(choice, "maria")
				want := receipt{"R-4711", 10}
				if choice == idempotency.ApproveEdited {
					d.Args, want.Amount = json.RawMessage(`{"invoice":"4711","amount":7}`), 7
				}
				_, err = kit.Cases().Resolve(ctx, d)
				require.NoError(t, err)
				r, err = kit.Recover(ctx)
				require.NoError(t, err)
				if choice == idempotency.Reject {
					require.Zero(t, r.Executed)
					require.Equal(t, fault.KindDenied, run.Calls()[0].Kind)
					require.Empty(t, b.paid)
					return
				}
				require.Equal(t, 1, r.Executed)
				require.Equal(t, want, b.paid["4711"])
				require.Equal(t, fault.KindOK, run.Calls()[0].Kind, "the call that waited is done")
				res = pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
				require.Equal(t, want, res.Value)
				require.EqualValues(t, 1, b.effects.Load())
			})
		})
	}
}

// Two workers, and the agent itself, which asks for it again at the same moment.
func TestWhatAPersonHasDecidedIsRunOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		b, kit, pay, ctx, _, c := lost(t, toolkit.Config{Ledger: ledger})
		b.before = func(context.Context, int) error { time.Sleep(time.Second); return nil }
		other := toolkit.New(toolkit.Config{Ledger: ledger})
		toolkit.Wrap(other, b.tool())
		_, err = kit.Cases().Resolve(ctx, c.Decide(idempotency.RunAgain, "maria"))
		require.NoError(t, err)
		done := make(chan int, 3)
		for _, k := range []*toolkit.Kit{kit, other} {
			go func() {
				r, err := k.Recover(ctx)
				if err != nil {
					t.Error(err)
				}
				done <- r.Executed
			}()
		}
		go func() {
			res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
			if !res.Outcome.OK() {
				t.Errorf("%v", res.Outcome)
			}
			done <- min(res.Attempts, 1)
		}()
		require.Equal(t, 1, <-done+<-done+<-done, "one of the three")
		require.EqualValues(t, 2, b.effects.Load())
	})
}

func TestWhatFailsInRecoveryIsNotTriedByItAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, kit, pay, ctx, run, c := lost(t, toolkit.Config{})
		b.before = func(context.Context, int) error { return refusedBy(fault.ReasonInvalidArgs, 422) }
		_, err := kit.Cases().Resolve(ctx, c.Decide(idempotency.RunAgain, "maria"))
		require.NoError(t, err)
		for range 2 {
			_, err = kit.Recover(ctx)
			require.NoError(t, err)
		}
		require.Len(t, b.keys, 2)
		require.Equal(t, fault.KindFailed, run.Calls()[0].Kind)
		b.before = nil
		require.True(t, pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"}).Outcome.OK())
	})
}

func TestRecoverUsesTheTenantOfTheWork(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		up := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", PerTenant: true, Breaker: toolkit.BreakerConfig{MinCalls: 1}})
		tool := b.tool()
		tool.Upstream = up
		b.after = first(1, noAnswer())
		pay := toolkit.Wrap(kit, tool)
		ctx, _, err := kit.Start(t.Context(), runrecord.Task{Name: "invoices", Key: "t", Tenant: "acme"})
		require.NoError(t, err)
		pay.Invoke(ctx, payment{Invoice: "4711"})
		require.Equal(t, "open", up.Part("acme").State())
		cases, err := kit.Cases().List(ctx, escalation.Filter{})
		require.NoError(t, err)
		_, err = kit.Cases().Resolve(ctx, cases[0].Decide(idempotency.RunAgain, "maria"))
		require.NoError(t, err)
		_, err = kit.Recover(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 1, b.effects.Load(), "the tenant's breaker is open")
		time.Sleep(time.Minute)
		_, err = kit.Recover(t.Context())
		require.NoError(t, err)
		require.EqualValues(t, 2, b.effects.Load())
		require.Equal(t, "closed", up.Part("acme").State())
	})
}
