package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// An agent that plans again asks for the same work in other words: another memo,
// a rounded sum. Where a tool says by its Identity what a call is about, a second
// write of a task about the same is not made before a person has allowed it. The
// same thing in another task is new work.

// identity says what a call is about, by the fields that the tool declares; "" where
// it declares none, or the arguments have none of them.
func (c *core) identity(args json.RawMessage) (string, error) {
	fields := c.info.Load().Identity
	if len(fields) == 0 {
		return "", nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return "", nil // no object: a schema without fields
	}
	said := make(map[string]json.RawMessage, len(fields))
	for _, field := range fields {
		if raw, ok := lookUp(members, field); ok && string(raw) != "null" {
			said[field] = raw
		}
	}
	if len(said) == 0 {
		return "", nil
	}
	about, err := json.Marshal(said)
	if err != nil {
		return "", err
	}
	return idempotency.Identify(c.name, about, fields...)
}

// alike reports whether the call has to be held against the others of its task.
// One with a business key has been told apart by that; one that is asked for
// again on purpose, or that is new work each time, is meant.
func (c *claimed) alike(tool *core) bool {
	in := &c.intent
	return tool.effect().Writes() && tool.keyOf == nil && !tool.anew &&
		in.Identity != "" && in.TaskKey != "" && in.Key.Occurrence == 0
}

// twin looks for other work of the task about the same thing, which is done, under
// way or will be. It is called under a claim: of two that meet, each finds the
// other.
func (k *Kit) twin(ctx context.Context, c *claimed) (found *idempotency.Row, err error) {
	in := &c.intent
	q := idempotency.Query{Tenant: in.Key.Tenant, Tool: in.Key.Tool, Identity: in.Identity, TaskKey: in.TaskKey}
	id := in.Key.ID()
	err = k.each(ctx, q, func(row idempotency.Row) error {
		if row.ID == id || row.Key.Intent == in.Key.Intent || row.Key.Tenant != in.Key.Tenant || !starts(&row) {
			return nil
		}
		found = &row
		return errFound
	})
	if errors.Is(err, errFound) || errors.Is(err, idempotency.ErrUnsupported) { // a store that cannot be looked into protects by its keys alone
		err = nil
	}
	return found, err
}

var errFound = errors.New("found")

// starts reports whether work was started, may have been, or will be without
// another call for it. A question to a person is none of that: who is asked
// decides about both.
func starts(row *idempotency.Row) bool {
	switch row.State {
	case idempotency.Failed, idempotency.Rejected, idempotency.AwaitingApproval:
		return row.MayHaveApplied
	case idempotency.Ready:
		return row.MayHaveApplied || row.ToRun()
	}
	return true
}

// unlike makes a claim of work that may be a repetition in other words into one
// that may execute, or puts it before a person; the outcome then says so.
func (k *Kit) unlike(ctx context.Context, ex *execution, claim *idempotency.Claim) (o fault.Outcome, held bool) {
	twin, err := k.twin(ctx, ex.claimed)
	if err == nil && twin == nil {
		if err = claim.Dispatch(ctx); err == nil {
			return o, false
		}
	}
	t := idempotency.Trouble{Reason: fault.ReasonConflict, Action: fault.FailFast, Ran: fault.RanNo}
	if err != nil {
		t.Reason = fault.ReasonCancelled
	}
	k.saved(ex, claim.Release(ctx, t, false))
	if err != nil {
		return unclaimed(err), true
	}
	why := fmt.Sprintf("another call of the task is about the same, in other words (%s, %s): allow it only where both are meant", twin.ID, twin.State)
	if o, held = k.held(ctx, ex, why); !held { // somebody else has it by now
		ex.claimed.busy = true
		return fault.Outcome{Kind: fault.KindPending}, true
	}
	return o, true
}
