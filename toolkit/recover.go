package toolkit

import (
	"context"
	"errors"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// Recovery is what one pass of [Kit.Recover] did.
type Recovery struct {
	Expired   int // leases, approvals and keys whose time was over
	Done      int // found done by a Check
	NotDone   int // found not done, and free to run again
	Escalated int // put before a person
	Executed  int // approved, or decided to be run again, and run by this pass
	Drained   int // deferred, and made by this pass, see [Kit.Drain]
	Announced int // cases that somebody was told of who had not been yet
	Resumed   int // calls of this process that were told how their work ended
}

// Recover goes over the work that was left in doubt, by this process or another,
// and settles what code can settle: leases that ran out are taken back, the
// tools' Checks are asked, what they cannot tell becomes a case, somebody is told
// of cases that nobody was told of, and calls and runs of this process that wait
// for an answer get it.
//
// It starts no work but two kinds: what was deferred, see [Kit.Drain], and what a
// person has approved, or has decided to be run again, and no agent has run since.
// The latter are made here, one after the other, with the arguments of the row and
// under its key, so that an agent which asks for it at the same time gets the
// result. Its function gets ctx, not the context of the run that asked, which may
// have ended in another process: what a tool needs beside its arguments must not
// come from there.
//
// Call it when the process starts and every minute or so, or let [Kit.Maintain] do
// that; it is safe in many processes at once. Rows of tools that the kit does not
// have are left alone. The error is the ledger's, or the context's; what was done
// before it counts.
func (k *Kit) Recover(ctx context.Context) (Recovery, error) {
	var r Recovery
	moved, err := k.ledger.Sweep(ctx)
	r.Expired = len(moved)
	if err != nil {
		return r, err
	}
	unknown := idempotency.Query{States: []idempotency.State{idempotency.Unknown}}
	decided := idempotency.Query{States: []idempotency.State{idempotency.Ready}, ToRun: true}
	if err := k.each(ctx, unknown, func(row idempotency.Row) error { return k.recover(ctx, row, &r) }); err != nil {
		return r, err
	}
	if err := k.each(ctx, decided, func(row idempotency.Row) error { return k.runDecided(ctx, row, &r) }); err != nil {
		return r, err
	}
	did, err := k.drain(ctx)
	if r.Drained = did.made(); err != nil {
		return r, err
	}
	if r.Announced, err = k.desk.Announce(ctx); errors.Is(err, idempotency.ErrStore) {
		return r, err
	} else if err != nil && k.cfg.Logger != nil { // another pass tries again
		k.cfg.Logger.Warn("cases not announced", zap.Error(err))
	}
	for _, id := range k.waiting.ids() {
		r.Resumed += k.settled(ctx, id) + k.over(ctx, id, k.cfg.MaxWait)
	}
	return r, ctx.Err()
}

// DefaultMaintainEvery is how often [Kit.Maintain] looks.
const DefaultMaintainEvery = time.Minute

// Maintain calls [Kit.Recover] now and at every interval until ctx ends, and
// returns its error. An interval of 0 or less is [DefaultMaintainEvery]. The error
// of a pass, or a panic of a tool's functions in it, is logged and ends nothing.
// Run it on a goroutine of its own, once a process:
//
//	go kit.Maintain(ctx, 0)
func (k *Kit) Maintain(ctx context.Context, every time.Duration) error {
	if !k.made() {
		return errUnmade
	}
	if every <= 0 {
		every = DefaultMaintainEvery
	}
	for {
		if err := k.pass(ctx); err != nil && ctx.Err() == nil && k.cfg.Logger != nil {
			k.cfg.Logger.Warn("recovery failed, it is tried again", zap.Error(err), zap.Duration("in", every))
		}
		if sleep(ctx, every) != nil {
			return context.Cause(ctx)
		}
	}
}

// pass is a recovery that does not panic.
func (k *Kit) pass(ctx context.Context) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("a function that recovery calls", p)
		}
	}()
	_, err = k.Recover(ctx)
	return err
}

// usable is the tool of this name, nil where the kit has none that works.
func (k *Kit) usable(name string) *core {
	if tool := k.tools.Load().byName[name]; tool != nil && tool.invalid == nil {
		return tool
	}
	return nil
}

// stored is the execution of the call that a row was made for; the fault says why
// its arguments no longer fit. It belongs to no run.
func (k *Kit) stored(tool *core, row idempotency.Row) (*execution, *fault.Fault) {
	ex, refusal := tool.decoded(row.Args)
	ex.claimed = &claimed{row: row, intent: idempotency.Intent{
		Key: row.Key, Effect: tool.effect(), Args: row.Args, Volatile: row.Volatile,
		HasCheck: tool.check != nil, KeyTTL: tool.keyTTL, Dispatch: true, ApprovedFor: k.cfg.ApprovedFor,
		RunID: row.RunID, Call: row.Call, TaskName: row.TaskName, TaskKey: row.TaskKey, Identity: row.Identity,
	}}
	return ex, refusal
}

// each calls do with every row that q selects, a page at a time.
func (k *Kit) each(ctx context.Context, q idempotency.Query, do func(idempotency.Row) error) error {
	for {
		rows, err := k.ledger.List(ctx, q)
		if err != nil {
			return err
		}
		for _, row := range rows {
			if err := do(row); err != nil {
				return err
			}
			q.After = row.ID
		}
		if len(rows) < idempotency.DefaultLimit {
			return nil
		}
	}
}

// runDecided makes the call that a person has approved or wants to be made again,
// unless somebody is faster: the claim is the same as the agent's. It belongs to
// no run; the calls that wait for it are told by the row.
func (k *Kit) runDecided(ctx context.Context, row idempotency.Row, r *Recovery) error {
	if ctx.Err() != nil {
		return ctx.Err()
	}
	tool := k.usable(row.Key.Tool)
	if tool == nil || row.Erased {
		return nil
	}
	ex, refusal := k.stored(tool, row)
	if refusal != nil { // the tool has changed since: the next call for it will say so
		return nil
	}
	waiting := k.waiting.count(row.ID)
	ex.perform(runrecord.NewContext(ctx, nil), &request{})
	if ex.attempts > 0 {
		r.Executed++
	}
	r.Resumed += waiting - k.waiting.count(row.ID)
	return nil
}

// recover settles one row of unknown outcome.
func (k *Kit) recover(ctx context.Context, row idempotency.Row, r *Recovery) error {
	tool := k.usable(row.Key.Tool)
	if tool == nil {
		return nil
	}
	last := lastTrouble(&row)
	if last.final() {
		return nil
	}
	if len(tool.links) > 0 {
		if ex, refusal := tool.decoded(row.Args); refusal == nil && !row.Erased {
			ex.claimed = &claimed{intent: idempotency.Intent{Key: row.Key}, row: row}
			switch o, again, known := k.stoodIn(ctx, ex); {
			case again:
				r.NotDone++
				return nil
			case known && o.OK():
				r.Done++
				return nil
			case known: // the substitute's own row is settled in its turn
				return nil
			}
		}
	}
	row, err := k.ledger.Repeat(ctx, row)
	if err != nil || row.State != idempotency.Unknown {
		return err
	}
	if tool.check != nil {
		ex, refusal := tool.decoded(row.Args)
		if refusal != nil || row.Erased { // the tool has changed since, or nobody knows what to ask about
			return k.toPerson(ctx, row, r)
		}
		row, _, err = k.check(ctx, ex, row, last.Ran == fault.RanYes)
		switch {
		case err != nil:
			return err
		case row.State == idempotency.Succeeded:
			r.Done++
			return nil
		case row.State != idempotency.Unknown:
			r.NotDone++
			return nil
		case early(&row), last.accepted():
			return nil // asked again by the next pass
		}
	}
	if last.accepted() {
		return nil
	}
	return k.toPerson(ctx, row, r)
}

func (k *Kit) toPerson(ctx context.Context, row idempotency.Row, r *Recovery) error {
	_, err := k.ask(ctx, row)
	if errors.Is(err, idempotency.ErrFenced) { // settled meanwhile
		return nil
	}
	if err == nil {
		r.Escalated++
	}
	return err
}
