package faulttest

import (
	"context"
	"fmt"
	"maps"
	"sync"
)

// Scripted is a tool function that fails on script, in process. It is safe for
// concurrent use. Make one with [Tool].
type Scripted[In, Out any] struct {
	call  func(ctx context.Context, in In) (Out, error)
	keyOf func(In) string
	walk  walk

	mu      sync.Mutex
	calls   int
	effects map[string]int
}

// Tool makes call fail by plan. Its Call has the shape of the function it wraps:
//
//	pay := faulttest.Tool(api.Pay, faulttest.Once(faulttest.Cut().AfterEffect()))
//	tool := toolkit.Tool[Payment, Receipt]{Name: "pay", Call: pay.Call}
//
// A failure before the effect does not enter call. One after it enters call and
// drops its result. An implicit failure returns no error and a wrong value: its
// body decoded into Out. Where that cannot be decoded, the error is the one that
// the decoder of an API client would return.
func Tool[In, Out any](call func(ctx context.Context, in In) (Out, error), plan Plan) *Scripted[In, Out] {
	return &Scripted[In, Out]{
		call:    call,
		keyOf:   func(in In) string { return fmt.Sprintf("%+v", in) },
		walk:    walk{plan: plan},
		effects: map[string]int{},
	}
}

// CountBy sets the business key by which effects are counted and returns s.
// Default: the input, as %+v prints it. Call it before the first call.
func (s *Scripted[In, Out]) CountBy(key func(In) string) *Scripted[In, Out] {
	s.keyOf = key
	return s
}

// Call runs the next step of the plan.
func (s *Scripted[In, Out]) Call(ctx context.Context, in In) (Out, error) {
	s.mu.Lock()
	s.calls++
	s.mu.Unlock()
	f := s.walk.step()
	if f.name == "" {
		return s.enter(ctx, in)
	}
	if f.after {
		if out, err := s.enter(ctx, in); err != nil {
			return out, err // a real failure comes before a scripted one
		}
	}
	var out Out
	err := f.inProcess(ctx, &out)
	return out, err
}

func (s *Scripted[In, Out]) enter(ctx context.Context, in In) (Out, error) {
	out, err := s.call(ctx, in)
	if err == nil {
		s.mu.Lock()
		s.effects[s.keyOf(in)]++
		s.mu.Unlock()
	}
	return out, err
}

// Calls is how often Call was entered: the attempts.
func (s *Scripted[In, Out]) Calls() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.calls
}

// Effects is how often the wrapped function succeeded for a business key,
// whatever the caller was told.
func (s *Scripted[In, Out]) Effects(key string) int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.effects[key]
}

// AllEffects is [Scripted.Effects] of every key that has one.
func (s *Scripted[In, Out]) AllEffects() map[string]int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return maps.Clone(s.effects)
}
