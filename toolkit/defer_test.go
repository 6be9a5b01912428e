package toolkit_test

import (
	"context"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// patient is the payment tool of a bank whose payments may wait for a day.
func (b *bank) patient() toolkit.Tool[payment, receipt] {
	t := b.tool()
	t.Defer = 24 * time.Hour
	t.Upstream = toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "bank", Breaker: toolkit.BreakerConfig{MinCalls: 3}})
	return t
}

func invoiced(name string) payment { return payment{Invoice: name, Amount: 10} }

func TestACallThatMayWaitIsDeferredWhenItsUpstreamIsDown(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		core, logs := observer.New(zap.WarnLevel)
		ledger := open()
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger, Logger: zap.New(core)}), newBank()
		down := true
		b.before = func(context.Context, int) error {
			if down {
				return overloaded()
			}
			return nil
		}
		pay := toolkit.Wrap(kit, b.patient())
		ctx, run := start(t, kit, judged(0))
		asked := time.Now()
		for i, name := range []string{"tried", "turned away"} { // the breaker is open by then
			res := pay.Invoke(ctx, invoiced(name))
			require.Equal(t, fault.KindPending, res.Outcome.Kind, name)
			require.Contains(t, res.String(), "TOOL_PENDING", name)
			c := run.Calls()[i]
			require.Equal(t, fault.KindPending, c.Kind)
			require.Equal(t, res.Outcome.Fault.Reason, c.Reason, "why it could not be made is kept")
			require.Equal(t, fault.RanNo, c.Ran)
			row, err := ledger.Row(ctx, c.Detail.Code)
			require.NoError(t, err, "the handle of the call is its row")
			require.Equal(t, idempotency.Deferred, row.State)
			require.Equal(t, "bank", row.Gate)
			require.WithinDuration(t, asked.Add(24*time.Hour), row.NotAfter, 10*time.Second)
		}
		require.Equal(t, fault.ReasonOverloaded, run.Calls()[0].Reason)
		require.Equal(t, fault.ReasonBreakerOpen, run.Calls()[1].Reason)
		require.Len(t, b.keys, 3)
		require.Equal(t, 2, logs.FilterMessage("tool call deferred").Len(), "a service that is down does not go unseen")
		run.Judged(runrecord.Judgment{Decision: "defer", State: runrecord.Deferred})
		run.End()
		require.Equal(t, runrecord.Deferred, run.State())

		did, err := kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{}, did, "the breaker is open")
		time.Sleep(time.Minute)
		did, err = kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{PutOff: 1}, did, "one to see")
		require.Len(t, b.keys, 4)
		require.Equal(t, fault.KindPending, run.Calls()[0].Kind)

		down = false
		time.Sleep(time.Minute)
		r, err := kit.Recover(ctx)
		require.NoError(t, err)
		require.Equal(t, 2, r.Drained)
		require.EqualValues(t, 2, b.effects.Load())
		for _, c := range run.Calls() {
			require.Equal(t, fault.KindOK, c.Kind)
			require.True(t, c.Detail.Settled)
		}
		require.Equal(t, runrecord.Running, run.State(), "the run goes on")
		require.Equal(t, 2, run.Leg())
		require.True(t, pay.Invoke(ctx, invoiced("tried")).Outcome.Qualifiers.Has(fault.Replayed))
	})
}

func TestWhatIsDeferredAndWhatIsNot(t *testing.T) {
	for _, tt := range []struct {
		name string
		end  error
		want fault.Kind
	}{
		{"overloaded", overloaded(), fault.KindPending},
		{"never reached", &fault.Fault{Reason: fault.ReasonNetwork, Action: fault.Retry, Ran: fault.RanNo}, fault.KindPending},
		{"too many requests, for longer than one may wait", &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Wait: time.Hour}, fault.KindPending},
		{"no answer: it may have happened", noAnswer(), fault.KindUnknown},
		{"refused for what was asked", refusedBy(fault.ReasonInvalidArgs, 422), fault.KindFailed},
		{"a dead credential is told at once", refusedBy(fault.ReasonAuth, 401), fault.KindFailed},
		{"a person said no", fault.Denied("no"), fault.KindDenied},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
				kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
				b.before = first(99, tt.end)
				pay := toolkit.Wrap(kit, b.patient())
				ctx, _ := start(t, kit, ticket)
				require.Equal(t, tt.want, pay.Invoke(ctx, invoiced("4711")).Outcome.Kind)
			})
		})
	}
}

func TestCallsToAnUpstreamThatIsDeadForTheRunWait(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		b.before = first(2, refusedBy(fault.ReasonAuth, 401))
		pay := toolkit.Wrap(kit, b.patient())
		ctx, run := start(t, kit, ticket)
		require.Equal(t, fault.KindFailed, pay.Invoke(ctx, invoiced("first")).Outcome.Kind)
		for _, name := range []string{"second", "third"} {
			res := pay.Invoke(ctx, invoiced(name))
			require.Equal(t, fault.KindPending, res.Outcome.Kind)
			require.Equal(t, fault.ReasonToolDead, res.Outcome.Fault.Reason)
		}
		require.Len(t, b.keys, 1)
		did, err := kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{PutOff: 1}, did, "the credential is still dead, and the call is not lost by that")
		did, err = kit.Drain(ctx)
		require.NoError(t, err)
		require.Equal(t, toolkit.Drained{Done: 2}, did)
		require.Equal(t, fault.KindOK, run.Calls()[2].Kind)
	})
}

// A call that nobody may keep fails as before.
func TestWithoutAKeyOrATimeACallDoesNotWait(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		b.before = first(99, overloaded())
		tool := b.patient()
		tool.Defer = 0
		pay := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, ticket)
		require.Equal(t, fault.KindFailed, pay.Invoke(ctx, invoiced("4711")).Outcome.Kind)
	})
}

func TestADeferredCallThatIsStaleIsPutBeforeAPerson(t *testing.T) {
	for _, choice := range []idempotency.Choice{idempotency.RunAgain, idempotency.GiveUp} {
		t.Run(choice.String(), func(t *testing.T) {
			ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
				told := &notes{}
				kit, b := toolkit.New(toolkit.Config{Ledger: open(), Notify: told}), newBank()
				b.before = first(3, overloaded())
				pay := toolkit.Wrap(kit, b.patient())
				ctx, run := start(t, kit, ticket)
				pay.Invoke(ctx, invoiced("4711"))
				time.Sleep(25 * time.Hour)
				r, err := kit.Recover(ctx)
				require.NoError(t, err)
				require.Equal(t, 1, r.Expired)
				require.Equal(t, 1, r.Announced)
				require.Len(t, told.cases, 1)
				require.Zero(t, r.Drained)
				require.Zero(t, b.effects.Load())
				require.Len(t, run.OpenCases(), 1, "the run waits for the answer now")
				res := pay.Invoke(ctx, invoiced("4711"))
				require.Equal(t, fault.KindPending, res.Outcome.Kind, "it was never made, so it cannot have happened")
				decide(t, kit, theCase(t, kit), choice, "")
				_, err = kit.Recover(ctx)
				require.NoError(t, err)
				want, effects := fault.KindOK, 1
				if choice == idempotency.GiveUp {
					want, effects = fault.KindFailed, 0
				}
				require.Equal(t, want, run.Calls()[0].Kind)
				require.EqualValues(t, effects, b.effects.Load())
				require.Empty(t, run.OpenCases())
			})
		})
	}
}

func TestADeferredCallIsLookedAtAgainBeforeItIsMade(t *testing.T) {
	for _, tt := range []struct {
		name   string
		after  func(tool *toolkit.Tool[payment, receipt]) // what has changed by then
		reason string
		choice idempotency.Choice
		args   string
		paid   int64
	}{
		{
			name: "the tool takes other arguments",
			after: func(tool *toolkit.Tool[payment, receipt]) {
				tool.Schema = []byte(`{"type":"object","properties":{"amount":{"maximum":5}}}`)
			},
			reason: "no longer fit the tool; amount: maximum 5", choice: idempotency.ApproveEdited, args: `{"invoice":"4711","amount":4}`, paid: 4,
		},
		{
			name:   "a person must allow it now",
			after:  func(tool *toolkit.Tool[payment, receipt]) { tool.Approve = func(payment) string { return "new rule" } },
			reason: "new rule", choice: idempotency.Approve, paid: 10,
		},
	} {
		t.Run(tt.name, func(t *testing.T) {
			ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
				kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
				b.before = first(3, overloaded())
				pay := toolkit.Wrap(kit, b.patient())
				ctx, _ := start(t, kit, ticket)
				pay.Invoke(ctx, invoiced("4711"))
				time.Sleep(time.Minute)

				kit = toolkit.New(toolkit.Config{Ledger: open()}) // a new version of the program
				tool := b.patient()
				tt.after(&tool)
				toolkit.Wrap(kit, tool)
				did, err := kit.Drain(ctx)
				require.NoError(t, err)
				require.Equal(t, toolkit.Drained{Held: 1}, did)
				require.Zero(t, b.effects.Load())
				require.Contains(t, theCase(t, kit).Reason, tt.reason)
				decide(t, kit, theCase(t, kit), tt.choice, tt.args)
				_, err = kit.Recover(ctx)
				require.NoError(t, err)
				require.EqualValues(t, 1, b.effects.Load())
				require.Equal(t, tt.paid, b.paid["4711"].Amount)
			})
		})
	}
}

func TestAnApprovalTooOldWhenItsTurnComesIsAskedForAgain(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open(), ApprovedFor: time.Hour}), newBank()
		b.before = first(3, overloaded())
		tool := b.patient()
		tool.Approve = func(payment) string { return "it is money" }
		pay := toolkit.Wrap(kit, tool)
		ctx, run := start(t, kit, ticket)
		pay.Invoke(ctx, invoiced("4711"))
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, invoiced("4711")).Outcome.Kind)
		require.Empty(t, run.OpenCases(), "it is allowed, and waits for the bank")
		time.Sleep(2 * time.Hour)
		r, err := kit.Recover(ctx)
		require.NoError(t, err)
		require.Zero(t, r.Drained)
		require.Len(t, run.OpenCases(), 1)
		decide(t, kit, theCase(t, kit), idempotency.Approve, "")
		_, err = kit.Recover(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 1, b.effects.Load())
		require.Equal(t, fault.KindOK, run.Calls()[0].Kind, "both calls have heard of it")
		require.Equal(t, fault.KindOK, run.Calls()[1].Kind)
	})
}

// Idempotent work without a business key is new each time, deferred or not.
func TestDeferringMakesNoCallAReplay(t *testing.T) {
	ledgers(t, func(t *testing.T, open func() *idempotency.Ledger) {
		kit, b := toolkit.New(toolkit.Config{Ledger: open()}), newBank()
		tool := b.patient()
		tool.Effect, tool.KeyOf = fault.Idempotent, nil
		set := toolkit.Wrap(kit, tool)
		ctx, _ := start(t, kit, ticket)
		down := true
		b.before = func(context.Context, int) error {
			if down {
				return overloaded()
			}
			return nil
		}
		require.Equal(t, fault.KindPending, set.Invoke(ctx, invoiced("open")).Outcome.Kind)
		time.Sleep(time.Minute)
		down = false
		_, err := kit.Drain(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 1, b.effects.Load())
		res := set.Invoke(ctx, invoiced("open"))
		require.True(t, res.Outcome.OK())
		require.False(t, res.Outcome.Qualifiers.Has(fault.Replayed))
		require.EqualValues(t, 2, b.effects.Load())
		down = true
		require.Equal(t, fault.KindPending, set.Invoke(ctx, invoiced("open")).Outcome.Kind)
		time.Sleep(time.Minute)
		down = false
		_, err = kit.Drain(ctx)
		require.NoError(t, err)
		require.EqualValues(t, 3, b.effects.Load())
	})
}
