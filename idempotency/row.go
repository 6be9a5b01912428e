package idempotency

import (
	"encoding/json"
	"slices"
	"strconv"
	"time"

	"github.com/failloud/failloud/fault"
)

const (
	maxAttempts = 32 // attempts, checks and evidence that a row remembers; Epoch counts them all
	maxNote     = 1024
)

// Row is all that is known about one piece of work. It is a value: only
// [Apply] makes a new one, and a store saves what Apply returned.
type Row struct {
	ID      string `json:"id"` // see [Key.ID]
	Key     Key    `json:"key"`
	State   State  `json:"state"`
	Version int64  `json:"version"` // raised by every write

	// Epoch counts the claims that were allowed to execute. It is the fencing
	// token: a write of an earlier epoch changes nothing but the evidence.
	Epoch      int64         `json:"epoch"`
	Attempt    string        `json:"attempt,omitempty"`    // id of the claim that holds or last held the row
	Lease      time.Duration `json:"lease,omitempty"`      // how long the claim holds at a time
	LeaseUntil time.Time     `json:"lease_until,omitzero"` // after this a running row is in doubt
	Dispatched bool          `json:"dispatched,omitempty"` // this epoch has entered the tool's function

	// MayHaveApplied is set by the first ambiguous end and cleared only by proof:
	// a Check or a person.
	MayHaveApplied bool      `json:"may_have_applied,omitempty"`
	DoubtSince     time.Time `json:"doubt_since,omitzero"` // end of the last attempt in doubt
	// Happened is set by the late success of an earlier epoch: the work is done,
	// whatever becomes of the epoch that runs now.
	Happened          bool `json:"happened,omitempty"`
	PossibleDuplicate bool `json:"possible_duplicate,omitempty"` // it may have been done twice

	Generation int       `json:"generation,omitempty"` // of the remote key
	KeySince   time.Time `json:"key_since,omitzero"`   // first dispatch under this generation

	Effect   fault.Effect  `json:"effect"`
	HasCheck bool          `json:"has_check,omitempty"` // the tool can look up what happened
	KeyTTL   time.Duration `json:"key_ttl,omitempty"`   // how long the service honours the remote key
	Settle   time.Duration `json:"settle,omitempty"`    // "not done" is believed only after this

	Args        json.RawMessage `json:"args,omitempty"`     // canonical, as they are or will be executed
	Volatile    []string        `json:"volatile,omitempty"` // fields that may differ
	Fingerprint string          `json:"fingerprint"`        // of Args without the volatile fields
	Asked       string          `json:"asked,omitempty"`    // fingerprint before a person edited the arguments
	Approved    bool            `json:"approved,omitempty"` // a person has allowed exactly these arguments

	TaskName string `json:"task,omitempty"`     // for people
	TaskKey  string `json:"task_key,omitempty"` // the caller's own id of the task, "" without one
	// Identity is what the call is about, whatever the rest of its arguments say:
	// 32 hexadecimal digits, see [Identify]; "" where the tool does not declare it.
	Identity string `json:"identity,omitempty"`
	RunID    string `json:"run_id,omitempty"` // of the last claim, so that a late end finds its way back
	Call     uint32 `json:"call,omitempty"`   // number of the call in that run
	Why      string `json:"why,omitempty"`    // reason given to [Again]

	Result        json.RawMessage `json:"result,omitempty"`         // of the success; nil where there is none or it was not kept
	ResultSize    int             `json:"result_size,omitempty"`    // bytes, also of one that was not kept
	ResultOmitted bool            `json:"result_omitted,omitempty"` // there is none that the ledger keeps
	Qualifiers    fault.Qualifier `json:"qualifiers,omitempty"`     // of the result
	Erased        bool            `json:"erased,omitempty"`         // arguments and result were erased

	Attempts []Attempt  `json:"attempts,omitempty"` // the last 32, oldest first
	Checks   []Check    `json:"checks,omitempty"`   // the last 32, oldest first
	Evidence []Evidence `json:"evidence,omitempty"` // late successes, the last 32

	CaseToken  string    `json:"case_token,omitempty"`  // id of the command that opened the case
	CaseSince  time.Time `json:"case_since,omitzero"`   // when the open or last case was opened
	CaseReason string    `json:"case_reason,omitempty"` // why a person is asked
	Deadline   time.Time `json:"deadline,omitzero"`     // of the case; passing it is neither a yes nor a no
	Decision   *Decision `json:"decision,omitempty"`    // the answer of a person, nil without one
	Expired    bool      `json:"expired,omitempty"`     // rejected because nobody answered in time

	Announced  time.Time `json:"announced,omitzero"`   // when somebody was told of the open case; zero: nobody was
	AnnounceBy time.Time `json:"announce_by,omitzero"` // until then whoever took it on is telling
	Announcer  string    `json:"announcer,omitempty"`  // id of the command that took it on

	Gate     string    `json:"gate,omitempty"`     // what a deferred call waits for
	NotAfter time.Time `json:"not_after,omitzero"` // a deferred call is not run after this
	Due      time.Time `json:"due,omitzero"`       // when [Expire] has something to do; zero: never
	Created  time.Time `json:"created"`            // first write
	Updated  time.Time `json:"updated"`            // last write
}

// Attempt is one claim that was allowed to execute.
type Attempt struct {
	Epoch      int64     `json:"epoch"`                // of the claim
	Generation int       `json:"generation,omitempty"` // of the remote key it used
	Start      time.Time `json:"start"`                // of the claim
	Dispatched time.Time `json:"dispatched,omitzero"`  // zero: the function was never entered
	End        time.Time `json:"end,omitzero"`         // zero: not ended
	Ended      string    `json:"ended,omitempty"`      // name of the command that ended it
	Ran        fault.Ran `json:"ran"`
	Trouble    Trouble   `json:"trouble,omitzero"` // how it failed; zero for a success
}

// Trouble is a fault as a row keeps it: enumerations and a text that the
// caller has redacted.
type Trouble struct {
	Reason fault.Reason `json:"reason,omitempty"`
	Action fault.Action `json:"action,omitempty"`
	Ran    fault.Ran    `json:"ran,omitempty"`
	Status int          `json:"status,omitempty"` // HTTP, 0 for none
	Code   string       `json:"code,omitempty"`   // machine-readable code of the answer
	Text   string       `json:"text,omitempty"`   // at most 1 KiB
}

// TroubleOf takes from a fault what may be kept, with a redacted text of its
// cause. A nil fault gives the zero value.
func TroubleOf(f *fault.Fault, redacted string) Trouble {
	if f == nil {
		return Trouble{Text: cut(redacted)}
	}
	return Trouble{Reason: f.Reason, Action: f.Action, Ran: f.Ran, Status: f.Status, Code: f.Code, Text: cut(redacted)}
}

// Check is one answer of a tool's Check.
type Check struct {
	At     time.Time `json:"at"`              // when it was asked
	Epoch  int64     `json:"epoch"`           // of the attempt it was about
	Answer Finding   `json:"answer"`          // what it found
	Early  bool      `json:"early,omitempty"` // "not done" before the settling time: not believed
	Text   string    `json:"text,omitempty"`  // redacted error of the Check
}

// Evidence is a success that came when it could no longer decide the row.
type Evidence struct {
	At    time.Time `json:"at"`    // when it came
	Epoch int64     `json:"epoch"` // of the attempt that succeeded
}

// RemoteKey is the idempotency key of the current generation.
func (r *Row) RemoteKey() string { return r.Key.RemoteKey(r.Generation) }

// Repeatable reports whether the work may be started again although it may
// have happened: the tool is idempotent, or the service still honours the
// remote key. A twentieth of the service's time is kept in reserve, because a
// request takes time to arrive.
func (r *Row) Repeatable(now time.Time) bool {
	if !r.Effect.Writes() {
		return true
	}
	return r.KeyTTL > 0 && (r.KeySince.IsZero() || !r.wentBack(now) && now.Before(r.keyUntil()))
}

func (r *Row) keyUntil() time.Time { return r.KeySince.Add(r.KeyTTL - r.reserve()) }

func (r *Row) reserve() time.Duration { return r.KeyTTL / 20 }

// wentBack reports whether the clock shows a time before the key was first used,
// by more than what is kept in reserve anyway. One of the two times is wrong.
func (r *Row) wentBack(now time.Time) bool {
	return !r.KeySince.IsZero() && now.Before(r.KeySince.Add(-r.reserve()))
}

// longAgo is before any service keeps keys of.
var longAgo = time.Unix(0, 0).UTC()

// distrust gives the remote key up once the clock went back: nobody knows how long
// the service has had it, and a time read from the wrong clock must not let it
// be used for longer than the service honours it.
func (r *Row) distrust(now time.Time) {
	if r.wentBack(now) {
		r.KeySince = longAgo
	}
}

// CaseID is the id of the row's open or last case, "" where there never was
// one. It names the row and the epoch, so that a second doubt is a second case.
func (r *Row) CaseID() string {
	if r.CaseSince.IsZero() {
		return ""
	}
	return r.ID + "-" + strconv.FormatInt(r.Epoch, 10)
}

// last is the attempt of the current epoch, nil before the first.
func (r *Row) last() *Attempt {
	if len(r.Attempts) == 0 {
		return nil
	}
	return &r.Attempts[len(r.Attempts)-1]
}

// attempt is the attempt of the given epoch, nil where it is not remembered.
func (r *Row) attempt(epoch int64) *Attempt {
	if i := slices.IndexFunc(r.Attempts, func(a Attempt) bool { return a.Epoch == epoch }); i >= 0 {
		return &r.Attempts[i]
	}
	return nil
}

// bounded appends and forgets the oldest beyond the bound.
func bounded[T any](s []T, v T) []T {
	if len(s) >= maxAttempts {
		s = s[len(s)-maxAttempts+1:]
	}
	return append(s, v)
}

func cut(s string) string {
	if len(s) <= maxNote {
		return s
	}
	n := maxNote
	for n > 0 && s[n]&0xc0 == 0x80 { // not inside a character
		n--
	}
	return s[:n]
}
