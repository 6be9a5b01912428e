package policy

import (
	"cmp"
	"time"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// Kit adds to cfg what the file says about kits and tools. What the file says
// holds, the rest stays as cfg has it; a Declare of cfg is asked about tools
// that the file does not name.
func (p *Policy) Kit(cfg toolkit.Config) toolkit.Config {
	p = p.orEmpty()
	k := p.doc.Kit
	cfg.MaxAttempts = cmp.Or(int(k.MaxAttempts), cfg.MaxAttempts)
	cfg.MaxWait = cmp.Or(time.Duration(k.MaxWait), cfg.MaxWait)
	cfg.Batch = cmp.Or(int(k.Batch), cfg.Batch)
	cfg.KeepCalls = cmp.Or(int(k.KeepCalls), cfg.KeepCalls)
	cfg.DecideWithin = cmp.Or(time.Duration(k.DecideWithin), cfg.DecideWithin)
	cfg.ApprovedFor = cmp.Or(time.Duration(k.ApprovedFor), cfg.ApprovedFor)
	cfg.CaptureLimit = cmp.Or(int(p.doc.CaptureLimit), cfg.CaptureLimit)
	if k.Backoff != nil {
		cfg.Backoff = toolkit.Backoff(*k.Backoff)
	}
	if k.Retries > 0 {
		cfg.Retries = toolkit.NewRetryBudget(int(k.Retries))
	}
	if p.doc.Capture != nil {
		cfg.Capture = runrecord.Capture(*p.doc.Capture)
	}
	besides := cfg.Declare
	cfg.Declare = func(tool string) toolkit.Declaration {
		d, named := p.Tool(tool)
		if !named && besides != nil {
			return besides(tool)
		}
		return d
	}
	return cfg
}

// Tool is what the file says about a tool: under its own name, else under the
// longest pattern that matches it. Two of them are not mixed. All of it is
// shared, do not change it.
func (p *Policy) Tool(name string) (declaration toolkit.Declaration, named bool) {
	p = p.orEmpty()
	t, named := p.settings(name)
	if !named {
		return toolkit.Declaration{}, false
	}
	return t.declaration(p.upstreams), true
}

// Store is the name of the database that the file says, "" where it says none. It
// is for whoever opens one: a library opens nothing by itself.
func (p *Policy) Store() string {
	p = p.orEmpty()
	return p.doc.Store
}

// Tools are the names and patterns under tools, sorted.
func (p *Policy) Tools() []string {
	p = p.orEmpty()
	return sortedKeys(p.doc.Tools)
}

// Tasks are the names under tasks, sorted.
func (p *Policy) Tasks() []string {
	p = p.orEmpty()
	return sortedKeys(p.doc.Tasks)
}

// Upstream is the one of this name, nil where the file describes none. All
// tools of the policy that name it have this one.
func (p *Policy) Upstream(name string) *toolkit.Upstream {
	p = p.orEmpty()
	return p.upstreams[name]
}

// Task is a task of this name with the limits and the guard of the file; for a
// name that the file does not have, those of every task, see [Policy.CheckTasks].
// name and key are as in [runrecord.Task]. Set its Question before the start, or
// figures of the user count as made up by the model.
func (p *Policy) Task(name, key string) runrecord.Task {
	p = p.orEmpty()
	return runrecord.Task{Name: name, Key: key, Judge: p.Guard(name), Limits: p.doc.Tasks[name].Limits.over(p.doc.Limits)}
}

// Guard is the guard of a task, that of every task for a name that the file
// does not have. Without more it is always the same one, which is also the
// Judge of [Policy.Task]: call it for every request. Options that a task always
// has belong to the load, see [Extend]. With more it is a new guard each time,
// whose further options hold over the file and over those of Extend: make it
// once, and put it into the tasks as their Judge.
func (p *Policy) Guard(task string, more ...guard.Option) *guard.Guard {
	p = p.orEmpty()
	if len(more) > 0 {
		return guard.New(append(p.told(task), more...)...)
	}
	if g := p.guards[task]; g != nil {
		return g
	}
	return p.standard
}

// makeGuards makes the guards that [Policy.Guard] returns without more.
func (p *Policy) makeGuards() {
	p.guards = map[string]*guard.Guard{}
	for name := range p.doc.Tasks {
		p.guards[name] = guard.New(p.told(name)...)
	}
	p.standard = guard.New(p.told("")...)
}

// told are the options of the guard of a task: those of the file, then those of
// the code.
func (p *Policy) told(task string) []guard.Option {
	return append(p.doc.Tasks[task].options(p.doc.Guard), p.code.of(task)...)
}
