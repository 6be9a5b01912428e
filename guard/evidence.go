package guard

import (
	"slices"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// evidence is what the record of a run holds at the moment of a judgment.
type evidence struct {
	calls []runrecord.Call // in order
	stats map[string]runrecord.ToolStats
	tools []*runrecord.ToolInfo
	now   time.Duration
	cases []string
	halt  fault.Reason // why the run, or a child of it, was ended early; ReasonNone where none was

	inFlight int // calls that have started and not ended

	success  *successes // see [evidence.good]
	alike    func(failed, later *runrecord.Call) bool
	concerns func(call uint32, words []string) bool
}

// successes looks for what made a call good among the calls that accept takes,
// each of which counts for the tools that serves names.
func (ev *evidence) successes(accept func(*runrecord.Call) bool, serves func(*runrecord.Call) []string) *successes {
	return &successes{calls: ev.calls, accept: accept, serves: serves, alike: ev.alike}
}

// good looks among all successes, for the tools that each stands in for.
func (ev *evidence) good() *successes {
	if ev.success == nil {
		ev.success = ev.successes(succeeded, serves)
	}
	return ev.success
}

// effect is the declared effect of a bound tool.
func (ev *evidence) effect(tool string) fault.Effect {
	for _, t := range ev.tools {
		if t.Name == tool {
			return t.Effect
		}
	}
	return fault.Undeclared
}

// anyWrites reports whether a bound tool may have changed something.
func (ev *evidence) anyWrites() bool {
	return slices.ContainsFunc(ev.tools, func(t *runrecord.ToolInfo) bool { return t.Effect.Writes() })
}

// toolName is the name of the tool a call was made of, "" for an invented one.
func toolName(c *runrecord.Call) string {
	if c.Tool == nil || invented(c) {
		return ""
	}
	return c.Tool.Name
}

func detail(c *runrecord.Call) runrecord.Detail {
	if c.Detail == nil {
		return runrecord.Detail{}
	}
	return *c.Detail
}

// asked are the tools that the call was meant for: its own, and the one whose
// place it took in a fallback chain.
func asked(c *runrecord.Call) []string {
	names := make([]string, 0, 2)
	if n := toolName(c); n != "" {
		names = append(names, n)
	}
	if n := detail(c).FallbackOf; n != "" && !slices.Contains(names, n) {
		names = append(names, n)
	}
	return names
}

// serves are the tools that a success of the call counts for: those it was
// meant for, and those its tool is a declared substitute for.
func serves(c *runrecord.Call) []string {
	names := asked(c)
	if c.Tool == nil {
		return names
	}
	for _, n := range c.Tool.StandsIn {
		if !slices.Contains(names, n) {
			names = append(names, n)
		}
	}
	return names
}

// identity joins the kept identity fields of a call, "" where its tool declares
// none or one of them was not kept.
func identity(c *runrecord.Call) string {
	if c.Tool == nil || len(c.Tool.Identity) == 0 {
		return ""
	}
	kept := detail(c).Args
	fields := slices.Sorted(slices.Values(c.Tool.Identity))
	var b strings.Builder
	for _, f := range fields {
		v, ok := kept[f]
		if !ok {
			return ""
		}
		b.WriteString(f + "\x00" + v + "\x00")
	}
	return b.String()
}

// succeeded accepts every success: a correct empty answer is an answer.
func succeeded(c *runrecord.Call) bool { return c.Kind == fault.KindOK }

// succeededWhole accepts the successes that lack nothing.
func succeededWhole(c *runrecord.Call) bool { return succeeded(c) && !c.Qualifiers.Degraded() }

// successes finds for a call the later one that made it good, in constant
// time but for a refusal of the way it was asked. It is filled when it is first
// asked: most runs have nothing to ask.
type successes struct {
	calls  []runrecord.Call
	accept func(*runrecord.Call) bool
	serves func(*runrecord.Call) []string
	alike  func(failed, later *runrecord.Call) bool // see [Resembles]; nil: nobody knows
	about  map[about]int                            // last success about this
	made   map[int]bool                             // see madeGood
}

// about is what a call was about: the same arguments, or the same identity.
type about struct {
	tool     string
	itself   bool // of the tool itself, not of a substitute
	args     uint64
	identity string
}

func (s *successes) fill() {
	s.about, s.made = map[about]int{}, map[int]bool{}
	for i := range s.calls {
		c := &s.calls[i]
		if !s.accept(c) {
			continue
		}
		for _, tool := range s.serves(c) {
			s.remember(about{tool: tool}, c, i)
			if tool == toolName(c) {
				s.remember(about{tool: tool, itself: true}, c, i)
			}
		}
	}
}

func (s *successes) remember(key about, c *runrecord.Call, i int) {
	if c.ArgsHash != 0 {
		byArgs := key
		byArgs.args = c.ArgsHash
		s.about[byArgs] = i
	}
	if id := identity(c); id != "" {
		key.identity = id
		s.about[key] = i
	}
}

// madeGood reports whether a success later than call i stands in for it. The
// rules are in the package documentation.
func (s *successes) madeGood(i int) bool {
	if s.about == nil {
		s.fill()
	}
	made, known := s.made[i]
	if !known {
		made = s.stoodInFor(i)
		s.made[i] = made
	}
	return made
}

func (s *successes) stoodInFor(i int) bool {
	c := &s.calls[i]
	if invented(c) && s.alike == nil {
		return s.corrected("", i)
	}
	id := identity(c)
	inDoubt := c.Kind == fault.KindUnknown
	for _, tool := range asked(c) {
		if c.ArgsHash != 0 && s.later(about{tool: tool, itself: inDoubt, args: c.ArgsHash}, i) {
			return true
		}
		if id != "" && s.later(about{tool: tool, itself: inDoubt, identity: id}, i) {
			return true
		}
		if id == "" && s.alike == nil && misput(c) && s.corrected(tool, i) {
			return true
		}
	}
	return id == "" && s.alike != nil && s.resembled(i)
}

// resembled reports whether a later success is about the same thing, where the
// caller knows a way to see that and nobody has declared one.
func (s *successes) resembled(i int) bool {
	failed := &s.calls[i]
	for j := i + 1; j < len(s.calls) && j <= i+maxResembled; j++ {
		if later := &s.calls[j]; s.accept(later) && (failed.Batch == 0 || later.Batch != failed.Batch) && s.alike(failed, later) {
			return true
		}
	}
	return false
}

// maxResembled bounds how many later calls are compared with one that failed.
const maxResembled = 256

// invented holds for a name that no tool has.
func invented(c *runrecord.Call) bool {
	return c.Reason == fault.ReasonUnknownTool && c.Kind == fault.KindNotRun
}

// corrected reports whether a success of the tool, of any where it is "", was
// asked for when the refusal of call i was known: not with it, in one batch or
// side by side. Refusals one after the other are tries at the same thing; those
// of one batch are about as many things, and each needs a success of its own.
func (s *successes) corrected(tool string, i int) bool {
	refused := &s.calls[i]
	need := 1
	for j := i - 1; j >= 0 && refused.Batch != 0; j-- {
		c := &s.calls[j]
		if c.Batch == refused.Batch && misput(c) && (tool == "" || slices.Contains(asked(c), tool)) {
			need++
		}
	}
	type work struct {
		tool string
		args uint64
	}
	seen := map[work]bool{}
	for j := len(s.calls) - 1; j > i && len(seen) < need; j-- {
		c := &s.calls[j]
		if c.Start < refused.Start+refused.Duration || c.Batch != 0 && c.Batch == refused.Batch || !s.accept(c) || otherWork(c, refused) {
			continue
		}
		if tool == "" || slices.Contains(s.serves(c), tool) {
			seen[work{toolName(c), c.ArgsHash}] = true
		}
	}
	return len(seen) >= need
}

// otherWork holds for calls of one tool whose owner has told them apart.
func otherWork(a, b *runrecord.Call) bool {
	mine, yours := detail(a).Key, detail(b).Key
	return a.Tool == b.Tool && mine != "" && yours != "" && mine != yours
}

// misput holds for a call that was about nothing yet, or was only put wrongly.
func misput(c *runrecord.Call) bool {
	return invented(c) || neverValid(c) || wrongForm(c)
}

func (s *successes) later(key about, i int) bool {
	j, ok := s.about[key]
	return ok && j > i
}

// neverValid holds for a call whose arguments kept it out of the tool: it was
// about nothing yet.
func neverValid(c *runrecord.Call) bool {
	return c.Kind == fault.KindNotRun && c.Reason == fault.ReasonInvalidArgs
}

// wrongForm holds for a refusal of the way something was asked, not of what was
// asked for: a changed call that succeeds is its correction. For a look-up "not
// found" and a failure of unknown cause are answers about the very thing, and
// only the same thing can make them good. A write that was refused did nothing;
// the one that the service then accepted is what was meant. An exit code is an
// answer in both.
func wrongForm(c *runrecord.Call) bool {
	if c.Kind != fault.KindFailed || !detail(c).Correctable {
		return false
	}
	switch c.Reason {
	case fault.ReasonInvalidArgs, fault.ReasonPayloadTooLarge, fault.ReasonConflict:
		return true
	case fault.ReasonNotFound, fault.ReasonSoftError:
		return c.Tool != nil && c.Tool.Effect.Writes()
	}
	return false
}

// inDoubt holds for a call whose effect only a person can settle.
func inDoubt(c *runrecord.Call) bool {
	switch {
	case c.Kind == fault.KindOK || c.Kind == fault.KindPending:
		return false
	case c.Action == fault.Escalate && !detail(c).Settled:
		return true
	case c.Kind == fault.KindUnknown:
		return c.Tool == nil || c.Tool.Effect.Writes()
	}
	return false
}
