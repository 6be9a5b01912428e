package toolkit

import (
	"context"
	"errors"
	"fmt"
	"sync"

	"golang.org/x/time/rate"

	"github.com/failloud/failloud/internal/breaker"
)

// UpstreamConfig describes an [Upstream]. Only Name is needed.
type UpstreamConfig struct {
	// Name is how the record and the logs call it.
	Name string
	// Refresh renews the credential after a call was refused for it. It is
	// called by one goroutine at a time, for all parts and tenants together, with
	// 30 s, and not again for calls that failed with the credential it replaced.
	// Nobody waits longer for a hook that ignores the end of its context; the
	// others then get their turn. A hook that failed is left alone for 30 s.
	// Default: none; the upstream is dead for the run at the first such refusal.
	Refresh func(ctx context.Context) error
	// Concurrency is how many attempts may be under way at once; further ones
	// wait. 0: any number.
	Concurrency int
	// Rate is how many attempts a second may start, Burst how many at once
	// after a pause. A Rate of 0 is no limit, a Burst of 0 is 1.
	Rate  float64
	Burst int
	// Breaker says when the upstream is left alone for a while.
	Breaker BreakerConfig
	// PerTenant keeps a breaker, limits and latch of its own for each tenant
	// that tasks name.
	PerTenant bool
}

// BreakerConfig says when a breaker opens: above the Ratio of failures (default
// 0.5) of at least MinCalls calls (10) within the Window (60 s). It then refuses
// calls for OpenFor (30 s), and lets one through to see. Faults of the caller and
// cancellations do not count.
type BreakerConfig = breaker.Config

// Upstream is what dies together: a service with a credential. Breaker, latch,
// limits, the pause after a 429 and the refresh hook belong to it, so tools of
// one service should share one. Make it with [NewUpstream]; it is safe for
// concurrent use.
type Upstream struct {
	cfg        UpstreamConfig
	problem    error
	breaker    *breaker.Breaker
	slots      chan struct{} // nil: no limit
	limiter    *rate.Limiter // nil: no limit
	cooling    cooling
	latches    latches
	credential refresher

	mu    sync.Mutex
	parts map[string]*Upstream
}

// NewUpstream returns an upstream that is believed to be well. What is wrong
// with cfg is reported by [Kit.Start] for each tool that uses it.
func NewUpstream(cfg UpstreamConfig) *Upstream {
	u := &Upstream{cfg: cfg, problem: cfg.problems(), breaker: breaker.New(cfg.Breaker)}
	u.credential.turn = make(chan struct{}, 1)
	if cfg.Concurrency > 0 {
		u.slots = make(chan struct{}, cfg.Concurrency)
	}
	if cfg.Rate > 0 {
		u.limiter = rate.NewLimiter(rate.Limit(cfg.Rate), max(cfg.Burst, 1))
	}
	return u
}

func (c UpstreamConfig) problems() error {
	var errs []error
	if c.Name == "" {
		errs = append(errs, errors.New("its upstream has no name"))
	}
	if c.Concurrency < 0 {
		errs = append(errs, fmt.Errorf("its upstream's Concurrency is negative: %d", c.Concurrency))
	}
	if !(c.Rate >= 0) {
		errs = append(errs, fmt.Errorf("its upstream's Rate is not a rate: %v", c.Rate))
	}
	if c.Burst < 0 {
		errs = append(errs, fmt.Errorf("its upstream's Burst is negative: %d", c.Burst))
	}
	if err := c.Breaker.Validate(); err != nil {
		errs = append(errs, fmt.Errorf("its upstream's Breaker: %w", err))
	}
	return errors.Join(errs...)
}

// objection is what is wrong with the upstream of a tool.
func (u *Upstream) objection() error {
	if u.breaker == nil {
		return errors.New("its upstream was not made by NewUpstream")
	}
	return u.problem
}

// Name is the configured name; for a part, "name/part".
func (u *Upstream) Name() string { return u.cfg.Name }

// State is the breaker's: "closed", "open" or "half-open".
func (u *Upstream) State() string {
	if u.breaker == nil { // not made by NewUpstream: no tool can use it
		return "closed"
	}
	return u.breaker.String()
}

// maxParts bounds the parts an upstream remembers, against names that come from
// arguments. A part that is forgotten starts afresh.
const maxParts = 1024

// Part returns the part of the upstream of this name, such as a host or a
// tenant: the same settings and hook, with a breaker, limits and a latch of its
// own. The empty name is the upstream itself.
func (u *Upstream) Part(name string) *Upstream {
	if name == "" {
		return u
	}
	u.mu.Lock()
	defer u.mu.Unlock()
	if p := u.parts[name]; p != nil {
		return p
	}
	if len(u.parts) >= maxParts {
		for victim, p := range u.parts {
			if p.idle() {
				delete(u.parts, victim)
				break
			}
		}
		if len(u.parts) >= maxParts { // all of them are in trouble: no part of its own for one more
			return u
		}
	}
	if u.parts == nil {
		u.parts = map[string]*Upstream{}
	}
	cfg := u.cfg
	cfg.Name, cfg.PerTenant = u.cfg.Name+"/"+name, false
	p := NewUpstream(cfg)
	p.credential.turn = u.credential.turn
	u.parts[name] = p
	return p
}

// idle reports whether forgetting the part loses nothing but counts.
func (u *Upstream) idle() bool {
	_, open := u.breaker.Open()
	return !open && u.latches.some.Load() == 0 && !u.cooling.active()
}

// of returns the part that a call goes to.
func (u *Upstream) of(ex *execution) *Upstream {
	switch {
	case !u.cfg.PerTenant:
	case ex.run != nil:
		u = u.Part(ex.run.Task().Tenant)
	case ex.claimed != nil: // of a run that is gone
		u = u.Part(ex.claimed.intent.Key.Tenant)
	}
	if ex.tool.part != nil {
		u = u.Part(ex.tool.part(ex.in))
	}
	return u
}
