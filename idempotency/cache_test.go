package idempotency_test

import (
	"context"
	"encoding/json"
	"strconv"
	"strings"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// counted is a store that counts how often it is asked.
type counted struct {
	*idempotency.Memory
	asked atomic.Int64
	late  atomic.Pointer[func()] // runs while the reply to a Load is under way
}

func (s *counted) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	s.asked.Add(1)
	return s.Memory.Apply(ctx, id, cmd)
}

func (s *counted) Load(ctx context.Context, id string) (idempotency.Row, error) {
	s.asked.Add(1)
	row, err := s.Memory.Load(ctx, id)
	if late := s.late.Load(); late != nil {
		(*late)()
	}
	return row, err
}

// shop is two processes on one store.
type shop struct {
	store       *counted
	here, there *idempotency.Ledger
}

func newShop(t *testing.T, cfg idempotency.Config) *shop {
	t.Helper()
	s := &shop{store: &counted{Memory: idempotency.NewMemory()}}
	cfg.Store = s.store
	s.here = open(t, cfg)
	s.there = open(t, idempotency.Config{Store: s.store, Cache: -1})
	return s
}

func (s *shop) claim(t *testing.T, l *idempotency.Ledger, in idempotency.Intent) *idempotency.Claim {
	t.Helper()
	c, err := l.Claim(t.Context(), in)
	require.NoError(t, err)
	return c
}

// done leaves a payment done, by this process.
func (s *shop) done(t *testing.T, invoice string) *idempotency.Claim {
	t.Helper()
	c := s.claim(t, s.here, payment(invoice))
	require.Equal(t, idempotency.Execute, c.Answer)
	require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`"paid"`), 0))
	return c
}

// asks is how often the store is asked meanwhile.
func (s *shop) asks(f func()) int64 {
	before := s.store.asked.Load()
	f()
	return s.store.asked.Load() - before
}

func TestAReplayComesFromMemory(t *testing.T) {
	t.Parallel()
	s := newShop(t, idempotency.Config{})
	c := s.done(t, "4711")
	require.Zero(t, s.asks(func() {
		again := s.claim(t, s.here, payment("4711"))
		require.Equal(t, idempotency.Replay, again.Answer)
		require.JSONEq(t, `"paid"`, string(again.Result))
		require.Equal(t, c.RemoteKey, again.RemoteKey)
		held, opened, err := s.here.Hold(t.Context(), payment("4711"), "", 0)
		require.NoError(t, err)
		require.False(t, opened)
		require.Equal(t, idempotency.Replay, held.Answer)
		row, err := s.here.Row(t.Context(), c.Row.ID)
		require.NoError(t, err)
		require.Equal(t, idempotency.Succeeded, row.State)
		other := payment("4711")
		other.Args = json.RawMessage(`{"amount":11}`)
		_, err = s.here.Claim(t.Context(), other)
		require.ErrorIs(t, err, idempotency.ErrConflict, "never the answer to another question")
		_, _, err = s.here.Hold(t.Context(), other, "", 0)
		require.ErrorIs(t, err, idempotency.ErrConflict)
	}))
	require.EqualValues(t, 1, s.asks(func() { s.claim(t, s.there, payment("4711")) }), "a ledger without memory asks")
}

// What has not ended can change in another process at any time.
func TestWhatHasNotEndedIsNeverAnsweredFromMemory(t *testing.T) {
	t.Parallel()
	s := newShop(t, idempotency.Config{})
	c := s.claim(t, s.here, payment("4711"))
	require.NoError(t, c.Doubt(t.Context(), idempotency.Trouble{}))
	require.Equal(t, idempotency.InDoubt, s.claim(t, s.here, payment("4711")).Answer)
	row, err := s.there.Row(t.Context(), c.Row.ID)
	require.NoError(t, err)
	row, _, err = s.there.Escalate(t.Context(), row, "", 0)
	require.NoError(t, err)
	require.Equal(t, row.CaseID(), s.claim(t, s.here, payment("4711")).CaseID)
	_, err = s.there.Decide(t.Context(), row.ID, idempotency.Decision{
		Choice: idempotency.WentThrough, Actor: "maria", Epoch: row.Epoch, Fingerprint: row.Fingerprint,
	})
	require.NoError(t, err)
	require.Equal(t, idempotency.Replay, s.claim(t, s.here, payment("4711")).Answer)
}

func TestWhatWasErasedIsNotReplayed(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, idempotency.Config{})
		c := s.done(t, "here")
		require.NoError(t, s.here.Erase(t.Context(), c.Row.ID))
		again := s.claim(t, s.here, payment("here"))
		require.Equal(t, idempotency.Replay, again.Answer, "it protects all the same")
		require.Nil(t, again.Result)

		c = s.done(t, "there")
		require.NoError(t, s.there.Erase(t.Context(), c.Row.ID))
		time.Sleep(time.Minute)
		again = s.claim(t, s.here, payment("there"))
		require.Equal(t, idempotency.Replay, again.Answer)
		require.Nil(t, again.Result, "a minute later nobody has it any more")
	})
}

// A reply that was under way while the row was erased must not bring it back.
func TestASlowReplyBringsNothingBack(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, idempotency.Config{})
		c := s.done(t, "4711")
		other := open(t, idempotency.Config{Store: s.store}) // remembers nothing yet
		late := func() { time.Sleep(time.Second) }
		s.store.late.Store(&late)
		go func() { _, _ = other.Row(t.Context(), c.Row.ID) }()
		synctest.Wait()
		require.NoError(t, other.Erase(t.Context(), c.Row.ID))
		time.Sleep(2 * time.Second)
		require.Nil(t, s.claim(t, other, payment("4711")).Result)
	})
}

// An erasure whose reply was lost may have happened.
func TestAnErasureInTroubleForgetsTheRow(t *testing.T) {
	t.Parallel()
	store := &outage{Memory: idempotency.NewMemory()}
	l := open(t, idempotency.Config{Store: store})
	c, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), json.RawMessage(`"paid"`), 0))
	_, err = store.Memory.Apply(t.Context(), c.Row.ID, idempotency.Erase{})
	require.NoError(t, err)
	store.down.Store(true)
	require.ErrorIs(t, l.Erase(t.Context(), c.Row.ID), idempotency.ErrStore)
	store.down.Store(false)
	again, err := l.Claim(t.Context(), payment("4711"))
	require.NoError(t, err)
	require.Nil(t, again.Result)
}

func TestWhatWasPrunedIsForgotten(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		s := newShop(t, idempotency.Config{})
		s.done(t, "4711")
		time.Sleep(time.Second)
		n, err := s.here.Prune(t.Context(), time.Millisecond)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		require.Equal(t, idempotency.Execute, s.claim(t, s.here, payment("4711")).Answer)
	})
}

func TestEvidenceReachesARowInMemory(t *testing.T) {
	t.Parallel()
	s := newShop(t, idempotency.Config{Settle: -1})
	old := s.claim(t, s.here, payment("4711"))
	require.NoError(t, old.Doubt(t.Context(), idempotency.Trouble{}))
	row, err := s.here.Row(t.Context(), old.Row.ID)
	require.NoError(t, err)
	_, err = s.here.Check(t.Context(), row, idempotency.NotDone, nil, "")
	require.NoError(t, err)
	s.done(t, "4711")
	require.NoError(t, old.Succeed(t.Context(), nil, 0))
	row, err = s.here.Row(t.Context(), old.Row.ID)
	require.NoError(t, err)
	require.True(t, row.PossibleDuplicate)
	require.Len(t, row.Evidence, 1)
}

func TestMemoryOfEndedWorkIsBounded(t *testing.T) {
	t.Parallel()
	s := newShop(t, idempotency.Config{Cache: 3})
	for i := range 3 {
		s.done(t, strconv.Itoa(i))
	}
	s.claim(t, s.here, payment("0")) // the one used least recently is "1" now
	s.done(t, "3")
	require.Zero(t, s.asks(func() { s.claim(t, s.here, payment("0")) }))
	require.EqualValues(t, 1, s.asks(func() { s.claim(t, s.here, payment("1")) }))

	// A large result is kept by the store alone, and comes back whole.
	large := open(t, idempotency.Config{Store: s.store, MaxResult: 1 << 20})
	in := payment("large")
	result := json.RawMessage(`"` + strings.Repeat("x", 100<<10) + `"`)
	c, err := large.Claim(t.Context(), in)
	require.NoError(t, err)
	require.NoError(t, c.Succeed(t.Context(), result, 0))
	require.EqualValues(t, 1, s.asks(func() { require.Equal(t, string(result), string(s.claim(t, large, in).Result)) }))
}

func TestAllRowsInMemoryTogetherAreBounded(t *testing.T) {
	t.Parallel()
	s := newShop(t, idempotency.Config{})
	result := json.RawMessage(`"` + strings.Repeat("x", 60<<10) + `"`)
	const rows = 1200 // of 60 KiB: more than 64 MiB
	for i := range rows {
		c := s.claim(t, s.here, payment(strconv.Itoa(i)))
		require.NoError(t, c.Succeed(t.Context(), result, 0))
	}
	require.Zero(t, s.asks(func() { s.claim(t, s.here, payment(strconv.Itoa(rows-1))) }))
	require.EqualValues(t, 1, s.asks(func() { s.claim(t, s.here, payment("0")) }))
}
