package idempotency

import (
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
)

// Complete says that the work was done. It is never refused for being late:
// the last epoch's success settles the row, an earlier one's is kept as evidence.
type Complete struct {
	Epoch   int64           `json:"epoch"`             // of the claim
	Result  json.RawMessage `json:"result,omitempty"`  // nil where it is not kept
	Size    int             `json:"size,omitempty"`    // of the whole result
	Omitted bool            `json:"omitted,omitempty"` // the result is too large to keep, or none
	// Qualifiers are what is to be said of the result whenever it is replayed.
	Qualifiers fault.Qualifier `json:"qualifiers,omitempty"`
}

// Name is "complete".
func (Complete) Name() string { return "complete" }

func (c Complete) apply(r *Row, now time.Time) (string, error) {
	if c.Epoch < 1 || c.Epoch > r.Epoch {
		return "", ErrFenced
	}
	a := r.attempt(c.Epoch)
	if a != nil && a.Ended == c.Name() {
		return "", errUnchanged // the reply to the first was lost
	}
	if a != nil {
		r.PossibleDuplicate = r.PossibleDuplicate || r.twice(*a)
		a.Ended, a.Ran, a.End = c.Name(), fault.RanYes, now
	}
	switch {
	case r.State.Terminal():
		r.Evidence = bounded(r.Evidence, Evidence{At: now, Epoch: c.Epoch})
		return "success after the row was closed", nil
	case c.Epoch < r.Epoch && r.State != Ready && r.State != Deferred && r.State != AwaitingApproval:
		r.Evidence = bounded(r.Evidence, Evidence{At: now, Epoch: c.Epoch})
		r.Happened = true
		r.keep(c)
		return "late success of an earlier epoch", nil
	}
	note := ""
	if r.State != Running {
		note = "late success"
	}
	r.keep(c)
	r.State = Succeeded
	return note, nil
}

func (r *Row) keep(c Complete) {
	r.Result, r.ResultSize, r.ResultOmitted, r.Qualifiers = c.Result, c.Size, c.Omitted, c.Qualifiers
}

// twice reports whether the work was also started in a way that the service
// could not have recognised as the same.
func (r *Row) twice(done Attempt) bool {
	if !r.Effect.Writes() {
		return false
	}
	for _, a := range r.Attempts {
		if a.Epoch != done.Epoch && !a.Dispatched.IsZero() && a.Ran != fault.RanNo &&
			(r.KeyTTL == 0 || a.Generation != done.Generation) {
			return true
		}
	}
	return false
}

// Release gives the row back: the work was not done and may be tried again.
type Release struct {
	Epoch   int64   `json:"epoch"`            // of the claim
	Trouble Trouble `json:"trouble,omitzero"` // why it did not run
	// Fresh asks for a new remote key: the service has answered for good and may
	// have stored its answer under the old one.
	Fresh bool `json:"fresh,omitempty"`
}

// Name is "release".
func (Release) Name() string { return "release" }

func (c Release) apply(r *Row, now time.Time) (string, error) {
	if err := r.end(c, c.Epoch, fault.RanNo, c.Trouble, now); err != nil {
		return "", err
	}
	if c.Fresh && !r.MayHaveApplied {
		r.renew()
	}
	r.reopen(now)
	return "", nil
}

// Postpone keeps the call for later: it was refused before it was dispatched.
type Postpone struct {
	Epoch    int64     `json:"epoch"`              // of the claim
	Trouble  Trouble   `json:"trouble,omitzero"`   // why it did not run
	Gate     string    `json:"gate,omitempty"`     // what it waits for, the name of an upstream
	NotAfter time.Time `json:"not_after,omitzero"` // after this it is not run but asked about; zero: no limit
}

// Name is "postpone".
func (Postpone) Name() string { return "postpone" }

func (c Postpone) apply(r *Row, now time.Time) (string, error) {
	if err := r.end(c, c.Epoch, fault.RanNo, c.Trouble, now); err != nil {
		return "", err
	}
	if r.reopen(now); r.State == Ready && !r.MayHaveApplied {
		r.State, r.Gate, r.NotAfter = Deferred, c.Gate, c.NotAfter
	}
	return "", nil
}

// Refuse ends the work for good: the tool has declared its refusal final, or a
// person or a policy that it asked said no. A Trouble whose Ran is yes says that
// the tool has run and answered that it failed, as a command does by its exit
// code: nothing is in doubt then but what an earlier attempt has left so.
type Refuse struct {
	Epoch   int64   `json:"epoch"`            // of the claim
	Trouble Trouble `json:"trouble,omitzero"` // how it was refused
	Denied  bool    `json:"denied,omitempty"` // a person or a policy said no
}

// Name is "refuse".
func (Refuse) Name() string { return "refuse" }

func (c Refuse) apply(r *Row, now time.Time) (string, error) {
	ran := fault.RanNo
	if c.Trouble.Ran == fault.RanYes {
		ran = fault.RanYes
	}
	if err := r.end(c, c.Epoch, ran, c.Trouble, now); err != nil {
		return "", err
	}
	if r.reopen(now); r.State == Ready && r.MayHaveApplied && ran == fault.RanYes {
		r.State = Unknown // not to be run again because an earlier attempt could have been
	}
	if r.State == Ready && !r.MayHaveApplied {
		r.State = Failed
		if c.Denied {
			r.State = Rejected
		}
	}
	return "", nil
}

// Doubt says that the attempt is over and the work may have been done.
type Doubt struct {
	Epoch   int64   `json:"epoch"`            // of the claim
	Trouble Trouble `json:"trouble,omitzero"` // how it ended
}

// Name is "doubt".
func (Doubt) Name() string { return "doubt" }

func (c Doubt) apply(r *Row, now time.Time) (string, error) {
	ran := fault.RanUnknown
	if c.Trouble.Ran == fault.RanYes {
		ran = fault.RanYes
	}
	if r.held(c.Epoch) != nil {
		return r.lateDoubt(c, ran, now)
	}
	if err := r.end(c, c.Epoch, ran, c.Trouble, now); err != nil {
		return "", err
	}
	r.doubt(now)
	if ran == fault.RanUnknown || !r.Effect.Writes() {
		r.reopen(now)
	}
	return "", nil
}

// lateDoubt keeps the doubt of an attempt whose lease has run out since: it was
// still under way when a Check or a person found out that nothing had happened, or
// when the work was started again. What was found out then no longer holds.
func (r *Row) lateDoubt(c Doubt, ran fault.Ran, now time.Time) (string, error) {
	a := r.attempt(c.Epoch)
	switch {
	case a == nil || a.Dispatched.IsZero():
		return "", ErrFenced
	case a.Ended == c.Name():
		return "", errUnchanged // the reply to the first was lost
	case a.Ended != Expire{}.Name():
		return "", ErrFenced // it has said another end itself
	}
	a.End, a.Ended, a.Ran, a.Trouble = now, c.Name(), ran, c.Trouble
	a.Trouble.Text = cut(c.Trouble.Text)
	r.DoubtSince = now
	if r.State == Succeeded {
		r.PossibleDuplicate = r.PossibleDuplicate || r.twice(*a)
		return "late doubt", nil
	}
	r.MayHaveApplied = true
	if a.Generation != r.Generation {
		r.KeySince = longAgo // the key of today does not protect against that attempt
	}
	switch r.State {
	case Ready, Deferred, AwaitingApproval:
		r.State = Unknown
		if ran == fault.RanUnknown || !r.Effect.Writes() {
			r.reopen(now)
		}
	}
	return "late doubt", nil
}

// doubt remembers that the work may have been done.
func (r *Row) doubt(now time.Time) {
	r.State = Unknown
	r.MayHaveApplied = true
	r.DoubtSince = now
}

// reopen makes the row runnable where that is safe, and is the only way to it:
// done where an earlier epoch is known to have succeeded, unknown where it may
// have been done and cannot be repeated.
func (r *Row) reopen(now time.Time) {
	switch {
	case r.Happened:
		r.State = Succeeded
	case r.MayHaveApplied && !r.Repeatable(now):
		r.State = Unknown
	default:
		r.State = Ready
	}
}

// end closes the current attempt. A command that repeats itself after a lost
// reply finds its own name and changes nothing.
func (r *Row) end(c Command, epoch int64, ran fault.Ran, t Trouble, now time.Time) error {
	if err := r.held(epoch); err != nil {
		if a := r.last(); a != nil && epoch == r.Epoch && a.Ended == c.Name() {
			return errUnchanged
		}
		return err
	}
	a := r.last()
	a.End, a.Ended, a.Ran, a.Trouble = now, c.Name(), ran, t
	a.Trouble.Text = cut(t.Text)
	return nil
}

// Abandon gives up a claim whose reply never came: whoever asked has not
// executed. It is bound to the attempt's id, since the epoch is not known.
type Abandon struct {
	Attempt string `json:"attempt"` // id of the claim
}

// Name is "abandon".
func (Abandon) Name() string { return "abandon" }

func (c Abandon) apply(r *Row, now time.Time) (string, error) {
	if r.State != Running || r.Attempt != c.Attempt || c.Attempt == "" {
		return "", errUnchanged
	}
	if err := r.end(c, r.Epoch, fault.RanNo, Trouble{Ran: fault.RanNo}, now); err != nil {
		return "", err
	}
	r.reopen(now)
	return "claim was not answered, nothing was executed", nil
}
