package idempotency

import (
	"encoding/json"
	"fmt"
	"slices"
	"time"

	"github.com/failloud/failloud/fault"
)

// Choice is what a person can decide. The zero value is no choice.
type Choice uint8

const (
	NoChoice      Choice = iota // nothing is decided
	Approve                     // awaiting approval: run it
	ApproveEdited               // awaiting approval: run it with these arguments
	Reject                      // awaiting approval: do not run it
	WentThrough                 // escalated: it was done, this is its result
	RunAgain                    // escalated: it was not done, run it
	GiveUp                      // escalated: it was not done, leave it
	Abort                       // either: end it, and the run that waits for it
)

var choiceNames = [...]string{"none", "approve", "approve_edited", "reject", "went_through", "run_again", "give_up", "abort"}

// String returns the lower-case name.
func (c Choice) String() string {
	if int(c) < len(choiceNames) {
		return choiceNames[c]
	}
	return fmt.Sprintf("invalid(%d)", uint8(c))
}

// MarshalText writes the lower-case name.
func (c Choice) MarshalText() ([]byte, error) { return []byte(c.String()), nil }

// UnmarshalText reads a lower-case name.
func (c *Choice) UnmarshalText(text []byte) error {
	for i, name := range choiceNames {
		if name == string(text) {
			*c = Choice(i)
			return nil
		}
	}
	return fmt.Errorf("idempotency: unknown choice %q", text)
}

// Choices are the ones that answer a case of a row in this state; nil where no
// case is open.
func Choices(s State) []Choice {
	switch s {
	case AwaitingApproval:
		return []Choice{Approve, ApproveEdited, Reject, Abort}
	case Escalated:
		return []Choice{WentThrough, RunAgain, GiveUp, Abort}
	}
	return nil
}

// Decision is a person's answer to a case. It is bound to what the person was
// shown, by Epoch and Fingerprint, and can be used once; to send the same
// decision again, under the same ID, changes nothing.
type Decision struct {
	ID          string          `json:"id"` // of the decision; the same one counts once
	Choice      Choice          `json:"choice"`
	Actor       string          `json:"actor"`            // who decided; must not be empty
	Note        string          `json:"note,omitempty"`   // for whoever reads the row later
	Epoch       int64           `json:"epoch"`            // of the row that was shown
	Fingerprint string          `json:"fingerprint"`      // of the arguments that were shown
	Result      json.RawMessage `json:"result,omitempty"` // for WentThrough: what the call would have returned
	Args        json.RawMessage `json:"args,omitempty"`   // for ApproveEdited, canonical
	Edited      string          `json:"edited,omitempty"` // fingerprint of Args
	At          time.Time       `json:"at,omitzero"`      // set by the store
}

// Decide carries a decision to its row.
type Decide struct {
	Decision Decision `json:"decision"`
}

// Name is "decide".
func (Decide) Name() string { return "decide" }

func (c Decide) apply(r *Row, now time.Time) (string, error) {
	d := c.Decision
	if r.Decision != nil && d.ID != "" && r.Decision.ID == d.ID {
		return "", errUnchanged // the reply to the first was lost
	}
	switch {
	case r.State == Absent:
		return "", ErrNotFound
	case d.Epoch != r.Epoch:
		return "", ErrStale
	case r.Decision != nil:
		return "", ErrDecided
	case r.Expired:
		return "", ErrExpired
	case !slices.Contains(Choices(r.State), d.Choice):
		return "", ErrNoCase
	case d.Fingerprint != r.Fingerprint:
		return "", ErrStale
	case r.State == AwaitingApproval && !r.Deadline.IsZero() && !now.Before(r.Deadline):
		return "", ErrExpired
	case d.Choice == GiveUp && r.Happened: // failed means not done
		return "", fmt.Errorf("%w: it is known to have happened", ErrNoCase)
	}
	d.At, d.Note = now, cut(d.Note)
	r.Decision = &d
	switch d.Choice {
	case Approve:
		r.State, r.Approved = Ready, true
	case ApproveEdited:
		if r.Asked == "" {
			r.Asked = r.Fingerprint
		}
		r.Args, r.Fingerprint = d.Args, d.Edited
		r.State, r.Approved = Ready, true
	case WentThrough:
		r.keep(Complete{Result: d.Result, Size: len(d.Result), Omitted: len(d.Result) == 0})
		r.State = Succeeded
	case RunAgain:
		r.Happened = false // whoever decides has seen the evidence
		r.disprove(now)
	case GiveUp: // the person's word that it was not done
		r.State, r.MayHaveApplied = Failed, false
	case Reject, Abort:
		r.State = Rejected
	}
	return d.Choice.String(), nil
}

// ToRun reports whether a person has decided that the work be run, and it has not
// been since: nobody has claimed it, or every claim was turned away for a while (an
// open breaker, a 503), 32 of them at most.
func (r *Row) ToRun() bool {
	d := r.Decision
	if r.State != Ready || d == nil || r.MayHaveApplied {
		return false
	}
	switch d.Choice {
	case Approve, ApproveEdited, RunAgain:
	default:
		return false
	}
	if r.Epoch == d.Epoch {
		return true
	}
	t := r.last().Trouble
	later := t.Action == fault.Retry || t.Reason == fault.ReasonBreakerOpen || t.Reason == fault.ReasonCancelled || t.Reason == fault.ReasonNone
	return later && r.Epoch-d.Epoch < maxAttempts
}

// Hold asks for approval before a piece of work is done. It stops work that is
// free to be claimed and that nobody has allowed: with these arguments, and not
// longer ago than ApprovedFor. The question takes the arguments of the request, so
// that a decision about others is stale. Work that runs, may have happened or has
// ended it leaves as it is.
type Hold struct {
	Request     Request       `json:"request"`                // what is to be done
	Reason      string        `json:"reason,omitempty"`       // why a person is asked
	Token       string        `json:"token"`                  // id of the command
	Within      time.Duration `json:"within,omitempty"`       // time to decide; 0: no limit
	ApprovedFor time.Duration `json:"approved_for,omitempty"` // an older approval is none; 0: of any age
}

// Name is "hold".
func (Hold) Name() string { return "hold" }

func (c Hold) apply(r *Row, now time.Time) (string, error) {
	if r.State == Absent {
		r.create(c.Request, now)
		return c.ask(r, now), nil
	}
	note, moved := r.lapse(now)
	same := c.Request.Fingerprint == r.Fingerprint || c.Request.Fingerprint == r.Asked
	switch {
	case r.State == Unknown, r.State == Escalated: // that question comes first
	case r.State == AwaitingApproval && !same, r.free() && !(same && r.allowed(now, c.ApprovedFor)):
		if !same {
			r.replace(c.Request)
		}
		r.RunID, r.Call = c.Request.RunID, c.Request.Call
		return join(note, c.ask(r, now)), nil
	case !same && !moved:
		_, err := r.match(c.Request)
		return "", err
	}
	return note, changed(moved)
}

func (c Hold) ask(r *Row, now time.Time) string {
	r.State, r.Approved = AwaitingApproval, false
	r.Gate, r.NotAfter = "", time.Time{}
	r.ask(cut(c.Reason), c.Token, now, c.Within)
	return r.CaseReason
}

// free reports whether the next claim would be allowed to execute, and nothing
// has happened yet.
func (r *Row) free() bool {
	return (r.State == Ready || r.State == Deferred) && !r.MayHaveApplied
}

// allowed reports whether a person has said that the work may be done, and not
// longer ago than within; 0 is any time.
func (r *Row) allowed(now time.Time, within time.Duration) bool {
	d := r.Decision
	if !r.Approved && (d == nil || d.Choice != RunAgain) {
		return false
	}
	return within <= 0 || d != nil && now.Sub(d.At) < within
}

// Erase removes the arguments and the result of a row that nobody will execute
// from them, for good. The fingerprint stays, so that the row still protects.
type Erase struct{}

// Name is "erase".
func (Erase) Name() string { return "erase" }

func (Erase) apply(r *Row, _ time.Time) (string, error) {
	switch {
	case r.Erased || r.State == Absent:
		return "", errUnchanged
	case !r.State.Terminal() && r.State != Unknown && r.State != Escalated:
		return "", fmt.Errorf("%w: the row is %s and its arguments are needed", ErrUnsupported, r.State)
	}
	r.Args, r.Result, r.Erased = nil, nil, true
	if r.Decision != nil {
		d := *r.Decision
		d.Args, d.Result = nil, nil
		r.Decision = &d
	}
	return "", nil
}
