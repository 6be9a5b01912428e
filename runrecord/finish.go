package runrecord

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/failloud/failloud/fault"
)

// Attempted reports one failed attempt that will be repeated after wait. It
// goes to the sinks; the record counts attempts when the call has finished.
func (r *Run) Attempted(c Call, wait time.Duration) {
	r.report(EventRetry, c, wait)
}

// Replaced reports that one tool of a call failed and another stood in for it, or
// was to and failed as well. It goes to the sinks, so that a substitute which
// works does not hide what it stands in for; the record has the call once.
func (r *Run) Replaced(c Call) { r.report(EventReplaced, c, 0) }

// report reports what happened within a call that has not ended.
func (r *Run) report(t EventType, c Call, wait time.Duration) {
	if r == nil || !r.rec.wants(t, c.Kind) {
		return
	}
	c.Detail = r.rec.kept(c.Detail)
	if c.Leg == 0 {
		c.Leg = uint16(r.Leg())
	}
	e := r.callEvent(t, &c)
	if t == EventRetry {
		e.Wait = wait
	}
	r.rec.emit(&e)
}

// Finish records a call that has ended, also after the run has: a result that
// did arrive is kept. A call without a number, one that was refused before it
// was admitted, gets the next; the number is returned. Watchers and sinks run on the caller's
// goroutine after the call is in the record, never under a lock.
func (r *Run) Finish(c Call) (seq uint32) { return r.FinishWith(c, Payload{}) }

// FinishWith is [Run.Finish] for a call whose payload is at hand, see
// [Run.WantsPayload]. Of a success it becomes evidence where a judge asked for
// that, and sinks get it where it is captured.
func (r *Run) FinishWith(c Call, p Payload) (seq uint32) {
	if r == nil {
		return 0
	}
	c.Detail = r.rec.kept(c.Detail)
	f := r.family
	f.mu.Lock()
	if c.Seq == 0 {
		f.seq++
		c.Seq = f.seq
	} else {
		r.landed()
	}
	if c.Leg == 0 {
		c.Leg = r.leg
	}
	f.add(r, &c)
	if p != (Payload{}) {
		r.prove(&c, p)
	}
	f.mu.Unlock()
	if r.rec.wants(EventCall, c.Kind) {
		e := r.callEvent(EventCall, &c)
		e.Args, e.Result = r.rec.captured(p.Args), r.rec.captured(p.Result)
		r.rec.emit(&e)
	}
	r.tellWatchers(&c)
	return c.Seq
}

// landed takes an admitted call off those in flight.
func (r *Run) landed() {
	for ; r != nil; r = r.parent {
		if r.inFlight > 0 {
			r.inFlight--
		}
	}
}

// Settle turns a pending or unknown call of this run or a child into what it
// was; a pending one may also turn out unknown. It works after [Run.End] too.
// It reports false, and changes nothing, where there is no such call, where
// the call has come to its end before, and where o is no end. Duration becomes
// the time from the call's start to its settlement.
func (r *Run) Settle(seq uint32, o fault.Outcome) bool { return r.SettleWith(seq, o, Payload{}) }

// SettleWith is [Run.Settle] with the payload of the call as it has ended. After
// the end of a run nobody asks for evidence any more; sinks get it where it is
// captured.
func (r *Run) SettleWith(seq uint32, o fault.Outcome, p Payload) bool {
	if r == nil {
		return false
	}
	d := &Detail{Settled: true, Case: o.Case, FallbackOf: o.FallbackOf, Age: o.Age}
	if fl := o.Fault; fl != nil {
		d.Code, d.Rule, d.Wait, d.Fields, d.Correctable = fl.Code, fl.Rule, fl.Wait, fl.Fields, fl.Correctable
		if fl.Err != nil {
			d.Error = fmt.Sprint(fl.Err) // survives an Error method that panics
		}
	}
	d = r.rec.kept(d)
	f := r.family
	f.mu.Lock()
	h := f.find(r, seq)
	if h == nil || !settles(h.call.Kind, o.Kind) {
		f.mu.Unlock()
		return false
	}
	was := h.call.Kind
	h.call.settle(o, d, h.run.Elapsed())
	c, owner := h.call, h.run
	if p != (Payload{}) {
		owner.prove(&c, p)
	}
	f.mu.Unlock()
	if owner.rec.wants(EventSettled, c.Kind) {
		e := owner.callEvent(EventSettled, &c)
		e.Args, e.Result = owner.rec.captured(p.Args), owner.rec.captured(p.Result)
		e.Was = was
		owner.rec.emit(&e)
	}
	owner.tellWatchers(&c)
	return true
}

// settles reports whether a call of one kind can turn out to be of another.
func settles(was, is fault.Kind) bool {
	switch is {
	case fault.KindNone, fault.KindPending:
		return false
	case fault.KindUnknown:
		return was == fault.KindPending
	}
	return was == fault.KindPending || was == fault.KindUnknown
}

// settle keeps what identifies the call and replaces what says how it ended.
func (c *Call) settle(o fault.Outcome, d *Detail, now time.Duration) {
	if old := c.Detail; old != nil {
		d.CallID, d.Name, d.Key, d.Args = old.CallID, old.Name, old.Key, old.Args
		if d.Case == "" {
			d.Case = old.Case
		}
	}
	c.Kind, c.Qualifiers, c.Reason = o.Kind, o.Qualifiers, o.Reason()
	c.Action, c.Ran = fault.NoAction, fault.RanYes
	if o.Fault != nil {
		c.Action, c.Ran = o.Fault.Action, o.Fault.Ran
		if o.Fault.Status != 0 {
			c.Status = int16(o.Fault.Status)
		}
	}
	c.Duration = max(c.Duration, now-c.Start)
	c.Detail = d
}

// Watch calls f after every finished or settled call of this run and its
// children, with the run that made the call, until this run has ended for good:
// what is settled later reaches the sinks alone. f runs on the goroutine of the
// call, also concurrently; a panic in it is counted and goes no further.
func (r *Run) Watch(f func(*Run, Call)) {
	if r == nil || f == nil {
		return
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	var all []func(*Run, Call)
	if old := r.watchers.Load(); old != nil {
		all = slices.Clone(*old)
	}
	all = append(all, f)
	r.watchers.Store(&all)
}

func (r *Run) tellWatchers(c *Call) {
	for p := r; p != nil; p = p.parent {
		if all := p.watchers.Load(); all != nil {
			for _, f := range *all {
				r.rec.tell(f, r, *c)
			}
		}
	}
}

// Keep asks that the calls of the named tool be held longer than those nobody
// asks for, and that these of its argument fields be kept in Detail.Args for the
// judge, in this run and its children.
func (r *Run) Keep(tool string, fields ...string) {
	if r == nil {
		return
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	kept := make(map[string][]string)
	if old := r.kept.Load(); old != nil {
		maps.Copy(kept, *old)
	}
	kept[tool] = union(kept[tool], fields)
	r.kept.Store(&kept)
}

// Kept returns the fields to keep of the named tool's arguments, nil for none.
// The slice must not be changed.
func (r *Run) Kept(tool string) []string {
	var fields []string
	for p := r; p != nil; p = p.parent {
		m := p.kept.Load()
		if m == nil {
			continue
		}
		if fields == nil {
			fields = (*m)[tool]
		} else if more := (*m)[tool]; more != nil {
			fields = union(fields, more)
		}
	}
	return fields
}

// wants reports whether a judge of the run, or of one above, has asked to keep
// the tool's calls.
func (r *Run) wants(tool string) bool {
	for ; r != nil; r = r.parent {
		if m := r.kept.Load(); m != nil {
			if _, asked := (*m)[tool]; asked {
				return true
			}
		}
	}
	return false
}

// union returns a new slice of what is in a or b, in order.
func union(a, b []string) []string {
	all := slices.Clone(a)
	for _, s := range b {
		if !slices.Contains(all, s) {
			all = append(all, s)
		}
	}
	return all
}
