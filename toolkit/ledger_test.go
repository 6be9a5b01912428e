package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync"
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

func TestAWriteHappensOnceAcrossRuns(t *testing.T) {
	t.Parallel()
	kit, b := toolkit.New(toolkit.Config{}), newBank()
	pay := toolkit.Wrap(kit, b.tool())
	ctx, _ := start(t, kit, ticket)
	one := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
	require.True(t, one.Outcome.OK())

	// The agent restarts, and plans the same payment again.
	ctx, run := start(t, kit, ticket)
	two := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
	require.True(t, two.Outcome.OK())
	require.True(t, two.Outcome.Qualifiers.Has(fault.Replayed))
	require.Equal(t, one.Value, two.Value)
	require.EqualValues(t, 1, b.effects.Load())
	require.Equal(t, 1, run.Stats()["pay_invoice"].OK, "a replayed success is evidence")

	// On purpose once more.
	again := pay.Invoke(idempotency.Again(ctx, "the customer asked for a second one"), payment{Invoice: "4711", Amount: 10})
	require.True(t, again.Outcome.OK())
	require.False(t, again.Outcome.Qualifiers.Has(fault.Replayed))
	require.EqualValues(t, 2, b.effects.Load())
}

func TestAParallelBatchOfOnePaymentPaysOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = func(ctx context.Context, _ int) error {
			time.Sleep(time.Second)
			return nil
		}
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		var replayed atomic.Int32
		var wg sync.WaitGroup
		for range 16 {
			wg.Go(func() {
				res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
				if !res.Outcome.OK() || res.Value.ID != "R-4711" {
					t.Errorf("%v %v", res.Outcome.Kind, res.Value)
				}
				if res.Outcome.Qualifiers.Has(fault.Replayed) {
					replayed.Add(1)
				}
			})
		}
		wg.Wait()
		require.EqualValues(t, 1, b.effects.Load())
		require.EqualValues(t, 15, replayed.Load())
	})
}

func TestWhoDoesNotWaitIsToldPending(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = func(context.Context, int) error { time.Sleep(2 * time.Minute); return nil }
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		var wg sync.WaitGroup
		wg.Go(func() { pay.Invoke(ctx, payment{Invoice: "4711"}) })
		for range 2 { // at once, and when its first lease would be over
			synctest.Wait()
			short, cancel := context.WithTimeout(ctx, time.Second)
			res := pay.Invoke(short, payment{Invoice: "4711"})
			cancel()
			require.Equal(t, fault.KindPending, res.Outcome.Kind)
			time.Sleep(45 * time.Second)
		}
		wg.Wait()
		require.EqualValues(t, 1, b.effects.Load(), "a long call keeps its lease")
	})
}

func TestOtherArgumentsUnderOneKeyAreAConflict(t *testing.T) {
	t.Parallel()
	kit, b := toolkit.New(toolkit.Config{}), newBank()
	tool := b.tool()
	tool.Volatile = []string{"memo"}
	pay := toolkit.Wrap(kit, tool)
	ctx, _ := start(t, kit, ticket)
	require.True(t, pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "thanks"}).Outcome.OK())
	reworded := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10, Memo: "thank you"})
	require.True(t, reworded.Outcome.Qualifiers.Has(fault.Replayed))
	other := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 98765})
	require.Equal(t, fault.KindNotRun, other.Outcome.Kind)
	require.Equal(t, fault.ReasonConflict, other.Outcome.Reason())
	require.Zero(t, other.Value, "never the old result")
	require.ErrorContains(t, other.Outcome.Fault.Err, "/amount")
	require.ErrorContains(t, other.Outcome.Fault.Err, "Tool.Volatile")
	require.Contains(t, other.String(), "The first call stands")
	require.NotContains(t, other.Outcome.Fault.Err.Error(), "98765")
	require.EqualValues(t, 1, b.effects.Load())
}

func TestAWriteWithoutAKeyIsNotExecuted(t *testing.T) {
	t.Parallel()
	kit, b := toolkit.New(toolkit.Config{}), newBank()
	plain := b.tool()
	plain.Name, plain.KeyOf = "pay", nil
	pay := toolkit.Wrap(kit, plain)
	empty := b.tool()
	empty.KeyOf = func(payment) string { return "" }
	keyed := toolkit.Wrap(kit, empty)
	idem := b.tool()
	idem.Name, idem.Effect, idem.KeyOf = "put", fault.Idempotent, nil
	put := toolkit.Wrap(kit, idem)

	ctx, _ := start(t, kit, runrecord.Task{Name: "invoices"}) // no key
	for _, res := range []toolkit.Result[receipt]{pay.Invoke(ctx, payment{}), keyed.Invoke(ctx, payment{}), pay.Invoke(t.Context(), payment{})} {
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.ErrorIs(t, res.Outcome.Fault, idempotency.ErrNoKey)
		require.NotContains(t, res.String(), "out of order", "it would run with a key")
		require.NotEqual(t, fault.ReasonToolDead, res.Outcome.Reason())
	}
	require.ErrorContains(t, pay.Invoke(ctx, payment{}).Outcome.Fault.Err, "set Task.Key or Tool.KeyOf, or declare fault.Read")
	require.ErrorContains(t, keyed.Invoke(ctx, payment{}).Outcome.Fault.Err, "its KeyOf returned nothing")
	require.Zero(t, b.effects.Load())
	require.True(t, put.Invoke(ctx, payment{}).Outcome.OK(), "again changes nothing more")

	// The task's key is enough, also that of a parent.
	ctx, _ = start(t, kit, ticket)
	ctx, child, err := kit.Start(ctx, runrecord.Task{Name: "sub-agent"})
	require.NoError(t, err)
	t.Cleanup(child.End)
	require.True(t, pay.Invoke(ctx, payment{Invoice: "1"}).Outcome.OK())
	require.True(t, pay.Invoke(ctx, payment{Invoice: "2"}).Outcome.OK())
	require.True(t, pay.Invoke(ctx, payment{Invoice: "1"}).Outcome.Qualifiers.Has(fault.Replayed))
	require.EqualValues(t, 3, b.effects.Load())
}

func TestARefusedCallMayBeCorrected(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = first(1, refusedBy(fault.ReasonInvalidArgs, 422))
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		require.Equal(t, fault.KindFailed, pay.Invoke(ctx, payment{Invoice: "4711", Amount: -1}).Outcome.Kind)
		require.True(t, pay.Invoke(ctx, payment{Invoice: "4711", Amount: 1}).Outcome.OK())
		require.EqualValues(t, 1, b.effects.Load())
	})
}

func TestAFinalRefusalStaysRefused(t *testing.T) {
	t.Parallel()
	kit, b := toolkit.New(toolkit.Config{}), newBank()
	b.before = first(1, fault.Permanent(errors.New("account closed")))
	pay := toolkit.Wrap(kit, b.tool())
	ctx, _ := start(t, kit, ticket)
	for range 2 {
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 1})
		require.Equal(t, fault.KindFailed, res.Outcome.Kind)
		require.Equal(t, fault.RanNo, res.Outcome.Fault.Ran)
	}
	require.Len(t, b.keys, 1)
}

func TestAQualifiedResultIsReplayedAsQualified(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	send := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "send", Effect: fault.Write,
		Call: func(context.Context, payment) (receipt, error) { return receipt{ID: "1"}, toolkit.Partial(nil) },
	})
	ctx, _ := start(t, kit, ticket)
	send.Invoke(ctx, payment{})
	res := send.Invoke(ctx, payment{})
	require.True(t, res.Outcome.Qualifiers.Has(fault.Replayed|fault.Partial))
}

func TestAResultTooLargeToKeepDoesNotFailTheCall(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	dump := toolkit.Wrap(kit, toolkit.Tool[payment, []string]{
		Name: "dump", Effect: fault.Write, MaxResult: 1 << 20,
		Call: func(context.Context, payment) ([]string, error) { return []string{strings.Repeat("x", 65<<10)}, nil },
	})
	ctx, _ := start(t, kit, ticket)
	require.Len(t, dump.Invoke(ctx, payment{}).Value, 1)
	res := dump.Invoke(ctx, payment{})
	require.Equal(t, fault.Replayed|fault.Truncated|fault.NoValue, res.Outcome.Qualifiers)
	require.Empty(t, res.Value)
	const want = "TOOL_NOTE: dump worked. It was done before and was not done again; what it returned was not kept. Do not make it up."
	require.Equal(t, want, res.String())
	require.Equal(t, want, kit.Invoke(ctx, "dump", json.RawMessage(`{"invoice":"","amount":0}`)).String())
}

// The first waits on the row and asks nobody; when the second learns how the
// work ended, the first is told as well.
func TestAnAnswerFromTheLedgerIsToldToWhoeverWaitsForIt(t *testing.T) {
	t.Parallel()
	for name, end := range map[string]func(*idempotency.Claim) error{
		"done":    func(c *idempotency.Claim) error { return c.Succeed(context.Background(), []byte(`{"id":"R"}`), 0) },
		"refused": func(c *idempotency.Claim) error { return c.Refuse(context.Background(), idempotency.Trouble{}) },
		"denied":  func(c *idempotency.Claim) error { return c.Deny(context.Background(), idempotency.Trouble{}) },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				ledger, err := idempotency.New(idempotency.Config{})
				require.NoError(t, err)
				kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
				b.after = first(1, noAnswer())
				b.answer = func(payment) (toolkit.Happened, error) { return toolkit.NotDone, nil }
				tool := b.checked()
				pay := toolkit.Wrap(kit, tool)
				ctx, run := start(t, kit, ticket)
				short, cancel := context.WithTimeout(ctx, 500*time.Millisecond) // too short for the Check
				defer cancel()
				require.Equal(t, fault.KindUnknown, pay.Invoke(short, payment{Invoice: "4711"}).Outcome.Kind)

				// Another process settles it and does the work.
				row, err := ledger.Row(ctx, idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}.ID())
				require.NoError(t, err)
				time.Sleep(2 * time.Second)
				row, err = ledger.Check(ctx, row, idempotency.NotDone, nil, "")
				require.NoError(t, err)
				claim, err := ledger.Claim(ctx, idempotency.Intent{Key: row.Key, Effect: fault.Write, Args: row.Args})
				require.NoError(t, err)
				require.NoError(t, end(claim))

				res := pay.Invoke(ctx, payment{Invoice: "4711"})
				calls := run.Calls()
				require.Len(t, calls, 2)
				require.Equal(t, res.Outcome.Kind, calls[0].Kind)
			})
		})
	}
}
