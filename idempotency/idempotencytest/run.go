package idempotencytest

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// Run runs the suite. newStore returns an empty store that is closed with the
// test it is given; it is called once for each scenario. Scenarios that need an
// optional ability, such as [idempotency.Lister], or a [Clock], are skipped without it.
func Run(t *testing.T, newStore func(t *testing.T) idempotency.Store) {
	for _, s := range slices.Concat(claims, workers, values, approvals, queries, announcements, clocks) {
		t.Run(s.name, func(t *testing.T) { s.run(t, newEnv(t, newStore(t))) })
	}
}

// scenario is something that happens, named by what must become of it.
type scenario struct {
	name string
	run  func(t *testing.T, e *env)
}

// Claims and their ends, whatever else is going on.
var claims = []scenario{
	{"a race of 64 claims executes once", raceExecutesOnce},
	{"a race of 64 decisions counts one", raceDecidesOnce},
	{"other arguments are a conflict", otherArguments},
	{"a refused call may be corrected", correctedArguments},
	{"an earlier epoch is fenced", earlierEpochIsFenced},
	{"lease lost before dispatch", leaseLostBeforeDispatch},
	{"lease lost after dispatch", leaseLostAfterDispatch},
	{"a success after the lease is not lost", lateSuccess},
	{"a success of an earlier epoch stops the next", lateSuccessOfAnEarlierEpoch},
	{"two successes are told", twoSuccesses},
	{"may have applied is sticky", mayHaveAppliedIsSticky},
	{"an answered failure leaves no doubt", answeredFailure},
	{"not done is believed after settling only", notDoneMustSettle},
	{"a repetition keeps the remote key, proof renews it", remoteKeys},
	{"in doubt starts nothing", inDoubtStartsNothing},
	{"a closed row has no exit", closedRowHasNoExit},
	{"a decision is single-use and bound", decisionIsBound},
	{"the reply to a claim is lost", lostReplyToClaim},
	{"the reply to an end is lost", lostReplyToEnd},
	{"the store is down", storeIsDown},
	{"each write appends an event", eventPerWrite},
	{"prune spares what is in doubt", pruneSparesDoubt},
	{"payloads can be erased, protection stays", eraseKeepsProtection},
	{"waiting ends when the call does", waiting},
	{"random commands keep the invariants", randomCommands},
}

// env is a ledger on the store under test.
type env struct {
	store  idempotency.Store
	ledger *idempotency.Ledger
}

func newEnv(t *testing.T, store idempotency.Store) *env {
	e := &env{store: store}
	e.ledger = e.open(t, store)
	return e
}

// open returns another ledger on a store, as another process would have it.
func (e *env) open(t *testing.T, store idempotency.Store) *idempotency.Ledger {
	l, err := idempotency.New(idempotency.Config{Store: store, Settle: -1, SaveTimeout: 10 * time.Second})
	require.NoError(t, err)
	t.Cleanup(func() {
		ctx, cancel := context.WithTimeout(context.Background(), 5*time.Second)
		defer cancel()
		_ = l.Close(ctx) // a scenario that leaves something unsaved asserts so itself
	})
	return l
}

// payment is the intent of the scenarios: a write that cannot be repeated.
func payment(invoice string) idempotency.Intent {
	return idempotency.Intent{
		Key:    idempotency.Key{Tool: "pay_invoice", Intent: "key:" + invoice},
		Effect: fault.Write, Args: json.RawMessage(`{"invoice":"` + invoice + `","amount":10}`),
		RunID: "run-1", Call: 3, TaskName: "invoices", Dispatch: true,
	}
}

const short = 5 * time.Millisecond // a lease that is left to run out

func (e *env) claim(t *testing.T, in idempotency.Intent) *idempotency.Claim {
	t.Helper()
	c, err := e.ledger.Claim(t.Context(), in)
	require.NoError(t, err)
	return c
}

// execute claims and must win.
func (e *env) execute(t *testing.T, in idempotency.Intent) *idempotency.Claim {
	t.Helper()
	c := e.claim(t, in)
	require.Equal(t, idempotency.Execute, c.Answer, "state %s", c.Row.State)
	return c
}

func (e *env) row(t *testing.T, c *idempotency.Claim) idempotency.Row {
	t.Helper()
	row, err := e.ledger.Row(t.Context(), c.Row.ID)
	require.NoError(t, err)
	return row
}

func (e *env) state(t *testing.T, c *idempotency.Claim, want idempotency.State) idempotency.Row {
	t.Helper()
	row := e.row(t, c)
	require.Equal(t, want.String(), row.State.String())
	return row
}

// outlive waits until the claim's lease has run out on the store's clock.
func (e *env) outlive(t *testing.T, c *idempotency.Claim) idempotency.Row {
	t.Helper()
	var row idempotency.Row
	e.eventually(t, func() bool {
		var err error
		row, err = e.store.Apply(t.Context(), c.Row.ID, idempotency.Expire{})
		require.NoError(t, err)
		return row.Version > c.Row.Version
	})
	return row
}

// eventually tries until it holds. Time passes on the store's clock, which may
// not be this process's, so it is waited for rather than computed.
func (e *env) eventually(t *testing.T, holds func() bool) {
	t.Helper()
	tick := time.NewTicker(short)
	defer tick.Stop()
	limit := time.NewTimer(10 * time.Second)
	defer limit.Stop()
	for !holds() {
		select {
		case <-tick.C:
		case <-limit.C:
			t.Fatal("it did not come to pass within ten seconds")
		}
	}
}

// unknown leaves a payment in doubt.
func (e *env) unknown(t *testing.T, in idempotency.Intent) *idempotency.Claim {
	t.Helper()
	c := e.execute(t, in)
	require.NoError(t, c.Doubt(t.Context(), timedOut))
	return c
}

// escalated leaves a payment to a person.
func (e *env) escalated(t *testing.T, in idempotency.Intent) idempotency.Row {
	t.Helper()
	c := e.unknown(t, in)
	row, opened, err := e.ledger.Escalate(t.Context(), e.row(t, c), "no check", 0)
	require.NoError(t, err)
	require.True(t, opened)
	return row
}

var (
	timedOut = idempotency.Trouble{Reason: fault.ReasonTimeout, Action: fault.Retry, Ran: fault.RanUnknown, Text: "no answer"}
	refused  = idempotency.Trouble{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Status: 401}
	receipt  = json.RawMessage(`{"receipt":"R-1"}`)
)

// errLost is what a caller sees of a reply that never came.
var errLost = errors.New("connection reset while waiting for the commit")

// lossy applies a command and loses the reply, as often as it is told to.
type lossy struct {
	idempotency.Store
	lose func(cmd idempotency.Command) bool
	drop func(cmd idempotency.Command) bool // not even applied
}

func (l lossy) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if l.drop != nil && l.drop(cmd) {
		return idempotency.Row{}, errLost
	}
	row, err := l.Store.Apply(ctx, id, cmd)
	if err == nil && l.lose != nil && l.lose(cmd) {
		return idempotency.Row{}, errLost
	}
	return row, err
}

// times is true for the first n commands of this name.
func times(n int64, name string) func(idempotency.Command) bool {
	var left atomic.Int64
	left.Store(n)
	return func(cmd idempotency.Command) bool {
		if cmd.Name() != name {
			return false
		}
		return left.Add(-1) >= 0
	}
}

func invoice(n int) string { return fmt.Sprintf("INV-%03d", n) }
