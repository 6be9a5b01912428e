package crash_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// mutation is a way to break the promise, on which the judge is tried.
type mutation string

const (
	sound     mutation = ""
	forgetful mutation = "forgetful" // a claim is not durable before the end is
	blaming   mutation = "blaming"   // a lease that ran out is recorded as a failure
	hasty     mutation = "hasty"     // the success is recorded with the claim
	trusting  mutation = "trusting"  // a lease that ran out is recorded as a success
	reckless  mutation = "reckless"  // the tool says that to do it again is harmless, and it is not
)

// mutated breaks a store.
func mutated(m mutation, s store) store {
	switch m {
	case forgetful:
		return &forgets{store: s, claims: map[string]idempotency.Acquire{}}
	case blaming:
		return lapses{s, func(epoch int64) idempotency.Command { return idempotency.Refuse{Epoch: epoch} }}
	case trusting:
		return lapses{s, func(epoch int64) idempotency.Command { return idempotency.Complete{Epoch: epoch, Omitted: true} }}
	case hasty:
		return hastens{s}
	}
	return s
}

// forgets keeps claims in memory until the end of the call comes. One process uses one
// goroutine at a time for a row, so nothing needs a lock.
type forgets struct {
	store
	claims map[string]idempotency.Acquire
}

func (f *forgets) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	switch c := cmd.(type) {
	case idempotency.Acquire:
		row, err := f.Load(ctx, id)
		if err != nil && !errors.Is(err, idempotency.ErrNotFound) {
			return row, err
		}
		f.claims[id] = c
		row, _, err = idempotency.Apply(row, c, time.Now())
		return row, err
	case idempotency.Extend:
		return idempotency.Row{}, nil
	}
	if claim, ok := f.claims[id]; ok {
		delete(f.claims, id)
		if row, err := f.store.Apply(ctx, id, claim); err != nil {
			return row, err
		}
	}
	return f.store.Apply(ctx, id, cmd)
}

// lapses ends what has run out of its lease by a command of its own.
type lapses struct {
	store
	end func(epoch int64) idempotency.Command
}

func (l lapses) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	if _, ok := cmd.(idempotency.Expire); ok {
		if row, err := l.Load(ctx, id); err == nil && row.State == idempotency.Running {
			return l.store.Apply(ctx, id, l.end(row.Epoch))
		}
	}
	return l.store.Apply(ctx, id, cmd)
}

// hastens ends what it has only just claimed.
type hastens struct{ store }

func (h hastens) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	row, err := h.store.Apply(ctx, id, cmd)
	if claim, ok := cmd.(idempotency.Acquire); ok && err == nil && row.State == idempotency.Running && row.Attempt == claim.Attempt {
		_, err = h.store.Apply(ctx, id, idempotency.Complete{Epoch: row.Epoch, Omitted: true})
	}
	return row, err
}

// Nobody is convinced by a judge who has never found anybody guilty.
func TestTheJudgeNotices(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		fault mutation
		at    point
		found func(*judge) []string
	}{
		{sound, afterEffect, nil},
		{sound, beforeDispatch, nil},
		{forgetful, afterEffect, func(j *judge) []string { return j.doubled }},
		{reckless, afterReply, func(j *judge) []string { return j.doubled }},
		{blaming, beforeReply, func(j *judge) []string { return j.falsely }},
		{hasty, beforeDispatch, func(j *judge) []string { return j.lost }},
		{trusting, afterEffect, func(j *judge) []string { return j.unsettled }},
	} {
		t.Run(string(tt.fault)+" "+string(tt.at), func(t *testing.T) {
			t.Parallel()
			s := shop{name: "sqlite", workers: 1, fault: tt.fault, store: newStore(t, "sqlite")}
			s.store.Lease, s.store.Settle = aloneLease, time.Millisecond
			j := &judge{}
			crash(t, j, []shop{s}, []cell{{at: tt.at, of: bare}}, 2)
			require.Equal(t, 2, j.tasks)
			if tt.found == nil {
				require.Empty(t, j.broken())
				return
			}
			require.GreaterOrEqual(t, len(tt.found(j)), 2, "%v", j.broken())
		})
	}
}
