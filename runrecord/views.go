package runrecord

import (
	"container/list"
	"errors"
	"fmt"
	"iter"
	"sync"
	"time"

	"github.com/failloud/failloud/fault"
)

// Filter selects what a view counts. A zero field selects everything. Task,
// Tenant and the times select runs, by their end, and calls; Tool and Status
// select calls, and of the runs those that made such a call.
type Filter struct {
	Task   string    // name of the task; "": every one
	Tenant string    // "": every one
	Tool   string    // "": every one
	Status int       // HTTP status of the last attempt
	Since  time.Time // inclusive
	Until  time.Time // exclusive
}

// ViewsConfig of [NewViews]. The zero value counts everything.
type ViewsConfig struct {
	// Filter selects what is counted. Default: everything.
	Filter Filter
	// OpenRuns bounds how many runs that have not ended are remembered, and how
	// many that have; beyond it the oldest is forgotten, and counted where it
	// was open. Default 10 000.
	OpenRuns int
	// Rows bounds how many tools, and how many rows of failures, are told
	// apart; what comes later is counted together. Default 1000.
	Rows int
}

// Views counts events into the four views of a record: runs without a
// successful call, failures by tool and status, refusals, retries. Its memory
// does not grow with the number of runs. It is a [Sink], for views of what
// happens now, and reads files by [Views.Read]. Safe for concurrent use.
//
// Runs are counted once, when they end for good, by what they were then; a
// second end of one of the last runs is refused, as many as OpenRuns. A child
// run is not counted: its calls count to its parent. Events that cannot be true
// are refused and change nothing, so that a record of unknown origin can be read.
type Views struct {
	mu       sync.Mutex
	filter   Filter
	maxOpen  int
	open     map[string]*list.Element // of *openRun
	order    list.List                // oldest first
	runs     RunsView
	refusals RefusalsView
	retries  RetriesView
	failures FailureCounter
	ended    endedRuns
}

// openRun is what is remembered of a run until it ends.
type openRun struct {
	id, parent string
	tally      Tally // of the calls that the filter selects
	selected   bool
}

// NewViews returns views that have seen nothing.
func NewViews(cfg ViewsConfig) (*Views, error) {
	if cfg.OpenRuns < 0 || cfg.Rows < 0 || cfg.Filter.Status < 0 {
		return nil, errors.New("runrecord: ViewsConfig has a negative number")
	}
	v := &Views{filter: cfg.Filter, maxOpen: cfg.OpenRuns, failures: FailureCounter{Rows: cfg.Rows}, open: make(map[string]*list.Element), ended: newEndedRuns()}
	if v.maxOpen == 0 {
		v.maxOpen = 10_000
	}
	return v, nil
}

// Read counts events up to the end of the sequence and returns how many lines
// had to be passed over: those that are no events, and the events that
// [Views.Write] refuses. The error is the reader's.
func (v *Views) Read(events iter.Seq2[Event, error]) (skipped int, err error) {
	for e, err := range events {
		if _, ok := errors.AsType[*LineError](err); ok {
			skipped++
			continue
		}
		if err != nil {
			return skipped, err
		}
		if v.add(&e) != nil {
			skipped++
		}
	}
	return skipped, nil
}

// Write counts one event. It refuses one of a newer schema ([ErrNewerSchema]),
// one that cannot be true ([ErrImpossible]), and the start or end of a run that
// has ended ([ErrRepeated]).
func (v *Views) Write(e Event) error {
	if e.Schema > SchemaVersion {
		return fmt.Errorf("runrecord: views: %w: %d", ErrNewerSchema, e.Schema)
	}
	if err := v.add(&e); err != nil {
		return fmt.Errorf("runrecord: views: %w", err)
	}
	return nil
}

func (v *Views) add(e *Event) error {
	if err := e.Plausible(); err != nil {
		return err
	}
	v.mu.Lock()
	defer v.mu.Unlock()
	over := v.ended.contains(e.Run)
	switch e.Type {
	case EventRunStarted:
		if over {
			return ErrRepeated
		}
		return v.remember(e)
	case EventCall, EventSettled:
		return v.addCall(e, over)
	case EventReplaced: // the call is counted by its own event
		if f := &v.filter; f.selects(e) && (f.Tool == "" || f.Tool == e.Tool) {
			v.failures.Add(e, e.Fails() && (f.Status == 0 || f.Status == e.Status), true)
		}
	case EventRunEnded:
		if over {
			return ErrRepeated
		}
		if e.State.Ended() {
			v.addEnd(e)
		}
	}
	return nil
}

// remember sees to it that the event's run is known, making room for it.
func (v *Views) remember(e *Event) error {
	if v.open[e.Run] != nil {
		return nil
	}
	if v.descends(e.Run, e.Parent) {
		return fmt.Errorf("%w: its ancestors have no end", ErrImpossible)
	}
	if len(v.open) >= v.maxOpen {
		oldest := v.order.Front()
		v.order.Remove(oldest)
		delete(v.open, oldest.Value.(*openRun).id)
		v.runs.Forgotten = plus(v.runs.Forgotten, 1)
	}
	v.open[e.Run] = v.order.PushBack(&openRun{id: e.Run, parent: e.Parent})
	return nil
}

// addCall counts a call for its run and the parents that are known, whatever
// their tasks are, and as a failure where the filter selects it. What comes
// after the end of the run counts for its parents alone.
func (v *Views) addCall(e *Event, over bool) error {
	id := e.Parent
	if !over { // whatever the filter selects: which runs are open does not depend on it
		if err := v.remember(e); err != nil {
			return err
		}
		id = e.Run
	}
	f := &v.filter
	if f.Tool != "" && f.Tool != e.Tool {
		return nil
	}
	chosen := f.Status == 0 || f.Status == e.Status
	settled := e.Type == EventSettled
	for range maxDepth {
		el := v.open[id]
		if el == nil {
			break
		}
		r := el.Value.(*openRun)
		id = r.parent
		r.selected = r.selected || chosen
		if e.Outcome == fault.KindOK {
			r.tally.OK++
		}
		if chosen && !settled {
			r.tally.Calls++
			r.tally.Retries = plus(r.tally.Retries, max(0, e.Attempts-1))
		}
		if e.Fails() {
			r.tally.Bad++
		}
	}
	if f.selects(e) {
		// A call of unknown outcome was counted when it ended; that it was
		// settled since does not make it a second failure.
		v.failures.Add(e, chosen && e.Fails() && e.Was != fault.KindUnknown, !settled)
	}
	return nil
}

func (v *Views) addEnd(e *Event) {
	v.ended.add(e.Run, v.maxOpen)
	r := &openRun{}
	if el := v.open[e.Run]; el != nil {
		r = v.order.Remove(el).(*openRun)
		delete(v.open, e.Run)
	}
	byCall := v.filter.Tool != "" || v.filter.Status != 0
	if e.Parent != "" || !v.filter.selects(e) || byCall && !r.selected {
		return
	}
	if n := e.Counts; n != nil && !byCall {
		// The run has counted for itself; that is exact even where its events
		// began before this stream did.
		r.tally = n.Tally()
	}
	v.runs.Add(r.tally)
	v.refusals.Add(e, r.tally)
	v.retries.Add(r.tally)
}

// selects applies what an event says about its run and its time.
func (f *Filter) selects(e *Event) bool {
	return (f.Task == "" || f.Task == e.Task) && (f.Tenant == "" || f.Tenant == e.Tenant) &&
		(f.Since.IsZero() || !e.Time.Before(f.Since)) && (f.Until.IsZero() || e.Time.Before(f.Until))
}

// Runs returns the first view.
func (v *Views) Runs() RunsView {
	v.mu.Lock()
	defer v.mu.Unlock()
	view := v.runs
	view.Open = len(v.open)
	return view
}

// Failures returns the second view: the n rows with the most failures; n < 1
// means all that were told apart.
func (v *Views) Failures(n int) FailuresView {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.failures.View(n)
}

// Refusals returns the third view.
func (v *Views) Refusals() RefusalsView {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.refusals
}

// Retries returns the fourth view.
func (v *Views) Retries() RetriesView {
	v.mu.Lock()
	defer v.mu.Unlock()
	return v.retries
}
