package toolkit

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"strings"
	"sync"

	"go.uber.org/zap"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
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
	tool := k.tools.Load().byName[row.Key.Tool]
	if tool == nil || tool.invalid != nil {
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
	if err != nil || !opened {
		return row, err
	}
	if nerr := k.desk.Opened(ctx, row); nerr != nil && k.cfg.Logger != nil {
		k.cfg.Logger.Warn("case not announced", zap.String("case", row.CaseID()), zap.String("tool", row.Key.Tool), zap.Error(nerr))
	}
	return row, nil
}

// maxWaiting bounds how many pieces of work have callers in this process that
// want to hear of their end. Beyond it a run is settled only when it asks again.
const maxWaiting = 1 << 14

// waiting is who in this process wants to hear how a piece of work ends.
type waiting struct {
	mu   sync.Mutex
	rows map[string][]waiter
}

type waiter struct {
	run    *runrecord.Run
	seq    uint32
	caseID string // "" while nobody is asked
	going  bool   // the case is decided, and the work is still to be run
	busy   bool   // another call has the work, and may try again
}

// add makes the call, and its run where there is a case, wait for the row.
func (w *waiting) add(row *idempotency.Row, ex *execution) {
	if ex.run == nil {
		return
	}
	me := waiter{run: ex.run, seq: ex.seq, busy: ex.claimed.busy}
	if row.State.Open() {
		me.caseID = row.CaseID()
		ex.run.Wait(me.caseID)
	}
	w.put(row.ID, me)
}

// follow makes a call that ended pending hear how its work ends, which may have
// been while the call was entered in the record. A call that waits for a person
// does so already.
func (ex *execution) follow(ctx context.Context) {
	if ex.claimed == nil || ex.run == nil || ex.claimed.row.State.Open() {
		return
	}
	ex.tool.kit.waiting.add(&ex.claimed.row, ex)
	ex.tool.kit.settled(ctx, ex.claimed.row.ID)
}

// put makes a call wait for the row, in the place of what it waited as before.
func (w *waiting) put(id string, me waiter) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.rows == nil {
		w.rows = make(map[string][]waiter)
	}
	for i, other := range w.rows[id] {
		if other.run == me.run && other.seq == me.seq {
			w.rows[id][i] = me
			return
		}
	}
	if len(w.rows) < maxWaiting {
		w.rows[id] = append(w.rows[id], me)
	}
}

// take removes and returns the waiters of a row.
func (w *waiting) take(id string) []waiter {
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.rows[id]
	delete(w.rows, id)
	return all
}

// count is how many wait for a row.
func (w *waiting) count(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.rows[id])
}

// ids are the rows that somebody waits for.
func (w *waiting) ids() []string {
	w.mu.Lock()
	defer w.mu.Unlock()
	ids := make([]string, 0, len(w.rows))
	for id := range w.rows {
		ids = append(ids, id)
	}
	return ids
}

// settled goes on with whoever waits for a row that was just closed.
func (k *Kit) settled(ctx context.Context, id string) int {
	if k.waiting.count(id) == 0 {
		return 0
	}
	row, err := k.ledger.Row(context.WithoutCancel(ctx), id)
	if err != nil || row.State.Open() || row.State == idempotency.Unknown || row.State == idempotency.Running {
		return 0
	}
	return k.release(&row)
}

// closed is called by the desk after a decision.
func (k *Kit) closed(_ context.Context, row idempotency.Row) { k.release(&row) }

// release tells every waiting call how its work ended, and lets its run go on. Of
// work that a person wants to be run only the latter: its calls go on waiting. It
// returns how many heard something new.
func (k *Kit) release(row *idempotency.Row) (told int) {
	for _, w := range k.waiting.take(row.ID) {
		if w.busy && !row.State.Terminal() {
			k.waiting.put(row.ID, w)
			continue
		}
		o, ended := verdict(row)
		if ended {
			o.Case = w.caseID
			w.run.SettleWith(w.seq, o, k.payload(w.run, row, o))
		}
		if !w.going && w.caseID != "" {
			w.run.Resume(w.caseID)
		}
		if ended || !w.going {
			told++
		}
		if row.ToRun() {
			w.going = true
			k.waiting.put(row.ID, w)
		}
		if d := row.Decision; d != nil && d.Choice == idempotency.Abort {
			w.run.Abort(fault.ReasonCancelled, fmt.Sprintf("case %s: ended by a person", row.CaseID()))
		}
	}
	return told
}

// verdict is what the row makes of a call that waits for it; none where it is yet
// to be run.
func verdict(row *idempotency.Row) (fault.Outcome, bool) {
	if row.State.Terminal() {
		return closedOutcome(row), true
	}
	if row.State != idempotency.Ready || row.ToRun() || row.MayHaveApplied {
		return fault.Outcome{}, false
	}
	f := earlier(row) // found not done: the call failed, and may be made again
	f.Action, f.Ran, f.Rule = fault.Retry, fault.RanNo, "ledger:not_done"
	return fault.Outcome{Kind: fault.KindFailed, Fault: f}, true
}
