package idempotency

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"time"

	"github.com/google/uuid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
)

// Config of a [Ledger]. The zero value is an in-memory store with the defaults
// below.
type Config struct {
	// Store keeps the rows. Default: [NewMemory], which does not survive the process.
	Store Store
	// Lease is how long a claim holds without being extended, where the intent
	// does not say. Default 30 s. Negative is refused.
	Lease time.Duration
	// Settle is how long after a doubt the answer "not done" is believed, because
	// a request may still be on its way. Default 1 s; negative: at once.
	Settle time.Duration
	// SaveTimeout bounds one attempt to save the end of a call. The context of
	// the call does not: what has happened must be written down. Default 5 s.
	SaveTimeout time.Duration
	// MaxResult is the largest result that is kept for replay, in bytes. A larger
	// one never fails the call; its replay has no value. Default: what the store
	// keeps, see [Keeper], or 64 KiB where it does not say.
	MaxResult int
	// Cache is how many rows of ended work are remembered in this process for a
	// minute, so that a replay does not ask the store; 64 MiB of them at most. What
	// this process erases or prunes is forgotten at once, what another does within
	// the minute. Default 4096; negative: none.
	Cache int
	// Queue is how many ends of calls wait in memory while the store is down.
	// Default 1024.
	Queue int
	// Secret keys the fingerprint of arguments, so that a low number cannot be
	// guessed from it once the arguments are erased. Changing it makes conflicts
	// of all open rows. Default: none.
	Secret []byte
}

const defaultMaxResult = 64 << 10

// Ledger is the durable memory of what was intended and what happened, per
// key. Safe for concurrent use. Close it when the process ends.
type Ledger struct {
	cfg   Config
	queue *queue
	cache *cache
}

// New checks cfg and fills in its defaults.
func New(cfg Config) (*Ledger, error) {
	if cfg.Lease < 0 || cfg.SaveTimeout < 0 || cfg.MaxResult < 0 || cfg.Queue < 0 {
		return nil, errors.New("idempotency: Lease, SaveTimeout, MaxResult and Queue must not be negative")
	}
	if cfg.Store == nil {
		cfg.Store = NewMemory()
	}
	orDefault(&cfg.Lease, 30*time.Second)
	orDefault(&cfg.Settle, time.Second)
	orDefault(&cfg.SaveTimeout, 5*time.Second)
	if k, ok := cfg.Store.(Keeper); ok {
		orDefault(&cfg.MaxResult, k.MaxResult())
	}
	orDefault(&cfg.MaxResult, defaultMaxResult)
	orDefault(&cfg.Queue, 1024)
	orDefault(&cfg.Cache, 4096)
	cfg.Settle = max(cfg.Settle, 0)
	l := &Ledger{cfg: cfg, cache: newCache(cfg.Cache)}
	l.queue = newQueue(l.apply, cfg.Queue, cfg.SaveTimeout)
	return l, nil
}

func orDefault[T int | time.Duration](v *T, d T) {
	if *v == 0 {
		*v = d
	}
}

// Close waits until what could not be saved so far is saved, or ctx ends; then
// the ledger stops trying. The error says how many ends of calls were lost.
func (l *Ledger) Close(ctx context.Context) error { return l.queue.close(ctx) }

// Intent is what is about to be done once.
type Intent struct {
	Key    Key // of the work
	Effect fault.Effect
	// Args is the JSON of the arguments, at most a mebibyte.
	Args json.RawMessage
	// Volatile names fields of Args that may differ between two requests for the
	// same work: JSON pointers or top-level names.
	Volatile []string
	RunID    string // of the run that asks, "" outside one
	Call     uint32 // sequence number of the call in its run
	TaskName string // for people who look at the row
	TaskKey  string // the caller's own id of the task, "" without one
	Identity string // what the call is about, see [Identify]; "" where the tool does not declare it
	HasCheck bool   // the tool can find out what happened, see [Ledger.Check]
	// KeyTTL is how long the service honours the remote key; 0: it does not.
	KeyTTL time.Duration
	// ApprovedFor is how old an approval may be for [Ledger.Hold] not to ask again.
	// Default: of any age.
	ApprovedFor time.Duration
	// Lease should exceed the call's timeout. Default: the ledger's.
	Lease time.Duration
	// Dispatch marks the call as dispatched by the claim itself: one durable write
	// fewer, and a crash right after the claim leaves a doubt. Default false:
	// call [Claim.Dispatch] before the function is entered.
	Dispatch bool
}

// request canonicalises the arguments.
func (l *Ledger) request(ctx context.Context, in Intent) (Request, error) {
	if in.Key.Tool == "" || in.Key.Intent == "" {
		return Request{}, ErrNoKey
	}
	args, fingerprint, err := l.canonical(in.Args, in.Volatile)
	if err != nil {
		return Request{}, err
	}
	return Request{
		Key: in.Key, Effect: in.Effect, Args: args, Volatile: in.Volatile, Fingerprint: fingerprint,
		HasCheck: in.HasCheck, KeyTTL: max(in.KeyTTL, 0), Settle: l.cfg.Settle,
		TaskName: in.TaskName, TaskKey: in.TaskKey, Identity: in.Identity, RunID: in.RunID, Call: in.Call, Why: whyAgain(ctx),
	}, nil
}

func (l *Ledger) canonical(args json.RawMessage, volatile []string) (json.RawMessage, string, error) {
	form, err := canonjson.New(volatile...)
	if err != nil {
		return nil, "", err
	}
	whole, err := canonjson.Canonicalize(orNull(args))
	if err != nil {
		return nil, "", err
	}
	part := whole
	if len(volatile) > 0 {
		if part, err = form.Canonicalize(whole); err != nil {
			return nil, "", err
		}
	}
	return whole, canonjson.Fingerprint(l.cfg.Secret, "args", string(part)).String(), nil
}

func orNull(raw json.RawMessage) json.RawMessage {
	if len(raw) == 0 {
		return json.RawMessage("null")
	}
	return raw
}

// apply sends one command to the store and tells the answers of the rules from
// trouble of the store, a panic included: it may be running on a goroutine of the
// ledger's own.
func (l *Ledger) apply(ctx context.Context, id string, cmd Command) (row Row, err error) {
	defer func() {
		if recover() != nil {
			row, err = Row{}, &StoreError{Op: cmd.Name(), Err: errPanic}
		}
	}()
	row, err = l.cfg.Store.Apply(ctx, id, cmd)
	switch {
	case err == nil:
		l.cache.put(row)
	case !refused(err):
		err = &StoreError{Op: cmd.Name(), Err: err}
	}
	return row, err
}

// answered applies a command to a row whose end this process remembers. ok is
// false where the store must be asked, as it must for whatever would change it.
func (l *Ledger) answered(id string, cmd Command) (row Row, ok bool, err error) {
	if row, ok = l.cache.get(id); !ok {
		return row, false, nil
	}
	row, event, err := Apply(row, cmd, row.Updated)
	return row, event.None(), err
}

var errPanic = errors.New("the store panicked")

// Row returns the row of this id. One whose work has ended may come from memory,
// see [Config.Cache]; what it points to must not be changed. The error matches
// [ErrNotFound] or [ErrStore].
func (l *Ledger) Row(ctx context.Context, id string) (Row, error) {
	if row, ok := l.cache.get(id); ok {
		return row, nil
	}
	row, err := l.cfg.Store.Load(ctx, id)
	switch {
	case err == nil:
		l.cache.put(row)
	case !refused(err):
		err = &StoreError{Op: "load", Err: err}
	}
	return row, err
}

// Wait returns the row as soon as nobody runs it any more, or when ctx ends,
// with its error. It does not wait for persons: an open case is an answer.
func (l *Ledger) Wait(ctx context.Context, id string) (Row, error) {
	for pause := 20 * time.Millisecond; ; pause = min(2*pause, time.Second) {
		row, err := l.Row(ctx, id)
		if err != nil {
			return row, err
		}
		if row.State != Running {
			return row, nil
		}
		// The lease may end without anybody writing: look again by then.
		look, cancel := context.WithDeadline(ctx, time.Now().Add(row.Lease))
		if w, ok := l.cfg.Store.(Waiter); ok {
			err = w.Changed(look, id, row.Version)
		} else {
			err = sleep(look, pause)
		}
		ended := look.Err() != nil
		cancel()
		switch {
		case ctx.Err() != nil:
			return row, ctx.Err()
		case ended:
			if row, err = l.apply(ctx, id, Expire{}); err != nil {
				return row, err
			}
		case err != nil:
			return row, &StoreError{Op: "wait", Err: err}
		}
	}
}

// Check records what a tool's Check found out about a row of unknown outcome.
// Done settles it with the result; NotDone makes it runnable under a new remote
// key, once the settling time is over; CannotTell is remembered for the person
// who will be asked. text is a redacted error of the Check.
func (l *Ledger) Check(ctx context.Context, row Row, f Finding, result json.RawMessage, text string) (Row, error) {
	v := Verdict{Epoch: row.Epoch, Finding: f, Text: text}
	v.Result, v.Size, v.Omitted = l.bound(result)
	return l.apply(ctx, row.ID, v)
}

// Settled is when "not done" will be believed about the row, by the store's clock.
func (r *Row) Settled() time.Time { return r.DoubtSince.Add(r.Settle) }

// Repeat makes a row of unknown outcome runnable where that is safe, see
// [Row.Repeatable]; otherwise it stays as it is.
func (l *Ledger) Repeat(ctx context.Context, row Row) (Row, error) {
	return l.apply(ctx, row.ID, Repeat{Epoch: row.Epoch})
}

// Escalate opens a case about a row of unknown outcome; within bounds the time
// to decide, 0 does not. opened is true for the one caller whose command did it.
func (l *Ledger) Escalate(ctx context.Context, row Row, reason string, within time.Duration) (_ Row, opened bool, err error) {
	token := uuid.NewString()
	row, err = l.apply(ctx, row.ID, Escalate{Epoch: row.Epoch, Reason: reason, Token: token, Within: within})
	return row, err == nil && row.CaseToken == token, err
}

// Decide applies a person's decision. The error matches [ErrNoCase],
// [ErrDecided], [ErrStale], [ErrExpired], [ErrNotFound] or [ErrStore]. An ID is
// given to a decision that has none.
func (l *Ledger) Decide(ctx context.Context, id string, d Decision) (Row, error) {
	if d.Actor == "" {
		return Row{}, fmt.Errorf("%w: it does not say who decides", ErrNoCase)
	}
	if d.ID == "" {
		d.ID = uuid.NewString()
	}
	row, err := l.Row(ctx, id)
	if err != nil {
		return row, err
	}
	if d.Choice == ApproveEdited {
		if d.Args, d.Edited, err = l.canonical(d.Args, row.Volatile); err != nil {
			return row, err
		}
	}
	if row, err = l.apply(ctx, id, Decide{Decision: d}); errors.Is(err, ErrExpired) {
		if late, xerr := l.apply(ctx, id, Expire{}); xerr == nil {
			row = late
		}
	}
	return row, err
}

// Erase removes the arguments and the result of a row that nobody will execute
// from them. The row goes on protecting.
func (l *Ledger) Erase(ctx context.Context, id string) error {
	_, err := l.apply(ctx, id, Erase{})
	if err != nil {
		l.cache.drop(id) // it may have been erased all the same
	}
	return err
}

// bound decides whether a result is kept.
func (l *Ledger) bound(result json.RawMessage) (kept json.RawMessage, size int, omitted bool) {
	if result == nil || len(result) > l.cfg.MaxResult {
		return nil, len(result), true
	}
	return result, len(result), false
}

// sleep waits; it returns the context's error where that ends first.
func sleep(ctx context.Context, d time.Duration) error {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}
