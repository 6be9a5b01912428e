package idempotency_test

import (
	"context"
	"encoding/json"
	"errors"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

func payment(invoice string) idempotency.Intent {
	return idempotency.Intent{
		Key: idempotency.Key{Tool: "pay", Intent: "key:" + invoice}, Effect: fault.Write,
		Args: json.RawMessage(`{"amount":10}`), Dispatch: true,
	}
}

func open(t *testing.T, cfg idempotency.Config) *idempotency.Ledger {
	t.Helper()
	l, err := idempotency.New(cfg)
	require.NoError(t, err)
	return l
}

func TestNewRefusesNegativeSizes(t *testing.T) {
	for _, cfg := range []idempotency.Config{{Lease: -1}, {SaveTimeout: -1}, {MaxResult: -1}, {Queue: -1}} {
		_, err := idempotency.New(cfg)
		require.Error(t, err)
	}
}

func TestALongCallKeepsItsLease(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := idempotency.NewMemory()
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		stop := c.KeepAlive()
		time.Sleep(10 * time.Minute)
		moved, err := l.Sweep(t.Context())
		require.NoError(t, err)
		require.Empty(t, moved)
		stop()
		time.Sleep(31 * time.Second)
		moved, err = l.Sweep(t.Context())
		require.NoError(t, err)
		require.Len(t, moved, 1, "after stop the lease runs out")
		require.Equal(t, idempotency.Unknown, moved[0].State)
	})
}

func TestAShortCallWritesNoHeartbeat(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t, idempotency.Config{})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		stop := c.KeepAlive()
		time.Sleep(9 * time.Second)
		stop()
		require.NoError(t, c.Succeed(t.Context(), nil, 0))
		events, err := l.Events(t.Context(), c.Row.ID)
		require.NoError(t, err)
		require.Len(t, events, 2)
	})
}

// faulty is a store that is down while told to be.
type faulty struct {
	idempotency.Store
	down atomic.Bool
	hits atomic.Int32
}

var errDown = errors.New("down")

func (f *faulty) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if f.down.Load() {
		f.hits.Add(1)
		return idempotency.Row{}, errDown
	}
	return f.Store.Apply(ctx, id, cmd)
}

func TestWhatCouldNotBeSavedIsSavedLater(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &faulty{Store: idempotency.NewMemory()}
		l := open(t, idempotency.Config{Store: store, Queue: 2})
		var claims []*idempotency.Claim
		for _, invoice := range []string{"1", "2", "3"} {
			c, err := l.Claim(t.Context(), payment(invoice))
			require.NoError(t, err)
			claims = append(claims, c)
		}
		store.down.Store(true)
		for i, c := range claims {
			err := c.Succeed(t.Context(), json.RawMessage(`1`), 0)
			nr, ok := errors.AsType[*idempotency.NotRecordedError](err)
			require.True(t, ok)
			require.ErrorIs(t, err, errDown)
			require.Equal(t, i < 2, nr.Queued, "the queue is bounded, and it says so")
		}
		before := store.hits.Load()
		time.Sleep(time.Hour)
		require.Less(t, store.hits.Load()-before, int32(800), "a store that is down is not hammered")
		store.down.Store(false)
		time.Sleep(6 * time.Second)
		synctest.Wait()
		for i, want := range []idempotency.State{idempotency.Succeeded, idempotency.Succeeded, idempotency.Running} {
			row, err := l.Row(t.Context(), claims[i].Row.ID)
			require.NoError(t, err)
			require.Equal(t, want, row.State)
		}
		require.NoError(t, l.Close(t.Context()))
	})
}

func TestCloseSaysWhatWasLost(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := &faulty{Store: idempotency.NewMemory()}
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("1"))
		require.NoError(t, err)
		store.down.Store(true)
		require.Error(t, c.Succeed(t.Context(), nil, 0))
		ctx, cancel := context.WithTimeout(t.Context(), time.Minute)
		defer cancel()
		require.ErrorIs(t, l.Close(ctx), idempotency.ErrNotRecorded)
		nr, _ := errors.AsType[*idempotency.NotRecordedError](c.Doubt(t.Context(), idempotency.Trouble{}))
		require.NotNil(t, nr)
		require.False(t, nr.Queued, "a closed ledger no longer tries")
	})
}

func TestTheEndIsSavedAlthoughTheCallerHasGone(t *testing.T) {
	l := open(t, idempotency.Config{})
	ctx, cancel := context.WithCancel(t.Context())
	c, err := l.Claim(ctx, payment("1"))
	require.NoError(t, err)
	cancel()
	require.NoError(t, c.Succeed(ctx, json.RawMessage(`1`), 0))
	_, err = l.Claim(ctx, payment("2"))
	require.ErrorIs(t, err, context.Canceled, "but nothing new is started")
	_, err = l.Row(t.Context(), payment("2").Key.ID())
	require.ErrorIs(t, err, idempotency.ErrNotFound)
}

func TestASecretKeysTheFingerprint(t *testing.T) {
	fingerprint := func(secret string) string {
		l := open(t, idempotency.Config{Secret: []byte(secret)})
		c, err := l.Claim(t.Context(), payment("1"))
		require.NoError(t, err)
		return c.Row.Fingerprint
	}
	require.NotEqual(t, fingerprint(""), fingerprint("s3cret"))
	require.Equal(t, fingerprint("s3cret"), fingerprint("s3cret"))
}

func TestAResultAboveTheBoundIsNotKept(t *testing.T) {
	l := open(t, idempotency.Config{MaxResult: 10})
	c, err := l.Claim(t.Context(), payment("1"))
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`"`+strings.Repeat("x", 20)+`"`), 0))
	again, err := l.Claim(t.Context(), payment("1"))
	require.NoError(t, err)
	require.Equal(t, idempotency.Replay, again.Answer)
	require.Nil(t, again.Result)
	require.True(t, again.Row.ResultOmitted)
	require.Equal(t, 22, again.Row.ResultSize)
}

// shelf is a store that says how much it keeps.
type shelf struct{ *idempotency.Memory }

func (shelf) MaxResult() int { return 10 }

func TestTheStoreSaysHowMuchIsKept(t *testing.T) {
	t.Parallel()
	for bound, kept := range map[int]bool{0: false, 20: true} {
		l := open(t, idempotency.Config{Store: shelf{idempotency.NewMemory()}, MaxResult: bound})
		c, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`"0123456789"`), 0))
		again, err := l.Claim(t.Context(), payment("4711"))
		require.NoError(t, err)
		require.Equal(t, kept, again.Result != nil, "MaxResult: %d", bound)
	}
}

func TestADeferredCallThatIsStaleIsAskedAbout(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		l := open(t, idempotency.Config{})
		in := payment("1")
		in.Dispatch = false
		c, err := l.Claim(t.Context(), in)
		require.NoError(t, err)
		require.NoError(t, c.Postpone(t.Context(), idempotency.Trouble{Ran: fault.RanNo}, "bank", time.Now().Add(time.Hour)))
		row, err := l.Row(t.Context(), c.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Deferred, row.State)
		require.Equal(t, "bank", row.Gate)
		time.Sleep(61 * time.Minute)
		late, err := l.Claim(t.Context(), in)
		require.NoError(t, err)
		require.Equal(t, idempotency.InDoubt, late.Answer)
		require.Equal(t, idempotency.Escalated, late.Row.State)
		require.NotEmpty(t, late.CaseID)
	})
}

func TestMemoryForgetsClosedRowsOnly(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		store := idempotency.NewMemory()
		l := open(t, idempotency.Config{Store: store})
		c, err := l.Claim(t.Context(), payment("doubt"))
		require.NoError(t, err)
		require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{}))
		for i := range 2000 {
			c, err := l.Claim(t.Context(), payment(strings.Repeat("i", i%50)+string(rune('a'+i/50))))
			require.NoError(t, err)
			require.NoError(t, c.Succeed(t.Context(), nil, 0))
		}
		time.Sleep(25 * time.Hour)
		for i := range 1100 { // forgetting is paid for by new rows
			_, err := l.Claim(t.Context(), payment("new"+strings.Repeat("i", i)))
			if i < 500 {
				require.NoError(t, err)
			}
		}
		rows, err := l.List(t.Context(), idempotency.Query{States: []idempotency.State{idempotency.Succeeded}, Limit: 5000})
		require.NoError(t, err)
		require.Empty(t, rows)
		row, err := l.Row(t.Context(), payment("doubt").Key.ID())
		require.NoError(t, err)
		require.Equal(t, idempotency.Unknown, row.State)
	})
}

func TestStoredNamesStay(t *testing.T) {
	row := idempotency.Row{State: idempotency.AwaitingApproval, Decision: &idempotency.Decision{Choice: idempotency.ApproveEdited}, Checks: []idempotency.Check{{Answer: idempotency.NotDone}}}
	raw, err := json.Marshal(row)
	require.NoError(t, err)
	for _, name := range []string{`"state":"awaiting_approval"`, `"choice":"approve_edited"`, `"answer":"not_done"`} {
		require.Contains(t, string(raw), name)
	}
	var back idempotency.Row
	require.NoError(t, json.Unmarshal(raw, &back))
	require.Equal(t, row.State, back.State)
	require.Equal(t, row.Decision.Choice, back.Decision.Choice)
	for _, bad := range []string{`{"state":"perhaps"}`, `{"decision":{"choice":"maybe"}}`, `{"checks":[{"answer":"dunno"}]}`} {
		require.Error(t, json.Unmarshal([]byte(bad), &back), bad)
	}
}
