package audit

import (
	"cmp"
	"hash/maphash"
	"slices"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/runrecord"
)

// tool is what is known of the tools of one name.
type tool struct {
	info     *runrecord.ToolInfo
	rules    *fault.Rules // of its results, nil: none
	form     *canonjson.Form
	fallback []string
}

// tools describes the tools of transcripts, each name once.
type tools struct {
	policy *policy.Policy
	mu     sync.Mutex
	known  map[string]*tool
}

// maxTools bounds the names that are remembered: a hostile file invents them.
const maxTools = 10_000

// named describes the tool of that name.
func (t *tools) named(name string) *tool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if known := t.known[name]; known != nil {
		return known
	}
	made := t.describe(name)
	if t.known == nil || len(t.known) >= maxTools {
		t.known = map[string]*tool{}
	}
	t.known[name] = made
	return made
}

// describe is what the policy says about a tool, and what its name says where
// the policy says nothing.
func (t *tools) describe(name string) *tool {
	d, _ := t.policy.Tool(name)
	info := &runrecord.ToolInfo{
		Name: name, Upstream: name, Effect: cmp.Or(d.Effect, inferEffect(name)),
		Identity: d.Identity, Claims: d.Claims, Poller: d.Poller != nil && *d.Poller,
	}
	if d.Upstream != nil {
		info.Upstream = cmp.Or(d.Upstream.Name(), name)
	}
	form, err := canonjson.New(d.Volatile...)
	if err != nil { // which the policy has refused
		form = new(canonjson.Form)
	}
	return &tool{info: info, rules: d.Rules, form: form, fallback: d.Fallback}
}

// substitutes completes the tools of one run by what they stand in for: the
// policy may say it of a pattern, and which names that is the run tells.
func substitutes(all map[string]*tool) {
	standsIn := map[string][]string{}
	for name, t := range all {
		for _, other := range t.fallback {
			standsIn[other] = append(standsIn[other], name)
		}
	}
	for name, names := range standsIn {
		if t := all[name]; t != nil {
			slices.Sort(names)
			changed, info := *t, *t.info
			info.StandsIn = names
			changed.info = &info
			all[name] = &changed
		}
	}
}

var seed = maphash.MakeSeed()

// hashArgs is the same for arguments that ask for the same piece of work.
func (t *tool) hashArgs(args string) uint64 {
	if args == "" {
		return 1
	}
	if canonical, err := t.form.Canonicalize([]byte(args)); err == nil {
		return max(maphash.Bytes(seed, canonical), 1)
	}
	return max(maphash.String(seed, args), 1)
}
