package toolkit_test

import (
	"context"
	"encoding/json"
	"sync"
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

// lost is a kit whose first payment of invoice 4711 is in doubt, and the case.
func lost(t *testing.T, cfg toolkit.Config) (*bank, *toolkit.Kit, *toolkit.Wrapped[payment, receipt], context.Context, *runrecord.Run, escalation.Case) {
	t.Helper()
	kit, b := toolkit.New(cfg), newBank()
	b.after = first(1, noAnswer())
	pay := toolkit.Wrap(kit, b.tool())
	ctx, run := start(t, kit, ticket)
	res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
	require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
	cases, err := kit.Cases().List(ctx, escalation.Filter{})
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.Equal(t, res.Outcome.Case, cases[0].ID)
	return b, kit, pay, ctx, run, cases[0]
}

func TestACaseShowsWhatAPersonNeeds(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var told []escalation.Case
		b, _, pay, ctx, run, c := lost(t, toolkit.Config{
			DecideWithin: time.Hour,
			Notify: escalation.NotifierFunc(func(_ context.Context, c escalation.Case) error {
				told = append(told, c)
				return nil
			}),
		})
		require.Equal(t, "pay_invoice", c.Tool)
		require.Equal(t, "invoices", c.Task)
		require.Equal(t, run.ID(), c.RunID)
		require.Equal(t, "4711", c.BusinessKey)
		require.Equal(t, b.keys[0], c.RemoteKey, "to search for at the provider")
		require.Contains(t, c.Args, "4711")
		require.NotContains(t, c.Args, "sk-live-0123456789abcdef")
		require.Len(t, c.Attempts, 1)
		require.Equal(t, fault.ReasonNetwork, c.Attempts[0].Reason)
		require.True(t, c.Attempts[0].Entered)
		require.Equal(t, c.Opened.Add(time.Hour), c.Deadline)
		var choices []idempotency.Choice
		for _, o := range c.Options {
			require.NotEmpty(t, o.Does)
			choices = append(choices, o.Choice)
		}
		require.Equal(t, []idempotency.Choice{idempotency.WentThrough, idempotency.RunAgain, idempotency.GiveUp, idempotency.Abort}, choices)

		pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.Len(t, told, 1, "nobody is asked twice")
		require.Equal(t, c.ID, told[0].ID)
		run.End()
		require.Equal(t, runrecord.Waiting, run.State())
	})
}

func TestResolvingACaseResumesTheRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		choice  idempotency.Choice
		settled fault.Kind // of the call that was in doubt
		next    fault.Kind // of the same call afterwards
		effects int32
		state   runrecord.State
	}{
		{idempotency.WentThrough, fault.KindOK, fault.KindOK, 1, runrecord.Running},
		{idempotency.RunAgain, fault.KindUnknown, fault.KindOK, 2, runrecord.Running},
		{idempotency.GiveUp, fault.KindFailed, fault.KindFailed, 1, runrecord.Running},
	} {
		t.Run(tt.choice.String(), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				b, kit, pay, ctx, run, c := lost(t, toolkit.Config{})
				run.End()
				require.Equal(t, runrecord.Waiting, run.State())

				d := c.Decide(tt.choice, "maria")
				d.Result = json.RawMessage(`{"id":"R-by-hand","amount":10}`)
				after, err := kit.Cases().Resolve(ctx, d)
				require.NoError(t, err)
				require.Equal(t, escalation.Decided, after.Status)
				require.Equal(t, tt.state, run.State())
				require.Equal(t, 2, run.Leg())
				require.Empty(t, run.OpenCases())
				calls := run.Calls()
				require.Equal(t, tt.settled, calls[0].Kind)

				_, err = kit.Cases().Resolve(ctx, c.Decide(idempotency.RunAgain, "joe"))
				require.Error(t, err, "a decision is single-use")

				res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
				require.Equal(t, tt.next, res.Outcome.Kind)
				require.Equal(t, tt.effects, b.effects.Load())
				require.Equal(t, tt.next, run.Calls()[0].Kind, "the call that was in doubt has heard of it")
				if tt.choice == idempotency.WentThrough {
					require.Equal(t, "R-by-hand", res.Value.ID)
				}
			})
		})
	}
}

func TestAbortingACaseEndsTheRun(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b, kit, pay, ctx, run, c := lost(t, toolkit.Config{})
		_, err := kit.Cases().Resolve(ctx, c.Decide(idempotency.Abort, "maria"))
		require.NoError(t, err)
		require.Error(t, run.Halted())
		require.Equal(t, fault.KindUnknown, run.Calls()[0].Kind, "nobody said whether it happened")

		ctx2, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx2, payment{Invoice: "4711", Amount: 10, Memo: "Bearer sk-live-0123456789abcdef0123456789abcdef"})
		require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
		require.Empty(t, res.Outcome.Case, "and nobody is asked again")
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestRecoverFindsADecisionMadeElsewhere(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		_, kit, _, ctx, run, c := lost(t, toolkit.Config{Ledger: ledger})
		elsewhere, err := escalation.New(escalation.Config{Ledger: ledger})
		require.NoError(t, err)
		_, err = elsewhere.Resolve(ctx, c.Decide(idempotency.WentThrough, "maria"))
		require.NoError(t, err)
		require.NotEmpty(t, run.OpenCases())
		r, err := kit.Recover(ctx)
		require.NoError(t, err)
		require.Equal(t, 1, r.Resumed)
		require.Empty(t, run.OpenCases())
		require.Equal(t, fault.KindOK, run.Calls()[0].Kind)
	})
}

// crashed leaves behind what a process leaves that dies inside a call.
func crashed(t *testing.T, ledger *idempotency.Ledger, invoice string, dispatch bool) {
	t.Helper()
	c, err := ledger.Claim(t.Context(), idempotency.Intent{
		Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:" + invoice}, Effect: fault.Write,
		Args: json.RawMessage(`{"invoice":"` + invoice + `","amount":10}`), HasCheck: true, Dispatch: dispatch,
	})
	require.NoError(t, err)
	require.Equal(t, idempotency.Execute, c.Answer)
}

func TestRecoverSettlesWhatACrashLeftBehind(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		b.paid["done"] = receipt{"R-done", 10}
		b.answer = nil
		tool := b.checked()
		find := tool.Check
		tool.Check = func(ctx context.Context, p payment) (toolkit.Checked[receipt], error) {
			require.NotEmpty(t, toolkit.IdempotencyKey(ctx), "to look it up by")
			if p.Invoice == "lost" {
				return toolkit.Checked[receipt]{}, nil
			}
			return find(ctx, p)
		}
		pay := toolkit.Wrap(kit, tool)
		for _, invoice := range []string{"done", "notdone", "lost"} {
			crashed(t, ledger, invoice, true)
		}
		crashed(t, ledger, "never", false)

		r, err := kit.Recover(t.Context())
		require.NoError(t, err)
		require.Equal(t, toolkit.Recovery{}, r, "the leases still hold")
		time.Sleep(31 * time.Second)
		r, err = kit.Recover(t.Context())
		require.NoError(t, err)
		require.Equal(t, 4, r.Expired)
		require.Equal(t, 1, r.Done)
		require.Equal(t, 1, r.Escalated)
		require.Zero(t, r.NotDone, "too soon to believe it")
		time.Sleep(2 * time.Second)
		r, err = kit.Recover(t.Context())
		require.NoError(t, err)
		require.Equal(t, toolkit.Recovery{NotDone: 1}, r)
		require.Zero(t, b.effects.Load(), "recovery starts no work")

		ctx, _ := start(t, kit, ticket)
		for invoice, want := range map[string]struct {
			kind     fault.Kind
			replayed bool
		}{
			"done": {fault.KindOK, true}, "notdone": {fault.KindOK, false}, "never": {fault.KindOK, false}, "lost": {fault.KindUnknown, false},
		} {
			res := pay.Invoke(ctx, payment{Invoice: invoice, Amount: 10})
			require.Equal(t, want.kind, res.Outcome.Kind, invoice)
			require.Equal(t, want.replayed, res.Outcome.Qualifiers.Has(fault.Replayed), invoice)
		}
		require.EqualValues(t, 2, b.effects.Load())
	})
}

func TestRecoverAsksNobodyAboutWhatHasAnAnswer(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	wrap := func(name string, err error) *toolkit.Wrapped[payment, receipt] {
		return toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
			Name: name, Effect: fault.Write,
			Call: func(context.Context, payment) (receipt, error) { return receipt{}, err },
		})
	}
	answered := wrap("deploy", &fault.Fault{Reason: fault.ReasonCommandFailed, Action: fault.FailFast, Ran: fault.RanYes})
	accepted := wrap("order", toolkit.Pending("job-1"))
	ctx, _ := start(t, kit, ticket)
	answered.Invoke(ctx, payment{})
	accepted.Invoke(ctx, payment{})
	r, err := kit.Recover(ctx)
	require.NoError(t, err)
	require.Equal(t, toolkit.Recovery{}, r)
	cases, err := kit.Cases().List(ctx, escalation.Filter{})
	require.NoError(t, err)
	require.Empty(t, cases)
}

func TestRecoverDoesNotCheckErasedArguments(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		toolkit.Wrap(kit, b.checked())
		crashed(t, ledger, "4711", true)
		time.Sleep(31 * time.Second)
		_, err = ledger.Sweep(t.Context())
		require.NoError(t, err)
		require.NoError(t, ledger.Erase(t.Context(), idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}.ID()))
		r, err := kit.Recover(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, r.Escalated)
		require.Zero(t, b.checks.Load(), "it would ask about another payment")
	})
}

func TestAHeldCallWaitsForApproval(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		pay := toolkit.Wrap(kit, b.tool())
		ctx, run := start(t, kit, judged(0))
		_, opened, err := ledger.Hold(ctx, idempotency.Intent{
			Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}, Effect: fault.Write,
			Args: json.RawMessage(`{"invoice":"4711","amount":10}`),
		}, "over the limit", time.Hour)
		require.NoError(t, err)
		require.True(t, opened)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.Equal(t, fault.KindPending, res.Outcome.Kind)
		require.Equal(t, []string{res.Outcome.Case}, run.OpenCases())

		c, err := kit.Cases().Show(ctx, res.Outcome.Case)
		require.NoError(t, err)
		d := c.Decide(idempotency.ApproveEdited, "maria")
		d.Args = json.RawMessage(`{"invoice":"4711","amount":7}`)
		_, err = kit.Cases().Resolve(ctx, d)
		require.NoError(t, err)
		require.Empty(t, run.OpenCases())
		require.Equal(t, fault.KindPending, run.Calls()[0].Kind, "approved is not done")
		res = pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK(), "%v", res.Outcome.Fault)
		require.EqualValues(t, 7, res.Value.Amount, "what was approved is what ran")
		ran := `pay_invoice {"amount":7,"invoice":"4711"} -> {"id":"R-4711","amount":7}`
		require.Equal(t, []string{ran, ran}, proofs(run), "of the call that waited, and of this one")
	})
}

// skewed is a store whose clock can be set ahead.
type skewed struct {
	mu    sync.Mutex
	row   idempotency.Row
	ahead time.Duration
}

func (s *skewed) Apply(_ context.Context, _ string, cmd idempotency.Command) (idempotency.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	row, _, err := idempotency.Apply(s.row, cmd, time.Now().Add(s.ahead))
	if err == nil {
		s.row = row
	}
	return row, err
}

func (s *skewed) Load(context.Context, string) (idempotency.Row, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.row, nil
}

func TestALateSuccessClosesTheCase(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &skewed{}
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		ctx2, other := start(t, kit, ticket)
		b.before = func(context.Context, int) error {
			// The process was stopped for an hour; its lease is over and another
			// run has asked a person.
			store.mu.Lock()
			store.ahead = time.Hour
			store.mu.Unlock()
			res := pay.Invoke(ctx2, payment{Invoice: "4711", Amount: 10})
			require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
			require.Len(t, other.OpenCases(), 1)
			return nil
		}
		require.True(t, pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10}).Outcome.OK())
		require.Equal(t, idempotency.Succeeded, store.row.State)
		require.Empty(t, other.OpenCases(), "the answer came by itself")
		require.Equal(t, fault.KindOK, other.Calls()[0].Kind)
		require.EqualValues(t, 1, b.effects.Load())
	})
}

// A result that the tool could not have returned would be found out when it is
// replayed, and edited arguments when they run: both after the person has left.
func TestApprovedArgumentsThatDoNotFitTheToolAreRefused(t *testing.T) {
	t.Parallel()
	ledger, err := idempotency.New(idempotency.Config{})
	require.NoError(t, err)
	kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
	toolkit.Wrap(kit, b.tool())
	key := idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}
	claim, _, err := ledger.Hold(t.Context(), idempotency.Intent{
		Key: key, Effect: fault.Write, Args: json.RawMessage(`{"invoice":"4711","amount":10}`),
	}, "over the limit", time.Hour)
	require.NoError(t, err)
	c, err := kit.Cases().Show(t.Context(), claim.CaseID)
	require.NoError(t, err)
	d := c.Decide(idempotency.ApproveEdited, "maria")
	d.Args = json.RawMessage(`{"invoice":"4711","amount":"seven"}`)
	_, err = kit.Cases().Resolve(t.Context(), d)
	require.ErrorIs(t, err, escalation.ErrDecision)
	require.ErrorContains(t, err, "amount: type")
	require.NotContains(t, err.Error(), "seven")
	d.Args = json.RawMessage(`{"invoice":"4711","amount":7}`)
	_, err = kit.Cases().Resolve(t.Context(), d)
	require.NoError(t, err)
}
