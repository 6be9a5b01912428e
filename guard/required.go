package guard

import (
	"encoding/json"
	"slices"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// accepts says whether the result of a call may count for the requirement.
func (r Requirement) accepts(c *runrecord.Call, now time.Duration) bool {
	q := c.Qualifiers
	switch {
	case c.Kind != fault.KindOK:
		return false
	case r.clean && (q.Degraded() || q.Has(fault.Fallback)):
		return false
	case r.complete && (q.Has(fault.Partial) || q.Has(fault.Truncated)):
		return false
	case r.fresh:
		age := detail(c).Age
		if q.Has(fault.Stale) && age <= 0 {
			return false
		}
		return age+now-(c.Start+c.Duration) <= r.maxAge
	}
	return true
}

// serves are the tools that a success counts for: a stand-in is a degradation.
func (r Requirement) serves(c *runrecord.Call) []string {
	if r.clean {
		return []string{toolName(c)}
	}
	return serves(c)
}

// about reports whether a call is about one value of ForEach.
func (r Requirement) about(c *runrecord.Call, value string) bool {
	got, kept := detail(c).Args[r.field]
	if !kept {
		return false
	}
	return got == value || slices.Contains(listElements(got), value)
}

// listElements reads an argument that is a JSON list of texts and numbers.
func listElements(arg string) []string {
	if len(arg) == 0 || arg[0] != '[' {
		return nil
	}
	var raw []json.RawMessage
	if json.Unmarshal([]byte(arg), &raw) != nil {
		return nil
	}
	elements := make([]string, len(raw))
	for i, e := range raw {
		if json.Unmarshal(e, &elements[i]) != nil {
			elements[i] = string(e)
		}
	}
	return elements
}

// unmet says what is missing, nil where the record supports the requirement.
func (r Requirement) unmet(ev *evidence) *Unmet {
	good := &successes{calls: ev.calls, serves: r.serves, accept: func(c *runrecord.Call) bool { return r.accepts(c, ev.now) }}
	missing := &Unmet{Requirement: r.String(), Tools: r.tools}
	met := true
	for _, group := range r.groups() {
		if r.field == "" {
			met = r.check(ev, good, group, nil, missing) && met
			continue
		}
		for _, v := range r.values {
			if !r.check(ev, good, group, &v, missing) {
				met = false
				if !slices.Contains(missing.Missing, v) {
					missing.Missing = append(missing.Missing, v)
				}
			}
		}
	}
	if met {
		return nil
	}
	return missing
}

// check looks at one group of tools, and at one value where there is one.
func (r Requirement) check(ev *evidence, good *successes, group []string, value *string, missing *Unmet) bool {
	if r.atLeast > 0 {
		if r.count(ev, group, value) >= r.atLeast {
			return true
		}
	} else if slices.ContainsFunc(group, func(tool string) bool { return r.allGood(ev, good, tool, value) }) {
		return true
	}
	missing.Pending = missing.Pending || r.pending(ev, good, group, value)
	return false
}

// allGood is the plain form: called, and every call made good.
func (r Requirement) allGood(ev *evidence, good *successes, tool string, value *string) bool {
	stats := ev.stats[tool]
	if stats.DroppedNotOK > 0 {
		return false
	}
	answered := value == nil && r.anyQuality() && stats.OK > 0
	last := -1 // last success about the value: the value is what its calls are about
	for i := range ev.calls {
		c := &ev.calls[i]
		if (value == nil || r.about(c, *value)) && r.accepts(c, ev.now) && slices.Contains(r.serves(c), tool) {
			answered, last = true, i
		}
	}
	if !answered {
		return false
	}
	for i := range ev.calls {
		c := &ev.calls[i]
		if !slices.Contains(asked(c), tool) || r.accepts(c, ev.now) || value != nil && (!r.about(c, *value) || last > i) {
			continue
		}
		if !good.madeGood(i) {
			return false
		}
	}
	return true
}

func (r Requirement) anyQuality() bool { return !r.fresh && !r.clean && !r.complete }

// count is the number of successes of a group. The same arguments with the
// same result are one.
func (r Requirement) count(ev *evidence, group []string, value *string) int {
	type learned struct {
		tool         string
		args, result uint64
	}
	seen := map[learned]bool{}
	n := 0
	for i := range ev.calls {
		c := &ev.calls[i]
		if !r.accepts(c, ev.now) || value != nil && !r.about(c, *value) ||
			!slices.ContainsFunc(r.serves(c), func(s string) bool { return slices.Contains(group, s) }) {
			continue
		}
		if c.ArgsHash != 0 {
			l := learned{toolName(c), c.ArgsHash, c.ResultHash}
			if seen[l] {
				continue
			}
			seen[l] = true
		}
		n++
	}
	if n == 0 && value == nil && r.anyQuality() {
		for _, tool := range group {
			if s := ev.stats[tool]; s.OK > 0 && s.Dropped > 0 {
				return 1 // it succeeded long ago: that much is sure
			}
		}
	}
	return n
}

// pending reports whether a call that may still meet it has not ended.
func (r Requirement) pending(ev *evidence, good *successes, group []string, value *string) bool {
	for i := range ev.calls {
		c := &ev.calls[i]
		if c.Kind == fault.KindPending && (value == nil || r.about(c, *value)) &&
			slices.ContainsFunc(r.serves(c), func(s string) bool { return slices.Contains(group, s) }) && !good.madeGood(i) {
			return true
		}
	}
	return false
}
