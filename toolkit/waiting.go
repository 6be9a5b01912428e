package toolkit

import (
	"context"
	"fmt"
	"slices"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// maxWaiting bounds how many pieces of work have callers in this process that
// want to hear of their end. Beyond it a run is settled only when it asks again.
const maxWaiting = 1 << 14

// waiting is who in this process wants to hear how a piece of work ends.
type waiting struct {
	mu   sync.Mutex
	rows map[string][]waiter
	runs map[*runrecord.Run]int // how often a run is among them
}

type waiter struct {
	run     *runrecord.Run
	seq     uint32
	entered bool   // the record has the call, so that it can be settled
	caseID  string // "" while nobody is asked
	going   bool   // the case is decided, and the work is still to be run
	busy    bool   // another call has the work, and may try again
	share
}

// on makes the waiter's run wait for the case of a row, where one is open.
func (w *waiter) on(row *idempotency.Row) {
	if row.State.Open() {
		w.caseID, w.going = row.CaseID(), false
		w.run.Wait(w.caseID)
	}
}

// add makes the call, and its run where there is a case, wait for the row. It
// hears of nothing before the record has the call, see [execution.follow].
func (w *waiting) add(row *idempotency.Row, ex *execution) {
	if ex.run == nil || row.ID == "" {
		return
	}
	me := waiter{run: ex.run, seq: ex.seq, busy: ex.claimed.busy, share: ex.claimed.share}
	me.on(row)
	ex.waits = row.ID
	w.mu.Lock()
	defer w.mu.Unlock()
	for i, other := range w.rows[row.ID] {
		if other.run == me.run && other.seq == me.seq {
			w.rows[row.ID][i] = me
			return
		}
	}
	w.put(row.ID, me)
}

// follow makes a call that ended without an end of its work hear of that, which
// may have come while the call was entered in the record.
func (ex *execution) follow(ctx context.Context) {
	if ex.claimed == nil || ex.run == nil {
		return
	}
	k := ex.tool.kit
	if ex.waits == "" {
		k.waiting.add(&ex.claimed.row, ex)
	}
	k.waiting.enter(ex.waits, ex.run, ex.seq)
	k.settled(ctx, ex.waits)
}

// put needs the lock.
func (w *waiting) put(id string, me waiter) {
	if w.rows == nil {
		w.rows, w.runs = make(map[string][]waiter), make(map[*runrecord.Run]int)
	}
	if _, known := w.rows[id]; known || len(w.rows) < maxWaiting {
		w.rows[id] = append(w.rows[id], me)
		w.runs[me.run]++
	}
}

// enter says that the record has the call.
func (w *waiting) enter(id string, run *runrecord.Run, seq uint32) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for i := range w.rows[id] {
		if at := &w.rows[id][i]; at.run == run && at.seq == seq {
			at.entered = true
		}
	}
}

// each shows every waiter of a row that can be told to do, which says whether it
// waits on. It runs under the lock: do must not call out.
func (w *waiting) each(id string, do func(*waiter) (stays bool)) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(w.rows[id]) == 0 {
		return
	}
	kept := w.rows[id][:0]
	for _, me := range w.rows[id] {
		if !me.entered || do(&me) {
			kept = append(kept, me)
		} else if w.runs[me.run]--; w.runs[me.run] == 0 {
			delete(w.runs, me.run)
		}
	}
	if w.rows[id] = kept; len(kept) == 0 {
		delete(w.rows, id)
	}
}

// asked makes everybody who waits for the row wait for the case that was opened
// about it.
func (w *waiting) asked(row *idempotency.Row) {
	w.each(row.ID, func(me *waiter) bool {
		me.on(row)
		return true
	})
}

// left reports whether the run waits for anything else.
func (w *waiting) left(run *runrecord.Run) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.runs[run] > 0
}

// count is how many wait for a row.
func (w *waiting) count(id string) int {
	w.mu.Lock()
	defer w.mu.Unlock()
	return len(w.rows[id])
}

// busy reports whether anybody waits for the row that found it taken.
func (w *waiting) busy(id string) bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	return slices.ContainsFunc(w.rows[id], func(me waiter) bool { return me.busy && me.entered })
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

// settled goes on with whoever waits for a row that may have come to an end, or to
// a question.
func (k *Kit) settled(ctx context.Context, id string) int {
	if k.waiting.count(id) == 0 {
		return 0
	}
	row, err := k.ledger.Row(context.WithoutCancel(ctx), id)
	switch {
	case err != nil, row.State == idempotency.Unknown, row.State == idempotency.Running:
		return 0
	case row.State.Open():
		k.waiting.asked(&row)
		return 0
	}
	return k.release(&row)
}

// closed is called by the desk after a decision.
func (k *Kit) closed(_ context.Context, row idempotency.Row) { k.release(&row) }

// heard is what a waiter is told.
type heard struct {
	waiter
	outcome fault.Outcome
	ended   bool // its work has
	decided bool // its case is
}

// release tells every waiting call how its work ended, and lets its run go on. Of
// work that is still to be run only the latter: its calls go on waiting. It
// returns how many heard something new.
func (k *Kit) release(row *idempotency.Row) int {
	var all []heard
	k.waiting.each(row.ID, func(w *waiter) bool {
		h := heard{waiter: *w, decided: w.caseID != "" && !w.going}
		if !w.busy || row.State.Terminal() { // else whoever has it may try again
			h.outcome, h.ended = verdict(row)
		}
		w.going = w.going || h.decided
		if h.ended || h.decided {
			all = append(all, h)
		}
		return !h.ended
	})
	for _, h := range all {
		if h.ended {
			h.outcome.Case = h.caseID
			h.run.SettleWith(h.seq, h.outcome, k.payload(h.run, row, h.outcome))
			if row.Decision == nil { // what a person has decided is told to the next call as well
				k.ended(h.share)
			}
		}
		if h.decided {
			h.run.Resume(h.caseID)
		}
		if d := row.Decision; d != nil && d.Choice == idempotency.Abort && h.caseID != "" {
			h.run.Abort(fault.ReasonCancelled, fmt.Sprintf("case %s: ended by a person", row.CaseID()))
		}
		if h.ended && h.caseID == "" && !k.waiting.left(h.run) {
			h.run.Resume("") // a deferred run goes on when the last of its work has ended
		}
	}
	return len(all)
}

// over is called when nobody will try the work again by itself: calls that found
// it taken, and did not wait, are told how far it came. It does nothing where the
// row was changed within the last idle.
func (k *Kit) over(ctx context.Context, id string, idle time.Duration) int {
	if !k.waiting.busy(id) {
		return 0
	}
	row, err := k.ledger.Row(context.WithoutCancel(ctx), id)
	if err != nil || row.State == idempotency.Running || time.Since(row.Updated) < idle {
		return 0
	}
	doubtful := row.State == idempotency.Unknown || row.State == idempotency.Escalated || row.State == idempotency.Ready && row.MayHaveApplied
	var all []heard
	k.waiting.each(id, func(w *waiter) bool {
		if w.busy && doubtful && !lastTrouble(&row).accepted() {
			w.on(&row)
			all = append(all, heard{waiter: *w})
		}
		w.busy = false
		return true
	})
	for _, h := range all {
		f := earlier(&row)
		f.Ran = fault.RanUnknown
		kind := fault.KindUnknown
		if !row.Effect.Writes() {
			kind = fault.KindFailed
		}
		h.run.Settle(h.seq, fault.Outcome{Kind: kind, Fault: f, Case: h.caseID})
	}
	return len(all) + k.settled(ctx, id)
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
