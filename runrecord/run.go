package runrecord

import (
	"context"
	"time"

	"github.com/failloud/failloud/fault"
)

// CONTRACT SKELETON: names and signatures that toolkit, guard, escalation and
// the command build on. Bodies belong to the owner of this package.

// State of a run.
type State uint8

const (
	Running  State = iota
	Waiting        // an open case; resumes as a new leg
	Deferred       // resumes as a new leg
	Answered       // ended from here on
	Disclosed
	Refused
	Aborted  // loop, budget, stuck, error
	Unjudged // ended without asking the guard
)

// Config of a [Recorder]. The zero value keeps the record in memory only.
type Config struct {
	Sinks []Sink
	// KeepCalls bounds how many finished calls a run holds; older ones are
	// dropped after the sinks have seen them, counts stay exact. Default 1024.
	KeepCalls int
	// Redact is applied to every error text before it is kept. Default: RedactSecrets.
	Redact func(string) string
}

// Recorder starts runs. Safe for concurrent use.
type Recorder struct{}

// NewRecorder validates cfg.
func NewRecorder(cfg Config) (*Recorder, error) { return &Recorder{}, nil }

// Start begins a run, asks the task's judge, and puts the run into the context.
// tools are the bound ones. A run found in ctx becomes the parent.
func (rec *Recorder) Start(ctx context.Context, task Task, tools []*ToolInfo) (context.Context, *Run, error) {
	return ctx, &Run{}, nil
}

// Run is one try of an agent at a task. Safe for concurrent use.
type Run struct{}

// FromContext returns the run of ctx, nil where there is none.
func FromContext(ctx context.Context) *Run { return nil }

func (r *Run) ID() string                 { return "" }
func (r *Run) Task() Task                 { return Task{} }
func (r *Run) State() State               { return Running }
func (r *Run) Leg() int                   { return 1 }
func (r *Run) Parent() *Run               { return nil }
func (r *Run) Tool(name string) *ToolInfo { return nil } // bound tool, nil where it is not
func (r *Run) Tools() []*ToolInfo         { return nil }
func (r *Run) Elapsed() time.Duration     { return 0 } // monotonic, since the start

// Admit reserves n calls before they start, all or none, and returns the
// sequence number of the first. The error is a *HaltError where the run (or a
// parent) has ended or been aborted, a *BudgetError where a limit is reached;
// reaching a limit aborts the run.
func (r *Run) Admit(n int) (first uint32, err error) { return 0, nil }

// Halted returns why no further call may start, nil while they may.
func (r *Run) Halted() error { return nil }

// Attempted reports one failed attempt that will be repeated after wait.
func (r *Run) Attempted(c Call, wait time.Duration) {}

// Finish records a call that has ended. Callbacks run on the caller's
// goroutine after the call is in the record, never under a lock.
func (r *Run) Finish(c Call) {}

// Settle turns a pending or unknown call into what it was. It reports false
// where there is no such call.
func (r *Run) Settle(seq uint32, o fault.Outcome) bool { return false }

// Watch calls f after every finished or settled call of this run and its children.
func (r *Run) Watch(f func(*Run, Call)) {}

// Keep asks that these argument fields of the named tool's calls be kept in
// Detail.Args for the judge. Kept returns them (nil for none: the hot path).
func (r *Run) Keep(tool string, fields ...string) {}
func (r *Run) Kept(tool string) []string          { return nil }

// Abort ends the run early: no further call starts. The first reason stays.
func (r *Run) Abort(reason fault.Reason, detail string) {}

// Wait marks the run as waiting on a case; Resume begins a new leg.
func (r *Run) Wait(caseID string)   {}
func (r *Run) Resume(caseID string) {}

// OpenCases are the ids the run waits on.
func (r *Run) OpenCases() []string { return nil }

// Turn and Spend count against the limits; the error is a *BudgetError.
func (r *Run) Turn() error                             { return nil }
func (r *Run) Spend(tokens int64, money float64) error { return nil }

// Judged records the verdict of the guard. The last one before End decides.
func (r *Run) Judged(j Judgment) {}

// End ends the run (or, while waiting or deferred, this leg). Idempotent.
func (r *Run) End() {}

// Calls returns the calls still held, in order, children included, as copies.
func (r *Run) Calls() []Call { return nil }

// Stats returns exact counts per tool, children included.
func (r *Run) Stats() map[string]ToolStats { return nil }

// ToolStats are exact counts of one tool in one run.
type ToolStats struct {
	Calls, OK, Failed, Denied, NotRun, Pending, Unknown int
	Attempts                                            int
	Dropped                                             int // details no longer held
	DroppedNotOK                                        int // of these, the ones that were not made good when dropped
}

// Judgment is what the guard decided, as the record keeps it.
type Judgment struct {
	Decision string // "answer", "disclose", "refuse", "escalate", "defer"
	Step     int
	State    State    // what the run ends as
	Unmet    []string // requirements
	Findings []string // one line each, no payload
	Reported bool     // the guard is in report mode: it left anyway
}

// HaltError says why no call may start.
type HaltError struct {
	Reason fault.Reason
	State  State
}

func (e *HaltError) Error() string { return "runrecord: run has ended: " + e.Reason.String() }

// BudgetError names the limit that was reached.
type BudgetError struct {
	Limit string // "calls", "turns", "tokens", "money", "time"
}

func (e *BudgetError) Error() string { return "runrecord: budget used up: " + e.Limit }

// Sink receives live events. It must be safe for concurrent use and must not block for long.
type Sink interface {
	Write(e Event) error
}

// Event is one line of the record. See its owner's file for the fields.
type Event struct{}
