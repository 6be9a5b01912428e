package benchmarks_test

import (
	"context"
	"errors"
	"sync/atomic"
	"time"
)

// The floor is what a wrapper around a call cannot do without, written by hand
// for one tool: it is no design, has no options and is not safe to use.

// op is the wrapped function of every row: it does next to nothing, so that a
// row shows what the wrapping costs.
func op(_ context.Context, in query) (answer, error) { return answer{Total: in.ID + 1}, nil }

type query struct {
	ID       int
	Customer string
}

type answer struct{ Total int }

// opFunc keeps the compiler from inlining the call.
var opFunc = op

// floorBreaker counts in time buckets, with atomics only.
type floorBreaker struct {
	open      atomic.Bool
	bucket    atomic.Int64
	successes atomic.Int64
	failures  atomic.Int64
}

func (b *floorBreaker) record(at time.Duration, ok bool) {
	now := int64(at / (10 * time.Second))
	if old := b.bucket.Load(); old != now && b.bucket.CompareAndSwap(old, now) {
		b.successes.Store(0)
		b.failures.Store(0)
	}
	if ok {
		b.successes.Add(1)
		return
	}
	if f := b.failures.Add(1); f > 10 && f > b.successes.Load() {
		b.open.Store(true)
	}
}

// floorCall is one entry of the floor's record.
type floorCall struct {
	start, took time.Duration
	hash        uint64 //nolint:unused // a record of a call has one, and its bytes are a part of what the floor costs
	seq         uint32
	ok          bool
}

// floor has what a run and a tool need together.
type floor struct {
	base    time.Time
	left    atomic.Int64
	breaker floorBreaker
	calls   [1024]floorCall
	next    uint32
	fn      func(context.Context, query) (answer, error)
}

func newFloor() *floor {
	f := &floor{base: time.Now(), fn: opFunc}
	f.left.Store(1 << 62)
	return f
}

var errFloor = errors.New("refused")

// call: two clock reads, a limit, a breaker, a record.
func (f *floor) call(ctx context.Context, in query) (answer, error) {
	if ctx.Err() != nil || f.left.Add(-1) < 0 || f.breaker.open.Load() {
		return answer{}, errFloor
	}
	start := time.Since(f.base)
	out, err := f.fn(ctx, in)
	end := time.Since(f.base)
	f.breaker.record(end, err == nil)
	f.calls[f.next%uint32(len(f.calls))] = floorCall{start: start, took: end - start, seq: f.next, ok: err == nil}
	f.next++
	return out, err
}

// callWithTimeout: the same, with a context of its own and recover.
func (f *floor) callWithTimeout(ctx context.Context, in query) (out answer, err error) {
	if ctx.Err() != nil || f.left.Add(-1) < 0 || f.breaker.open.Load() {
		return answer{}, errFloor
	}
	start := time.Since(f.base)
	bounded, cancel := context.WithTimeout(ctx, 10*time.Second)
	defer cancel()
	out, err = f.guarded(bounded, in)
	end := time.Since(f.base)
	f.breaker.record(end, err == nil)
	f.calls[f.next%uint32(len(f.calls))] = floorCall{start: start, took: end - start, seq: f.next, ok: err == nil}
	f.next++
	return out, err
}

func (f *floor) guarded(ctx context.Context, in query) (out answer, err error) {
	defer func() {
		if recover() != nil {
			err = errFloor
		}
	}()
	return f.fn(ctx, in)
}
