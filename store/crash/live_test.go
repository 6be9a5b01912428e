package crash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// rounds bounds how often a call is made for one task: before and after an approval,
// and before and after a decision about what happened.
const rounds = 6

// live does what an agent does that has just been started: it recovers, and makes its
// call, whether or not an earlier process has made it. Where a person is asked, one
// looks at what the service has done, and decides by that.
func (a *agent) live(ctx context.Context, s step) (report, error) {
	var r report
	d := newDeath(s.Die, rowOf(s.Task.Effect, s.Task.Job))
	a.store.death.Store(d)
	defer a.store.death.Store(nil)
	ctx, run, err := a.kit.Start(ctx, runrecord.Task{Name: "crash", Key: s.Task.Job.Item})
	if err != nil {
		return r, err
	}
	defer run.End()
	for range rounds {
		if err := a.recover(ctx, d); err != nil {
			return r, err
		}
		t, err := a.invoke(ctx, s.Task.Effect, s.Task.Job)
		if err != nil {
			return r, err
		}
		r.Told = append(r.Told, t)
		if t.Kind == fault.KindOK || t.Case == "" {
			break
		}
		if err := a.decide(ctx, t); err != nil {
			return r, err
		}
		r.Decisions++
	}
	return r, a.describe(ctx, d.row, &r)
}

// invoke makes a call, and finds out what is true by then.
func (a *agent) invoke(ctx context.Context, of effect, j job) (t told, err error) {
	res := a.tools[of].Invoke(ctx, j)
	t = told{Kind: res.Outcome.Kind, Case: res.Outcome.Case, Receipt: res.Value.ID}
	if !res.Outcome.OK() {
		t.Line = res.String()
	}
	t.Truth, err = a.service.look(ctx, j.Item)
	return t, err
}

// recover recovers until nothing about the row is left for time to decide.
func (a *agent) recover(ctx context.Context, d *death) error {
	d.recovering.Store(true)
	defer d.recovering.Store(false)
	for {
		if _, err := a.kit.Recover(ctx); err != nil {
			return err
		}
		row, err := a.store.Load(ctx, d.row)
		if errors.Is(err, idempotency.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		var until time.Time
		switch row.State {
		case idempotency.Running:
			until = row.LeaseUntil
		case idempotency.Unknown:
			until = row.Settled()
		default:
			return nil
		}
		select {
		case <-time.After(time.Until(until) + time.Millisecond):
		case <-ctx.Done():
			return fmt.Errorf("recovery never comes to rest, the row is %s: %w", row.State, ctx.Err())
		}
	}
}

// decide is a person who looks at what the service has done.
func (a *agent) decide(ctx context.Context, t told) error {
	c, err := a.kit.Cases().Show(ctx, t.Case)
	if err != nil {
		return err
	}
	decision := c.Decide(idempotency.RunAgain, "maria")
	switch {
	case c.State == idempotency.AwaitingApproval:
		decision.Choice = idempotency.Approve
	case t.Truth.Receipt != "":
		decision.Choice = idempotency.WentThrough
		if decision.Result, err = json.Marshal(receipt{t.Truth.Receipt}); err != nil {
			return err
		}
	}
	_, err = a.kit.Cases().Resolve(ctx, decision)
	if errors.Is(err, idempotency.ErrDecided) || errors.Is(err, escalation.ErrNoCase) {
		return nil // another process was faster, and died of it
	}
	return err
}

// describe says what the ledger holds in the end.
func (a *agent) describe(ctx context.Context, id string, r *report) error {
	row, err := a.store.Load(ctx, id)
	if errors.Is(err, idempotency.ErrNotFound) {
		return nil // a read that nobody had to allow
	}
	if err != nil {
		return err
	}
	events, err := a.store.Events(ctx, id)
	if err != nil {
		return err
	}
	r.Recorded, r.State, r.Epoch, r.Checks, r.Duplicate = true, row.State, row.Epoch, len(row.Checks), row.PossibleDuplicate
	for _, e := range events {
		r.Failed = r.Failed || e.To == idempotency.Failed || e.To == idempotency.Rejected
		if e.To == idempotency.Escalated && e.From != e.To {
			r.Cases++
		}
	}
	return nil
}
