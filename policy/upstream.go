package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"
	"time"

	"github.com/failloud/failloud/toolkit"
)

// Option adds to a policy what no file can say. [Refresh] is one.
type Option func(*hooks)

// hooks are the functions of a policy's upstreams by name.
type hooks map[string]func(context.Context) error

// Refresh gives an upstream of the file the hook that renews its credential, see
// [toolkit.UpstreamConfig]. Default: none. A tool whose upstream the file names
// has that one, so the hook of an upstream in code has to be said here again.
func Refresh(upstream string, hook func(context.Context) error) Option {
	return func(h *hooks) { (*h)[upstream] = hook }
}

// ErrUnknownUpstream is what the error about a hook for an upstream that the
// file does not describe matches.
var ErrUnknownUpstream = errors.New("policy: unknown upstream")

// UnknownUpstreamError names an upstream that was given a hook and is not in
// the file.
type UnknownUpstreamError struct {
	Upstream string // as [Refresh] names it
	Nearest  string // the upstream that may have been meant, "" where none is like it
}

// Error names the upstream and the one that may have been meant.
func (e *UnknownUpstreamError) Error() string {
	s := fmt.Sprintf("policy: Refresh: %q is not under upstreams", e.Upstream)
	if e.Nearest != "" {
		s += fmt.Sprintf(", did you mean %q?", e.Nearest)
	}
	return s
}

// Unwrap returns [ErrUnknownUpstream].
func (e *UnknownUpstreamError) Unwrap() error { return ErrUnknownUpstream }

// makeUpstreams makes every upstream once, for all tools that share it.
func makeUpstreams(described map[string]upstream, options []Option) (map[string]*toolkit.Upstream, error) {
	code := hooks{}
	for _, o := range options {
		if o != nil {
			o(&code)
		}
	}
	var errs []error
	for _, name := range sortedKeys(code) {
		if _, known := described[name]; !known {
			errs = append(errs, &UnknownUpstreamError{name, nearestTo(name, maps.Keys(described))})
		}
	}
	made := map[string]*toolkit.Upstream{}
	for name, u := range described {
		made[name] = toolkit.NewUpstream(toolkit.UpstreamConfig{
			Name: name, Refresh: code[name], Concurrency: int(u.Concurrency), Rate: float64(u.Rate), Burst: int(u.Burst), PerTenant: u.PerTenant,
			Breaker: toolkit.BreakerConfig{
				Ratio: float64(u.Breaker.Ratio), MinCalls: int(u.Breaker.MinCalls),
				Window: time.Duration(u.Breaker.Window), OpenFor: time.Duration(u.Breaker.OpenFor),
			},
		})
	}
	return made, errors.Join(errs...)
}
