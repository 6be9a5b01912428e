package runrecord

import (
	"context"
	"errors"
	"slices"

	"github.com/failloud/failloud/fault"
)

// Judgment is what the guard decided, as the record keeps it.
type Judgment struct {
	Decision string   // "answer", "disclose", "refuse", "escalate", "defer"
	Step     int      // of the guard that decided
	State    State    // what the run ends as
	Unmet    []string // requirements
	Findings []string // one line each, no payload
	Reported bool     // the guard is in report mode: it left anyway
	Draft    string   // the answer that was judged; not kept, and sinks get it only where it is captured
}

// maxNotes bounds the lines of a judgment that are kept, each of at most 1 KiB.
const maxNotes = 64

// Judged records the verdict of the guard. The last one before [Run.End]
// decides what the run ends as. A run whose leg has ended, as waiting or
// deferred, is ended by a verdict that lets an answer leave or keeps it back, in
// a last, empty leg, unless a case is open. A verdict after the end goes to the
// sinks only. The zero Judgment takes back what was judged in this leg.
func (r *Run) Judged(j Judgment) {
	if r == nil {
		return
	}
	draft := j.Draft
	j.Draft, j.Unmet, j.Findings = "", r.rec.cleanAll(j.Unmet), r.rec.cleanAll(j.Findings)
	r.family.mu.Lock()
	retracted := j.Decision == "" && j.State == Running
	paused := (r.state == Waiting || r.state == Deferred) && j.State.Ended() && !r.openCases()
	if paused {
		r.beginLeg()
	}
	if r.state == Running {
		r.judgment = &j
		if retracted {
			r.judgment = nil
		}
	}
	leg, cut := r.leg, r.cutShort()
	var ended *Event
	if paused {
		ended = r.endLeg(r.conclude())
	}
	r.family.mu.Unlock()
	if !retracted && r.rec.wants(EventJudged, fault.KindNone) {
		e := r.event(EventJudged, leg)
		e.setJudgment(&j)
		e.Reason = cut
		e.Draft = r.rec.captured(draft)
		r.rec.emit(&e)
	}
	r.rec.emitAll(ended)
}

// Wait marks the run, and with it its parents, as waiting on a case. Waiting
// twice on one case is waiting once; a run that has ended for good does not wait.
func (r *Run) Wait(caseID string) {
	if r == nil {
		return
	}
	f := r.family
	f.mu.Lock()
	defer f.mu.Unlock()
	if caseID == "" || r.state.Ended() || slices.Contains(f.cases, openCase{caseID, r}) {
		return
	}
	f.cases = append(f.cases, openCase{caseID, r})
}

// Resume says that a case is settled. When that was the last case the run or a
// parent waits on, it begins a new leg there, after ending the current one as
// waiting if it is still going. A deferred run, which has no case, is resumed
// with the empty id. An id the run does not wait on changes nothing.
func (r *Run) Resume(caseID string) {
	if r == nil {
		return
	}
	f := r.family
	f.mu.Lock()
	from := r
	if caseID != "" {
		i := slices.IndexFunc(f.cases, func(c openCase) bool {
			return c.id == caseID && (c.run.within(r) || r.within(c.run))
		})
		if i < 0 {
			f.mu.Unlock()
			return
		}
		from = f.cases[i].run
		f.cases = slices.Delete(f.cases, i, i+1)
	} else if r.state != Deferred && r.state != Waiting {
		f.mu.Unlock()
		return
	}
	type news struct {
		rec            *Recorder
		ended, started *Event
	}
	var all []news
	for p := from; p != nil; p = p.parent {
		if p.state.Ended() || p.openCases() || caseID == "" && p.state == Running {
			continue
		}
		n := news{rec: p.rec}
		if p.state == Running {
			n.ended = p.endLeg(Waiting)
		}
		p.beginLeg()
		n.started = p.startedEvent()
		all = append(all, n)
	}
	f.mu.Unlock()
	for _, n := range all {
		n.rec.emitAll(n.ended, n.started)
	}
}

// beginLeg goes on after a pause. The context of the start belongs to the
// first leg; later ones run under another.
func (r *Run) beginLeg() {
	r.paused += r.Elapsed() - r.legEnded
	r.leg++
	r.state, r.judgment, r.ctx = Running, nil, context.Background()
}

// OpenCases are the ids that the run and its children wait on, oldest first.
func (r *Run) OpenCases() []string {
	if r == nil {
		return nil
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	return r.caseIDs()
}

func (r *Run) caseIDs() []string {
	var ids []string
	for _, c := range r.family.cases {
		if c.run.within(r) && !slices.Contains(ids, c.id) {
			ids = append(ids, c.id)
		}
	}
	return ids
}

func (r *Run) openCases() bool {
	return slices.ContainsFunc(r.family.cases, func(c openCase) bool { return c.run.within(r) })
}

// End ends the run or, while it waits or is deferred, this leg. What it ends
// as: aborted, unless the guard has judged since; waiting with an open case;
// what the guard decided; aborted where its context has ended without a
// judgment; else unjudged. Further calls of End change nothing, and a nil run
// may be ended, so that "defer run.End()" is safe before looking at an error.
func (r *Run) End() {
	if r == nil {
		return
	}
	r.family.mu.Lock()
	if r.state != Running {
		r.family.mu.Unlock()
		return
	}
	e := r.endLeg(r.conclude())
	r.family.mu.Unlock()
	r.rec.emitAll(e)
}

// conclude decides what the current leg ends as.
func (r *Run) conclude() State {
	judged := Running
	if r.judgment != nil {
		judged = r.judgment.State
	}
	if by := r.aborted(); by != nil {
		r.abort(by.abortReason, by.abortDetail)
		if judged.Ended() {
			return judged
		}
		return Aborted
	}
	if r.openCases() {
		return Waiting
	}
	if judged != Running {
		return judged
	}
	if r.ctx.Err() != nil {
		r.abandoned()
		return Aborted
	}
	return Unjudged
}

// abandoned aborts a run whose context has ended.
func (r *Run) abandoned() {
	reason := fault.ReasonCancelled
	if errors.Is(r.ctx.Err(), context.DeadlineExceeded) {
		reason = fault.ReasonTimeout
	}
	r.abort(reason, "the context of the run has ended")
}

// endLeg closes the leg and returns its event, nil where no sink wants it. A
// run that has ended for good lets go of what only a running one needs.
func (r *Run) endLeg(state State) *Event {
	r.legEnded = r.Elapsed()
	e := r.endedEvent(state)
	r.state = state
	if state.Ended() {
		r.ctx = nil
		r.watchers.Store(nil)
		r.aside.Store(nil)
		r.family.cases = slices.DeleteFunc(r.family.cases, func(c openCase) bool { return c.run == r })
		if r.parent == nil {
			r.family.held.trim()
		}
	}
	return e
}
