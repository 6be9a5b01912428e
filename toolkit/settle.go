package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// doubted is how a call ends whose work may have happened in an earlier call.
// Nothing is started for it, unless it is first found out that nothing happened
// or a repetition changes nothing more: then it may claim again.
func (k *Kit) doubted(ctx context.Context, ex *execution) (o fault.Outcome, again bool) {
	row := &ex.claimed.row
	if row.State == idempotency.Unknown && len(ex.tool.links) > 0 {
		if o, again, known := k.stoodIn(ctx, ex); known {
			return o, again
		}
	}
	f := earlier(row)
	f.Ran = fault.RanUnknown
	o = fault.Outcome{Kind: fault.KindUnknown, Fault: f, Case: row.CaseID()}
	if row.State == idempotency.Escalated && !row.MayHaveApplied { // it went stale before it was ever made
		k.waiting.add(row, ex)
		return fault.Outcome{Kind: fault.KindPending, Case: row.CaseID()}, false
	}
	if row.State == idempotency.Escalated {
		f.Action = fault.Escalate
		k.waiting.add(row, ex)
		return o, false
	}
	if repeated, err := k.ledger.Repeat(ctx, *row); err == nil && repeated.State == idempotency.Ready {
		return o, true
	}
	last := lastTrouble(row)
	if last.final() {
		f.Ran = fault.RanYes
		o.Kind = fault.KindFailed
		return o, false
	}
	o.Kind = fault.KindFailed
	if ex.tool.check != nil {
		settled, step := k.settle(ctx, ex, o)
		if step != fault.Ask {
			return settled, step == fault.Again
		}
	}
	if last.accepted() {
		return fault.Outcome{Kind: fault.KindPending}, false
	}
	return ex.escalated(ctx, o), false
}

// trouble is the end of the last attempt of a row.
type trouble idempotency.Trouble

func lastTrouble(row *idempotency.Row) trouble {
	if n := len(row.Attempts); n > 0 {
		return trouble(row.Attempts[n-1].Trouble)
	}
	return trouble{}
}

// final: it ran and answered, and the answer was a failure: nobody is in doubt.
func (t trouble) final() bool { return t.Ran == fault.RanYes && t.Action == fault.FailFast }

// accepted: the service has taken the request and not answered yet.
func (t trouble) accepted() bool { return t.Reason == fault.ReasonNone && t.Text != "" }

// settle asks the tool's Check about work that may have happened. It returns
// the outcome that the answer makes of it (ok, with the result in ex.out, where
// it was done) and the step that follows: Stop, Again (it was not done) or Ask.
// Where it is too early to ask, or the caller has gone, the outcome is unknown
// and nobody is asked: the next call on the work, or [Kit.Recover], checks.
func (k *Kit) settle(ctx context.Context, ex *execution, o fault.Outcome) (fault.Outcome, fault.Step) {
	if ex.claimed == nil {
		return o, fault.Ask
	}
	row, err := k.ledger.Row(ctx, ex.claimed.intent.Key.ID())
	if err != nil {
		return k.open(ctx, ex, o), fault.Stop
	}
	wait := time.Until(row.Settled())
	if !fits(ctx, wait, k.cfg.MaxWait) || sleep(ctx, wait) != nil {
		return k.open(ctx, ex, o), fault.Stop
	}
	row, found, err := k.check(ctx, ex, row, o.Fault != nil && o.Fault.Ran == fault.RanYes)
	ex.claimed.row = row
	switch {
	case err == nil && row.State == idempotency.Succeeded:
		if o = (fault.Outcome{Kind: fault.KindOK}); !found {
			o = ex.replayed(&row)
			o.Qualifiers &^= fault.Replayed // it is the end of this call
		}
		k.ended(ex.claimed.share)
		k.settled(ctx, row.ID)
		return o, fault.Stop
	case err == nil && row.State == idempotency.Ready && !row.MayHaveApplied:
		f := *o.Fault
		f.Ran = fault.RanNo
		o.Kind, o.Fault = fault.KindFailed, &f
		return o, fault.Again
	case err != nil, ctx.Err() != nil, early(&row):
		return k.open(ctx, ex, o), fault.Stop
	}
	return o, fault.Ask
}

// early reports whether the last answer of a Check came too soon to be believed.
func early(row *idempotency.Row) bool {
	n := len(row.Checks)
	return n > 0 && row.Checks[n-1].Early
}

// open is the outcome of work that may have happened and about which nobody is
// asked yet.
func (k *Kit) open(ctx context.Context, ex *execution, o fault.Outcome) fault.Outcome {
	f := *o.Fault
	f.Ran = fault.RanUnknown
	o.Kind, o.Fault = fault.KindUnknown, &f
	if row, err := k.ledger.Row(context.WithoutCancel(ctx), ex.claimed.intent.Key.ID()); err == nil {
		k.waiting.add(&row, ex)
	}
	return o
}

// check asks the tool's Check and records what it found. An error is no answer;
// it is asked again, as often as a call would be. contradicted says that the
// service has claimed to have done it: a "not done" is then no proof. done says
// that it was this Check that has settled the row, and that what it found is in
// ex.out: the ledger may not have kept all of that.
func (k *Kit) check(ctx context.Context, ex *execution, row idempotency.Row, contradicted bool) (_ idempotency.Row, done bool, _ error) {
	for n := 1; ; n++ {
		found, err := ex.ask(ctx, row.RemoteKey())
		if ctx.Err() != nil && err != nil {
			return row, false, ctx.Err()
		}
		finding, text := idempotency.CannotTell, ""
		var result json.RawMessage
		switch {
		case err != nil:
			text = k.kept(err)
		case found == Done:
			finding = idempotency.Done
			if result, err = marshal(ex.out); err != nil {
				result = nil
			}
			err = nil
		case found == NotDone && contradicted:
			text = "not found, although the service has answered that it was done"
		case found == NotDone:
			finding = idempotency.NotDone
		}
		wait := k.cfg.Backoff.Next(n)
		if err != nil && n < k.cfg.MaxAttempts && fits(ctx, wait, k.cfg.MaxWait) && sleep(ctx, wait) == nil {
			continue
		}
		checked, serr := k.ledger.Check(context.WithoutCancel(ctx), row, finding, result, text)
		if errors.Is(serr, idempotency.ErrFenced) { // somebody else has settled it meanwhile
			row, err = k.ledger.Row(ctx, row.ID)
			return row, false, err
		}
		return checked, serr == nil && finding == idempotency.Done, serr
	}
}

// ask calls the tool's Check once, with the key of the attempt in its context
// and under the timeout of a call. A panic is an error.
func (ex *execution) ask(ctx context.Context, remote string) (found Happened, err error) {
	a := &attempt{parent: ctx, remote: remote, effect: fault.Read}
	a.limitedTo(ex.tool.timeout)
	defer a.end()
	defer func() {
		if p := recover(); p != nil {
			found, err = CannotTell, newPanicError("its Check", p)
		}
	}()
	ex.tool.clear(ex.out)
	return ex.tool.check(a, ex.in, ex.out)
}
