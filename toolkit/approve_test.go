package toolkit_test

import (
	"context"
	"encoding/json"
	"fmt"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// approved is the payment tool of a bank whose payments of more than 100 a person
// must allow.
func (b *bank) approved() toolkit.Tool[payment, receipt] {
	t := b.tool()
	t.Approve = func(p payment) string {
		if p.Amount > 100 {
			return fmt.Sprintf("%d is more than 100", p.Amount)
		}
		return ""
	}
	return t
}

var large = payment{Invoice: "4711", Amount: 500}

// theCase is the only open case.
func theCase(t *testing.T, kit *toolkit.Kit) escalation.Case {
	t.Helper()
	cases, err := kit.Cases().List(t.Context(), escalation.Filter{})
	require.NoError(t, err)
	require.Len(t, cases, 1)
	return cases[0]
}

func decide(t *testing.T, kit *toolkit.Kit, c escalation.Case, choice idempotency.Choice, args string) {
	t.Helper()
	d := c.Decide(choice, "maria")
	if args != "" {
		d.Args = json.RawMessage(args)
	}
	_, err := kit.Cases().Resolve(t.Context(), d)
	require.NoError(t, err)
}

func TestACallThatAPersonMustAllowWaits(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		var told []escalation.Case
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), DecideWithin: time.Hour, Notify: escalation.NotifierFunc(
			func(_ context.Context, c escalation.Case) error { told = append(told, c); return nil })}), newBank()
		pay := toolkit.Wrap(kit, b.approved())
		ctx, run := start(t, kit, ticket)
		require.True(t, pay.Invoke(ctx, payment{Invoice: "small", Amount: 100}).Outcome.OK(), "nobody needs to allow it")
		res := pay.Invoke(ctx, large)
		require.Equal(t, fault.KindPending, res.Outcome.Kind)
		require.NotEmpty(t, res.Outcome.Case)
		require.Contains(t, res.String(), "TOOL_PENDING")
		require.Equal(t, []string{res.Outcome.Case}, run.OpenCases())
		require.Equal(t, res.Outcome.Case, run.Calls()[1].Detail.Case)
		pay.Invoke(ctx, large)
		require.Len(t, told, 1, "nobody is asked twice")
		require.Equal(t, "500 is more than 100", told[0].Reason)
		require.Equal(t, told[0].Opened.Add(time.Hour), told[0].Deadline)
		require.EqualValues(t, 1, b.effects.Load())
		run.End()
		require.Equal(t, runrecord.Waiting, run.State())
	})
}

func TestWhatBecomesOfACallThatWaitedForAPerson(t *testing.T) {
	for _, tt := range []struct {
		name    string
		choice  idempotency.Choice // none: nobody answers in time
		args    string
		next    fault.Kind // of the same call afterwards
		rule    string
		paid    int64
		waiting bool // until the call is made
	}{
		{name: "approved", choice: idempotency.Approve, next: fault.KindOK, paid: 500, waiting: true},
		{name: "approved with other arguments", choice: idempotency.ApproveEdited, args: `{"invoice":"4711","amount":90}`, next: fault.KindOK, paid: 90, waiting: true},
		{name: "approved with arguments that ask for approval", choice: idempotency.ApproveEdited, args: `{"invoice":"4711","amount":400}`, next: fault.KindOK, paid: 400, waiting: true},
		{name: "rejected", choice: idempotency.Reject, next: fault.KindDenied, rule: "ledger:denied"},
		{name: "expired", next: fault.KindDenied, rule: "ledger:expired"},
	} {
		for _, by := range []string{"the agent", "recovery", "another process"} {
			t.Run(tt.name+" and asked for by "+by, func(t *testing.T) {
				ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
					cfg := toolkit.Config{Ledger: open(), DecideWithin: time.Hour}
					kit, b := toolkit.New(cfg), newBank()
					pay := toolkit.Wrap(kit, b.approved())
					ctx, run := start(t, kit, judged(0))
					pay.Invoke(ctx, large)
					run.End()
					if tt.choice == idempotency.NoChoice {
						time.Sleep(2 * time.Hour)
						_, err := kit.Recover(ctx)
						require.NoError(t, err)
					} else {
						decide(t, kit, theCase(t, kit), tt.choice, tt.args)
					}
					require.Empty(t, run.OpenCases())
					require.Equal(t, runrecord.Running, run.State(), "it is woken at once")
					require.Equal(t, 2, run.Leg())
					first := func() fault.Kind { return run.Calls()[0].Kind }
					if tt.waiting {
						require.Equal(t, fault.KindPending, first(), "approved is not done")
					} else {
						require.Equal(t, fault.KindDenied, first())
						require.Equal(t, tt.rule, run.Calls()[0].Detail.Rule)
					}
					switch by {
					case "recovery":
						_, err := kit.Recover(ctx)
						require.NoError(t, err)
						require.Equal(t, tt.next, first())
					case "another process":
						cfg.Ledger = open()
						kit = toolkit.New(cfg)
						pay = toolkit.Wrap(kit, b.approved())
						ctx, _ = start(t, kit, ticket)
					}
					res := pay.Invoke(ctx, large)
					require.Equal(t, tt.next, res.Outcome.Kind)
					if tt.paid == 0 {
						require.Equal(t, tt.rule, res.Outcome.Fault.Rule)
						require.Zero(t, b.effects.Load())
						cases, err := kit.Cases().List(ctx, escalation.Filter{})
						require.NoError(t, err)
						require.Empty(t, cases, "what was denied is not asked about again")
						return
					}
					require.Equal(t, tt.paid, res.Value.Amount)
					require.EqualValues(t, 1, b.effects.Load())
				})
			})
		}
	}
}

func TestAnApprovalIsForTheseArguments(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		pay := toolkit.Wrap(kit, b.approved())
		ctx, _ := start(t, kit, ticket)
		pay.Invoke(ctx, large)
		shown := theCase(t, kit)
		larger := payment{Invoice: "4711", Amount: 50_000}
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, larger).Outcome.Kind)
		_, err := kit.Cases().Resolve(ctx, shown.Decide(idempotency.Approve, "maria"))
		require.ErrorIs(t, err, idempotency.ErrStale, "maria was shown 500")
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, large).Outcome.Kind, "50000 was allowed, not 500")
		_, err = kit.Recover(ctx)
		require.NoError(t, err)
		require.Zero(t, b.effects.Load())
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		require.EqualValues(t, 500, pay.Invoke(ctx, large).Value.Amount)
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestAnApprovalGrowsOld(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), ApprovedFor: time.Hour}), newBank()
		b.before = first(1, overloaded())
		tool := b.approved()
		pay := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, ticket)
		pay.Invoke(ctx, large)
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		time.Sleep(time.Hour)
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, large).Outcome.Kind)
		_, err := kit.Recover(ctx)
		require.NoError(t, err)
		require.Empty(t, b.keys)
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		require.True(t, pay.Invoke(ctx, large).Outcome.OK(), "a retry needs no second approval")
		require.Len(t, b.keys, 2)
	})
}

// A row that was free to run before somebody made approval a rule is not run
// without it.
func TestWhatWasFreeIsHeldToANewRule(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), MaxAttempts: 1}), newBank()
		b.before = first(1, overloaded())
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		require.Equal(t, fault.KindFailed, pay.Invoke(ctx, large).Outcome.Kind)

		kit = toolkit.New(toolkit.Config{Ledger: open()})
		pay = toolkit.Wrap(kit, b.approved())
		ctx, _ = start(t, kit, ticket)
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, large).Outcome.Kind)
		require.Zero(t, b.effects.Load())
	})
}

func TestEachCallOfABatchIsACaseOfItsOwn(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		toolkit.Wrap(kit, b.approved())
		ctx, run := start(t, kit, ticket)
		var calls []toolkit.Request
		for i := range 3 {
			calls = append(calls, toolkit.Request{ID: fmt.Sprint(i), Name: "pay_invoice", Args: json.RawMessage(fmt.Sprintf(`{"invoice":"I-%d","amount":500}`, i))})
		}
		calls = append(calls, toolkit.Request{ID: "small", Name: "pay_invoice", Args: json.RawMessage(`{"invoice":"small","amount":5}`)})
		all := kit.InvokeAll(ctx, calls)
		require.True(t, all[3].Outcome.OK(), "it waits for none of them")
		require.Len(t, run.OpenCases(), 3)
		for i, choice := range []idempotency.Choice{idempotency.Approve, idempotency.Reject, idempotency.Approve} {
			c, err := kit.Cases().Show(ctx, all[i].Outcome.Case)
			require.NoError(t, err)
			decide(t, kit, c, choice, "")
		}
		all = kit.InvokeAll(ctx, calls)
		require.True(t, all[0].Outcome.OK())
		require.Equal(t, fault.KindDenied, all[1].Outcome.Kind)
		require.True(t, all[2].Outcome.OK())
		require.EqualValues(t, 3, b.effects.Load())
	})
}

// A read that a person must allow goes through the ledger, and another one like it
// is another question.
func TestAReadThatAPersonMustAllow(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit := toolkit.New(toolkit.Config{Ledger: open()})
		var looked atomic.Int32
		find := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
			Name: "read_salary", Effect: fault.Read,
			Call:    func(context.Context, query) (invoice, error) { return invoice{"INV-1", int64(looked.Add(1))}, nil },
			Approve: func(query) string { return "it is private" },
		})
		ctx, _ := start(t, kit, ticket)
		for i := range 2 {
			require.Equal(t, fault.KindPending, find.Invoke(ctx, acme).Outcome.Kind)
			decide(t, kit, theCase(t, kit), idempotency.Approve, "")
			res := find.Invoke(ctx, acme)
			require.True(t, res.Outcome.OK(), "%v", res.Outcome.Fault)
			require.EqualValues(t, i+1, res.Value.Amount)
			require.EqualValues(t, i+1, looked.Load())
		}
	})
}

func TestWithoutAKeyNobodyIsAskedAndNothingRuns(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		tool := b.approved()
		tool.KeyOf = nil
		pay := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, runrecord.Task{Name: "invoices"})
		res := pay.Invoke(ctx, large)
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.ErrorIs(t, res.Outcome.Fault, idempotency.ErrNoKey)
		require.Zero(t, b.effects.Load())
	})
}

func TestAPolicyMayAskForApprovalOrWaiveIt(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		said := map[string]toolkit.Approval{"always": toolkit.ApprovalAlways, "never": toolkit.ApprovalNever}
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), Declare: func(tool string) toolkit.Declaration {
			return toolkit.Declaration{Approve: said[tool]}
		}}), newBank()
		wrap := func(name string) *toolkit.Wrapped[payment, receipt] {
			tool := b.approved()
			tool.Name = name
			return toolkit.Wrap(kit, tool)
		}
		always, never := wrap("always"), wrap("never")
		ctx, _ := start(t, kit, ticket)
		require.True(t, never.Invoke(ctx, large).Outcome.OK())
		require.Equal(t, fault.KindPending, always.Invoke(ctx, payment{Invoice: "small", Amount: 1}).Outcome.Kind)
		require.Equal(t, "every call of this tool must be allowed by a person", theCase(t, kit).Reason)
	})
}

// An Approve that panics must not let the call through.
func TestAnApproveThatPanicsLetsNothingThrough(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		tool := b.tool()
		tool.Approve = func(payment) string { panic("no such limit") }
		pay := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, large)
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.Equal(t, fault.ReasonPanic, res.Outcome.Fault.Reason)
		require.Zero(t, b.effects.Load())
	})
}
