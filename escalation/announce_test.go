package escalation_test

import (
	"context"
	"errors"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

// pager is told of cases, and may be out of order.
type pager struct {
	mu    sync.Mutex
	told  []string
	fails func(c escalation.Case) error
}

func (p *pager) Notify(_ context.Context, c escalation.Case) error {
	if p.fails != nil {
		if err := p.fails(c); err != nil {
			return err
		}
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	p.told = append(p.told, c.ID)
	return nil
}

var errBusy = errors.New("the pager is busy")

func TestNobodyIsToldTwice(t *testing.T) {
	t.Parallel()
	p := &pager{}
	o := newOffice(t, escalation.Config{Notify: p})
	row := o.doubt(t, "4711")
	require.NoError(t, o.Opened(t.Context(), *row))
	require.NoError(t, o.Opened(t.Context(), *row))
	n, err := o.Announce(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	require.Equal(t, []string{row.CaseID()}, p.told)
}

// The process that opened the case died before it could tell anybody.
func TestACaseThatWasNeverAnnouncedIsFound(t *testing.T) {
	t.Parallel()
	p := &pager{}
	o := newOffice(t, escalation.Config{Notify: p})
	row := o.doubt(t, "4711")
	n, err := o.Announce(t.Context())
	require.NoError(t, err)
	require.Equal(t, 1, n)
	require.Equal(t, []string{row.CaseID()}, p.told)
}

func TestAPagerThatWasDownIsTriedAgain(t *testing.T) {
	t.Parallel()
	for name, fails := range map[string]func(escalation.Case) error{
		"it fails":  func(escalation.Case) error { return errBusy },
		"it panics": func(escalation.Case) error { panic("oops") },
	} {
		t.Run(name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				p := &pager{fails: fails}
				o := newOffice(t, escalation.Config{Notify: p})
				row := o.doubt(t, "4711")
				require.Error(t, o.Opened(t.Context(), *row))
				p.fails = nil
				n, err := o.Announce(t.Context())
				require.NoError(t, err)
				require.Zero(t, n, "whoever failed may still be at it")
				time.Sleep(time.Minute)
				n, err = o.Announce(t.Context())
				require.NoError(t, err)
				require.Equal(t, 1, n)
				require.Equal(t, []string{row.CaseID()}, p.told)
			})
		})
	}
}

func TestOneCaseThatCannotBeToldHoldsNoOtherUp(t *testing.T) {
	t.Parallel()
	o := newOffice(t, escalation.Config{})
	bad := o.doubt(t, "1").CaseID()
	p := &pager{fails: func(c escalation.Case) error {
		if c.ID == bad {
			return errBusy
		}
		return nil
	}}
	for _, invoice := range []string{"2", "3", "4"} {
		o.doubt(t, invoice)
	}
	desk, err := escalation.New(escalation.Config{Ledger: o.ledger, Notify: p})
	require.NoError(t, err)
	n, err := desk.Announce(t.Context())
	require.ErrorIs(t, err, errBusy)
	require.Equal(t, 3, n)
	require.Len(t, p.told, 3)
}

func TestOfTwoDesksOneTells(t *testing.T) {
	t.Parallel()
	o := newOffice(t, escalation.Config{})
	for _, invoice := range []string{"1", "2", "3", "4", "5", "6", "7", "8"} {
		o.doubt(t, invoice)
	}
	p := &pager{}
	var wg sync.WaitGroup
	for range 4 {
		desk, err := escalation.New(escalation.Config{Ledger: o.ledger, Notify: p})
		require.NoError(t, err)
		wg.Go(func() {
			_, err := desk.Announce(t.Context())
			if err != nil {
				t.Error(err)
			}
		})
	}
	wg.Wait()
	seen := map[string]bool{}
	for _, id := range p.told {
		require.False(t, seen[id], "told twice")
		seen[id] = true
	}
	require.Len(t, seen, 8)
}

// A hanging pager must not keep the recovery loop for ever.
func TestAPassEndsAlthoughThePagerHangs(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		calls := 0
		o := newOffice(t, escalation.Config{Notify: escalation.NotifierFunc(func(ctx context.Context, _ escalation.Case) error {
			calls++
			<-ctx.Done()
			return ctx.Err()
		})})
		for _, invoice := range []string{"1", "2", "3"} {
			o.doubt(t, invoice)
		}
		start := time.Now()
		_, err := o.Announce(t.Context())
		require.ErrorIs(t, err, context.DeadlineExceeded)
		require.LessOrEqual(t, time.Since(start), time.Minute)
		require.Equal(t, 1, calls)
	})
}

func TestWhoeverIsToldMayDecideAtOnce(t *testing.T) {
	t.Parallel()
	for name, how := range map[string]error{"and the telling succeeds": nil, "and the telling fails": errBusy} {
		t.Run(name, func(t *testing.T) {
			var o *office
			calls := 0
			o = newOffice(t, escalation.Config{Notify: escalation.NotifierFunc(func(ctx context.Context, c escalation.Case) error {
				calls++
				d := c.Decide(idempotency.WentThrough, "a rule")
				d.Result = []byte(`{"receipt":"R-1"}`)
				_, err := o.Resolve(ctx, d)
				return errors.Join(err, how)
			})})
			row := o.doubt(t, "4711")
			require.ErrorIs(t, o.Opened(t.Context(), *row), how)
			c, err := o.Show(t.Context(), row.CaseID())
			require.NoError(t, err)
			require.Equal(t, escalation.Decided, c.Status)
			require.Len(t, o.closed, 1)
			after, err := o.ledger.Row(t.Context(), row.ID)
			require.NoError(t, err)
			require.Equal(t, idempotency.Succeeded, after.State)
			require.JSONEq(t, `{"receipt":"R-1"}`, string(after.Result))
			_, err = o.Announce(t.Context())
			require.NoError(t, err)
			require.Equal(t, 1, calls, "what is decided needs no telling")
		})
	}
}

// Time alone opens the case of deferred work that has gone stale: no call is
// there to tell anybody.
func TestACaseThatTimeOpenedIsAnnounced(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		p := &pager{}
		o := newOffice(t, escalation.Config{Notify: p})
		in := payment("4711")
		in.Dispatch = false
		c, err := o.ledger.Claim(t.Context(), in)
		require.NoError(t, err)
		require.NoError(t, c.Postpone(t.Context(), idempotency.Trouble{}, "bank", time.Now().Add(time.Hour)))
		n, err := o.Announce(t.Context())
		require.NoError(t, err)
		require.Zero(t, n)
		time.Sleep(2 * time.Hour)
		_, err = o.ledger.Sweep(t.Context())
		require.NoError(t, err)
		n, err = o.Announce(t.Context())
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Len(t, p.told, 1)
	})
}

func TestWithoutANotifierNothingIsMarkedAsTold(t *testing.T) {
	t.Parallel()
	o := newOffice(t, escalation.Config{})
	row := o.doubt(t, "4711")
	require.NoError(t, o.Opened(t.Context(), *row))
	n, err := o.Announce(t.Context())
	require.NoError(t, err)
	require.Zero(t, n)
	after, err := o.ledger.Row(t.Context(), row.ID)
	require.NoError(t, err)
	require.True(t, after.Announced.IsZero(), "a process that has a pager may still tell")
	require.Equal(t, row.Version, after.Version)
}
