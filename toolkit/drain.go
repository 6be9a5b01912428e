package toolkit

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// Drained is what one pass of [Kit.Drain] did with deferred calls.
type Drained struct {
	Done     int // made, and done
	Failed   int // made, and refused for good, or not to be made any more
	Doubtful int // made, and nobody knows whether it happened
	Held     int // put before a person: no longer allowed, or no longer what the tool takes
	PutOff   int // tried, and still waiting: the upstream is not back
}

// made is how many calls came to an end.
func (d *Drained) made() int { return d.Done + d.Failed + d.Doubtful }

// takenFor is how long a deferred call that was handed out here is kept from other
// workers, should it not be claimed: its claim follows at once.
const takenFor = 30 * time.Second

// Drain makes the calls that were deferred, of every upstream that may be back: one
// first, to see; then two, four and so on up to Config.Batch at a time, the oldest
// first. A call that finds its upstream still down waits on, and ends the pass for
// that upstream. One that has become stale is put before a person.
//
// Before it is made, a call is looked at again: arguments that the tool no longer
// takes, and an approval that is missing or too old, become a case. Runs of this
// process that wait for a call are told of its end. The function of the tool gets
// ctx, as in [Kit.Recover], which drains as well.
//
// It is safe in many processes at once, each of which keeps its own ramp; while a
// pass is under way in this one, another does nothing. The error is the ledger's,
// or the context's; what was done before it counts.
func (k *Kit) Drain(ctx context.Context) (Drained, error) {
	if !k.made() {
		return Drained{}, errUnmade
	}
	if _, err := k.ledger.Sweep(ctx); err != nil {
		return Drained{}, err
	}
	return k.drain(ctx)
}

func (k *Kit) drain(ctx context.Context) (all Drained, err error) {
	if !k.draining.TryLock() {
		return all, nil
	}
	defer k.draining.Unlock()
	gates, err := k.gates(ctx)
	if err != nil {
		return all, err
	}
	var (
		mu    sync.Mutex
		group sync.WaitGroup
		errs  []error
	)
	slots := make(chan struct{}, k.cfg.Batch)
	for _, g := range gates {
		slots <- struct{}{}
		group.Go(func() {
			defer func() { <-slots }()
			err := g.drain(ctx)
			mu.Lock()
			defer mu.Unlock()
			all.Done += g.did.Done
			all.Failed += g.did.Failed
			all.Doubtful += g.did.Doubtful
			all.Held += g.did.Held
			all.PutOff += g.did.PutOff
			if err != nil {
				errs = append(errs, err)
			}
		})
	}
	group.Wait()
	return all, errors.Join(append(errs, ctx.Err())...)
}

// gate is an upstream that deferred calls wait for.
type gate struct {
	kit  *Kit
	name string
	up   *Upstream
	seen map[string]bool // rows that this pass has had in its hands
	skip int             // of them, those that it leaves alone
	did  Drained
}

// gates are the upstreams that calls of tools of this kit wait for.
func (k *Kit) gates(ctx context.Context) (all []*gate, err error) {
	known := map[string]bool{}
	q := idempotency.Query{States: []idempotency.State{idempotency.Deferred}}
	err = k.each(ctx, q, func(row idempotency.Row) error {
		if known[row.Gate] {
			return nil
		}
		tool := k.usable(row.Key.Tool)
		if tool == nil {
			return nil
		}
		ex, refusal := k.stored(tool, row)
		up := tool.upstream
		if refusal == nil {
			up = up.of(ex)
		}
		known[row.Gate] = true
		all = append(all, &gate{kit: k, name: row.Gate, up: up, seen: map[string]bool{}})
		return nil
	})
	return all, err
}

// drain makes the calls of one gate, in waves.
func (g *gate) drain(ctx context.Context) error {
	var waiting []idempotency.Row
	for width := 1; ; width = min(2*width, g.kit.cfg.Batch) {
		if ctx.Err() != nil || g.up.down() {
			return nil // the caller of drain says that the context has ended
		}
		if len(waiting) < width {
			more, err := g.take(ctx, width-len(waiting))
			if err != nil {
				return err
			}
			waiting = append(waiting, more...)
		}
		wave := waiting[:min(width, len(waiting))]
		if len(wave) == 0 {
			return nil
		}
		waiting = waiting[len(wave):]
		if !g.wave(ctx, wave) {
			return nil
		}
	}
}

// take returns further rows of the gate, the oldest first, which the kit can work
// on. A store that cannot hand rows out returns those again that stay as they are.
func (g *gate) take(ctx context.Context, n int) (fresh []idempotency.Row, err error) {
	for {
		q := idempotency.Query{Gate: g.name, Limit: n + g.skip}
		rows, err := g.kit.ledger.Take(ctx, q, takenFor)
		if err != nil {
			return nil, err
		}
		before := len(g.seen)
		for _, row := range rows {
			if g.seen[row.ID] {
				continue
			}
			g.seen[row.ID] = true
			if g.kit.usable(row.Key.Tool) == nil || row.Erased {
				g.skip++
				continue
			}
			fresh = append(fresh, row)
		}
		if len(fresh) > 0 || len(g.seen) == before {
			return fresh, nil
		}
	}
}

// wave makes some calls at once. It reports whether the upstream took them.
func (g *gate) wave(ctx context.Context, rows []idempotency.Row) bool {
	results := make([]Drained, len(rows))
	took := make([]bool, len(rows))
	var group sync.WaitGroup
	for i, row := range rows {
		group.Go(func() { results[i], took[i] = g.kit.releaseDeferred(ctx, row) })
	}
	group.Wait()
	well := true
	for i, r := range results {
		g.did.Done += r.Done
		g.did.Failed += r.Failed
		g.did.Doubtful += r.Doubtful
		g.did.Held += r.Held
		g.did.PutOff += r.PutOff
		well = well && took[i]
	}
	return well
}

// releaseDeferred makes one deferred call, or puts it before a person. took is
// false where its upstream, or the ledger, did not answer as one that is well.
func (k *Kit) releaseDeferred(ctx context.Context, row idempotency.Row) (did Drained, took bool) {
	tool := k.usable(row.Key.Tool)
	ex, refusal := k.stored(tool, row)
	if refusal != nil { // the tool has changed since: nobody but a person can say what was meant
		ex.claimed.intent.ApprovedFor = 1 // no approval was given for this
		_, held := k.held(ctx, ex, "the deferred arguments no longer fit the tool"+fieldsText(refusal.Fields))
		if held {
			did.Held++
		}
		return did, true
	}
	ex.drained = &drained{notAfter: row.NotAfter}
	ex.perform(runrecord.NewContext(ctx, nil), &request{})
	switch o := &ex.outcome; o.Kind {
	case fault.KindOK:
		did.Done++
		return did, true
	case fault.KindPending:
		switch {
		case o.Case != "":
			did.Held++
		case o.Fault != nil:
			did.PutOff++
			return did, false
		}
		return did, true // somebody else has it, or the service goes on by itself
	case fault.KindUnknown:
		did.Doubtful++
		return did, false
	case fault.KindNotRun:
		return did, false
	default:
		did.Failed++
		return did, o.Kind == fault.KindDenied || o.Fault.Action == fault.FailFast
	}
}

// down reports whether a call would be turned away now.
func (u *Upstream) down() bool {
	_, open := u.breaker.Open()
	return open || u.cooling.active()
}
