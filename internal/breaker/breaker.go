package breaker

import (
	"errors"
	"fmt"
	"sync/atomic"
	"time"

	"github.com/sony/gobreaker/v2"
)

// Defaults of [Config].
const (
	DefaultRatio    = 0.5
	DefaultMinCalls = 10
	DefaultWindow   = 60 * time.Second
	DefaultOpenFor  = 30 * time.Second
)

// Config of a [Breaker]. The zero value is the documented default.
type Config struct {
	Ratio    float64       // opens above this share of failures, between 0 and 1; default 0.5
	MinCalls int           // of at least this many calls; default 10
	Window   time.Duration // seen in this time; default 60 s
	OpenFor  time.Duration // blocks for this long, then lets one probe through; default 30 s
}

// Validate reports what is wrong with c.
func (c Config) Validate() error {
	var errs []error
	if c.Ratio < 0 || c.Ratio >= 1 {
		errs = append(errs, fmt.Errorf("breaker: ratio %v is not in [0, 1)", c.Ratio))
	}
	if c.MinCalls < 0 {
		errs = append(errs, fmt.Errorf("breaker: negative minimum of calls %d", c.MinCalls))
	}
	if c.Window < 0 {
		errs = append(errs, fmt.Errorf("breaker: negative window %v", c.Window))
	}
	if c.OpenFor < 0 {
		errs = append(errs, fmt.Errorf("breaker: negative time open %v", c.OpenFor))
	}
	return errors.Join(errs...)
}

func (c Config) withDefaults() Config {
	if c.Ratio == 0 {
		c.Ratio = DefaultRatio
	}
	if c.MinCalls == 0 {
		c.MinCalls = DefaultMinCalls
	}
	if c.Window == 0 {
		c.Window = DefaultWindow
	}
	if c.OpenFor == 0 {
		c.OpenFor = DefaultOpenFor
	}
	return c
}

// ErrOpen is matched by every refusal of [Breaker.Allow].
var ErrOpen = errors.New("breaker: open")

// OpenError is a refusal. After is when the breaker lets a probe through; 0
// while a probe is under way.
type OpenError struct{ After time.Duration }

// Error says when the next call may be tried.
func (e *OpenError) Error() string {
	if e.After <= 0 {
		return "breaker: a probe is under way"
	}
	return "breaker: open for another " + e.After.Round(time.Millisecond).String()
}

// Is matches [ErrOpen].
func (e *OpenError) Is(target error) bool { return target == ErrOpen }

// Result is what became of a call that was let through.
type Result uint8

const (
	Failure Result = iota // the upstream failed, or nobody knows: the zero value counts against it
	Success               // the upstream answered
	Neutral               // says nothing about the upstream: the caller's fault, a cancellation
)

// The errors that tell gobreaker which result a ticket came back with.
var (
	errFailure = errors.New("failure")
	errNeutral = errors.New("neutral")
)

func (r Result) err() error {
	switch r {
	case Success:
		return nil
	case Neutral:
		return errNeutral
	}
	return errFailure
}

// buckets is how finely the window rolls.
const buckets = 6

// Breaker refuses calls to an upstream that keeps failing. Make one with [New];
// it is safe for concurrent use.
type Breaker struct {
	cfg     Config
	base    time.Time
	machine *gobreaker.TwoStepCircuitBreaker[struct{}]

	successes window
	epoch     atomic.Uint32 // changes with the state; a ticket of another epoch is stale
	closed    atomic.Bool
	reopens   atomic.Int64 // since base, while open

	_ [56]byte // to whole cache lines: the counts of another breaker are another core's
}

// New returns a closed breaker. A config that [Config.Validate] refuses is
// corrected to the defaults, field by field.
func New(cfg Config) *Breaker {
	if cfg.Validate() != nil {
		cfg = Config{}
	}
	cfg = cfg.withDefaults()
	b := &Breaker{cfg: cfg, base: time.Now()}
	b.successes.width = cfg.Window / buckets
	b.closed.Store(true)
	b.machine = gobreaker.NewTwoStepCircuitBreaker[struct{}](gobreaker.Settings{
		MaxRequests:   1,
		Interval:      cfg.Window,
		BucketPeriod:  cfg.Window / buckets,
		Timeout:       cfg.OpenFor,
		ReadyToTrip:   b.tripped,
		IsExcluded:    func(err error) bool { return errors.Is(err, errNeutral) },
		OnStateChange: b.changed,
	})
	return b
}

// tripped and changed run under gobreaker's lock: they touch atomics only.
func (b *Breaker) tripped(c gobreaker.Counts) bool {
	failures := int64(c.TotalFailures)
	calls := failures + b.successes.sum(time.Since(b.base))
	return calls >= int64(b.cfg.MinCalls) && float64(failures) > b.cfg.Ratio*float64(calls)
}

func (b *Breaker) changed(_ string, _, to gobreaker.State) {
	switch to {
	case gobreaker.StateOpen:
		b.reopens.Store(int64(time.Since(b.base) + b.cfg.OpenFor))
	case gobreaker.StateClosed:
		b.successes.clear()
	}
	b.epoch.Add(1)
	b.closed.Store(to == gobreaker.StateClosed)
}

// Ticket is the permission for one call. It has to come back by [Ticket.Done]
// on every path, a panic included: a probe whose ticket is lost blocks the next.
type Ticket struct {
	breaker *Breaker
	epoch   uint32
	report  func(error) // set while the breaker is not closed
}

// Allow asks for a ticket. The error is an [*OpenError].
func (b *Breaker) Allow() (Ticket, error) {
	epoch := b.epoch.Load()
	if b.closed.Load() {
		return Ticket{breaker: b, epoch: epoch}, nil
	}
	report, err := b.machine.Allow()
	if err == nil {
		return Ticket{breaker: b, epoch: epoch, report: report}, nil
	}
	refusal := &OpenError{}
	if errors.Is(err, gobreaker.ErrOpenState) {
		refusal.After = max(time.Duration(b.reopens.Load())-time.Since(b.base), time.Millisecond)
	}
	return Ticket{}, refusal
}

// Done hands the ticket back at a time that the caller has just read from the
// clock, which is most of what a success costs here. The zero Ticket may be
// handed back, too.
func (t Ticket) Done(r Result, now time.Time) {
	switch {
	case t.report != nil:
		t.report(r.err())
	case t.breaker == nil, r == Neutral, t.epoch != t.breaker.epoch.Load():
	case r == Success:
		t.breaker.successes.add(now.Sub(t.breaker.base))
	default:
		if report, err := t.breaker.machine.Allow(); err == nil {
			report(errFailure)
		}
	}
}

// Open reports whether calls are being refused now, and for how long at least.
func (b *Breaker) Open() (time.Duration, bool) {
	if b.closed.Load() {
		return 0, false
	}
	left := time.Duration(b.reopens.Load()) - time.Since(b.base)
	return max(left, 0), left > 0
}

// String is the state: "closed", "open" or "half-open".
func (b *Breaker) String() string { return b.machine.State().String() }
