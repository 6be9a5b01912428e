package toolkit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"

	"go.uber.org/zap"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// Cases is where the open questions of the kit's tools are looked at and
// decided. A decision made here goes on at once with the runs of this process
// that wait for it; one made elsewhere is found by [Kit.Recover]. A decision whose
// Result the tool could not have returned (a member that its Out does not have, a
// value of another type), or whose Args do not fit the tool's schema, is refused
// with [escalation.ErrDecision], and the case stays open.
func (k *Kit) Cases() *escalation.Desk { return k.desk }

// openDesk makes the desk of a new kit.
func (k *Kit) openDesk() (err error) {
	if k.ledger == nil {
		return nil // already reported
	}
	k.desk, err = escalation.New(escalation.Config{
		Ledger: k.ledger, Redact: k.cfg.Redact, Notify: k.cfg.Notify, Fits: k.fits, Closed: k.closed,
	})
	return err
}

// fits holds what a decision brings against the tool that it is about.
func (k *Kit) fits(row idempotency.Row, d escalation.Decision) error {
	tool := k.usable(row.Key.Tool)
	if tool == nil {
		return nil // a tool of another program
	}
	switch d.Choice {
	case idempotency.WentThrough:
		if len(d.Result) > 0 {
			return misfit(strictly(d.Result, tool.newOut()))
		}
	case idempotency.ApproveEdited:
		if _, refusal := tool.decoded(d.Args); refusal != nil {
			return fmt.Errorf("the arguments do not fit the schema of %s%s", tool.name, fieldsText(refusal.Fields))
		}
	}
	return nil
}

// strictly reads raw into a value that must have room for all of it.
func strictly(raw json.RawMessage, into any) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("a value that is read from JSON", p)
		}
	}()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.DisallowUnknownFields()
	return decoder.Decode(into)
}

// misfit says what of a result does not fit, without its values.
func misfit(err error) error {
	if err == nil {
		return nil
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		return fmt.Errorf("the result does not fit the tool's Out: %s must be of type %s", cmp.Or(wrong.Field, "all of it"), wrong.Type)
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("the result does not fit the tool's Out: it has no field %s", name)
	}
	return errors.New("the result does not fit the tool's Out: it cannot be read")
}

func fieldsText(fields []fault.FieldError) string {
	var b strings.Builder
	for _, f := range fields {
		fmt.Fprintf(&b, "; %s: %s %s", cmp.Or(f.Field, "all"), f.Rule, f.Want)
	}
	return b.String()
}

// escalate opens the case of a call in doubt that code cannot settle, and makes
// the run wait for it.
func (k *Kit) escalate(ctx context.Context, ex *execution, o fault.Outcome) fault.Outcome {
	if ex.claimed == nil {
		return o
	}
	ctx = context.WithoutCancel(ctx)
	row, err := k.ledger.Row(ctx, ex.claimed.intent.Key.ID())
	if err == nil {
		row, err = k.ask(ctx, row)
	}
	if err != nil {
		k.saved(ex, err)
		return o
	}
	ex.claimed.row = row
	if !row.State.Open() { // it was settled meanwhile: the next call finds it
		return o
	}
	o.Case = row.CaseID()
	k.waiting.add(&row, ex)
	return o
}

// ask opens the case of a row, and notifies where it was this call that did.
func (k *Kit) ask(ctx context.Context, row idempotency.Row) (idempotency.Row, error) {
	reason := "it may have happened, and the tool has no Check"
	if row.HasCheck {
		reason = "it may have happened, and the tool's Check cannot tell"
	}
	row, opened, err := k.ledger.Escalate(ctx, row, reason, k.cfg.DecideWithin)
	if err == nil && opened {
		k.waiting.asked(&row)
		k.announce(ctx, row)
	}
	return row, err
}

// announce tells the notifier of a case that was just opened. What fails here is
// made up for by [Kit.Recover].
func (k *Kit) announce(ctx context.Context, row idempotency.Row) {
	if err := k.desk.Opened(context.WithoutCancel(ctx), row); err != nil && k.cfg.Logger != nil {
		k.cfg.Logger.Warn("case not announced", zap.String("case", row.CaseID()), zap.String("tool", row.Key.Tool), zap.Error(err))
	}
}
