package audit

import (
	"cmp"
	"slices"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/runrecord"
)

// tools describes the tools of transcripts, each name once.
type tools struct {
	policy *policy.Policy
	mu     sync.Mutex
	known  map[string]*runrecord.ToolInfo
}

// maxTools bounds the names that are remembered: a hostile file invents them.
const maxTools = 10_000

// info describes the tool of that name.
func (t *tools) info(name string) *runrecord.ToolInfo {
	t.mu.Lock()
	defer t.mu.Unlock()
	if info := t.known[name]; info != nil {
		return info
	}
	info := t.describe(name)
	if t.known == nil || len(t.known) >= maxTools {
		t.known = map[string]*runrecord.ToolInfo{}
	}
	t.known[name] = info
	return info
}

// describe is what the policy says about a tool, and what its name says where
// the policy says nothing.
func (t *tools) describe(name string) *runrecord.ToolInfo {
	info := &runrecord.ToolInfo{Name: name, Upstream: name}
	d, _ := t.policy.Tool(name)
	info.Effect = cmp.Or(d.Effect, inferEffect(name))
	info.Identity, info.Claims = d.Identity, d.Claims
	info.Poller = d.Poller != nil && *d.Poller
	for _, other := range t.policy.Tools() {
		if declared, _ := t.policy.Tool(other); slices.Contains(declared.Fallback, name) {
			info.StandsIn = append(info.StandsIn, other)
		}
	}
	return info
}

// rules are what the policy says about results of a tool, nil: nothing.
func (t *tools) rules(name string) *fault.Rules {
	d, _ := t.policy.Tool(name)
	return d.Rules
}
