package audit

import (
	"maps"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/failloud/failloud/internal/similar"
)

// seen are the names that the runs had.
type seen struct {
	mu    sync.Mutex
	runs  int
	tools map[string]bool
	tasks map[string]bool
}

// run notes the names of one run. Beyond [maxTools] no more are remembered.
func (s *seen) run(task string, tools []string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs++; s.tools == nil {
		s.tools, s.tasks = map[string]bool{}, map[string]bool{}
	}
	if task != "" && len(s.tasks) < maxTools {
		s.tasks[task] = true
	}
	for _, name := range tools {
		if len(s.tools) < maxTools {
			s.tools[name] = true
		}
	}
}

// Unmatched says which names of the policy and of what is required no run had so
// far, a sentence for each kind with the nearest names there were: one may be
// misspelt. It says nothing where no run was judged.
func (a *Auditor) Unmatched() []string {
	s := &a.seen
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.runs == 0 {
		return nil
	}
	var said []string
	say := func(what string, names []string, had map[string]bool) {
		var missing []string
		for _, name := range names {
			if len(had) < maxTools && !slices.ContainsFunc(slices.Collect(maps.Keys(had)), func(n string) bool { return fits(name, n) }) {
				missing = append(missing, quoteNear(name, had))
			}
		}
		const most = 8
		if more := len(missing) - most; more > 0 {
			missing = append(missing[:most], strconv.Itoa(more)+" more")
		}
		if missing != nil {
			said = append(said, what+strings.Join(missing, ", "))
		}
	}
	say("no run has a tool that --require names: ", a.cfg.Require, s.tools)
	say("no run has a tool that the policy names: ", a.cfg.Policy.Tools(), s.tools)
	say("no run has a task that the policy names: ", a.cfg.Policy.Tasks(), s.tasks)
	return said
}

// quoteNear is a name with those that it may have been meant to be.
func quoteNear(name string, had map[string]bool) string {
	said := strconv.Quote(name)
	if near := similar.Names(name, maps.Keys(had), 1); len(near) > 0 {
		said += " (did you mean " + strconv.Quote(near[0]) + "?)"
	}
	return said
}

// fits reports whether a name is meant by one of a policy, in which each * stands
// for any characters.
func fits(pattern, name string) bool {
	front, rest, star := strings.Cut(pattern, "*")
	if !star {
		return pattern == name
	}
	name, ok := strings.CutPrefix(name, front)
	for at := 0; ok && at <= len(name); at++ {
		if fits(rest, name[at:]) {
			return true
		}
	}
	return false
}
