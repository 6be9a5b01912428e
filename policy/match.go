package policy

import (
	"cmp"
	"slices"
	"strings"
)

// pattern is a name under tools in which each * stands for any characters,
// none included.
type pattern struct {
	text    string
	letters int // bytes besides *
	mark    mark
}

func newPattern(text string) pattern {
	return pattern{text: text, letters: len(text) - strings.Count(text, "*")}
}

// patternsOf are the patterns among the names, the one that says most first,
// and of equal ones that of the earlier line: the first that matches holds.
func patternsOf(tools map[string]toolSettings) []pattern {
	var all []pattern
	for name, t := range tools {
		if strings.Contains(name, "*") {
			p := newPattern(name)
			p.mark = t.mark
			all = append(all, p)
		}
	}
	slices.SortFunc(all, func(a, b pattern) int {
		return cmp.Or(cmp.Compare(b.letters, a.letters), cmp.Compare(a.mark.line, b.mark.line), cmp.Compare(a.mark.column, b.mark.column))
	})
	return all
}

// matches reports whether name is text with something in place of each *.
func (p pattern) matches(name string) bool {
	parts := strings.Split(p.text, "*")
	first, last := parts[0], parts[len(parts)-1]
	if len(name) < p.letters || !strings.HasPrefix(name, first) || !strings.HasSuffix(name, last) {
		return false
	}
	rest := name[len(first) : len(name)-len(last)]
	for _, part := range parts[1 : len(parts)-1] {
		at := strings.Index(rest, part)
		if at < 0 {
			return false
		}
		rest = rest[at+len(part):]
	}
	return true
}

// settings are those of the longest name that matches: the tool's own, else
// the pattern with the most characters besides *.
func (p *Policy) settings(tool string) (*toolSettings, bool) {
	if t, ok := p.doc.Tools[tool]; ok {
		return &t, true
	}
	for _, pattern := range p.patterns {
		if pattern.matches(tool) {
			t := p.doc.Tools[pattern.text]
			return &t, true
		}
	}
	return nil, false
}

// tie returns the pattern that holds for a tool and a second one that matches
// it and says as much.
func (p *Policy) tie(tool string) (holds, other string, tied bool) {
	if _, own := p.doc.Tools[tool]; own {
		return "", "", false
	}
	letters := 0
	for _, pattern := range p.patterns {
		switch {
		case holds != "" && pattern.letters < letters:
			return "", "", false
		case !pattern.matches(tool):
		case holds != "":
			return holds, pattern.text, true
		default:
			holds, letters = pattern.text, pattern.letters
		}
	}
	return "", "", false
}
