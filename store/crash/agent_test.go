package crash_test

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/toolkit"
)

// patience bounds what a process may take for its order.
const patience = time.Minute

// receipt is what a tool returns.
type receipt struct {
	ID string `json:"id"`
}

// agent is the process that is killed: a kit over the store that is tried.
type agent struct {
	order   order
	service client
	store   *mortal
	ledger  *idempotency.Ledger
	kit     *toolkit.Kit
	tools   map[effect]*toolkit.Wrapped[job, receipt]
}

// work is the role of an agent. It reads its order, reports each step that it lives
// through as a line of JSON, and ends with the last one, or when its input does, which
// the end of the parent brings about.
func work(in io.Reader, out io.Writer) error {
	a := &agent{}
	if err := json.NewDecoder(in).Decode(&a.order); err != nil {
		return err
	}
	go func() {
		_, _ = io.Copy(io.Discard, in)
		os.Exit(3) // the parent has gone
	}()
	ctx, cancel := context.WithTimeout(context.Background(), patience)
	defer cancel()
	db, err := a.order.Store.open(ctx)
	if err != nil {
		return err
	}
	if err := a.equip(db); err != nil {
		return err
	}
	reports := json.NewEncoder(out)
	for _, s := range a.order.Steps {
		r, err := a.live(ctx, s)
		if err != nil {
			return fmt.Errorf("%s: %w", s.Task, err)
		}
		if err := reports.Encode(r); err != nil {
			return err
		}
	}
	return errors.Join(a.ledger.Close(ctx), db.Close())
}

// equip makes the kit and its tools.
func (a *agent) equip(s store) (err error) {
	a.service = newClient(a.order.Service)
	a.store = &mortal{store: mutated(a.order.Fault, s)}
	a.ledger, err = idempotency.New(idempotency.Config{
		Store: a.store, Lease: a.order.Store.Lease, Settle: a.order.Store.Settle,
	})
	if err != nil {
		return err
	}
	a.kit = toolkit.New(toolkit.Config{
		Ledger: a.ledger, Backoff: toolkit.Backoff{Base: 5 * time.Millisecond, Max: 50 * time.Millisecond},
	})
	a.tools = map[effect]*toolkit.Wrapped[job, receipt]{}
	for _, e := range effects {
		a.tools[e] = toolkit.Wrap(a.kit, a.tool(e))
	}
	return nil
}

// tool is the tool of an effect, with all that is known about its service.
func (a *agent) tool(of effect) toolkit.Tool[job, receipt] {
	t := toolkit.Tool[job, receipt]{
		Name: string(of), Effect: fault.Write, KeyOf: func(j job) string { return j.Item },
		Approve: func(j job) string {
			if j.Ask {
				return "whoever gave the order wants to be asked"
			}
			return ""
		},
		Call: func(ctx context.Context, j job) (receipt, error) { return a.call(ctx, of, j) },
	}
	switch of {
	case read:
		t.Effect = fault.Read
	case idempotent:
		t.Effect = fault.Idempotent
	case keyed:
		t.KeyTTL = time.Hour
	case checked:
		t.Check = a.check
	}
	if a.order.Fault == reckless {
		t.Effect, t.Check = fault.Idempotent, nil
	}
	return t
}

// call is the function of every tool.
func (a *agent) call(ctx context.Context, of effect, j job) (receipt, error) {
	d, key := a.store.death.Load(), toolkit.IdempotencyKey(ctx)
	if d == nil || d.row != rowOf(of, j) { // of a neighbour
		d = newDeath(alive, "")
	}
	if d.stubborn {
		ctx = context.WithoutCancel(ctx)
	}
	d.reached(beforeDispatch)
	wanted := d.at
	if wanted == stoppedBefore {
		if _, err := a.service.do(ctx, read, j.Item, "", wanted); err != nil {
			return receipt{}, err
		}
		wanted = alive
	}
	done, err := a.service.do(ctx, of, j.Item, key, wanted)
	if err == nil {
		d.reached(afterReply)
	}
	return receipt{done.Receipt}, err
}

func (a *agent) check(ctx context.Context, j job) (toolkit.Checked[receipt], error) {
	if j.Blind {
		return toolkit.Checked[receipt]{}, nil
	}
	done, err := a.service.look(ctx, j.Item)
	if err != nil || done.Effects == 0 {
		return toolkit.Checked[receipt]{Happened: toolkit.NotDone}, err
	}
	return toolkit.Checked[receipt]{Happened: toolkit.Done, Result: receipt{done.Receipt}}, nil
}

// rowOf is the id of the row of a job.
func rowOf(of effect, j job) string {
	key, err := idempotency.Derive(context.Background(), idempotency.Piece{Tool: string(of), Keyed: true, Business: j.Item, Args: []byte("{}")})
	if err != nil {
		return err.Error()
	}
	return key.ID()
}
