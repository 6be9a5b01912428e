package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
)

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
	switch {
	case t.reason == fault.ReasonNotFound && !t.effect.Writes():
		return saysFailed | saysAbsent | saysAsks
	case t.reason == fault.ReasonNotFound:
		return saysFailed | saysAbsent
	case t.reason == fault.ReasonInvalidArgs && !t.effect.Writes():
		return saysFailed | saysAsks
	}
	return saysFailed
}

// says reports whether the draft admits this trouble: a statement of the right
// topic is about the tool or one of the call's kept values, or it is general.
func (d *reading) says(t *trouble) bool {
	found := false
	d.admissions(t, func(*statement) bool {
		found = true
		return false
	})
	return found
}

// admissions calls f with the statements that admit the trouble, until it has
// had enough.
func (d *reading) admissions(t *trouble, f func(*statement) (more bool)) {
	wanted := t.wanted()
	mine := map[string]bool{}
	for field, v := range t.kept {
		if id, n := valueID(v); n > 0 {
			mine[id] = d.values.ids[id][field]
		}
	}
	for i := range d.said {
		if s := &d.said[i]; s.topics&wanted != 0 && !d.tooMany(s) && (d.covers(s, t, mine) || d.concern(s, t) || d.asksFor(s, t)) && !f(s) {
			return
		}
	}
	for i := range d.unclear {
		if s := &d.unclear[i]; s.topics&wanted != 0 && !d.tooMany(s) && (d.concern(s, t) || d.asksFor(s, t)) && !f(s) {
			return
		}
	}
}

// tooMany reports whether more failures are spoken of than there were: "all
// three jobs failed" is about jobs, where one look-up did.
func (d *reading) tooMany(s *statement) bool {
	return s.topics&saysFailed != 0 && (s.rule&active == 0 || s.rule&tried != 0) && s.rule&strict == 0 && !s.theme.lookup && s.before > max(1, d.failed)
}

// asksFor reports whether the statement names what only the call that failed was
// asked for: its address, path or code.
func (d *reading) asksFor(s *statement, t *trouble) bool {
	if t.call == 0 || d.asked == nil {
		return false
	}
	scope := " " + joinPlain(s.scope) + " "
	return slices.ContainsFunc(d.asked(t.call), func(id string) bool { return strings.Contains(scope, " "+id+" ") })
}

// concern asks whoever knows more about the call whether the statement is about it.
func (d *reading) concern(s *statement, t *trouble) bool {
	if d.concerns == nil || t.call == 0 || s.limit > 0 && s.limit < d.troubles || s.isTitle() {
		return false
	}
	words := make([]string, len(s.scope))
	for i := range s.scope {
		words[i] = s.scope[i].text
	}
	return d.concerns(t.call, words)
}

// isTitle reports whether the statement only has a word for a failure that is of
// the subject matter, and says nothing of it: "Similar coding problems", "Typical
// errors".
func (s *statement) isTitle() bool {
	return s.rule&event != 0 && s.rule&active == 0 && s.foreign && !s.lookup && len(s.names) == 0 &&
		len(s.words) == 1 && mishaps[s.words[0].text] && !slices.ContainsFunc(s.scope, isAuxiliary)
}

var mishaps = set("error errors failure failures timeout timeouts outage problem problems")

func (d *reading) covers(s *statement, t *trouble, mine map[string]bool) bool {
	var tool *subject
	toolAt := -1
	for i, sub := range d.subjects {
		if sub.tool == t.tool {
			tool, toolAt = sub, i
		}
	}
	byName := s.names[toolAt] || s.lookup && d.besideNamed(s, t.tool)
	byValue, otherValue := false, false
	for id := range s.values {
		if mine[id] {
			byValue = true
		} else {
			otherValue = otherValue || d.sharesField(id, t)
		}
	}
	switch {
	case len(mine) > 0 && otherValue && !byValue, len(s.names) > 0 && !byName, d.spares(toolAt, mine):
		return false
	case !byValue && s.limit > 0 && s.limit < d.failures(byName, t.tool):
		return false
	}
	r := s.rule
	writes := tool != nil && tool.effect.Writes()
	switch {
	case r&strict != 0 && s.tail && !(r&own != 0 && byName && writes && !s.leant):
		return false
	case r&onWork != 0:
		return r&before != 0 && (byName || s.isGeneral()) && s.topics&t.wanted() != 0
	case r&deed != 0:
		return tool != nil && tool.effect.Writes() && slices.ContainsFunc(s.words, tool.does) && (byName || byValue || !s.foreign && !s.mixed)
	case r&general != 0:
		return true
	case r&event != 0:
		if byName || byValue {
			return s.lookup && !s.foreign || s.alone || tool != nil && !s.foreign && (tool.effect.Writes() || tool.namedInFull(s.scope)) || r&active != 0
		}
		return s.isGeneral() && (s.lookup || r&active != 0) || s.alone && r&active != 0
	case byName, byValue:
		return r&own == 0 || !s.foreign || writes
	case r&sought != 0 && (s.author || s.topics&saysAbsent != 0) && s.mixed && (!s.plain || s.tells()) && len(s.names) == 0:
		return true
	case s.alone:
		return r&active != 0 && s.author && s.topics&saysFailed != 0 || r&own != 0 || s.topics&(saysUncertain|saysDenied) != 0
	default:
		return s.isGeneral()
	}
}

// tells reports whether the author tells of an attempt of his own that is over:
// "I could not fetch the history of the top players", not "I cannot".
func (s *statement) tells() bool {
	return s.author && s.topics&saysFailed != 0 && slices.ContainsFunc(s.words, func(w word) bool { return overWords[w.text] })
}

var overWords = set("could was were been did failed enough sufficient")

// besideNamed reports whether the statement names another tool in trouble of the
// same server: "the presentation tools" are all of ppt/.
func (d *reading) besideNamed(s *statement, tool string) bool {
	server := serverOf(tool)
	if server == "" {
		return false
	}
	for i := range s.names {
		if d.inTrouble[i] && serverOf(d.subjects[i].tool) == server {
			return true
		}
	}
	return false
}

// serverOf is what stands before the last divider of a tool's name, "" where
// there is none.
func serverOf(tool string) string {
	if at := strings.LastIndexAny(tool, "/.:"); at > 0 {
		return tool[:at]
	}
	return ""
}

// failures is how many there are that a statement may be about.
func (d *reading) failures(byName bool, tool string) int {
	if byName {
		return d.ofTool[tool]
	}
	return d.troubles
}

func (d *reading) spares(tool int, mine map[string]bool) bool {
	return slices.ContainsFunc(d.spared, func(s sparing) bool {
		for id := range s.values {
			if mine[id] {
				return true
			}
		}
		return len(s.values) == 0 && s.names[tool]
	})
}

// sharesField reports whether another call has the value in a field of this one.
func (d *reading) sharesField(id string, t *trouble) bool {
	for field := range t.kept {
		if d.values.ids[id][field] {
			return true
		}
	}
	return false
}

// saysCutShort reports whether the draft admits that the work was not finished.
func (d *reading) saysCutShort() bool {
	return slices.ContainsFunc(d.said, func(s statement) bool {
		return s.topics&saysShort != 0 && !s.foreign && !s.mixed && len(s.names) == 0
	})
}
