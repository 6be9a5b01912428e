package guard

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/failloud/failloud/runrecord"
)

// ErrNotBound is what the error about a required tool that is not bound matches.
var ErrNotBound = errors.New("guard: required tool is not bound")

// NotBoundError names a required tool that the run does not have.
type NotBoundError struct {
	Tool    string
	Nearest []string // bound tools of a similar name, at most three
}

func (e *NotBoundError) Error() string {
	s := fmt.Sprintf("guard: required tool %q is not bound", e.Tool)
	if len(e.Nearest) > 0 {
		s += "; did you mean " + strings.Join(e.Nearest, ", ") + "?"
	}
	return s
}

// Unwrap returns [ErrNotBound].
func (e *NotBoundError) Unwrap() error { return ErrNotBound }

// Begin implements [runrecord.Judge]: it returns the errors of the settings
// and of required tools that are not bound, joined, and starts watching the
// run for loops. A mode that was switched from outside ([EnvMode], [ModeFrom])
// to reporting or off never keeps a run from starting for want of a tool.
func (g *Guard) Begin(_ context.Context, run *runrecord.Run) error {
	mode, switched, err := g.currentMode()
	if err := errors.Join(g.err, err); err != nil {
		return err
	}
	if mode == Disabled {
		return nil
	}
	if mode == Enforcing || !switched {
		if err := g.unbound(run); err != nil {
			return err
		}
	}
	g.keepIdentity(run)
	if g.loopAfter > 0 {
		run.Watch(g.stopLoops())
	}
	return nil
}

func (g *Guard) unbound(run *runrecord.Run) error {
	var errs []error
	seen := map[string]bool{}
	for _, r := range g.requirements {
		for _, tool := range r.tools {
			if seen[tool] || run.Tool(tool) != nil {
				continue
			}
			seen[tool] = true
			errs = append(errs, &NotBoundError{Tool: tool, Nearest: nearest(tool, run.Tools())})
		}
	}
	return errors.Join(errs...)
}

// keepIdentity asks the run to keep what says what a call is about: declared
// identity fields, and the fields of ForEach for the tools that can meet it.
func (g *Guard) keepIdentity(run *runrecord.Run) {
	for _, tool := range run.Tools() {
		fields := slices.Clone(tool.Identity)
		for _, r := range g.requirements {
			if r.field == "" || slices.Contains(fields, r.field) {
				continue
			}
			if slices.ContainsFunc(r.tools, func(name string) bool {
				return name == tool.Name || slices.Contains(tool.StandsIn, name)
			}) {
				fields = append(fields, r.field)
			}
		}
		if len(fields) > 0 {
			run.Keep(tool.Name, fields...)
		}
	}
}

// nearest returns at most three bound names that a misspelling may have meant.
func nearest(name string, tools []*runrecord.ToolInfo) []string {
	type candidate struct {
		name string
		far  int
	}
	var near []candidate
	for _, t := range tools {
		if d := distance(name, t.Name); d <= max(2, len(name)/3) {
			near = append(near, candidate{t.Name, d})
		}
	}
	slices.SortStableFunc(near, func(a, b candidate) int {
		return cmp.Or(cmp.Compare(a.far, b.far), cmp.Compare(a.name, b.name))
	})
	names := make([]string, 0, 3)
	for _, c := range near[:min(3, len(near))] {
		names = append(names, c.name)
	}
	return names
}

// distance counts the bytes to insert, delete or replace between two names.
func distance(a, b string) int {
	row := make([]int, len(b)+1)
	for j := range row {
		row[j] = j
	}
	for i := range len(a) {
		diagonal := row[0]
		row[0] = i + 1
		for j := range len(b) {
			replaced := diagonal
			if a[i] != b[j] {
				replaced++
			}
			diagonal = row[j+1]
			row[j+1] = min(replaced, row[j]+1, row[j+1]+1)
		}
	}
	return row[len(b)]
}
