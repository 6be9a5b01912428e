package escalation

import (
	"encoding/json"
	"fmt"
	"math"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/redact"
)

// Status is where a case stands. The zero value is an open case.
type Status uint8

const (
	Open    Status = iota // waits for a decision
	Decided               // somebody has decided, see Case.Decision
	Expired               // nobody decided in time: neither a yes nor a no
	Settled               // the answer came by itself: a late success
)

var statusNames = [...]string{"open", "decided", "expired", "settled"}

// String returns the lower-case name.
func (s Status) String() string {
	if int(s) < len(statusNames) {
		return statusNames[s]
	}
	return "invalid"
}

// MarshalText writes the lower-case name.
func (s Status) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a lower-case name, so that a case that was sent can be read.
func (s *Status) UnmarshalText(text []byte) error {
	for i, name := range statusNames {
		if name == string(text) {
			*s = Status(i)
			return nil
		}
	}
	return fmt.Errorf("escalation: unknown status %.40q", text)
}

// Case is a question about an effect that only a person can settle. It is a
// copy, made for people and pagers: texts in it are redacted.
type Case struct {
	ID       string            `json:"id"` // names the row and its epoch: a second doubt is a second case
	Status   Status            `json:"status"`
	State    idempotency.State `json:"state"`              // of the row
	Reason   string            `json:"reason,omitempty"`   // why a person is asked
	Opened   time.Time         `json:"opened"`             // when
	Deadline time.Time         `json:"deadline,omitzero"`  // zero: none
	Options  []Option          `json:"options,omitempty"`  // none once it is closed
	Decision *Verdict          `json:"decision,omitempty"` // nil until somebody has decided

	Tenant string `json:"tenant,omitempty"` // of the task
	Task   string `json:"task,omitempty"`   // name of the task
	RunID  string `json:"run_id,omitempty"` // run that asked for the work last
	Call   uint32 `json:"call,omitempty"`   // number of the call in that run

	Tool        string       `json:"tool"` // name of the tool
	Effect      fault.Effect `json:"effect"`
	Args        string       `json:"args,omitempty"`         // redacted JSON, "" where it was erased or may not be shown
	Fingerprint string       `json:"fingerprint"`            // of the arguments that are asked about
	BusinessKey string       `json:"business_key,omitempty"` // what the work is about: the key of the tool, else that of the task
	Occurrence  int          `json:"occurrence,omitempty"`   // asked for on purpose, and why
	Again       string       `json:"again,omitempty"`        // the reason that was given for it
	RemoteKey   string       `json:"remote_key"`             // what the service was handed last: search for it there

	Attempts          []Attempt   `json:"attempts,omitempty"`           // the last ones, oldest first
	Checks            []Check     `json:"checks,omitempty"`             // what the Check of the tool answered, oldest first
	LateSuccess       []time.Time `json:"late_success,omitempty"`       // an earlier attempt reported success after all
	PossibleDuplicate bool        `json:"possible_duplicate,omitempty"` // it may have been done twice
}

// Attempt is one try at the work.
type Attempt struct {
	Number    int64        `json:"number"`       // from 1
	RemoteKey string       `json:"remote_key"`   // what the service was handed
	Start     time.Time    `json:"start"`        // when it was claimed
	End       time.Time    `json:"end,omitzero"` // zero: its end is not known
	Entered   bool         `json:"entered"`      // the tool's function was entered
	Ended     string       `json:"ended"`        // "doubt", "expire", … as in the events of the row
	Reason    fault.Reason `json:"reason,omitempty"`
	Status    int          `json:"status,omitempty"` // HTTP
	Ran       fault.Ran    `json:"ran"`
	Error     string       `json:"error,omitempty"` // redacted
}

// Check is one answer of the tool's Check.
type Check struct {
	At     time.Time           `json:"at"`              // when it was asked
	Answer idempotency.Finding `json:"answer"`          // what it found
	Early  bool                `json:"early,omitempty"` // too soon after the attempt to be believed
	Error  string              `json:"error,omitempty"` // redacted
}

// Verdict is what was decided.
type Verdict struct {
	Choice idempotency.Choice `json:"choice"`
	Actor  string             `json:"actor"`          // who decided
	Note   string             `json:"note,omitempty"` // what they wrote
	At     time.Time          `json:"at"`             // when
}

// Decide returns a decision of actor that is bound to the case as it was shown.
// Result, Args and Note are the caller's to fill in where the choice needs them.
func (c Case) Decide(choice idempotency.Choice, actor string) Decision {
	return Decision{Case: c.ID, Fingerprint: c.Fingerprint, Choice: choice, Actor: actor}
}

// view is how a person sees a row.
func (d *Desk) view(row *idempotency.Row) Case {
	c := Case{
		ID: row.CaseID(), Status: status(row), State: row.State, Reason: d.reason(row.CaseReason),
		Opened: row.CaseSince, Deadline: row.Deadline, Options: options(row),
		Tenant: row.Key.Tenant, Task: row.TaskName, RunID: row.RunID, Call: row.Call,
		Tool: row.Key.Tool, Effect: row.Effect, Args: d.args(row.Args), Fingerprint: row.Fingerprint,
		Occurrence: row.Key.Occurrence, Again: row.Why, RemoteKey: row.RemoteKey(),
		PossibleDuplicate: row.PossibleDuplicate,
	}
	c.BusinessKey, _ = strings.CutPrefix(row.Key.Intent, "key:")
	if c.BusinessKey == row.Key.Intent { // it has none: the task's key says most
		c.BusinessKey, _, _ = strings.Cut(strings.TrimPrefix(row.Key.Intent, "task:"), "#")
	}
	for _, a := range row.Attempts {
		c.Attempts = append(c.Attempts, Attempt{
			Number: a.Epoch, RemoteKey: row.Key.RemoteKey(a.Generation), Start: a.Start, End: a.End,
			Entered: !a.Dispatched.IsZero(), Ended: a.Ended, Ran: a.Ran,
			Reason: a.Trouble.Reason, Status: a.Trouble.Status, Error: d.text(a.Trouble.Text),
		})
	}
	for _, k := range row.Checks {
		c.Checks = append(c.Checks, Check{At: k.At, Answer: k.Answer, Early: k.Early, Error: d.text(k.Text)})
	}
	for _, e := range row.Evidence {
		c.LateSuccess = append(c.LateSuccess, e.At)
	}
	if row.Decision != nil {
		c.Decision = &Verdict{Choice: row.Decision.Choice, Actor: row.Decision.Actor, Note: row.Decision.Note, At: row.Decision.At}
	}
	return c
}

func status(row *idempotency.Row) Status {
	switch {
	case row.Decision != nil:
		return Decided
	case row.Expired:
		return Expired
	case row.State.Open():
		return Open
	}
	return Settled
}

func (d *Desk) args(raw json.RawMessage) string {
	if len(raw) == 0 {
		return ""
	}
	return d.text(string(raw))
}

// reason is why a person is asked. It is written by the program, and shown in any
// case: without it nobody could decide.
func (d *Desk) reason(s string) string {
	if d.cfg.Redact == nil {
		return redact.Escape(s, math.MaxInt)
	}
	return d.text(s)
}

// text is what may be shown of a text: nothing, where nobody said how to redact.
// Terminals and pagers show it, so what would move the cursor or turn the text
// around is escaped; what is JSON stays JSON.
func (d *Desk) text(s string) string {
	if s == "" || d.cfg.Redact == nil {
		return ""
	}
	clean, _ := redact.By(d.cfg.Redact, s)
	return redact.Escape(clean, math.MaxInt)
}
