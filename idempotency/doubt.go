package idempotency

import (
	"encoding/json"
	"fmt"
	"time"

	"github.com/failloud/failloud/fault"
)

// Finding is what a Check found out. The zero value is [CannotTell].
type Finding uint8

const (
	CannotTell Finding = iota // nobody knows yet
	Done                      // it was done
	NotDone                   // it was not done, and will not be by what was started so far
)

var findingNames = [...]string{"cannot_tell", "done", "not_done"}

// String returns the lower-case name.
func (f Finding) String() string {
	if int(f) < len(findingNames) {
		return findingNames[f]
	}
	return fmt.Sprintf("invalid(%d)", uint8(f))
}

// MarshalText writes the lower-case name.
func (f Finding) MarshalText() ([]byte, error) { return []byte(f.String()), nil }

// UnmarshalText reads a lower-case name.
func (f *Finding) UnmarshalText(text []byte) error {
	for i, name := range findingNames {
		if name == string(text) {
			*f = Finding(i)
			return nil
		}
	}
	return fmt.Errorf("idempotency: unknown finding %q", text)
}

// Expire applies what time alone may decide: a lease that ran out, an approval
// that nobody gave, a deferred call that has gone stale, a remote key that the
// service no longer honours. Before its time it changes nothing.
type Expire struct{}

// Name is "expire".
func (Expire) Name() string { return "expire" }

func (c Expire) apply(r *Row, now time.Time) (string, error) {
	note, moved := r.lapse(now)
	return note, changed(moved)
}

// lapse is the rule of [Expire]. Time never makes a dispatched call runnable.
func (r *Row) lapse(now time.Time) (note string, moved bool) {
	due := r.due()
	if due.IsZero() || now.Before(due) {
		return "", false
	}
	switch r.State {
	case Running:
		a := r.last()
		a.End, a.Ended = now, "expire"
		if !r.Dispatched {
			a.Ran = fault.RanNo
			r.reopen(now)
			return "lease ran out before the call was dispatched", true
		}
		r.doubt(now)
		return "lease ran out after the call was dispatched", true
	case AwaitingApproval:
		r.State, r.Expired = Rejected, true
		return "nobody decided in time", true
	case Deferred:
		r.escalate("the deferred call has gone stale", "", now, 0)
		return r.CaseReason, true
	default: // ready, and the service no longer honours the key
		r.State = Unknown
		return "the service no longer honours the key", true
	}
}

// Repeat makes a row of unknown outcome runnable because it is safe to repeat,
// see [Row.Repeatable]. The doubt stays.
type Repeat struct {
	Epoch int64 `json:"epoch"` // of the row
}

// Name is "repeat".
func (Repeat) Name() string { return "repeat" }

func (c Repeat) apply(r *Row, now time.Time) (string, error) {
	if r.State != Unknown || c.Epoch != r.Epoch {
		return "", errUnchanged
	}
	if a := r.last(); a != nil && a.Ran == fault.RanYes && r.Effect.Writes() {
		return "", errUnchanged // it was done in part: the key does not help
	}
	if r.reopen(now); r.State == Unknown {
		return "", errUnchanged
	}
	return "safe to repeat", nil
}

// doubtful reports whether nobody runs it and it may have happened. A row that
// is safe to repeat is ready all the same.
func (r *Row) doubtful() bool { return r.State == Unknown || r.State == Ready && r.MayHaveApplied }

// Verdict is the answer of a tool's Check about a row that may have happened.
type Verdict struct {
	Epoch   int64           `json:"epoch"`             // of the attempt that was looked up
	Finding Finding         `json:"finding"`           // what the Check found
	Result  json.RawMessage `json:"result,omitempty"`  // where it was done
	Size    int             `json:"size,omitempty"`    // bytes of the whole result
	Omitted bool            `json:"omitted,omitempty"` // the result is too large to keep
	Text    string          `json:"text,omitempty"`    // redacted error of the Check
}

// Name is "verdict".
func (Verdict) Name() string { return "verdict" }

func (c Verdict) apply(r *Row, now time.Time) (string, error) {
	if !r.doubtful() || c.Epoch != r.Epoch {
		return "", ErrFenced // the question has changed since it was asked
	}
	early := c.Finding == NotDone && now.Before(r.DoubtSince.Add(r.Settle))
	r.Checks = bounded(r.Checks, Check{At: now, Epoch: c.Epoch, Answer: c.Finding, Early: early, Text: cut(c.Text)})
	switch {
	case c.Finding == Done:
		r.keep(Complete{Result: c.Result, Size: c.Size, Omitted: c.Omitted})
		r.State = Succeeded
	case c.Finding == NotDone && !early:
		r.disprove(now)
	}
	return c.Finding.String(), nil
}

// disprove makes the row runnable after proof that nothing happened.
func (r *Row) disprove(now time.Time) {
	r.MayHaveApplied = false
	for i := range r.Attempts {
		if r.Attempts[i].Ran == fault.RanUnknown {
			r.Attempts[i].Ran = fault.RanNo
		}
	}
	r.renew()
	r.reopen(now)
}

// Escalate asks a person about a row that may have happened. Whether this command
// opened the case is read from the row: it bears the Token.
type Escalate struct {
	Epoch  int64         `json:"epoch"`            // of the row
	Reason string        `json:"reason,omitempty"` // why a person is asked
	Token  string        `json:"token"`            // id of the command
	Within time.Duration `json:"within,omitempty"` // time to decide; 0: no limit
}

// Name is "escalate".
func (Escalate) Name() string { return "escalate" }

func (c Escalate) apply(r *Row, now time.Time) (string, error) {
	if r.State == Escalated && c.Epoch == r.Epoch {
		return "", errUnchanged // nobody is asked twice
	}
	if !r.doubtful() || c.Epoch != r.Epoch {
		return "", ErrFenced
	}
	r.escalate(cut(c.Reason), c.Token, now, c.Within)
	return r.CaseReason, nil
}

func (r *Row) escalate(reason, token string, now time.Time, within time.Duration) {
	r.State = Escalated
	r.ask(reason, token, now, within)
}

// ask opens the case.
func (r *Row) ask(reason, token string, now time.Time, within time.Duration) {
	r.CaseReason, r.CaseToken, r.CaseSince = reason, token, now
	r.Deadline = time.Time{}
	if within > 0 {
		r.Deadline = now.Add(within)
	}
	r.Decision = nil
}
