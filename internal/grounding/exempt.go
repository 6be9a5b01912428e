package grounding

import (
	"math"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// harmless is whether a piece of a draft states nothing that needs evidence.
func (c *checker) harmless(i int) bool {
	a := &c.atoms[i]
	if c.strict(i) {
		return false
	}
	switch a.Kind {
	case atom.Date:
		d := a.Dates[0]
		return d == c.today || d.Month == 0 && d.Day == 0 && c.presentYear(int(d.Year)) || c.monthAsked(a)
	case atom.Identifier:
		return c.versionOf(a) && !c.x.hasVersions()
	case atom.Percent:
		v := a.Readings[0].Value
		return v == 100 || v == 0
	case atom.Money:
		return c.isBase(a)
	case atom.Number:
		return c.plainNumber(a) || c.isStatus(a)
	}
	return false
}

// isBase is whether an amount is the one unit that a rate is for: "1 USD = 25,410 VND".
func (c *checker) isBase(a *atom.Atom) bool {
	behind := strings.TrimLeft(c.draft[a.End:], " ")
	return a.Readings[0].Value == 1 && (strings.HasPrefix(behind, "=") || strings.HasPrefix(behind, "≈") || strings.HasPrefix(behind, "equals ") || strings.HasPrefix(behind, "bằng "))
}

// strict is whether what stands around a number says that the evidence was to hold
// it, however small it is.
func (c *checker) strict(i int) bool {
	a := &c.atoms[i]
	return c.partOf(i) || c.isField(a) || c.isNamedBehind(a) || c.oneOfCounts(i)
}

// versionOf is whether an identifier is a version that the draft calls one.
func (c *checker) versionOf(a *atom.Atom) bool {
	before := c.draft[max(0, a.Start-16):a.Start]
	return isVersion(c.draft[a.Start:a.End]) && (strings.HasSuffix(before, "ersion ") || strings.HasSuffix(before, "hiên bản "))
}

// hasVersions is whether the evidence holds versions.
func (x *Index) hasVersions() bool {
	for j := range x.names {
		if n := &x.names[j]; n.kind == atom.Identifier && !x.heard(n.src) && isVersion(x.textOf(n.place())) {
			return true
		}
	}
	return false
}

func isVersion(s string) bool {
	s = strings.TrimPrefix(s, "v")
	return strings.Count(s, ".") == 2 && strings.Trim(s, "0123456789.") == ""
}

// partOf is whether a number is given as a part of one that the evidence holds:
// "45 of 50 tests".
func (c *checker) partOf(i int) bool {
	if i+1 >= len(c.atoms) || c.atoms[i].N == 0 || c.atoms[i].Kind != atom.Number || c.atoms[i].Unit != 0 {
		return false
	}
	a, b := &c.atoms[i], &c.atoms[i+1]
	if b.N == 0 || b.Readings[0].Value < 10 || b.Start-a.End > 8 {
		return false
	}
	if v := c.results[i+1].Verdict; v != Supported && v != Derived {
		return false
	}
	switch strings.TrimSpace(c.draft[a.End:b.Start]) {
	case "of", "of the", "out of", "/", "trên", "trong":
		return true
	}
	return false
}

// isField is whether a number is given as the value of a field of numbers: "the
// score is 84" beside {"scores": [71, 88]}.
func (c *checker) isField(a *atom.Atom) bool {
	label, given := labelBefore(c.draft, a.Start)
	if !given || a.Kind != atom.Number || len(label) < 3 {
		return false
	}
	return len(c.fields()[stem(label)]) > 0
}

// leastCounted is the smallest number of things that is looked for in the
// evidence whatever they are: writers use the smaller ones for what they say
// themselves.
const leastCounted = 10

// isNamedBehind is whether the word behind a number is the name of a field of
// numbers: "27 failed" beside {"failed": 7}.
func (c *checker) isNamedBehind(a *atom.Atom) bool {
	if a.Kind != atom.Number || a.Unit != 0 {
		return false
	}
	rest := strings.TrimLeft(c.draft[a.End:], " *_")
	if rest == c.draft[a.End:] {
		return false
	}
	rest = rest[:min(len(rest), 32)]
	if i := strings.IndexAny(rest, ".,;:!?()\n"); i >= 0 {
		rest = rest[:i]
	}
	for w := range words(rest) {
		switch w {
		case "of", "them", "these", "those", "which", "are", "were", "is", "was":
			continue
		}
		return len(w) > 3 && len(c.fields()[stem(w)]) > 0
	}
	return false
}

// fields are the fields of numbers by the stem of their key.
func (c *checker) fields() map[string][]uint32 {
	if c.byKey != nil {
		return c.byKey
	}
	c.byKey = make(map[string][]uint32)
	for id := 1; id < len(c.x.paths); id++ {
		if p := &c.x.paths[id]; p.n > 0 && !c.x.heard(p.src) {
			c.byKey[stem(p.key)] = append(c.byKey[stem(p.key)], uint32(id))
		}
	}
	return c.byKey
}

// oneOfCounts is whether the same sentence counts the same things in other
// numbers, which the evidence holds: then this one was to come from there too.
func (c *checker) oneOfCounts(i int) bool {
	a := &c.atoms[i]
	if a.Noun[1] == 0 {
		return false
	}
	for j := range c.atoms {
		b := &c.atoms[j]
		if i == j || b.Noun[1] == 0 || c.results[j].Verdict != Supported || c.firstWord(b.Noun) != c.firstWord(a.Noun) {
			continue
		}
		between := c.draft[min(a.End, b.End):max(a.Start, b.Start)]
		if !strings.Contains(between, ". ") && !strings.ContainsAny(between, "\n!?;") {
			return true
		}
	}
	return false
}

func (c *checker) firstWord(span [2]int) string {
	first, _, _ := strings.Cut(c.draft[span[0]:span[1]], " ")
	return strings.ToLower(first)
}

func (c *checker) plainNumber(a *atom.Atom) bool {
	r := a.Readings[0]
	v := math.Abs(r.Value)
	if r.Step < 1 {
		// "9/10": a mark, which the writer gives.
		text := c.draft[a.Start:a.End]
		return c.inCode(a.Start) || a.Unit == 0 && (strings.HasSuffix(text, "/10") || strings.HasSuffix(text, "/5"))
	}
	if c.perHundred(a) {
		return true
	}
	switch a.Unit.Dimension() {
	case 0:
		if c.inCode(a.Start) {
			return true
		}
		if v < 100 {
			return v < leastCounted || a.Approx || a.Noun[1] == 0 || writersOwn(c.draft[a.Noun[0]:a.Noun[1]])
		}
		return a.End-a.Start == 4 && c.presentYear(int(v))
	case atom.Time:
		// "within 24 hours": a manner of speaking, unless the evidence measures
		// in that unit.
		return v < 100 && !c.measures(a.Unit) || c.namedSpan(a)
	case atom.Length:
		return c.namedSpan(a)
	}
	return false
}

// perHundred is whether a number belongs to the unit of the one before it: the 100 of
// "6.5 l/100 km" and "12 g per 100 g".
func (c *checker) perHundred(a *atom.Atom) bool {
	v := a.Readings[0].Value
	if v != 100 && v != 1000 {
		return false
	}
	before := c.draft[max(0, a.Start-8):a.Start]
	return strings.HasSuffix(before, "/") || strings.HasSuffix(before, "per ") || strings.HasSuffix(before, "mỗi ")
}

// presentYear is whether a year is that of the run or a neighbour.
func (c *checker) presentYear(year int) bool { return abs(year-int(c.today.Year)) <= 1 }

// measures is whether the evidence holds a figure in exactly this unit.
func (c *checker) measures(u atom.Unit) bool {
	for i := range c.x.figures {
		f := &c.x.figures[i]
		if f.unit == u && !c.x.heard(f.src) {
			return true
		}
	}
	return false
}

// fences are the stretches of a markdown text between lines of three backticks.
func fences(text string) (found [][2]int) {
	const fence = "```"
	for at := 0; ; {
		i := strings.Index(text[at:], fence)
		if i < 0 {
			return found
		}
		start := at + i + len(fence)
		j := strings.Index(text[start:], fence)
		if j < 0 {
			return append(found, [2]int{start, len(text)})
		}
		found = append(found, [2]int{start, start + j})
		at = start + j + len(fence)
	}
}

func (c *checker) inCode(at int) bool {
	for _, f := range c.code {
		if at >= f[0] && at < f[1] {
			return true
		}
	}
	return false
}
