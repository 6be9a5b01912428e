package runrecord

import (
	"context"
	"fmt"
	"math"
	"time"

	"github.com/failloud/failloud/fault"
)

// Task is what is to be done. Name is for views and alerts; Key is the
// caller's own durable id of this piece of work ("ticket-4711"). The zero
// value is a nameless task without limits that ends unjudged.
type Task struct {
	Name   string // what it is, the same for all of its kind; views group by it
	Key    string // the caller's durable id of this piece of work, the same when it is tried again
	Tenant string // whose work it is; keeps keys apart, and upstreams that are PerTenant
	Judge  Judge  // decides whether an answer may leave; nil: the run ends unjudged
	Limits Limits // zero: no limit of its own

	Question string    // the user's words, for the judge, see [Run.Heard]; never in a record unless captured
	Asked    time.Time // when it was asked, which decides what "today" is in an answer; default: that of the parent, or the start of the run
}

// Limits owns every budget of a run. A zero field is no limit; a negative one
// is refused at the start. A child run draws on its parent's as well.
type Limits struct {
	Calls  int           // calls of tools, each admitted before it starts
	Turns  int           // turns of the model
	Tokens int64         // tokens of the model, in and out
	Money  float64       // in the caller's currency
	Time   time.Duration // from the start of the run, without the pauses between its legs
}

// validate names the first field that cannot be a limit.
func (l Limits) validate() error {
	switch {
	case l.Calls < 0:
		return fmt.Errorf("runrecord: Limits.Calls is negative: %d", l.Calls)
	case l.Turns < 0:
		return fmt.Errorf("runrecord: Limits.Turns is negative: %d", l.Turns)
	case l.Tokens < 0:
		return fmt.Errorf("runrecord: Limits.Tokens is negative: %d", l.Tokens)
	case l.Money < 0, math.IsNaN(l.Money), math.IsInf(l.Money, 0):
		return fmt.Errorf("runrecord: Limits.Money is not an amount: %v", l.Money)
	case l.Time < 0:
		return fmt.Errorf("runrecord: Limits.Time is negative: %v", l.Time)
	}
	return nil
}

// ToolInfo is the static description every call points to. It is not changed
// after the tool was wrapped.
type ToolInfo struct {
	Name     string       // of the tool
	Upstream string       // what it dies together with
	Effect   fault.Effect // what it does to the world
	Poller   bool         // exempt from loop detection
	StandsIn []string     // names of tools this one is a declared substitute for
	Identity []string     // argument fields that say what a call is about; empty: all of them
	Fields   []string     // names of the argument fields that there are, sorted; nil: not known, or open to others
	Claims   []string     // what a success lets an answer say was done: "send", "refund"; nil: inferred from name and effect
}

// Judge is what a run asks at its start. [guard.Guard] implements it; toolkit
// and guard meet here and do not import each other.
type Judge interface {
	// Begin checks that the run can be judged, that required tools are bound,
	// and starts watching. An error stops the run from starting.
	Begin(ctx context.Context, run *Run) error
}

// JudgeFunc makes a function a [Judge].
type JudgeFunc func(ctx context.Context, run *Run) error

// Begin calls f.
func (f JudgeFunc) Begin(ctx context.Context, run *Run) error { return f(ctx, run) }
