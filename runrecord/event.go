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
	EventSettled    EventType = "settled"     // a pending or unknown call became what it was
	EventJudged     EventType = "judged"      // the guard has decided
	EventRunEnded   EventType = "run_ended"   // once a leg
)

// Event is one line of the record: a flat value, so that a sink can encode it
// as it likes. It carries no payload, and no text in it is longer than 1 KiB
// or has a control character. Fields that do not apply are zero.
type Event struct {
	Schema int       `json:"schema"`
	Type   EventType `json:"type"`
	Time   time.Time `json:"time"`
	Run    string    `json:"run_id"`
	Parent string    `json:"parent_id,omitempty"`
	Task   string    `json:"task,omitempty"`
	Key    string    `json:"task_key,omitempty"`
	Tenant string    `json:"tenant,omitempty"`
	Leg    int       `json:"leg"`

	// Of a call, a retry and a settlement.

	Seq         uint32          `json:"seq,omitempty"`
	CallID      string          `json:"call_id,omitempty"`
	Tool        string          `json:"tool,omitempty"`
	Name        string          `json:"name,omitempty"` // what the model asked for, where it is not the tool's name
	Upstream    string          `json:"upstream,omitempty"`
	Effect      fault.Effect    `json:"effect,omitempty"`
	Outcome     fault.Kind      `json:"outcome,omitempty"`
	Was         fault.Kind      `json:"was,omitempty"` // the outcome before the settlement
	Qualifiers  fault.Qualifier `json:"-"`             // as a list of names, see [Event.MarshalJSON]
	Reason      fault.Reason    `json:"reason,omitempty"`
	Action      fault.Action    `json:"action,omitempty"`
	Ran         fault.Ran       `json:"ran,omitempty"`
	Correctable bool            `json:"correctable,omitempty"`
	Status      int             `json:"status,omitempty"`
	Attempts    int             `json:"attempts,omitempty"`
	Start       time.Duration   `json:"start_ns,omitempty"` // since the start of the run
	Duration    time.Duration   `json:"duration_ns,omitempty"`
	Waited      time.Duration   `json:"waited_ns,omitempty"`
	Wait        time.Duration   `json:"wait_ns,omitempty"` // what the upstream asked for; of a retry: until the next attempt
	Age         time.Duration   `json:"age_ns,omitempty"`
	ArgsHash    string          `json:"args_hash,omitempty"` // comparable within one process only
	FallbackOf  string          `json:"fallback_of,omitempty"`
	Code        string          `json:"code,omitempty"`
	Rule        string          `json:"rule,omitempty"`
	Error       string          `json:"error,omitempty"` // redacted; of the end of an aborted run: why
	Case        string          `json:"case,omitempty"`

	// Of a judgment and the end of a leg. Reason is why the run was aborted.

	State    State    `json:"state,omitempty"`
	Decision string   `json:"decision,omitempty"`
	Step     int      `json:"step,omitempty"`
	Unmet    []string `json:"unmet,omitempty"`
	Findings []string `json:"findings,omitempty"`
	Reported bool     `json:"reported,omitempty"` // the guard is in report mode: the answer left anyway
	Cases    []string `json:"cases,omitempty"`    // open ones
	Counts   *Counts  `json:"counts,omitempty"`
}

// Counts are exact totals over all legs of a run and its children.
type Counts struct {
	Calls    int     `json:"calls"`
	OK       int     `json:"ok"`
	Failed   int     `json:"failed,omitempty"`
	Denied   int     `json:"denied,omitempty"`
	NotRun   int     `json:"not_run,omitempty"`
	Pending  int     `json:"pending,omitempty"`
	Unknown  int     `json:"unknown,omitempty"`
	Attempts int     `json:"attempts"`
	Retries  int     `json:"retries,omitempty"`
	Turns    int     `json:"turns,omitempty"`
	Tokens   int64   `json:"tokens,omitempty"`
	Money    float64 `json:"money,omitempty"`
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
