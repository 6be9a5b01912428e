package toolkit_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/toolkit"
)

// A call that did not wait for another one with the same work is pending. How the
// work ended was in the other's record alone, and the judge of this one held it
// against the answer that something was not done.
func TestAPendingCallHearsHowTheOtherOneEnded(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  func(ctx context.Context, n int) error // of the n-th attempt, after 10 s
		told fault.Kind
	}{
		{"it was done", nil, fault.KindOK},
		{"it was done the second time", first(1, overloaded()), fault.KindOK},
		{"it was refused for good", first(1, fault.Permanent(overloaded())), fault.KindFailed},
		{"a person said no", first(1, fault.Denied("no")), fault.KindDenied},
		{"it did not work, and may be tried again", first(9, overloaded()), fault.KindFailed},
		{"nobody knows", first(9, noAnswer()), fault.KindUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit, b := toolkit.New(toolkit.Config{}), newBank()
				b.before = func(ctx context.Context, n int) error {
					time.Sleep(10 * time.Second)
					if tt.end == nil {
						return nil
					}
					return tt.end(ctx, n)
				}
				pay := toolkit.Wrap(kit, b.tool())
				slow, _ := start(t, kit, ticket)
				hasty, run := start(t, kit, judged(0))
				hasty, cancel := context.WithTimeout(hasty, time.Second)
				defer cancel()
				var all sync.WaitGroup
				all.Go(func() { pay.Invoke(slow, invoice4711) })
				synctest.Wait()
				require.Equal(t, fault.KindPending, pay.Invoke(hasty, invoice4711).Outcome.Kind)
				run.End()
				all.Wait()
				require.Equal(t, tt.told, run.Calls()[0].Kind)
				require.True(t, run.Calls()[0].Detail.Settled)
			})
		})
	}
}

func TestTheResultOfTheOtherOneIsEvidence(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit, b := toolkit.New(toolkit.Config{}), newBank()
		b.before = func(context.Context, int) error { time.Sleep(10 * time.Second); return nil }
		pay := toolkit.Wrap(kit, b.tool())
		slow, _ := start(t, kit, ticket)
		hasty, run := start(t, kit, judged(0))
		hasty, cancel := context.WithTimeout(hasty, time.Second)
		defer cancel()
		var all sync.WaitGroup
		all.Go(func() { pay.Invoke(slow, invoice4711) })
		synctest.Wait()
		pay.Invoke(hasty, invoice4711)
		all.Wait()
		require.Equal(t, []string{paid}, proofs(run))
	})
}

// Accepted work that a Check finds done is no longer pending in the record.
func TestAcceptedWorkIsSettledWhenItIsFound(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		ledger, err := idempotency.New(idempotency.Config{})
		require.NoError(t, err)
		kit, b := toolkit.New(toolkit.Config{Ledger: ledger}), newBank()
		b.after = first(1, toolkit.Pending("job-7"))
		pay := toolkit.Wrap(kit, b.checked())
		ctx, run := start(t, kit, judged(0))
		require.Equal(t, fault.KindPending, pay.Invoke(ctx, invoice4711).Outcome.Kind)
		time.Sleep(time.Hour)
		_, err = kit.Recover(ctx)
		require.NoError(t, err)
		require.Equal(t, fault.KindOK, run.Calls()[0].Kind)
		require.Equal(t, []string{paid}, proofs(run))
	})
}
