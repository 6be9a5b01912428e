package idempotency

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"time"

	"github.com/google/uuid"

	"github.com/failloud/failloud/fault"
)

// Answer says what a claim may do.
type Answer uint8

const (
	Execute Answer = iota // won: this claim runs the call
	Replay                // done before: Result is the stored one
	Busy                  // another claim is running it, see [Ledger.Wait]
	Held                  // waits for a person's approval, see CaseID
	InDoubt               // unknown or escalated: starts nothing, see CaseID
	Refused               // a person said no, or nobody answered in time
	GivenUp               // failed for good
)

var answerNames = [...]string{"execute", "replay", "busy", "held", "in_doubt", "refused", "given_up"}

// String returns the lower-case name.
func (a Answer) String() string {
	if int(a) < len(answerNames) {
		return answerNames[a]
	}
	return "invalid"
}

// Claim is one claim of one attempt. Where the answer is [Execute], exactly one
// of Succeed, Release, Postpone, Refuse and Doubt must follow; a claim that is
// lost instead is settled by the end of its lease. Its methods are safe for
// concurrent use.
type Claim struct {
	Answer    Answer          // what may be done now
	Row       Row             // as it was when the claim was answered
	Args      json.RawMessage // to execute: a person may have edited them
	Result    json.RawMessage // for Replay; nil where it was too large to keep
	CaseID    string          // of the case that a person has to settle; "" without one
	RemoteKey string          // to hand to the service
	Epoch     int64           // of the row, the fencing token of what follows

	ledger *Ledger
	lost   chan struct{} // closed when the claim is known to be lost
	losing sync.Once
}

// Lost is closed when the ledger learns, while [Claim.KeepAlive] extends the lease,
// that the claim is no longer the caller's: the attempt should stop, and say
// how it ended all the same. It is never closed once KeepAlive was stopped.
func (c *Claim) Lost() <-chan struct{} { return c.lost }

const (
	claimTries = 3 // with the same attempt id, so that a lost reply does no harm
	claimPause = 20 * time.Millisecond
)

// Claim asks for the right to execute. It writes the intent before it answers,
// and does not wait: a call that another claim is running is [Busy].
//
// The error matches [ErrNoKey], [ErrConflict] (other arguments under the same
// key) or [ErrStore], or is the context's, or says why the arguments have no
// canonical form. In each case nothing may be executed.
func (l *Ledger) Claim(ctx context.Context, in Intent) (*Claim, error) {
	req, err := l.request(ctx, in)
	if err != nil {
		return nil, err
	}
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	id := req.Key.ID()
	if row, ok, err := l.answered(id, Acquire{Request: req}); ok || err != nil {
		return l.answerTo(row, "", err)
	}
	if c, err := l.unsaved(ctx, req); c != nil || err != nil {
		return c, err
	}
	lease := in.Lease
	if lease <= 0 {
		lease = l.cfg.Lease
	}
	cmd := Acquire{Request: req, Attempt: uuid.NewString(), Lease: lease, Dispatch: in.Dispatch}
	row, err := l.acquire(ctx, id, cmd)
	return l.answerTo(row, cmd.Attempt, err)
}

func (l *Ledger) answerTo(row Row, attempt string, err error) (*Claim, error) {
	if err != nil {
		return nil, err
	}
	return l.answer(row, attempt), nil
}

// acquire repeats itself after trouble of the store. Where it gives up, it may
// nevertheless have been granted; the claim is then given back in the background.
func (l *Ledger) acquire(ctx context.Context, id string, cmd Acquire) (Row, error) {
	pause := claimPause
	for try := 1; ; try++ {
		row, err := l.apply(ctx, id, cmd)
		if err == nil || !errors.Is(err, ErrStore) {
			return row, err
		}
		if try < claimTries && sleep(ctx, pause) == nil {
			pause *= 4
			continue
		}
		l.queue.add(Row{ID: id}, Abandon{Attempt: cmd.Attempt})
		if ctx.Err() != nil {
			return row, ctx.Err()
		}
		return row, err
	}
}

// unsaved answers a claim on work whose success this process knows and the
// store does not; it returns nothing where the store can answer.
func (l *Ledger) unsaved(ctx context.Context, req Request) (*Claim, error) {
	id := req.Key.ID()
	u, ok := l.queue.get(id)
	if !ok {
		return nil, nil
	}
	if _, err := l.apply(ctx, id, u.cmd); err == nil || refused(err) {
		l.queue.done(id, u.cmd)
		return nil, nil
	}
	done, ok := u.cmd.(Complete)
	if !ok {
		return nil, nil
	}
	row := u.row
	row.State = Succeeded
	row.keep(done)
	if _, err := row.match(req); err != nil {
		return nil, err
	}
	return l.answer(row, ""), nil
}

// Hold asks for approval of work before it is done; within bounds the time to
// decide, 0 does not. The answer is [Held] until a person has decided, [Execute]
// never: claim it then. opened is true for the one caller that asked.
//
// An approval is bound to the arguments: asked with others, the question is put
// anew, with those. Work that was free to be run without having been allowed is
// held as well; what runs, may have happened or has ended stays as it is.
func (l *Ledger) Hold(ctx context.Context, in Intent, reason string, within time.Duration) (_ *Claim, opened bool, err error) {
	req, err := l.request(ctx, in)
	if err != nil {
		return nil, false, err
	}
	token := uuid.NewString()
	cmd := Hold{Request: req, Reason: reason, Token: token, Within: within, ApprovedFor: max(in.ApprovedFor, 0)}
	row, ok, err := l.answered(req.Key.ID(), cmd)
	if !ok && err == nil {
		row, err = l.apply(ctx, req.Key.ID(), cmd)
	}
	if err != nil {
		return nil, false, err
	}
	return l.answer(row, ""), row.CaseToken == token, nil
}

// answer reads from the row what its claimant may do.
func (l *Ledger) answer(row Row, attempt string) *Claim {
	c := &Claim{
		Row: row, Args: row.Args, CaseID: row.CaseID(), RemoteKey: row.RemoteKey(), Epoch: row.Epoch, ledger: l,
		lost: make(chan struct{}),
	}
	switch row.State {
	case Running:
		c.Answer = Busy
		if row.Attempt == attempt {
			c.Answer = Execute
		}
	case Succeeded:
		c.Answer, c.Result = Replay, row.Result
	case AwaitingApproval:
		c.Answer = Held
	case Rejected:
		c.Answer = Refused
	case Failed:
		c.Answer = GivenUp
	case Ready, Deferred:
		c.Answer = Busy // only after Hold: free to be claimed
	default:
		c.Answer = InDoubt
	}
	return c
}

// Dispatch says that the function is about to be entered. An error means that
// it must not be: the claim was lost, or the store does not answer.
func (c *Claim) Dispatch(ctx context.Context) error {
	_, err := c.ledger.apply(ctx, c.Row.ID, Dispatch{Epoch: c.Epoch})
	return err
}

// KeepAlive extends the lease every third of its length until stop is called.
// A call that is shorter never writes.
func (c *Claim) KeepAlive() (stop func()) {
	var (
		mu      sync.Mutex
		timer   *time.Timer
		stopped bool
	)
	every := c.Row.Lease / 3
	extend := func() {
		ctx, cancel := context.WithTimeout(context.Background(), every)
		defer cancel()
		_, err := c.ledger.apply(ctx, c.Row.ID, Extend{Epoch: c.Epoch, Lease: c.Row.Lease})
		mu.Lock()
		defer mu.Unlock()
		switch {
		case stopped:
		case errors.Is(err, ErrFenced):
			c.losing.Do(func() { close(c.lost) })
		default:
			timer.Reset(every)
		}
	}
	mu.Lock()
	defer mu.Unlock()
	timer = time.AfterFunc(every, extend)
	return func() {
		mu.Lock()
		defer mu.Unlock()
		stopped = true
		timer.Stop()
	}
}

// Succeed records that the work was done. A result that is larger than the
// ledger keeps, or nil, is not stored, and the call is no less done. q is what
// to say of the result when it is replayed. The error matches
// [ErrNotRecorded] where saving failed: the result counts all the same, and the
// ledger goes on trying. A success after the claim was lost is not an error: it
// settles the row, or is kept as evidence.
func (c *Claim) Succeed(ctx context.Context, result json.RawMessage, q fault.Qualifier) error {
	cmd := Complete{Epoch: c.Epoch, Qualifiers: q}
	cmd.Result, cmd.Size, cmd.Omitted = c.ledger.bound(result)
	return c.save(ctx, cmd)
}

// Release gives the work back: it was not done and may be tried again. fresh
// asks for a new remote key, for a service that has answered for good.
func (c *Claim) Release(ctx context.Context, t Trouble, fresh bool) error {
	return c.save(ctx, Release{Epoch: c.Epoch, Trouble: t, Fresh: fresh})
}

// Postpone keeps the work for later: it was refused before it was dispatched.
// gate names what it waits for; after notAfter, unless zero, it is not run but
// asked about.
func (c *Claim) Postpone(ctx context.Context, t Trouble, gate string, notAfter time.Time) error {
	return c.save(ctx, Postpone{Epoch: c.Epoch, Trouble: t, Gate: gate, NotAfter: notAfter})
}

// Refuse ends the work for good: it was not done, and the tool says it never will
// be; or, where t.Ran is yes, the tool has run and answered that it failed.
func (c *Claim) Refuse(ctx context.Context, t Trouble) error {
	return c.save(ctx, Refuse{Epoch: c.Epoch, Trouble: t})
}

// Deny ends the work for good: it was not done, because a person or a policy that
// the tool asked said no. Nobody is asked again.
func (c *Claim) Deny(ctx context.Context, t Trouble) error {
	return c.save(ctx, Refuse{Epoch: c.Epoch, Trouble: t, Denied: true})
}

// Doubt records that the attempt is over and the work may have been done.
func (c *Claim) Doubt(ctx context.Context, t Trouble) error {
	return c.save(ctx, Doubt{Epoch: c.Epoch, Trouble: t})
}

// save writes down the end of the call, whatever has become of its context. A
// store that ignores the context it is given does not hold the caller up: what
// it has not saved in time is queued, and counts once if it was saved after all.
func (c *Claim) save(ctx context.Context, cmd Command) error {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), c.ledger.cfg.SaveTimeout)
	saved := make(chan error, 1)
	go func() {
		defer cancel()
		_, err := c.ledger.apply(ctx, c.Row.ID, cmd)
		saved <- err
	}()
	var err error
	select {
	case err = <-saved:
	case <-ctx.Done():
		select {
		case err = <-saved: // it was, or the store has heard of the end and says so
		default:
			err = &StoreError{Op: cmd.Name(), Err: ctx.Err()}
		}
	}
	if err == nil || refused(err) {
		return err
	}
	return &NotRecordedError{Queued: c.ledger.queue.add(c.Row, cmd), Err: err}
}
