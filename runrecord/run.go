package runrecord

import (
	"context"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/fault"
)

// Run is one try of an agent at a task: made by [Recorder.Start], ended by
// [Run.End]. Safe for concurrent use. A nil run, which comes with an error of
// the start, has nothing in it and starts nothing; the zero value is not usable.
type Run struct {
	rec    *Recorder
	parent *Run
	family *family // root of this run or of its oldest ancestor
	id     string
	task   Task
	tools  []*ToolInfo
	start  time.Time

	aside    atomic.Pointer[aside] // what the judge needs; nil where nobody asked, and once ended
	kept     atomic.Pointer[map[string][]string]
	watchers atomic.Pointer[[]func(*Run, Call)]

	// Below: guarded by the family's lock.

	ctx         context.Context // what the run was started with, for [Run.End] to see whether it was cancelled; nil once ended
	dropped     map[string]*ToolStats
	judgment    *Judgment
	place       *origin // see [Run.origin]; nil until something was proved here or below
	abortDetail string
	calls       int
	turns       int32
	inFlight    int32 // calls admitted and not finished
	tokens      int64
	money       float64
	legEnded    time.Duration // when the last leg ended
	paused      time.Duration // between legs, all together
	leg         uint16
	state       State
	abortReason fault.Reason // not none: aborted
	childCut    fault.Reason // not none: a child was aborted

	root family // of a run without a parent

	// With this a run fills seven cache lines, so that what one run writes is
	// never on a line of another's.
	_ [8]byte
}

// runContext carries the run; one small type, because every call looks it up.
type runContext struct {
	context.Context
	run *Run
}

type runKey struct{}

func (c *runContext) Value(key any) any {
	if _, ok := key.(runKey); ok {
		return c.run
	}
	return c.Context.Value(key)
}

// NewContext puts a run into a context, for the legs of a run that are not
// under the context of its start.
func NewContext(ctx context.Context, r *Run) context.Context { return &runContext{ctx, r} }

// FromContext returns the run of ctx, nil where there is none.
func FromContext(ctx context.Context) *Run {
	r, _ := ctx.Value(runKey{}).(*Run)
	return r
}

// CallKey is the context key that the context of a tool's function answers with
// the *[Run] whose call is being executed, see [InCall].
type CallKey struct{}

// InCall reports whether ctx is the context of a call of r that has not ended,
// or was derived from one. A child run that was started there is not in it.
func InCall(ctx context.Context, r *Run) bool {
	of, _ := ctx.Value(CallKey{}).(*Run)
	return of != nil && of == r
}

// ID is the run's id, a UUID that sorts by start. It stays over all legs.
func (r *Run) ID() string {
	if r == nil {
		return ""
	}
	return r.id
}

// Task is what the run was started with, with its defaults. The question is
// bounded as what is heard, see [Run.Hear], and let go of when the run ends for
// good.
func (r *Run) Task() Task {
	if r == nil {
		return Task{}
	}
	t := r.task
	if a := r.aside.Load(); a != nil {
		t.Question = a.question
	}
	return t
}

// Parent is the run this one was started in, nil for none.
func (r *Run) Parent() *Run {
	if r == nil {
		return nil
	}
	return r.parent
}

// Tool returns the bound tool of that name, nil where there is none.
func (r *Run) Tool(name string) *ToolInfo {
	for _, t := range r.Tools() {
		if t.Name == name {
			return t
		}
	}
	return nil
}

// Tools returns the bound tools. The slice must not be changed.
func (r *Run) Tools() []*ToolInfo {
	if r == nil {
		return nil
	}
	return r.tools
}

// Started is when the run was started.
func (r *Run) Started() time.Time {
	if r == nil {
		return time.Time{}
	}
	return r.start
}

// Elapsed is the time since the start, on the monotonic clock.
func (r *Run) Elapsed() time.Duration {
	if r == nil {
		return 0
	}
	return time.Since(r.start)
}

// Leg is the number of the current leg, 1 for the first.
func (r *Run) Leg() int {
	if r == nil {
		return 0
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	return int(r.leg)
}

// State is where the run stands now. An aborted run, or a child of one, is
// Aborted at once; which state it ends in is decided by [Run.End]. A nil run is
// Aborted.
func (r *Run) State() State {
	if r == nil {
		return Aborted
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	switch {
	case r.state.Ended():
		return r.state
	case r.aborted() != nil:
		return Aborted
	case r.openCases():
		return Waiting
	}
	return r.state
}

// aborted returns the run, this or an ancestor, whose abort stops this one.
func (r *Run) aborted() *Run {
	for ; r != nil; r = r.parent {
		if r.abortReason != fault.ReasonNone {
			return r
		}
	}
	return nil
}
