package guard

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/similar"
	"github.com/failloud/failloud/runrecord"
)

// ErrNotBound is what the error about a required tool that is not bound matches.
var ErrNotBound = errors.New("guard: required tool is not bound")

// NotBoundError names a required tool that the run does not have.
type NotBoundError struct {
	Tool    string   // as the requirement names it
	Nearest []string // bound tools of a similar name, at most three
}

// Error names the tool and those that may have been meant.
func (e *NotBoundError) Error() string {
	return fmt.Sprintf("guard: required tool %q is not bound", e.Tool) + meant(e.Nearest)
}

func meant(names []string) string {
	if len(names) == 0 {
		return ""
	}
	return "; did you mean " + strings.Join(names, ", ") + "?"
}

// Unwrap returns [ErrNotBound].
func (e *NotBoundError) Unwrap() error { return ErrNotBound }

// Begin implements [runrecord.Judge]: it returns the errors of the settings, of
// required tools that are not bound, and of names that no bound tool and no
// argument has, joined, and starts watching the run for loops. Where step 5 or 6
// is on, the run keeps what its calls return, see [EvidenceLimit]. A mode that was
// switched from outside ([EnvMode], [ModeFrom]) to reporting or off never keeps
// a run from starting for want of a name.
func (g *Guard) Begin(_ context.Context, run *runrecord.Run) error {
	if g == nil {
		return unmade.err
	}
	mode, switched, err := g.currentMode()
	err = errors.Join(g.err, err)
	if mode == Enforcing || mode == Reporting && !switched {
		err = errors.Join(err, g.unbound(run), g.unknownFields(run), g.unknownNamed(run))
	}
	if err != nil || mode == Disabled {
		return err
	}
	g.keepIdentity(run)
	if g.needsProof() {
		run.KeepEvidence(g.evidenceLimit)
	}
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
			errs = append(errs, &NotBoundError{Tool: tool, Nearest: similar.Names(tool, toolNames(run), 3)})
		}
	}
	return errors.Join(errs...)
}

// toolNames are the bound tools by name.
func toolNames(run *runrecord.Run) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, t := range run.Tools() {
			if !yield(t.Name) {
				return
			}
		}
	}
}

// unknownFields looks for fields of ForEach that no call which could meet the
// requirement has: it could never be met.
func (g *Guard) unknownFields(run *runrecord.Run) error {
	var errs []error
	for _, r := range g.requirements {
		if r.field == "" {
			continue
		}
		for _, group := range r.groups() {
			var known []string
			bound, possible := false, false
			for _, t := range run.Tools() {
				if !meets(t, group) {
					continue
				}
				bound = true
				possible = possible || t.Fields == nil || hasField(t, r.field)
				known = append(known, t.Fields...)
			}
			if possible || !bound {
				continue
			}
			names := similar.Names(r.field, slices.Values(known), 3)
			why := fmt.Sprintf("%s has no argument %q", strings.Join(group, " or "), r.field) + meant(names)
			if len(names) == 0 && len(known) > 0 {
				why += ", only " + strings.Join(known[:min(len(known), 10)], ", ")
			}
			errs = append(errs, &SettingError{Option: r.head() + ".ForEach", Why: why})
		}
	}
	return errors.Join(errs...)
}

// meets reports whether calls of the tool can count for one of the group.
func meets(t *runrecord.ToolInfo, group []string) bool {
	return slices.ContainsFunc(group, func(name string) bool { return name == t.Name || slices.Contains(t.StandsIn, name) })
}

// hasField also takes a path, of which the first name is an argument.
func hasField(t *runrecord.ToolInfo, field string) bool {
	first, _, _ := strings.Cut(field, ".")
	return slices.Contains(t.Fields, field) || slices.Contains(t.Fields, first)
}

func (g *Guard) unknownNamed(run *runrecord.Run) error {
	var errs []error
	for _, tool := range slices.Sorted(maps.Keys(g.called)) {
		if run.Tool(tool) == nil {
			why := fmt.Sprintf("no tool %q is bound", tool) + meant(similar.Names(tool, toolNames(run), 3))
			errs = append(errs, &SettingError{Option: "Named", Why: why})
		}
	}
	return errors.Join(errs...)
}

// keepIdentity asks the run to keep what says what a call is about: declared
// identity fields, and the fields of ForEach for the tools that can meet it.
// Calls that a requirement looks at one by one are kept as well.
func (g *Guard) keepIdentity(run *runrecord.Run) {
	for _, tool := range run.Tools() {
		fields := slices.Clone(tool.Identity)
		needed := len(fields) > 0
		for _, r := range g.requirements {
			if !meets(tool, r.tools) {
				continue
			}
			needed = needed || r.atLeast > 1 || !r.anyQuality()
			if r.field != "" && !slices.Contains(fields, r.field) {
				needed = true
				fields = append(fields, r.field)
			}
		}
		if needed {
			run.Keep(tool.Name, fields...)
		}
	}
}
