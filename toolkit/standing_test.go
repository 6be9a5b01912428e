package toolkit_test

import (
	"context"
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

// twoBanks is a payment that goes to a second bank where the first refuses, and
// what the second bank says when it is asked.
type twoBanks struct {
	first, second *script
	takes         time.Duration // the second bank
	found         atomic.Int32  // a toolkit.Happened
	ledger        *idempotency.Ledger
}

func newTwoBanks(t *testing.T, first, second *script) *twoBanks {
	t.Helper()
	ledger, err := idempotency.New(idempotency.Config{})
	require.NoError(t, err)
	return &twoBanks{first: first, second: second, ledger: ledger}
}

// process is an agent of its own over the shared ledger.
func (b *twoBanks) process() (*toolkit.Kit, *toolkit.Wrapped[query, invoice]) {
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1, Ledger: b.ledger})
	pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write, Call: b.first.call,
		Check: func(context.Context, query) (toolkit.Checked[invoice], error) {
			return toolkit.Checked[invoice]{Happened: toolkit.NotDone}, nil
		},
		Fallback: toolkit.FallbackTo("pay_elsewhere")})
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay_elsewhere", Effect: fault.Write,
		Call: func(ctx context.Context, q query) (invoice, error) {
			time.Sleep(b.takes)
			return b.second.call(ctx, q)
		},
		Check: func(context.Context, query) (toolkit.Checked[invoice], error) {
			return toolkit.Checked[invoice]{Happened: toolkit.Happened(b.found.Load()), Result: invoice{"INV-1", 1200}}, nil
		}})
	return kit, pay
}

var paying = runrecord.Task{Name: "pay", Key: "ticket-1"}

func TestWorkThatASubstituteDidIsNotDoneAgain(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newTwoBanks(t, ending(refusedBy(fault.ReasonServerError, 500), nil), ending(nil))
		kit, pay := b.process()
		ctx, _ := start(t, kit, paying)
		require.True(t, pay.Invoke(ctx, acme).Outcome.OK())
		other, payThere := b.process()
		ctx2, _ := start(t, other, paying)
		for _, again := range []toolkit.Result[invoice]{pay.Invoke(ctx, acme), payThere.Invoke(ctx2, acme)} {
			require.True(t, again.Outcome.OK())
			require.True(t, again.Outcome.Qualifiers.Has(fault.Replayed|fault.Fallback))
			require.Equal(t, "INV-1", again.Value.ID)
			require.Zero(t, again.Attempts)
		}
		require.EqualValues(t, 1, b.first.entered.Load())
		require.EqualValues(t, 1, b.second.entered.Load())
	})
}

func TestNobodyStartsWhileASubstituteWorks(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := newTwoBanks(t, ending(refusedBy(fault.ReasonServerError, 500), nil), ending(nil))
		b.takes = 5 * time.Second
		kit, pay := b.process()
		ctx, _ := start(t, kit, paying)
		var all sync.WaitGroup
		all.Go(func() { require.True(t, pay.Invoke(ctx, acme).Outcome.OK()) })
		time.Sleep(time.Second)
		other, payThere := b.process()
		ctx2, _ := start(t, other, paying)
		require.True(t, payThere.Invoke(ctx2, acme).Outcome.Qualifiers.Has(fault.Replayed))
		all.Wait()
		require.EqualValues(t, 1, b.first.entered.Load())
	})
}

func TestADoubtAboutASubstituteIsADoubtAboutTheWork(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		found    toolkit.Happened // by the second bank, when it is asked again later
		recovers bool             // by Recover and not by the next call
		kind     fault.Kind
		first    int32 // how often the first bank was asked to pay
	}{
		{"nobody can tell", toolkit.CannotTell, false, fault.KindUnknown, 1},
		{"it was done", toolkit.Done, false, fault.KindOK, 1},
		{"it was not done: the first may be asked again", toolkit.NotDone, false, fault.KindOK, 2},
		{"it was done, and is found by the way", toolkit.Done, true, fault.KindOK, 1},
		{"it was not done, and is found by the way", toolkit.NotDone, true, fault.KindOK, 2},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := newTwoBanks(t, ending(refusedBy(fault.ReasonServerError, 500), nil), ending(noAnswer()))
				kit, pay := b.process()
				// The caller leaves before the second bank can be asked.
				ctx, run := start(t, kit, paying)
				hasty, cancel := context.WithCancel(ctx)
				b.second.ends = []error{noAnswer()}
				b.takes = time.Second
				time.AfterFunc(500*time.Millisecond, cancel)
				res := pay.Invoke(hasty, acme)
				require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
				run.End()

				b.found.Store(int32(tt.found))
				time.Sleep(time.Hour)
				other, payThere := b.process()
				if tt.recovers {
					for range 2 { // the substitute's row, then the one it stands for
						_, err := other.Recover(t.Context())
						require.NoError(t, err)
					}
				}
				ctx2, run2 := start(t, other, paying)
				res = payThere.Invoke(ctx2, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.Equal(t, tt.first, b.first.entered.Load())
				require.EqualValues(t, 1, b.second.entered.Load())
				if tt.kind == fault.KindUnknown {
					require.NotEmpty(t, res.Outcome.Case)
					require.Len(t, run2.OpenCases(), 1, "one piece of work is one question")
				}
			})
		})
	}
}

func TestASubstituteThatDidNothingLeavesTheWorkOpen(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		refused := refusedBy(fault.ReasonServerError, 500)
		b := newTwoBanks(t, ending(refused, nil), ending(refused))
		kit, pay := b.process()
		ctx, _ := start(t, kit, paying)
		require.Equal(t, fault.KindFailed, pay.Invoke(ctx, acme).Outcome.Kind)
		require.True(t, pay.Invoke(ctx, acme).Outcome.OK())
		require.EqualValues(t, 2, b.first.entered.Load())
	})
}

func TestAKeyOfTheFirstServiceDoesNotCoverTheSecond(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		first, second := ending(refusedBy(fault.ReasonServerError, 500), nil), ending(noAnswer())
		kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
		pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write, Call: first.call,
			KeyTTL: time.Hour, Fallback: toolkit.FallbackTo("pay_elsewhere")})
		toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay_elsewhere", Effect: fault.Write, Call: second.call})
		ctx, run := start(t, kit, paying)
		for range 3 {
			res := pay.Invoke(ctx, acme)
			require.Equal(t, fault.KindUnknown, res.Outcome.Kind)
			require.Equal(t, run.OpenCases(), []string{res.Outcome.Case})
		}
		require.EqualValues(t, 1, first.entered.Load(), "the second may have paid")
	})
}
