package policy

import (
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// document is the file. A field is a key of it, and the schema for editors has
// the same ones: a test compares them. Where code can say the same, a pointer
// or a nil slice tells what the file does not say.
type document struct {
	Version      version                 `yaml:"version"`
	Capture      *capture                `yaml:"capture"`
	CaptureLimit captureLimit            `yaml:"capture_limit"`
	Store        string                  `yaml:"store"`
	Kit          kitSettings             `yaml:"kit"`
	Tools        map[string]toolSettings `yaml:"tools"`
	Upstreams    map[string]upstream     `yaml:"upstreams"`
	Guard        judging                 `yaml:"guard"`
	Limits       limits                  `yaml:"limits"`
	Tasks        map[string]task         `yaml:"tasks"`
}

// kitSettings are the fields of [toolkit.Config] that are data.
type kitSettings struct {
	MaxAttempts  positive `yaml:"max_attempts"`
	MaxWait      duration `yaml:"max_wait"`
	Backoff      *backoff `yaml:"backoff"`
	Retries      positive `yaml:"retries"`
	Batch        positive `yaml:"batch"`
	KeepCalls    positive `yaml:"keep_calls"`
	DecideWithin duration `yaml:"decide_within"`
	ApprovedFor  duration `yaml:"approved_for"`
}

// toolSettings are what [toolkit.Declaration] can say.
type toolSettings struct {
	mark
	Effect    effect      `yaml:"effect"`
	Upstream  reference   `yaml:"upstream"`
	Timeout   duration    `yaml:"timeout"`
	KeyTTL    duration    `yaml:"key_ttl"`
	MaxResult positive    `yaml:"max_result"`
	Claims    []string    `yaml:"claims"`
	Identity  []string    `yaml:"identity"`
	Volatile  []string    `yaml:"volatile"`
	Poller    *bool       `yaml:"poller"`
	Approve   approval    `yaml:"approve"`
	Defer     duration    `yaml:"defer"`
	Fallback  []reference `yaml:"fallback"`
	Rules     *rules      `yaml:"rules"`
}

func (toolSettings) kind() string { return "tool" }

// declaration is what the file says about tools of these settings.
func (t *toolSettings) declaration(upstreams map[string]*toolkit.Upstream) toolkit.Declaration {
	d := toolkit.Declaration{
		Effect: fault.Effect(t.Effect), Upstream: upstreams[t.Upstream.name], Timeout: time.Duration(t.Timeout),
		KeyTTL: time.Duration(t.KeyTTL), MaxResult: int(t.MaxResult),
		Claims: t.Claims, Identity: t.Identity, Volatile: t.Volatile, Poller: t.Poller,
		Approve: toolkit.Approval(t.Approve), Defer: time.Duration(t.Defer),
	}
	if t.Rules != nil {
		d.Rules = &t.Rules.Rules
	}
	if t.Fallback != nil {
		d.Fallback = make([]string, len(t.Fallback))
		for i, f := range t.Fallback {
			d.Fallback[i] = f.name
		}
	}
	return d
}

// upstream is [toolkit.UpstreamConfig] without the hook, which is code.
type upstream struct {
	Rate        rate     `yaml:"rate"`
	Burst       positive `yaml:"burst"`
	Concurrency positive `yaml:"concurrency"`
	PerTenant   bool     `yaml:"per_tenant"`
	Breaker     breaker  `yaml:"breaker"`
}

func (upstream) kind() string { return "upstream" }

type breaker struct {
	Ratio    ratio    `yaml:"ratio"`
	MinCalls positive `yaml:"min_calls"`
	Window   duration `yaml:"window"`
	OpenFor  duration `yaml:"open_for"`
}

// judging is what a guard is told, for every task or for one.
type judging struct {
	Require       []requirement      `yaml:"require"`
	NeedsTools    *bool              `yaml:"needs_tools"`
	Known         []spoken           `yaml:"known"`
	Named         map[string]calling `yaml:"named"`
	Mode          *mode              `yaml:"mode"`
	Steps         steps              `yaml:"steps"`
	Language      *language          `yaml:"language"`
	LoopAfter     *loopAfter         `yaml:"loop_after"`
	EvidenceLimit *positive          `yaml:"evidence_limit"`
}

type steps struct {
	Waiting  *reaction `yaml:"waiting"`
	Required *reaction `yaml:"required"`
	Evidence *reaction `yaml:"evidence"`
	Hidden   *reaction `yaml:"hidden"`
	Claims   *reaction `yaml:"claims"`
	Sources  *reaction `yaml:"sources"`
}

// task is one kind of task.
type task struct {
	mark
	judging
	Limits limits `yaml:"limits"`
}

func (task) kind() string { return "task" }

type limits struct {
	Calls  *count     `yaml:"calls"`
	Turns  *count     `yaml:"turns"`
	Tokens *count     `yaml:"tokens"`
	Money  *amount    `yaml:"money"`
	Time   *timeLimit `yaml:"time"`
}

// over lays what is said for a task over what is said for all of them.
func (l limits) over(all limits) runrecord.Limits {
	return runrecord.Limits{
		Calls:  int(said(l.Calls, all.Calls)),
		Turns:  int(said(l.Turns, all.Turns)),
		Tokens: int64(said(l.Tokens, all.Tokens)),
		Money:  float64(said(l.Money, all.Money)),
		Time:   time.Duration(said(l.Time, all.Time)),
	}
}

// said is the first of the values that the file has, else zero.
func said[T any](values ...*T) (v T) {
	for _, p := range values {
		if p != nil {
			return *p
		}
	}
	return v
}

// options tells a guard what is said for a task over what is said for all of
// them; lists add up.
func (j judging) options(all judging) []guard.Option {
	var told []guard.Option
	for _, q := range append(all.Require[:len(all.Require):len(all.Require)], j.Require...) {
		told = append(told, q.option())
	}
	for _, from := range []judging{all, j} {
		for _, k := range from.Known {
			told = append(told, guard.Known(string(k)))
		}
		for _, tool := range sortedKeys(from.Named) {
			told = append(told, guard.Named(tool, from.Named[tool].words...))
		}
	}
	if said(j.NeedsTools, all.NeedsTools) {
		told = append(told, guard.NeedsTools())
	}
	switch guard.Mode(said(j.Mode, all.Mode)) {
	case guard.Reporting:
		told = append(told, guard.Report())
	case guard.Disabled:
		told = append(told, guard.ModeFrom(func() guard.Mode { return guard.Disabled }))
	}
	if l := said(j.Language, all.Language); l != "" {
		told = append(told, guard.In(guard.Language(l)))
	}
	if j.LoopAfter != nil || all.LoopAfter != nil {
		told = append(told, guard.LoopAfter(int(said(j.LoopAfter, all.LoopAfter))))
	}
	if most := said(j.EvidenceLimit, all.EvidenceLimit); most > 0 {
		told = append(told, guard.EvidenceLimit(int(most)))
	}
	return append(told, j.Steps.options(all.Steps)...)
}

func (s steps) options(all steps) []guard.Option {
	var told []guard.Option
	for _, step := range []struct {
		number      int
		task, every *reaction
	}{
		{guard.StepWaiting, s.Waiting, all.Waiting}, {guard.StepRequired, s.Required, all.Required},
		{guard.StepEvidence, s.Evidence, all.Evidence}, {guard.StepHidden, s.Hidden, all.Hidden},
		{guard.StepClaims, s.Claims, all.Claims}, {guard.StepSources, s.Sources, all.Sources},
	} {
		if step.task != nil || step.every != nil {
			told = append(told, guard.OnStep(step.number, guard.Policy(said(step.task, step.every))))
		}
	}
	return told
}
