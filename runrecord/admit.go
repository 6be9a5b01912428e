package runrecord

import (
	"context"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/failloud/failloud/fault"
)

// ErrHalted matches every [HaltError].
var ErrHalted = errors.New("runrecord: no further call may start")

// HaltError says why no call may start.
type HaltError struct {
	Run    string       // id of the run that has ended or was aborted: this one or an ancestor
	Reason fault.Reason // why it was aborted; none where it has ended otherwise
	State  State
}

// Error names the state and, for an aborted run, the reason.
func (e *HaltError) Error() string {
	if e.Reason == fault.ReasonNone {
		return "runrecord: run has ended: " + e.State.String()
	}
	return "runrecord: run was " + e.State.String() + ": " + e.Reason.String()
}

// Is matches [ErrHalted].
func (e *HaltError) Is(target error) bool { return target == ErrHalted }

// ErrNoRun says that there is no run: its start returned an error. It matches
// [ErrHalted], too.
var ErrNoRun = fmt.Errorf("%w: there is no run, its start has failed", ErrHalted)

// ErrBudget matches every [BudgetError].
var ErrBudget = errors.New("runrecord: budget used up")

// BudgetError names the limit that was reached.
type BudgetError struct {
	Run   string // id of the run whose limit it is: this one or an ancestor
	Limit string // "calls", "turns", "tokens", "money", "time"
}

// Error names the limit.
func (e *BudgetError) Error() string { return "runrecord: budget used up: " + e.Limit }

// Is matches [ErrBudget].
func (e *BudgetError) Is(target error) bool { return target == ErrBudget }

// Admit reserves n calls before they start, all or none, and returns the
// number of the first. The error is a *HaltError where the run (or a parent)
// has ended or been aborted, a *BudgetError where a limit is reached; asking
// for more than a limit allows aborts the run whose limit it is. For n < 1
// nothing is reserved. Of a nil run the error is [ErrNoRun].
func (r *Run) Admit(n int) (first uint32, err error) {
	if r == nil {
		return 0, ErrNoRun
	}
	f := r.family
	f.mu.Lock()
	defer f.mu.Unlock()
	if err := r.halted(); err != nil {
		return 0, err
	}
	if n < 1 {
		return 0, nil
	}
	for p := r; p != nil; p = p.parent {
		if limit := p.task.Limits.Calls; limit > 0 && n > limit-p.calls {
			return 0, p.usedUp("calls")
		}
		if p.overtime() {
			return 0, p.usedUp("time")
		}
	}
	for p := r; p != nil; p = p.parent {
		p.calls += n
		p.inFlight += int32(n)
	}
	first = f.seq + 1
	f.seq += uint32(n)
	return first, nil
}

// Halted returns why no further call may start, nil while they may.
func (r *Run) Halted() error {
	if r == nil {
		return ErrNoRun
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	return r.halted()
}

func (r *Run) halted() error {
	for p := r; p != nil; p = p.parent {
		switch {
		case p.abortReason != fault.ReasonNone:
			return &HaltError{Run: p.id, Reason: p.abortReason, State: Aborted}
		case p.state != Running:
			return &HaltError{Run: p.id, State: p.state}
		}
	}
	return nil
}

// Turn counts one turn of the model, before it is taken. The errors are those
// of [Run.Admit]; tokens and money that are used up stop a turn as well, and so
// does the end of the context that the run was started with: it aborts the run.
func (r *Run) Turn() error {
	if r == nil {
		return ErrNoRun
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	if err := r.halted(); err != nil {
		return err
	}
	if r.ctx.Err() != nil {
		r.abandoned()
		return fmt.Errorf("%w: %w", r.halted(), context.Cause(r.ctx))
	}
	for p := r; p != nil; p = p.parent {
		l := &p.task.Limits
		switch {
		case l.Turns > 0 && int(p.turns) >= l.Turns:
			return p.usedUp("turns")
		case l.Tokens > 0 && p.tokens >= l.Tokens:
			return p.usedUp("tokens")
		case l.Money > 0 && p.money >= l.Money:
			return p.usedUp("money")
		case p.overtime():
			return p.usedUp("time")
		}
	}
	for p := r; p != nil; p = p.parent {
		p.turns++
	}
	return nil
}

// Spend counts what a model call has used. What was spent is counted in any
// case, also after the end of the run; the error is a *BudgetError where that
// is more than a limit allows. A negative or non-finite amount is refused.
func (r *Run) Spend(tokens int64, money float64) error {
	if r == nil {
		return ErrNoRun
	}
	if tokens < 0 || money < 0 || math.IsNaN(money) || math.IsInf(money, 0) {
		return fmt.Errorf("runrecord: cannot spend %d tokens and %v money", tokens, money)
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	var over error
	for p := r; p != nil; p = p.parent {
		p.tokens += min(tokens, math.MaxInt64-p.tokens)
		p.money += money
		l := &p.task.Limits
		switch {
		case over != nil:
		case l.Tokens > 0 && p.tokens > l.Tokens:
			over = p.usedUp("tokens")
		case l.Money > 0 && p.money > l.Money:
			over = p.usedUp("money")
		}
	}
	return over
}

// overtime reads the clock only for a run that has a limit of time.
func (r *Run) overtime() bool {
	return r.task.Limits.Time > 0 && r.active() >= r.task.Limits.Time
}

// Deadline is when the first limit of time, of the run or one of its parents,
// is reached, and whether there is one. A pause between two legs moves it.
func (r *Run) Deadline() (deadline time.Time, limited bool) {
	if r == nil || !r.timed() {
		return time.Time{}, false
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	for p := r; p != nil; p = p.parent {
		if p.task.Limits.Time <= 0 {
			continue
		}
		if at := p.start.Add(p.task.Limits.Time + p.paused); !limited || at.Before(deadline) {
			deadline, limited = at, true
		}
	}
	return deadline, limited
}

func (r *Run) timed() bool {
	for ; r != nil; r = r.parent {
		if r.task.Limits.Time > 0 {
			return true
		}
	}
	return false
}

// TimeUp aborts the run whose limit of time has passed, this or a parent, and
// returns its *[BudgetError]; nil where none has. It is for work that is going
// on: a run that is over time and asks for nothing more is not cut short.
func (r *Run) TimeUp() error {
	if r == nil || !r.timed() {
		return nil
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	for p := r; p != nil; p = p.parent {
		if p.overtime() {
			return p.usedUp("time")
		}
	}
	return nil
}

// InFlight is how many calls of the run and its children were admitted and have
// not finished.
func (r *Run) InFlight() int {
	if r == nil {
		return 0
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	return int(r.inFlight)
}

// CutShort is why the run was ended early: it was aborted, or one of its
// parents or children was. It is none where that is not so; a child that was
// cancelled does not count, whoever cancelled it knows.
func (r *Run) CutShort() fault.Reason {
	if r == nil {
		return fault.ReasonNone
	}
	r.family.mu.Lock()
	defer r.family.mu.Unlock()
	return r.cutShort()
}

func (r *Run) cutShort() fault.Reason {
	if by := r.aborted(); by != nil {
		return by.abortReason
	}
	return r.childCut
}

// active is the time the run was not paused between two legs.
func (r *Run) active() time.Duration { return r.Elapsed() - r.paused }

func (r *Run) usedUp(limit string) error {
	r.abort(fault.ReasonBudget, "the limit of "+limit+" is used up")
	return &BudgetError{Run: r.id, Limit: limit}
}

// Abort ends the run early: no further call of it or its children starts. The
// first reason stays; one after the end changes nothing. [fault.ReasonNone] is
// taken as unknown. detail is redacted and bounded before it is kept.
func (r *Run) Abort(reason fault.Reason, detail string) {
	if r == nil {
		return
	}
	if reason == fault.ReasonNone {
		reason = fault.ReasonUnknown
	}
	detail = r.rec.clean(detail, maxText)
	r.family.mu.Lock()
	r.abort(reason, detail)
	var ended *Event
	if r.state == Waiting || r.state == Deferred {
		// The leg has ended already; aborting the pause is a last, empty leg.
		r.beginLeg()
		ended = r.endLeg(Aborted)
	}
	r.family.mu.Unlock()
	r.rec.emitAll(ended)
}

func (r *Run) abort(reason fault.Reason, detail string) {
	if r.state.Ended() || r.abortReason != fault.ReasonNone {
		return
	}
	r.abortReason, r.abortDetail = reason, detail
	for p := r.parent; p != nil && reason != fault.ReasonCancelled; p = p.parent {
		p.childCut = reason
	}
}
