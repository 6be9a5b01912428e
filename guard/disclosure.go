package guard

import (
	"slices"

	"github.com/failloud/failloud/fault"
)

// reading is a draft with the cues that were found in it.
type reading struct {
	subjects []*subject
	others   []map[string][]word // kept values of every call of the run
	said     []statement
	lonely   bool // all troubles are of one tool: an unnamed failure can mean no other
}

// statement is one cue that stands as a statement of the draft's author: not
// negated, not a condition, not about somebody else.
type statement struct {
	*place
	topics    topic
	strength  strength
	attribute bool // it qualifies a noun: "a ticket about the failed login"
}

// place is a clause that holds a statement, and what it names.
type place struct {
	*clause
	scope         []word // its words and those it leans on
	names         []bool // by subject
	lookup, datum bool   // it has a word for a look-up or a tool; for data
}

// read finds what the draft admits.
func (j *judgment) read() *reading {
	d := &reading{subjects: j.subjects(), lonely: true}
	for _, kept := range keptOfAll(j.ev.calls) {
		d.others = append(d.others, heldValues(kept))
	}
	for _, t := range j.troubles {
		d.lonely = d.lonely && t.tool == j.troubles[0].tool
	}
	clauses := splitDraft(j.draft)
	for i := range clauses {
		cl := &clauses[i]
		var at *place
		cues.each(cl, func(c *cue, start, end int) {
			if d.denies(cl, c, start, end) {
				return
			}
			if at == nil {
				at = d.look(cl)
			}
			d.said = append(d.said, statement{
				place: at, topics: c.topics, strength: c.strength,
				attribute: start > 0 && attributes[cl.words[start-1].text],
			})
		})
	}
	return d
}

func (d *reading) look(cl *clause) *place {
	p := &place{clause: cl, scope: slices.Concat(cl.words, cl.context, cl.below)}
	for _, sub := range d.subjects {
		p.names = append(p.names, sub.named(p.scope, cl.marked))
	}
	p.lookup = contains(p.scope, cl.marked, lookupWords)
	p.datum = contains(p.scope, cl.marked, dataWords)
	return p
}

// denies reports whether the words around a cue take it back.
func (d *reading) denies(cl *clause, c *cue, start, end int) bool {
	before, span := cl.words[:start], cl.words[start:end]
	if len(cl.words) > 0 && condition[cl.words[0].text] {
		return true
	}
	near := before[max(0, start-6):]
	for i, w := range near {
		if noneOf[w.text] || negators[w.text] && len(near)-i <= 3 {
			return true
		}
	}
	if !c.negative && slices.ContainsFunc(span, func(w word) bool { return negators[w.text] }) {
		return true // "had no trouble", "39 archived, 0 failed"
	}
	if start > 0 && before[start-1].plain == "xin" {
		return true // "xin lỗi" asks to be excused
	}
	if c.strength == generic && end < len(cl.words) && statesNone[cl.words[end].text] {
		return true // "errors: none"
	}
	if c.active && d.somebodyElse(before, span) {
		return true
	}
	if c.topics&saysOld != 0 && end < len(cl.words) && nowWords[cl.words[end].text] {
		return true // "as of today"
	}
	if c.topics&(saysFailed|saysDenied|saysAbsent) != 0 {
		for i := range recovered {
			for at := range cl.words {
				if recovered[i].match(cl.words, at, cl.marked) > at {
					return true
				}
			}
		}
	}
	return false
}

// somebodyElse reports whether an active cue is about neither the author nor a
// tool: "you could not ask for better", "Acme is unable to pay". The passive
// has no such subject. Vietnamese puts what was looked for in its place
// ("hóa đơn của Acme không thể truy xuất"), so there only people count.
func (d *reading) somebodyElse(before, span []word) bool {
	if slices.ContainsFunc(span, func(w word) bool { return w.text == "be" }) {
		return false
	}
	i := len(before) - 1
	for i >= 0 && fillers[before[i].text] {
		i--
	}
	if i < 0 {
		return false
	}
	if span[0].plain == "khong" || span[0].plain == "chua" {
		return somebody[before[i].text]
	}
	doer := before[max(0, i-1) : i+1]
	return !authors[before[i].text] &&
		!contains(doer, false, lookupWords) && !contains(doer, false, dataWords) &&
		!slices.ContainsFunc(d.subjects, func(s *subject) bool { return s.named(before[i:i+1], false) })
}

// wanted are the topics that disclose a trouble. An outcome that nobody knows
// is not disclosed by calling it a failure.
func (t *trouble) wanted() topic {
	switch t.Trouble {
	case TroubleDenied:
		return saysFailed | saysDenied
	case TroubleUnknown:
		return saysUncertain
	case TroublePending:
		return saysPending | saysUncertain
	case TroublePartial:
		return saysPartial | saysFailed | saysCut
	case TroubleTruncated:
		return saysCut | saysPartial
	case TroubleStale:
		return saysOld
	}
	if t.reason == fault.ReasonNotFound {
		return saysFailed | saysAbsent
	}
	return saysFailed
}

// says reports whether the draft admits this trouble: a cue of the right topic
// stands in a clause that names the tool, or one of the call's kept values, or
// that is general. A clause that names only something else does not count.
func (d *reading) says(t *trouble) bool {
	wanted := t.wanted()
	values := heldValues(t.kept)
	return slices.ContainsFunc(d.said, func(s statement) bool {
		return s.topics&wanted != 0 && d.covers(s, t, values)
	})
}

func (d *reading) covers(s statement, t *trouble, values map[string][]word) bool {
	var own *subject
	named, other := false, false
	for i, sub := range d.subjects {
		if sub.tool == t.tool {
			own, named = sub, s.names[i]
		} else if s.names[i] {
			other = true
		}
	}
	ours := false
	for _, v := range values {
		ours = ours || hasWords(s.scope, v)
	}
	if !ours && len(values) > 0 && d.namesOtherValue(s, values) {
		return false
	}
	if other && !named {
		return false
	}
	switch {
	case s.strength == generic:
		return s.lookup || own != nil && (named || ours) && !s.attribute && (own.effect.Writes() || own.namedInFull(s.scope))
	case s.strength == act:
		return own != nil && own.effect.Writes() && (named || ours || d.lonely)
	case named || ours:
		return true
	case s.strength == clear && d.lonely:
		return true
	default:
		return s.lookup || s.datum
	}
}

// namesOtherValue reports whether the clause names the value that another call
// has in one of these fields.
func (d *reading) namesOtherValue(s statement, values map[string][]word) bool {
	for _, o := range d.others {
		for field, mine := range values {
			if v := o[field]; len(v) > 0 && !slices.Equal(v, mine) && hasWords(s.scope, v) {
				return true
			}
		}
	}
	return false
}

// saysCutShort reports whether the draft admits that the work was not finished.
func (d *reading) saysCutShort() bool {
	return slices.ContainsFunc(d.said, func(s statement) bool { return s.topics&saysShort != 0 })
}
