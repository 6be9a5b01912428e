package crash_test

import (
	"fmt"
	"slices"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// effect is what a tool does to the world, and what is known about its service.
type effect string

const (
	read       effect = "read"       // changes nothing
	idempotent effect = "idempotent" // again changes nothing more
	checked    effect = "checked"    // a write that can be looked up
	keyed      effect = "keyed"      // a write whose service honours the remote key
	bare       effect = "bare"       // a write with neither
)

var effects = []effect{read, idempotent, checked, keyed, bare}

// writes reports whether the work must not be done twice.
func (e effect) writes() bool { return e == checked || e == keyed || e == bare }

// point is where a process dies.
type point string

const (
	alive          point = ""
	beforeClaim    point = "before claim"
	afterClaim     point = "after claim"
	beforeDispatch point = "before dispatch" // in the tool's function, nothing sent yet
	afterEffect    point = "after effect"    // the service has done it and has not answered
	beforeReply    point = "before reply"    // half of the answer is on its way
	afterReply     point = "after reply"     // the answer was read and has not been recorded
	duringSave     point = "during save"     // at any moment of recording the end
	duringResolve  point = "during resolve"  // at any moment of recording a decision
	duringRecovery point = "during recovery" // at any write of it
)

// A process can also be stopped, and go on later.
const (
	stoppedBefore point = "stopped before dispatch"
	stoppedAfter  point = "stopped after effect"
)

var points = []point{
	beforeClaim, afterClaim, beforeDispatch, afterEffect, beforeReply, afterReply, duringSave, duringResolve, duringRecovery,
}

// doubtful reports whether a process that dies here leaves a doubt that only proof may
// end: the function was entered, and nothing was recorded of its end.
func (p point) doubtful() bool {
	return slices.Contains([]point{beforeDispatch, afterEffect, beforeReply, afterReply}, p)
}

// job is what a tool is called with.
type job struct {
	Item string `json:"item"` // business key, a new one for every task
	// Ask: a person must allow it first. So a read goes through the ledger, and every
	// effect can be killed while a decision is recorded.
	Ask bool `json:"ask,omitempty"`
	// Blind: the look-up cannot tell, so that a person must.
	Blind bool `json:"blind,omitempty"`
}

// task is one call to be made, whatever dies.
type task struct {
	Effect effect  `json:"effect"`
	Job    job     `json:"job"`
	Deaths []point `json:"deaths"` // of the processes that try it, one after the other
}

// newTask is the task of one cell of the grid.
func newTask(item string, at point, of effect) task {
	t := task{Effect: of, Job: job{Item: item}, Deaths: []point{at}}
	switch {
	case at == duringResolve && (of == checked || of == bare):
		t.Job.Blind, t.Deaths = of == checked, []point{afterEffect, at} // first there must be a case
	case at == duringResolve:
		t.Job.Ask = true
	case at == duringRecovery:
		t.Deaths = []point{afterEffect, at} // first there must be something to recover
		t.Job.Ask = of == read
	case of == read:
		t.Job.Ask = at == beforeClaim || at == afterClaim || at == duringSave
	}
	return t
}

func (t task) String() string { return fmt.Sprintf("%s %s %v", t.Effect, t.Job.Item, t.Deaths) }

// step is one task that a process works on, and where it dies while it does.
type step struct {
	Task task  `json:"task"`
	Die  point `json:"die,omitempty"`
}

// order is what a process is started with.
type order struct {
	Store   storeConfig `json:"store"`
	Service string      `json:"service"` // its URL
	Fault   mutation    `json:"fault,omitempty"`
	Steps   []step      `json:"steps"`
}

// report is what a process says about a step that it lived through.
type report struct {
	Told      []told            `json:"told"`      // at every call for the task
	State     idempotency.State `json:"state"`     // of the row in the end
	Recorded  bool              `json:"recorded"`  // there is a row
	Epoch     int64             `json:"epoch"`     // how often it was claimed
	Failed    bool              `json:"failed"`    // at one time it was recorded as failed
	Checks    int               `json:"checks"`    // answers of the look-up
	Decisions int               `json:"decisions"` // of a person, in this process
	Cases     int               `json:"cases"`     // ever opened
	Duplicate bool              `json:"duplicate"` // the ledger says that it may have been done twice
}

// told is what one call was told, and what was true then.
type told struct {
	Kind    fault.Kind `json:"kind"`
	Case    string     `json:"case,omitempty"`
	Receipt string     `json:"receipt,omitempty"` // that the call returned
	Line    string     `json:"line,omitempty"`    // that the model would see, where it is no success
	Truth   account    `json:"truth"`             // what the service has done by then
}
