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

func TestALostReplyIsCheckedNotRepeated(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.after = first(1, noAnswer())
		pay := toolkit.Wrap(kit, b.checked())
		ctx, run := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK(), "%v", res.Outcome.Fault)
		require.Equal(t, receipt{"R-4711", 10}, res.Value)
		require.EqualValues(t, 1, b.effects.Load())
		require.Empty(t, run.OpenCases())
	})
}

func TestNotDoneRunsAgainUnderANewKey(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = first(1, noAnswer())
		pay := toolkit.Wrap(kit, b.checked())
		ctx, _ := start(t, kit, ticket)
		began := time.Now()
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK(), "%v", res.Outcome.Fault)
		require.Equal(t, 2, res.Attempts)
		require.EqualValues(t, 1, b.effects.Load())
		require.Len(t, b.keys, 2)
		require.NotEqual(t, b.keys[0], b.keys[1], "the service would answer the old key with its old error")
		require.GreaterOrEqual(t, time.Since(began), time.Second, "the request may have been on its way")
	})
}

func TestAServiceThatHonoursTheKeyIsAskedUnderTheSame(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = first(2, noAnswer())
		tool := b.tool()
		tool.KeyTTL = 24 * time.Hour
		pay := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK(), "%v", res.Outcome.Fault)
		require.Equal(t, 3, res.Attempts)
		require.NotEmpty(t, b.keys[0])
		require.Equal(t, b.keys[0], b.keys[1])
		require.Equal(t, b.keys[0], b.keys[2])
	})
}

func TestAKeyThatIsNoLongerHonouredIsNotReliedOn(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.after = first(1, noAnswer())
		tool := b.tool()
		tool.KeyTTL = time.Millisecond // over before the backoff is
		pay := toolkit.Wrap(kit, tool)
		ctx, run := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.EqualValues(t, 1, b.effects.Load())
		require.Len(t, run.OpenCases(), 1)
	})
}

func TestInDoubtNothingIsStartedByAnyone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.after = first(1, noAnswer())
		pay := toolkit.Wrap(kit, b.tool())
		ctx, run := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.Equal(t, fault.Escalate, res.Outcome.Fault.Action)
		require.NotEmpty(t, res.Outcome.Case)
		require.Equal(t, []string{res.Outcome.Case}, run.OpenCases())

		// The agent plans anew: other words, another amount, another run.
		ctx2, other := start(t, kit, runrecord.Task{Name: "invoices", Key: "ticket-4712"})
		for _, p := range []payment{{Invoice: "4711", Amount: 10}, {Invoice: "4711", Amount: 10, Memo: "please"}, {Invoice: "4711", Amount: 11}} {
			again := pay.Invoke(ctx2, p)
			require.Equal(t, fault.KindUnknown, again.Outcome.Kind)
			require.Equal(t, res.Outcome.Case, again.Outcome.Case)
			require.Equal(t, fault.RanUnknown, again.Outcome.Fault.Ran)
			require.Equal(t, fault.ReasonNetwork, again.Outcome.Reason(), "the stored reason is the cause")
		}
		require.Equal(t, []string{res.Outcome.Case}, other.OpenCases())
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestAPanicLeavesADoubt(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	var entered atomic.Int32
	pay := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write, KeyOf: func(p payment) string { return p.Invoice },
		Call: func(context.Context, payment) (receipt, error) { entered.Add(1); panic("half way") },
	})
	ctx, _ := start(t, kit, ticket)
	require.Equal(t, fault.KindUnknown, pay.Invoke(ctx, payment{Invoice: "4711"}).Outcome.Kind)
	require.Equal(t, fault.KindUnknown, pay.Invoke(ctx, payment{Invoice: "4711"}).Outcome.Kind)
	require.EqualValues(t, 1, entered.Load())
}

func TestACancelledCallerDoesNotLoseTheDoubt(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		pay := toolkit.Wrap(kit, b.checked())
		ctx, run := start(t, kit, ticket)
		gone, cancel := context.WithCancel(ctx)
		b.after = func(ctx context.Context, _ int) error {
			cancel()
			return ctx.Err()
		}
		res := pay.Invoke(gone, payment{Invoice: "4711", Amount: 10})
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.Zero(t, b.checks.Load(), "nobody is waiting for the answer")
		require.Empty(t, run.OpenCases(), "code can still find out")

		b.after = nil
		again := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, again.Outcome.OK())
		require.Equal(t, "R-4711", again.Value.ID)
		require.EqualValues(t, 1, b.effects.Load())
		require.Zero(t, run.Stats()["pay_invoice"].Unknown, "the first call was settled by the second")
	})
}

func TestACheckThatFailsIsAskedAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.after = first(1, noAnswer())
		b.answer = func(p payment) (toolkit.Happened, error) {
			if b.checks.Load() < 3 {
				return toolkit.CannotTell, errors.New("503")
			}
			return toolkit.Done, nil
		}
		pay := toolkit.Wrap(kit, b.checked())
		ctx, _ := start(t, kit, ticket)
		require.True(t, pay.Invoke(ctx, payment{Invoice: "4711"}).Outcome.OK())
		require.EqualValues(t, 3, b.checks.Load())
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestNotFoundDoesNotDisproveAReplyThatSaidDone(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.after = first(1, &fault.Fault{Reason: fault.ReasonMalformedResponse, Action: fault.Retry, Ran: fault.RanYes, Status: 200})
		b.answer = func(payment) (toolkit.Happened, error) { return toolkit.NotDone, nil }
		pay := toolkit.Wrap(kit, b.checked())
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711"})
		require.NotEmpty(t, res.Outcome.Case)
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestAnAnsweredFailureIsNotRepeatedByTheLedger(t *testing.T) {
	t.Parallel()
	ledger, err := idempotency.New(idempotency.Config{})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger})
	var entered atomic.Int32
	deploy := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "deploy", Effect: fault.Write,
		Call: func(context.Context, payment) (receipt, error) {
			entered.Add(1)
			return receipt{}, &fault.Fault{Reason: fault.ReasonCommandFailed, Action: fault.FailFast, Ran: fault.RanYes, Correctable: true}
		},
	})
	ctx, run := start(t, kit, ticket)
	for range 2 {
		res := deploy.Invoke(ctx, payment{Invoice: "v1"})
		require.Equal(t, fault.KindFailed, res.Outcome.Kind)
		require.Equal(t, fault.ReasonCommandFailed, res.Outcome.Reason())
	}
	require.EqualValues(t, 1, entered.Load())
	require.Empty(t, run.OpenCases(), "an answer never escalates")
	rows, err := ledger.List(ctx, idempotency.Query{})
	require.NoError(t, err)
	require.Len(t, rows, 1)
	require.Equal(t, idempotency.Failed, rows[0].State, "and nobody is left to wonder about it")
	require.False(t, rows[0].MayHaveApplied)
}

func TestAPendingWriteIsNotStartedTwice(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	var entered atomic.Int32
	order := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "order", Effect: fault.Write,
		Call: func(context.Context, payment) (receipt, error) {
			entered.Add(1)
			return receipt{ID: "job-1"}, toolkit.Pending("job-1")
		},
	})
	ctx, run := start(t, kit, ticket)
	for range 2 {
		require.Equal(t, fault.KindPending, order.Invoke(ctx, payment{Invoice: "1"}).Outcome.Kind)
	}
	require.EqualValues(t, 1, entered.Load())
	require.Empty(t, run.OpenCases())
}
