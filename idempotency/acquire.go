package idempotency

import (
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
)

// Request is an intent as a row keeps it.
type Request struct {
	Key         Key             `json:"key"` // of the work
	Effect      fault.Effect    `json:"effect"`
	Args        json.RawMessage `json:"args,omitempty"`      // canonical
	Volatile    []string        `json:"volatile,omitempty"`  // fields that may differ
	Fingerprint string          `json:"fingerprint"`         // of Args without the volatile fields
	HasCheck    bool            `json:"has_check,omitempty"` // the tool can look up what happened
	KeyTTL      time.Duration   `json:"key_ttl,omitempty"`   // how long the service honours the remote key; 0: it does not
	Settle      time.Duration   `json:"settle,omitempty"`    // "not done" is believed only after this
	TaskName    string          `json:"task,omitempty"`      // for people
	TaskKey     string          `json:"task_key,omitempty"`  // the caller's own id of the task
	Identity    string          `json:"identity,omitempty"`  // what the call is about, see [Identify]
	RunID       string          `json:"run_id,omitempty"`    // run that asks
	Call        uint32          `json:"call,omitempty"`      // number of the call in that run
	Why         string          `json:"why,omitempty"`       // reason given to [Again]
}

// Acquire asks for the right to execute. Whether it was given is read from the
// row: it runs under Attempt. To ask again with the same Attempt, after a reply
// was lost, changes nothing.
type Acquire struct {
	Request  Request       `json:"request"`            // what is to be done
	Attempt  string        `json:"attempt"`            // id of the claim, made by the caller
	Lease    time.Duration `json:"lease"`              // how long the claim holds at first
	Dispatch bool          `json:"dispatch,omitempty"` // marks it as dispatched at once: one write fewer
}

// Name is "acquire".
func (Acquire) Name() string { return "acquire" }

func (c Acquire) apply(r *Row, now time.Time) (string, error) {
	if r.State == Running && r.Attempt == c.Attempt {
		return "", errUnchanged
	}
	if r.State == Absent {
		r.create(c.Request, now)
		r.start(c, now)
		return "", nil
	}
	note, moved := r.lapse(now)
	switch r.State {
	case Unknown, Escalated: // whatever is asked now, that question comes first
		return note, changed(moved)
	}
	replaced, err := r.match(c.Request)
	if err != nil {
		return "", err
	}
	if r.State != Ready && r.State != Deferred {
		return note, changed(moved)
	}
	r.start(c, now)
	return join(note, replaced), nil
}

// create fills a new row.
func (r *Row) create(q Request, now time.Time) {
	*r = Row{
		ID: q.Key.ID(), Key: q.Key, State: Ready, Created: now, Why: cut(q.Why),
		Effect: q.Effect, Args: q.Args, Volatile: q.Volatile, Fingerprint: q.Fingerprint, TaskName: q.TaskName, TaskKey: q.TaskKey, Identity: q.Identity,
		HasCheck: q.HasCheck, KeyTTL: q.KeyTTL, Settle: q.Settle, RunID: q.RunID, Call: q.Call,
	}
}

// match compares the arguments with the row's. Other arguments are a conflict,
// except where nothing can have happened and nobody has allowed the old ones: a
// call that was refused for its arguments may be corrected.
func (r *Row) match(q Request) (note string, err error) {
	if q.Fingerprint == r.Fingerprint || q.Fingerprint == r.Asked {
		return "", nil
	}
	fields := canonjson.Diff(r.Args, q.Args)
	if r.State != Ready || r.MayHaveApplied || r.Approved {
		return "", &ConflictError{Tool: r.Key.Tool, Fields: fields}
	}
	r.replace(q)
	return "arguments corrected", nil
}

// replace takes other arguments for work that was not done.
func (r *Row) replace(q Request) {
	r.Args, r.Volatile, r.Fingerprint, r.Identity, r.Asked = q.Args, q.Volatile, q.Fingerprint, q.Identity, ""
	if r.Epoch > 0 {
		r.renew() // the service may have stored its refusal under the old key
	}
}

// start begins a new epoch.
func (r *Row) start(c Acquire, now time.Time) {
	r.State = Running
	r.Epoch++
	r.Attempt, r.Lease, r.LeaseUntil = c.Attempt, c.Lease, now.Add(c.Lease)
	r.RunID, r.Call = c.Request.RunID, c.Request.Call
	r.HasCheck, r.KeyTTL, r.Settle = c.Request.HasCheck, c.Request.KeyTTL, c.Request.Settle
	r.Gate, r.NotAfter = "", time.Time{}
	r.CaseSince, r.CaseReason, r.CaseToken, r.Deadline = time.Time{}, "", "", time.Time{}
	r.Announced, r.AnnounceBy, r.Announcer = time.Time{}, time.Time{}, ""
	r.Dispatched = false
	r.Attempts = bounded(r.Attempts, Attempt{Epoch: r.Epoch, Generation: r.Generation, Start: now})
	if c.Dispatch {
		r.dispatch(now)
	}
}

func (r *Row) dispatch(now time.Time) {
	r.Dispatched = true
	r.last().Dispatched = now
	if r.KeySince.IsZero() {
		r.KeySince = now
	}
}

// renew begins a new generation of the remote key.
func (r *Row) renew() {
	r.Generation++
	r.KeySince = time.Time{}
}

// Dispatch says that the function is about to be entered: from here on only
// proof makes the row runnable again.
type Dispatch struct {
	Epoch int64 `json:"epoch"` // of the claim
}

// Name is "dispatch".
func (Dispatch) Name() string { return "dispatch" }

func (c Dispatch) apply(r *Row, now time.Time) (string, error) {
	if err := r.held(c.Epoch); err != nil {
		return "", err
	}
	if r.Dispatched {
		return "", errUnchanged
	}
	if !now.Before(r.LeaseUntil) { // somebody may be about to take it over
		return "", ErrFenced
	}
	r.dispatch(now)
	return "", nil
}

// Extend renews the lease of a call that takes long.
type Extend struct {
	Epoch int64         `json:"epoch"` // of the claim
	Lease time.Duration `json:"lease"` // from now on
}

// Name is "extend".
func (Extend) Name() string { return "extend" }

func (c Extend) apply(r *Row, now time.Time) (string, error) {
	if err := r.held(c.Epoch); err != nil {
		return "", err
	}
	r.Lease, r.LeaseUntil = c.Lease, now.Add(c.Lease)
	return "", nil
}

// held reports whether the epoch holds the row.
func (r *Row) held(epoch int64) error {
	if r.State != Running || epoch != r.Epoch || epoch == 0 {
		return ErrFenced
	}
	return nil
}

func changed(moved bool) error {
	if moved {
		return nil
	}
	return errUnchanged
}

func join(a, b string) string {
	if a != "" && b != "" {
		return a + "; " + b
	}
	return a + b
}
