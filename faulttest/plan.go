package faulttest

import "sync"

// Plan says which call fails how. The zero value never fails. A plan is a value
// and keeps no place: each [Server.Script] or [Tool] walks it from the start.
type Plan struct {
	steps []Failure
	last  Failure // after the steps
}

// Once fails in each way once, in order, and is healthy after that.
func Once(failures ...Failure) Plan { return Plan{steps: failures} }

// Times fails n times and is healthy after that: a transient failure that
// heals. n of 0 or less does not fail.
func Times(n int, f Failure) Plan {
	var p Plan
	for range n {
		p.steps = append(p.steps, f)
	}
	return p
}

// Always fails every time: a permanent failure.
func Always(f Failure) Plan { return Plan{last: f} }

// Then appends what comes after the steps of p; whatever p does for ever is
// replaced. Times(2, Healthy()).Then(Always(Status(401))) is a credential that
// expires at the third call.
func (p Plan) Then(next Plan) Plan {
	steps := make([]Failure, 0, len(p.steps)+len(next.steps))
	return Plan{steps: append(append(steps, p.steps...), next.steps...), last: next.last}
}

// cuts reports whether some failure of p ends its connection.
func (p Plan) cuts() bool {
	for _, f := range p.steps {
		if f.cuts {
			return true
		}
	}
	return p.last.cuts
}

// walk is a place in a plan. It is safe for concurrent use: each call takes one
// step, and no two calls take the same.
type walk struct {
	mu   sync.Mutex
	plan Plan
	next int
}

func (w *walk) step() Failure {
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.next >= len(w.plan.steps) {
		return w.plan.last
	}
	w.next++
	return w.plan.steps[w.next-1]
}
