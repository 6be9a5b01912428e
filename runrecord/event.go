package runrecord

import (
	"time"

	"github.com/failloud/failloud/fault"
)

// SchemaVersion is the version of [Event] that this package writes. It grows
// when a reader of the old version would misread the new one; a new optional
// field does not change it.
const SchemaVersion = 1

// EventType says what an event is about.
type EventType string

// The types of events. A reader passes over a type it does not know.
const (
	EventRunStarted EventType = "run_started" // once a leg
	EventCall       EventType = "call"        // a call has finished
	EventRetry      EventType = "retry"       // an attempt failed and will be repeated
	EventReplaced   EventType = "replaced"    // one tool of a call with substitutes failed; the call has an event of its own
	EventSettled    EventType = "settled"     // a pending or unknown call became what it was
	EventHeard      EventType = "heard"       // the user has said more, see [Run.Hear]; only where it is captured
	EventJudged     EventType = "judged"      // the guard has decided
	EventRunEnded   EventType = "run_ended"   // once a leg
)

// Event is one line of the record: a flat value, so that a sink can encode it
// as it likes. No text in it is longer than 1 KiB or has a control character,
// and it carries no payload unless [Config.Capture] asks for one. Fields that do
// not apply are zero.
type Event struct {
	Schema int       `json:"schema"`              // [SchemaVersion] of the writer
	Type   EventType `json:"type"`                // what it is about; says which of the other fields apply
	Time   time.Time `json:"time"`                // when it was written
	Run    string    `json:"run_id"`              // id of the run
	Parent string    `json:"parent_id,omitempty"` // id of the run that this one is a sub-agent of
	Task   string    `json:"task,omitempty"`      // name of the task
	Key    string    `json:"task_key,omitempty"`  // key of the task
	Tenant string    `json:"tenant,omitempty"`    // of the task
	Leg    int       `json:"leg"`                 // of the run, from 1

	// Of a call, a retry and a settlement.

	Seq         uint32          `json:"seq,omitempty"`      // number of the call in its run and the parents of that
	CallID      string          `json:"call_id,omitempty"`  // the model's id of the call
	Tool        string          `json:"tool,omitempty"`     // "" for a name that no tool has
	Name        string          `json:"name,omitempty"`     // what the model asked for, where it is not the tool's name
	Upstream    string          `json:"upstream,omitempty"` // of the tool
	Effect      fault.Effect    `json:"effect,omitempty"`
	Outcome     fault.Kind      `json:"outcome,omitempty"` // how the call ended
	Was         fault.Kind      `json:"was,omitempty"`     // the outcome before the settlement
	Qualifiers  fault.Qualifier `json:"-"`                 // as a list of names, see [Event.MarshalJSON]
	Reason      fault.Reason    `json:"reason,omitempty"`
	Action      fault.Action    `json:"action,omitempty"`
	Ran         fault.Ran       `json:"ran,omitempty"`
	Correctable bool            `json:"correctable,omitempty"` // a changed call may work
	Status      int             `json:"status,omitempty"`      // HTTP, of the last attempt
	Attempts    int             `json:"attempts,omitempty"`    // executions of the function
	Start       time.Duration   `json:"start_ns,omitempty"`    // since the start of the run
	Duration    time.Duration   `json:"duration_ns,omitempty"` // from the start of the call to its end or settlement
	Waited      time.Duration   `json:"waited_ns,omitempty"`   // slept between attempts
	Wait        time.Duration   `json:"wait_ns,omitempty"`     // what the upstream asked for; of a retry: until the next attempt
	Age         time.Duration   `json:"age_ns,omitempty"`      // of a stale result
	ArgsHash    string          `json:"args_hash,omitempty"`   // comparable within one process only
	FallbackOf  string          `json:"fallback_of,omitempty"` // the tool this result stands in for
	Code        string          `json:"code,omitempty"`        // machine-readable code of the fault
	Rule        string          `json:"rule,omitempty"`        // detector that decided
	Error       string          `json:"error,omitempty"`       // redacted; of the end of an aborted run: why
	Case        string          `json:"case,omitempty"`        // id of the case a person has to settle

	// Of a judgment and the end of a leg. Reason is why the run, or one that it
	// started, was aborted.

	State    State    `json:"state,omitempty"`
	Decision string   `json:"decision,omitempty"` // "answer", "disclose", "refuse", "escalate", "defer"
	Step     int      `json:"step,omitempty"`     // of the guard that decided
	Unmet    []string `json:"unmet,omitempty"`    // requirements
	Findings []string `json:"findings,omitempty"` // one line each, no payload
	Reported bool     `json:"reported,omitempty"` // the guard is in report mode: the answer left anyway
	Cases    []string `json:"cases,omitempty"`    // open ones
	Counts   *Counts  `json:"counts,omitempty"`

	// Captured payloads, see [Capture]: bounded, but not made one line.

	Question string `json:"question,omitempty"` // of the start of a run, and of what was heard later: the user's words
	Args     string `json:"args,omitempty"`     // of a call and a settlement: the arguments, JSON unless cut
	Result   string `json:"result,omitempty"`   // of a call and a settlement: what the model may see of it
	Draft    string `json:"draft,omitempty"`    // of a judgment: the answer that was judged
}

// Counts are exact totals over all legs of a run and its children.
type Counts struct {
	Calls    int     `json:"calls"`             // all of them
	OK       int     `json:"ok"`                // successes, qualified ones too
	Failed   int     `json:"failed,omitempty"`  // a fault of the tool, known not to be in doubt
	Denied   int     `json:"denied,omitempty"`  // a person or a policy said no
	NotRun   int     `json:"not_run,omitempty"` // the tool was never entered
	Pending  int     `json:"pending,omitempty"` // accepted, not done yet
	Unknown  int     `json:"unknown,omitempty"` // may have run, not settled yet
	Attempts int     `json:"attempts"`          // executions of functions
	Retries  int     `json:"retries,omitempty"` // attempts beyond the first of a call
	Turns    int     `json:"turns,omitempty"`   // of the model
	Tokens   int64   `json:"tokens,omitempty"`  // of the model, in and out
	Money    float64 `json:"money,omitempty"`   // in the caller's currency
}

// Sink receives live events. It must be safe for concurrent use and must not
// block for long: Write runs on the goroutine of the call. The slices and
// Counts of an event are shared and must not be changed. An error or a panic is
// counted, see [Recorder.Errors], and never breaks a run.
type Sink interface {
	Write(e Event) error
}

// SinkFunc makes a function a [Sink].
type SinkFunc func(e Event) error

// Write calls f.
func (f SinkFunc) Write(e Event) error { return f(e) }

// Selective is what a [Sink] may implement to be spared events it has no use
// for. Where no sink of a recorder wants an event it is not even built, which
// keeps a sink for failures off the path of a success. outcome is that of the
// call, or none. Wants is asked once for every type and outcome, by [NewRecorder].
type Selective interface {
	Wants(t EventType, outcome fault.Kind) bool
}
