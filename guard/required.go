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
		age, since := detail(c).Age, now-c.Start-c.Duration
		if age < 0 || since < 0 || q.Has(fault.Stale) && age == 0 {
			return false
		}
		return age <= r.maxAge && since <= r.maxAge-age
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

// subjects finds for each call which values of ForEach it is about: its argument,
// or the elements of a list. A list is read once, however often it comes.
func (r Requirement) subjects(calls []runrecord.Call) []map[string]bool {
	wanted := map[string]bool{}
	for _, v := range r.values {
		wanted[v] = true
	}
	read := map[string]map[string]bool{}
	all := make([]map[string]bool, len(calls))
	for i := range calls {
		got, kept := detail(&calls[i]).Args[r.field]
		if !kept {
			continue
		}
		about, known := read[got]
		if !known {
			about = map[string]bool{}
			for _, v := range append(listElements(got), got) {
				if wanted[v] {
					about[v] = true
				}
			}
			read[got] = about
		}
		all[i] = about
	}
	return all
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
	w := &weighing{Requirement: r, ev: ev}
	w.good = ev.successes(w.counts, r.serves)
	if r.field != "" {
		w.about = r.subjects(ev.calls)
	}
	missing := &Unmet{Requirement: r.String(), Tools: r.tools}
	met := true
	for _, group := range r.groups() {
		if r.field == "" {
			met = w.check(group, nil, missing) && met
			continue
		}
		for _, v := range r.values {
			if !w.check(group, &v, missing) {
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

// weighing is one requirement against one record.
type weighing struct {
	Requirement
	ev    *evidence
	good  *successes
	about []map[string]bool // values of ForEach, by call
}

func (w *weighing) counts(c *runrecord.Call) bool { return w.accepts(c, w.ev.now) }

// on reports whether call i is about the value; every call is about none.
func (w *weighing) on(i int, value *string) bool { return value == nil || w.about[i][*value] }

// forOneOf reports whether call i counts for one of the group.
func (w *weighing) forOneOf(i int, group []string) bool {
	return slices.ContainsFunc(w.serves(&w.ev.calls[i]), func(s string) bool { return slices.Contains(group, s) })
}

// check looks at one group of tools, and at one value where there is one.
func (w *weighing) check(group []string, value *string, missing *Unmet) bool {
	if w.atLeast > 0 {
		if w.count(group, value) >= w.atLeast {
			return true
		}
	} else if slices.ContainsFunc(group, func(tool string) bool { return w.allGood(tool, value) }) {
		return true
	}
	missing.Pending = missing.Pending || w.pending(group, value)
	return false
}

// allGood is the plain form: called, and every call made good.
func (w *weighing) allGood(tool string, value *string) bool {
	stats := w.ev.stats[tool]
	lost := stats.DroppedNotOK
	if w.anyQuality() {
		lost -= stats.DroppedDegraded
	}
	if lost > 0 {
		return false
	}
	answered := value == nil && w.anyQuality() && stats.OK > 0
	last := -1 // last success about the value: the value is what its calls are about
	for i := range w.ev.calls {
		c := &w.ev.calls[i]
		if w.on(i, value) && w.counts(c) && slices.Contains(w.serves(c), tool) {
			answered, last = true, i
		}
	}
	if !answered {
		return false
	}
	for i := range w.ev.calls {
		c := &w.ev.calls[i]
		if !w.on(i, value) || w.counts(c) || value != nil && last > i || !slices.Contains(asked(c), tool) {
			continue
		}
		if !w.good.madeGood(i) {
			return false
		}
	}
	return true
}

func (r Requirement) anyQuality() bool { return !r.fresh && !r.clean && !r.complete }

// count is the number of successes of a group. The same arguments with the
// same result are one.
func (w *weighing) count(group []string, value *string) int {
	type learned struct {
		tool         string
		args, result uint64
	}
	seen := map[learned]bool{}
	n := 0
	for i := range w.ev.calls {
		c := &w.ev.calls[i]
		if !w.on(i, value) || !w.counts(c) || !w.forOneOf(i, group) {
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
	if n == 0 && value == nil && w.anyQuality() {
		for _, tool := range group {
			if s := w.ev.stats[tool]; s.OK > 0 && s.Dropped > 0 {
				return 1 // it succeeded long ago: that much is sure
			}
		}
	}
	return n
}

// pending reports whether a call that may still meet it has not ended.
func (w *weighing) pending(group []string, value *string) bool {
	if w.ev.inFlight > 0 {
		return true
	}
	for i := range w.ev.calls {
		if w.ev.calls[i].Kind == fault.KindPending && w.on(i, value) && w.forOneOf(i, group) && !w.good.madeGood(i) {
			return true
		}
	}
	return false
}
