package policy

import (
	"context"
	"errors"
	"fmt"
	"maps"

	"github.com/failloud/failloud/guard"
)

// Option adds to a policy what no file can say: [Refresh] and [Extend].
type Option func(*additions)

// additions are what code adds to a file.
type additions struct {
	hooks  map[string]func(context.Context) error // by upstream
	guards map[string][]guard.Option              // by task, "" for every one
}

func added(options []Option) *additions {
	a := &additions{hooks: map[string]func(context.Context) error{}, guards: map[string][]guard.Option{}}
	for _, o := range options {
		if o != nil {
			o(a)
		}
	}
	return a
}

// Refresh gives an upstream of the file the hook that renews its credential, see
// [toolkit.UpstreamConfig]. Default: none. A tool whose upstream the file names
// has that one, so the hook of an upstream in code has to be said here again.
func Refresh(upstream string, hook func(context.Context) error) Option {
	return func(a *additions) { a.hooks[upstream] = hook }
}

// Extend gives the guard of a task further options, which hold over the file;
// "" stands for every task, whose options come first. Said twice, they add up.
// Default: none.
func Extend(task string, options ...guard.Option) Option {
	return func(a *additions) { a.guards[task] = append(a.guards[task], options...) }
}

// of are the options that code has for a task.
func (a *additions) of(task string) []guard.Option {
	all := a.guards[""]
	if task == "" {
		return all
	}
	return append(all[:len(all):len(all)], a.guards[task]...)
}

// What options may name that the file does not have.
var (
	ErrUnknownUpstream = errors.New("policy: unknown upstream") // in [Refresh]
	ErrUnknownTask     = errors.New("policy: unknown task")     // in [Extend] and [Policy.CheckTasks]
)

// UnknownUpstreamError names an upstream that was given a hook and is not in
// the file.
type UnknownUpstreamError struct {
	Upstream string // as [Refresh] names it
	Nearest  string // the upstream that may have been meant, "" where none is like it
}

// Error names the upstream and the one that may have been meant.
func (e *UnknownUpstreamError) Error() string {
	return notThere("Refresh", e.Upstream, "upstreams", e.Nearest)
}

// Unwrap returns [ErrUnknownUpstream].
func (e *UnknownUpstreamError) Unwrap() error { return ErrUnknownUpstream }

// UnknownTaskError names a task that was given options and is not in the file.
type UnknownTaskError struct {
	Task    string // as [Extend] names it
	Nearest string // the task that may have been meant, "" where none is like it
}

// Error names the task and the one that may have been meant.
func (e *UnknownTaskError) Error() string { return notThere("Extend", e.Task, "tasks", e.Nearest) }

// Unwrap returns [ErrUnknownTask].
func (e *UnknownTaskError) Unwrap() error { return ErrUnknownTask }

func notThere(option, name, under, nearest string) string {
	s := fmt.Sprintf("policy: %s: %q is not under %s", option, name, under)
	if nearest != "" {
		s += fmt.Sprintf(", did you mean %q?", nearest)
	}
	return s
}

// check looks for upstreams and tasks that the file does not have.
func (a *additions) check(d *document) error {
	var errs []error
	for _, name := range sortedKeys(a.hooks) {
		if _, known := d.Upstreams[name]; !known {
			errs = append(errs, &UnknownUpstreamError{name, nearestTo(name, maps.Keys(d.Upstreams))})
		}
	}
	for _, name := range sortedKeys(a.guards) {
		if _, known := d.Tasks[name]; !known && name != "" {
			errs = append(errs, &UnknownTaskError{name, nearestTo(name, maps.Keys(d.Tasks))})
		}
	}
	return errors.Join(errs...)
}
