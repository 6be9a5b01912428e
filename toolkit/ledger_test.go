package toolkit_test

import (
	"context"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type payment struct {
	Invoice string `json:"invoice"`
	Amount  int64  `json:"amount"`
	Memo    string `json:"memo,omitempty"`
}

type receipt struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

// bank is a service that pays. It counts real effects, and can lose the reply
// after one, or refuse before.
type bank struct {
	mu      sync.Mutex
	paid    map[string]receipt // by invoice
	effects atomic.Int32
	keys    []string                                  // the idempotency keys it was handed
	before  func(ctx context.Context, n int) error    // refuses the n-th request, before the effect
	after   func(ctx context.Context, n int) error    // loses the reply to it, after the effect
	checks  atomic.Int32                              // times Check was asked
	answer  func(p payment) (toolkit.Happened, error) // nil: the truth
}

func newBank() *bank { return &bank{paid: map[string]receipt{}} }

func (b *bank) pay(ctx context.Context, p payment) (receipt, error) {
	b.mu.Lock()
	b.keys = append(b.keys, toolkit.IdempotencyKey(ctx))
	n := len(b.keys)
	b.mu.Unlock()
	if b.before != nil {
		if err := b.before(ctx, n); err != nil {
			return receipt{}, err
		}
	}
	b.effects.Add(1)
	r := receipt{"R-" + p.Invoice, p.Amount}
	b.mu.Lock()
	b.paid[p.Invoice] = r
	b.mu.Unlock()
	if b.after != nil {
		if err := b.after(ctx, n); err != nil {
			return receipt{}, err
		}
	}
	return r, nil
}

func (b *bank) find(_ context.Context, p payment) (toolkit.Checked[receipt], error) {
	b.checks.Add(1)
	if b.answer != nil {
		h, err := b.answer(p)
		return toolkit.Checked[receipt]{Happened: h}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.paid[p.Invoice]; ok {
		return toolkit.Checked[receipt]{Happened: toolkit.Done, Result: r}, nil
	}
	return toolkit.Checked[receipt]{Happened: toolkit.NotDone}, nil
}

// tool is the payment tool of a bank, without a Check.
func (b *bank) tool() toolkit.Tool[payment, receipt] {
	return toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write, Call: b.pay,
		KeyOf: func(p payment) string { return p.Invoice },
	}
}

func (b *bank) checked() toolkit.Tool[payment, receipt] {
	t := b.tool()
	t.Check = b.find
	return t
}

// first fails for the first n requests.
func first(n int, err error) func(context.Context, int) error {
	return func(_ context.Context, i int) error {
		if i <= n {
			return err
		}
		return nil
	}
}

var ticket = runrecord.Task{Name: "invoices", Key: "ticket-4711"}

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
	}
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
	kit := toolkit.New(toolkit.Config{})
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
	dump := toolkit.Wrap(kit, toolkit.Tool[payment, string]{
		Name: "dump", Effect: fault.Write,
		Call: func(context.Context, payment) (string, error) { return string(make([]byte, 1<<20)), nil },
	})
	ctx, _ := start(t, kit, ticket)
	require.Len(t, dump.Invoke(ctx, payment{}).Value, 1<<20)
	res := dump.Invoke(ctx, payment{})
	require.True(t, res.Outcome.Qualifiers.Has(fault.Replayed|fault.Truncated), "done, and nothing is left of the result")
	require.Empty(t, res.Value)
}

func TestAReadAsksNoLedger(t *testing.T) {
	t.Parallel()
	ledger, err := idempotency.New(idempotency.Config{Store: brokenStore{}})
	require.NoError(t, err)
	kit := toolkit.New(toolkit.Config{Ledger: ledger})
	find := read(kit, "find", lookUp)
	ctx, _ := start(t, kit, ticket)
	require.True(t, find.Invoke(ctx, acme).Outcome.OK())
}

// brokenStore is down.
type brokenStore struct{}

var errDisk = errors.New("disk full: /var/lib/secret-volume")

func (brokenStore) Apply(context.Context, string, idempotency.Command) (idempotency.Row, error) {
	return idempotency.Row{}, errDisk
}
func (brokenStore) Load(context.Context, string) (idempotency.Row, error) {
	return idempotency.Row{}, errDisk
}

func TestWithoutAStoreAWriteIsNotExecuted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{Store: brokenStore{}})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711"})
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.ErrorIs(t, res.Outcome.Fault, idempotency.ErrStore)
		require.Zero(t, b.effects.Load())
		short, cancel := context.WithTimeout(context.Background(), time.Second)
		defer cancel()
		require.Error(t, ledger.Close(short))
	})
}

// forgetful is a store that goes down once a call was claimed.
type forgetful struct {
	idempotency.Store
	down atomic.Bool
}

func (s *forgetful) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if s.down.Load() {
		return idempotency.Row{}, errDisk
	}
	return s.Store.Apply(ctx, id, cmd)
}

func TestASuccessIsNotLostBecauseSavingItFailed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		store := &forgetful{Store: idempotency.NewMemory()}
		ledger, err := idempotency.New(idempotency.Config{Store: store})
		require.NoError(t, err)
		core, logs := observer.New(zap.WarnLevel)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger, Logger: zap.New(core)}), newBank()
		b.before = func(context.Context, int) error { store.down.Store(true); return nil }
		pay := toolkit.Wrap(kit, b.tool())
		ctx, _ := start(t, kit, ticket)
		res := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, res.Outcome.OK())
		require.Equal(t, "R-4711", res.Value.ID)
		require.Equal(t, 1, logs.FilterMessage("end of call not recorded in the ledger").Len())
		require.NotContains(t, logs.All()[0].ContextMap()["error"], "secret-volume")

		again := pay.Invoke(ctx, payment{Invoice: "4711", Amount: 10})
		require.True(t, again.Outcome.Qualifiers.Has(fault.Replayed), "this process knows")
		store.down.Store(false)
		require.NoError(t, ledger.Close(context.Background()))
		row, err := ledger.Row(context.Background(), idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}.ID())
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		require.JSONEq(t, `{"id":"R-4711","amount":10}`, string(row.Result))
		require.EqualValues(t, 1, b.effects.Load())
	})
}
