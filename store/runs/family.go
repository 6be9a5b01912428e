package runs

import (
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// maxDepth is how many ancestors a call counts for, as in [runrecord.Views].
const maxDepth = 64

// clockError is how far ahead of this clock the time of an event may lie.
const clockError = 24 * time.Hour

// run is a row of the table of runs.
type run struct {
	Summary
	num    int64
	root   string // the outermost ancestor that is known; its own id where it has none
	parent string // that of the event by which the views came to know it
	seen   bool   // the views know it
	over   bool   // it has ended, for the views
	tally  shares // of it and its children, until it ended
}

// family are the runs of a batch with their ancestors, by id. Its methods follow the
// rules of [runrecord.Views]: what they make of the same events in the same order is
// the same, and a test holds that.
type family map[string]*run

// apply takes over an event, and returns what the views count of it, nil where that
// is nothing.
func (f family) apply(e *runrecord.Event, now time.Time) *fact {
	r := f[e.Run]
	wasOver := r.over
	r.tell(e)
	if r.root == "" {
		r.root = r.ID
		if p := f[e.Parent]; p != nil && p != r && p.root != "" {
			r.root = p.root
		}
	}
	at := e.Time
	if at.After(now.Add(clockError)) {
		at = now
	}
	id := e.Run
	for range maxDepth {
		a := f[id]
		if a == nil {
			break
		}
		if at.After(a.Last) {
			a.Last = at
		}
		a.count(e)
		id = a.Parent
	}
	if e.Plausible() != nil {
		return nil
	}
	return f.view(r, e, wasOver)
}

// view is what [runrecord.Views] does with an event that can be true.
func (f family) view(r *run, e *runrecord.Event, over bool) *fact {
	call := &fact{run: r.num, time: e.Time, task: e.Task, tenant: e.Tenant, tool: e.Tool, status: e.Status, reason: e.Reason}
	switch e.Type {
	case runrecord.EventRunStarted:
		if !over {
			f.remember(r, e)
		}
	case runrecord.EventCall, runrecord.EventSettled:
		if !over && !f.remember(r, e) {
			return nil
		}
		id := e.Run
		if over {
			id = e.Parent
		}
		for range maxDepth {
			a := f.open(id)
			if a == nil {
				break
			}
			a.tally.count(e)
			id = a.parent
		}
		call.isNew = e.Type == runrecord.EventCall
		call.fail = e.Fails() && e.Was != fault.KindUnknown
		if call.isNew || call.fail {
			return call
		}
	case runrecord.EventReplaced:
		call.isNew, call.fail = true, e.Fails()
		return call
	case runrecord.EventRunEnded:
		if !over && e.State.Ended() {
			return r.end(e)
		}
	}
	return nil
}

// open is the run that the views know and whose end they have not seen.
func (f family) open(id string) *run {
	if r := f[id]; r != nil && r.seen && !r.over {
		return r
	}
	return nil
}

// remember makes the views know the run, unless it descends from itself.
func (f family) remember(r *run, e *runrecord.Event) bool {
	if r.seen {
		return true
	}
	id := e.Parent
	for depth := 0; ; depth++ {
		a := f.open(id)
		if id == e.Run || depth == maxDepth {
			return false
		}
		if a == nil {
			break
		}
		id = a.parent
	}
	r.seen, r.parent = true, e.Parent
	return true
}

// end is what the views count of the end of a run, nil for that of a child.
func (r *run) end(e *runrecord.Event) *fact {
	r.over = true
	tally := r.tally
	r.tally = nil
	if !r.seen {
		tally = nil
	}
	if e.Parent != "" {
		return nil
	}
	f := &fact{
		run: r.num, end: true, time: e.Time, task: e.Task, tenant: e.Tenant, state: e.State,
		reported: e.Reported && e.Decision == refuse, shares: tally,
	}
	if e.Counts != nil {
		f.exact, f.total = true, e.Counts.Tally()
	}
	return f
}
