package fault

import (
	"slices"
	"strings"
	"time"
)

// detectRules applies what the owner declared: it knows the tool, so it decides
// before anything built in.
func detectRules(s *Signal) (Outcome, bool) {
	r := s.Rules
	if !r.declared() {
		return Outcome{}, false
	}
	set := r.set()
	if s.Exit != nil && slices.Contains(r.NoMatchExit, s.Exit.Code) || s.Exit == nil && r.noMatch(s.Err) {
		return Outcome{Kind: KindOK, Qualifiers: Empty}, true
	}
	if s.HTTP != nil && r.NotFoundIsEmpty && (s.HTTP.Status == 404 || s.HTTP.Status == 410) {
		return Outcome{Kind: KindOK, Qualifiers: Empty}, true
	}
	if s.Err != nil || s.TimedOut && s.HTTP == nil || s.HTTP != nil && isFailureStatus(s.HTTP.Status) && set.denied == nil {
		return Outcome{}, false // no result to judge
	}
	return set.judge(s, r)
}

func (r *Rules) noMatch(err error) bool {
	exit := exitOf(err)
	return exit != nil && slices.Contains(r.NoMatchExit, exit.Code)
}

// judge tests the conditions that decide about a result.
func (set *ruleSet) judge(s *Signal, r *Rules) (Outcome, bool) {
	d := s.document()
	root, text := d.root, s.resultText()
	switch {
	case set.denied != nil && set.denied.Holds(root, text):
		o := refusedByHuman.fail("rules.denied")
		return o, true
	case s.HTTP != nil && isFailureStatus(s.HTTP.Status):
		return Outcome{}, false
	case set.mediaType != "" && s.HTTP != nil && len(s.HTTP.Body) > 0 && !hasMediaType(s.HTTP, set.mediaType, d.valid):
		if f, ok := readPage(d.text); ok && looksLikeHTML(d.text) && f.first(exact) == badCredential {
			return f.outcome(s, "html"), true
		}
		o := unreadable("rules.content_type")
		o.Fault.Status = s.HTTP.Status
		return o, true
	case set.softError != nil && set.softError.Holds(root, text):
		return softError(s), true
	case set.partial != nil && set.partial.Holds(root, text):
		return Outcome{Kind: KindOK, Qualifiers: Partial}, true
	case s.MCP != nil && s.MCP.IsError:
		return Outcome{}, false
	case set.emptyFails && s.emptyResult():
		return saysItFailed.fail("rules.empty_is_failure").notRun(), true
	case set.emptyPath != nil && set.emptyPath.isEmpty(root, text):
		return saysItFailed.fail("rules.empty_is_failure").notRun(), true
	}
	if n, ok := countRows(root); r.MinRows > 0 && (ok && n < r.MinRows || !ok && s.emptyResult()) {
		return saysItFailed.fail("rules.min_rows").notRun(), true
	}
	return Outcome{}, false
}

// notRun says that a result without content came from a call that changed
// nothing: a read that found too little.
func (o Outcome) notRun() Outcome {
	o.Fault.Ran = RanNo
	return o
}

// softError is a failure by the owner's condition, for the cause the result
// names.
func softError(s *Signal) Outcome {
	f := &finding{shape: "soft_error", bare: saysItFailed, refused: true}
	d := s.document()
	if d.valid {
		f.absorb(d.root, 0)
	}
	if m, ok := d.root.(map[string]any); ok && len(m) <= 16 {
		for _, v := range m { // the owner says that it is a failure: any member may tell why
			if why, ok := v.(string); ok {
				f.absorbString(why, 0)
			}
		}
	}
	f.text(s.resultText())
	return f.outcome(s, "rules")
}

// resultText is the result as text, bounded.
func (s *Signal) resultText() string {
	switch {
	case s.Exit != nil:
		return string(s.Exit.Output)
	default:
		return s.document().text
	}
}

// isEmpty reports whether the value at the path is empty; over a list, whether
// it is in every item.
func (p *path) isEmpty(root any, text string) bool {
	if p.text {
		return strings.TrimSpace(text) == ""
	}
	for _, v := range p.find(root) {
		if !void(v) {
			return false
		}
	}
	return true
}

// hasMediaType compares the declared content type; where the response names
// none, a body that does not decode is not JSON.
func hasMediaType(r *Response, want string, isJSON bool) bool {
	got := r.Header.Get("Content-Type")
	if got == "" {
		return !isJSONType(want) || isJSON || r.Truncated
	}
	return mediaType(got) == want || isJSONType(want) && isJSONType(got)
}

// qualify adds what the owner declared about a success.
func (r *Rules) qualify(s *Signal, o Outcome) Outcome {
	set := r.set()
	d := s.document()
	text := s.resultText()
	if set.partial != nil && set.partial.Holds(d.root, text) {
		o.Qualifiers |= Partial
	}
	if set.truncated != nil && set.truncated.Holds(d.root, text) {
		o.Qualifiers |= Truncated
	}
	if n, ok := countRows(d.root); ok && r.PageLimit > 0 && n == r.PageLimit {
		o.Qualifiers |= Truncated
	}
	if set.stale != nil && set.stale.Holds(d.root, text) {
		o.Qualifiers |= Stale
		o.Age = ageOf(d.root)
	}
	return o
}

// rowMembers hold the rows of a result, or their number.
var rowMembers = []string{"items", "results", "rows", "data", "records", "values", "entries", "hits", "documents", "messages", "count"}

// countRows returns the number of items of a result: the length of the list,
// of its one list member, or the number that stands in place of the list.
func countRows(root any) (int, bool) {
	switch v := root.(type) {
	case []any:
		return len(v), true
	case map[string]any:
		for _, name := range rowMembers {
			switch rows := v[name].(type) {
			case []any:
				return len(rows), true
			case map[string]any:
				if n, ok := countRows(rows); ok {
					return n, true
				}
			default:
				if n, ok := number(rows); ok {
					return n, true
				}
			}
		}
		lists, n := 0, 0
		for _, member := range v {
			if list, ok := member.([]any); ok {
				lists, n = lists+1, len(list)
			}
		}
		return n, lists == 1
	}
	return 0, false
}

// ageOf reads how old a stale result says it is.
func ageOf(root any) time.Duration {
	o, ok := asObject(root)
	if !ok {
		return 0
	}
	for _, name := range []string{"ages", "ageseconds", "age", "agesec", "cacheage", "cacheageseconds"} {
		if n, ok := number(o[name]); ok && n > 0 && n < int(time.Duration(1<<62)/time.Second) {
			return time.Duration(n) * time.Second
		}
	}
	return 0
}
