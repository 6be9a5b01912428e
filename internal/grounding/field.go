package grounding

import (
	"math"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// field contradicts a figure that the draft gives under the name of one field
// while its object holds it under another: "the tax is 120" beside
// {"total": 120, "tax": 20}. The name must stand right before the figure and be
// the whole key, and the figure must occur nowhere else.
func (c *checker) field(i int, f *figure) {
	x := c.x
	a := &c.atoms[i]
	if f.path == 0 || x.heard(f.src) || a.Kind == atom.Number && a.Unit == 0 && math.Abs(f.value) < 10 {
		return
	}
	label, _ := labelBefore(c.draft, a.Start)
	if label == "" || !x.hasKey(stem(label)) || hasStem(x.paths[f.path].key, stem(label)) {
		return
	}
	var named *figure
	for j := range x.figures {
		g := &x.figures[j]
		same := g.value == f.value && g.kind == f.kind
		key := x.paths[g.path].key
		switch {
		case same && (g.path != f.path || g.object != f.object):
			return // it stands elsewhere too
		case g.object == f.object && g.path != 0 && stem(key) == stem(label):
			named = g
		}
	}
	if named == nil || named.value == f.value || named.unit != f.unit {
		return
	}
	c.contradict(i, named.place(), "the digits are those of "+x.called(f.path))
}

// hasKey is whether some object of the evidence has a key of this stem.
func (x *Index) hasKey(s string) bool {
	for key := range x.keys {
		if stem(key) == s {
			return true
		}
	}
	return false
}

// labelBefore is the single word that a figure is given as: "tax" in "The tax
// is $120" and "**Tax:** 120". It is given as that where a verb or a colon says
// so.
func labelBefore(draft string, at int) (label string, given bool) {
	all := strings.TrimRight(draft[max(0, at-40):at], " *_~$€£(")
	before := strings.TrimRight(all, " *_:=")
	given = before != all && strings.ContainsAny(all[len(before):], ":=")
	for _, be := range [...]string{" is", " was", " are", " là"} {
		if rest, ok := strings.CutSuffix(before, be); ok {
			before, given = rest, true
			break
		}
	}
	before = strings.TrimRight(before, " *_")
	start := len(before)
	for start > 0 && wordByte(before[start-1]) {
		start--
	}
	word := before[start:]
	lead := strings.TrimRight(before[:start], " *_#\"")
	// Another word before it would make it another name: "sales tax".
	if lead != "" && !strings.HasSuffix(lead, "\n") && !strings.HasSuffix(lead, ".") && !strings.HasSuffix(lead, "-") && !strings.HasSuffix(lead, ",") &&
		!strings.HasSuffix(lead, "'s") && !strings.HasSuffix(lead, "’s") {
		last := lead[strings.LastIndexAny(lead, " \n*")+1:]
		switch strings.ToLower(last) {
		case "the", "a", "its", "your", "and", "with", "is", "average", "total":
		default:
			return "", false
		}
	}
	return word, given
}
