package toolkit

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"weak"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// latched is the layer Latch: an upstream whose credential, account or
// permission is gone stays dead for the rest of the run, after one attempt to
// refresh it. Later calls are answered at once.
func (ex *execution) latched(ctx context.Context) {
	ex.weigh()
	ex.up = ex.tool.upstream.of(ex)
	if dead := ex.up.latches.dead(ex.run); dead != fault.ReasonNone {
		ex.outcome = notRun(fault.Fault{
			Reason: fault.ReasonToolDead, Code: dead.String(), Rule: "toolkit:latch",
			Err: &DeadError{Upstream: ex.up.Name(), Reason: dead},
		})
		return
	}
	ex.retried(ctx)
	if ex.outcome.Fault == nil {
		return
	}
	o := ex.outcome
	if o.Fault.Reason == fault.ReasonAuth && ex.mayRefresh(o) {
		if err := ex.up.credential.refresh(ctx, ex.generation, ex.up.cfg.Refresh); err == nil {
			ex.retried(ctx)
		} else {
			f := *o.Fault
			f.Err = &RefreshError{Upstream: ex.up.Name(), Cause: f.Err, Err: err}
			o.Fault = &f
			ex.outcome = o
		}
		if ex.outcome.Fault == nil {
			return
		}
		if ex.outcome.Kind == fault.KindNotRun { // the refused attempt says more
			ex.outcome = o
		}
		o = ex.outcome
	}
	switch o.Fault.Reason {
	case fault.ReasonAuth, fault.ReasonBilling, fault.ReasonQuota:
		ex.up.latches.kill(ex.run, o.Fault.Reason)
	case fault.ReasonPermission:
		if o.Kind == fault.KindFailed && !o.Fault.Correctable { // correctable: it is about what was asked for
			ex.up.latches.forbidden(ex.run, ex.hash)
		}
	}
}

// mayRefresh allows one attempt after a refresh also where the attempts are used
// up: the refused one did nothing.
func (ex *execution) mayRefresh(o fault.Outcome) bool {
	harmless := o.Fault.Ran == fault.RanNo && !ex.doubt || !ex.tool.effect().Writes()
	return o.Kind == fault.KindFailed && harmless && ex.up.cfg.Refresh != nil
}

// ErrDead is matched by every [DeadError].
var ErrDead = errors.New("toolkit: the upstream is dead for this run")

// DeadError is the cause of a call to an upstream that this run has given up.
type DeadError struct {
	Upstream string       // its name
	Reason   fault.Reason // what it died of
}

// Error names both.
func (e *DeadError) Error() string {
	return "toolkit: upstream " + e.Upstream + " is dead for this run: " + e.Reason.String()
}

// Is matches [ErrDead].
func (e *DeadError) Is(target error) bool { return target == ErrDead }

// latches remembers what an upstream died of, for each run that saw it die.
// Healthy upstreams pay one atomic load a call. An entry goes away with its run.
type latches struct {
	some atomic.Int32
	mu   sync.Mutex
	runs map[weak.Pointer[runrecord.Run]]*latch
}

type latch struct {
	dead      fault.Reason
	forbidden uint64 // hash of the arguments that were forbidden first
}

// dead is what the upstream died of for the run or a run above it.
func (l *latches) dead(run *runrecord.Run) fault.Reason {
	if run == nil || l.some.Load() == 0 {
		return fault.ReasonNone
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	for ; run != nil; run = run.Parent() {
		if found := l.runs[weak.Make(run)]; found != nil && found.dead != fault.ReasonNone {
			return found.dead
		}
	}
	return fault.ReasonNone
}

func (l *latches) kill(run *runrecord.Run, reason fault.Reason) {
	l.change(run, func(entry *latch) { entry.dead = reason })
}

// forbidden kills the upstream at the second set of arguments: one refusal may
// be about one record, two are about the caller.
func (l *latches) forbidden(run *runrecord.Run, args uint64) {
	l.change(run, func(entry *latch) {
		switch entry.forbidden {
		case 0:
			entry.forbidden = args
		case args:
		default:
			entry.dead = fault.ReasonPermission
		}
	})
}

func (l *latches) change(run *runrecord.Run, f func(*latch)) {
	if run == nil {
		return
	}
	key := weak.Make(run)
	l.mu.Lock()
	defer l.mu.Unlock()
	entry := l.runs[key]
	if entry == nil {
		if l.runs == nil {
			l.runs = map[weak.Pointer[runrecord.Run]]*latch{}
		}
		entry = &latch{}
		l.runs[key] = entry
		l.some.Add(1)
		runtime.AddCleanup(run, l.forget, key)
	}
	f(entry)
}

func (l *latches) forget(key weak.Pointer[runrecord.Run]) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if _, ok := l.runs[key]; ok {
		delete(l.runs, key)
		l.some.Add(-1)
	}
}
