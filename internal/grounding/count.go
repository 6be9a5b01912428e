package grounding

import (
	"fmt"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// mostCounted is the greatest count that is held against the list that it
// counts even where the same digits stand elsewhere: up to three digits stand
// somewhere by chance.
const mostCounted = 999

// countOf judges a counted noun of which the evidence holds a list or a number.
func (c *checker) countOf(i int) {
	a, r := &c.atoms[i], &c.results[i]
	value := a.Readings[0].Value
	if a.Kind != atom.Number || a.Unit != 0 || a.Readings[0].Step < 1 || value != float64(int(value)) || r.Verdict == Exempt {
		return
	}
	n := int(value)
	noun := c.draft[a.Noun[0]:a.Noun[1]]
	named := c.roster(noun)
	if len(named.arrays)+len(named.numbers)+len(named.figures) == 0 {
		c.ofOnlyList(i, n)
		return
	}
	if at, how, ok := c.holds(&named, n); ok {
		r.Verdict, r.Nearest = Derived, c.x.nearest(at, how)
		return
	}
	if at, how, ok := c.saidBehind(a, &named, n); ok {
		r.Verdict, r.Nearest = Derived, c.x.nearest(at, how)
		return
	}
	if f := c.underNamed(stem(plainLetters(noun)), n); f != nil {
		c.results[i].Verdict, c.results[i].Nearest = Derived, c.x.nearest(f.place(), c.x.called(f.path))
		return
	}
	if c.enumerates(a, n) {
		r.Verdict, r.Nearest = Derived, Nearest{How: "as many are listed in the draft itself"}
		return
	}
	if n > mostCounted || a.Approx {
		return
	}
	if at, how, ok := c.valueCount(&named, a, n); ok {
		c.miscounted(r, at, how)
		return
	}
	most, at, how := c.most(&named)
	switch {
	case n > most && most >= 0, n < most && c.speaksOfAll(a):
		c.miscounted(r, at, how)
	case r.Verdict == 0 && n < most && len(named.arrays) > 0:
		r.Verdict, r.Nearest = Unchecked, c.x.nearest(at, "a part of "+how)
	}
}

func (c *checker) miscounted(r *Result, at place, how string) {
	r.Verdict, r.Nearest = Contradicted, c.x.nearest(at, how)
	if len(c.cuts) > 0 {
		r.Verdict = Unchecked
	}
}

// saidBehind finds the number under the key that the words around a count say:
// "4 rooms left" beside {"rooms": [{"left": 4}]}; or under one that says it is how
// many there are: "70 errors" beside {"errors": [{"count": 41}, …], "total": 70}.
func (c *checker) saidBehind(a *atom.Atom, r *roster, n int) (at place, how string, ok bool) {
	x := c.x
	rest := c.draft[a.End:min(len(c.draft), a.Noun[1]+24)]
	if i := strings.IndexAny(rest, ".;!?\n"); i >= 0 {
		rest = rest[:i]
	}
	for w := range words(rest) {
		for _, id := range c.fields()[stem(w)] {
			if x.paths[id].element || len(w) < 3 {
				continue
			}
			if f := x.numberAt(id, float64(n)); f != nil {
				return f.place(), x.called(id), true
			}
		}
	}
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if p.n == 0 || x.heard(p.src) || !howMany(p.key) {
			continue
		}
		if f := x.numberAt(uint32(id), float64(n)); f != nil {
			return f.place(), x.called(uint32(id)), true
		}
		for _, array := range r.arrays {
			if p.sum == float64(n) && x.under(uint32(id), array) {
				return x.pathPlace(uint32(id)), "sum of " + x.called(uint32(id)), true
			}
		}
	}
	return at, "", false
}

// underNamed finds a number in an object that is called after what is counted: "4
// tests were skipped" beside {"tests": {"skipped": 4}}.
func (c *checker) underNamed(s string, n int) *figure {
	x := c.x
	for _, at := range x.sorted.between(float64(n), float64(n)) {
		f := &x.figures[at]
		if f.value != float64(n) || f.path == 0 || x.paths[f.path].element || x.heard(f.src) {
			continue
		}
		if above := x.paths[f.path].parent; !x.paths[above].element && hasStem(x.paths[above].key, s) {
			return f
		}
	}
	return nil
}

// howMany is whether a key says that its number is how many there are.
func howMany(key string) bool {
	switch lastStem(key) {
	case "total", "count", "n", "num", "quantity", "qty", "size":
		return true
	}
	return hasStem(key, "total") && hasStem(key, "count")
}

// ofOnlyList holds a number of things against the only list that the evidence
// holds: whatever they are called, more than it has were not found.
func (c *checker) ofOnlyList(i, n int) {
	a, r := &c.atoms[i], &c.results[i]
	if r.Verdict != 0 || n > mostCounted || a.Approx || writersOwn(c.draft[a.Noun[0]:a.Noun[1]]) || !c.speaksOfFound(a) {
		return
	}
	id, ok := c.onlyList()
	if !ok || c.x.paths[id].total >= n {
		return
	}
	if c.derive(i); r.Verdict != 0 {
		return
	}
	c.miscounted(r, c.x.pathPlace(id), fmt.Sprintf("%d in %s", c.x.paths[id].total, c.x.called(id)))
}

// onlyList is the one list that is not inside of another in evidence that is a
// single result.
func (c *checker) onlyList() (list uint32, ok bool) {
	x := c.x
	results := 0
	for i := range x.sources {
		if s := &x.sources[i]; s.Kind == Returned && !s.inner {
			if results++; results > 1 || jsonStart(s.text) != 0 {
				return 0, false
			}
		}
	}
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if p.arrays == 0 || x.sources[p.src].Kind != Returned || x.inList(uint32(id)) {
			continue
		}
		if ok {
			return 0, false
		}
		list, ok = uint32(id), true
	}
	return list, ok
}

// inList is whether a path leads through the elements of an array.
func (x *Index) inList(id uint32) bool {
	for id = x.paths[id].parent; id != 0; id = x.paths[id].parent {
		if x.paths[id].element {
			return true
		}
	}
	return false
}

// writersOwn is whether a noun counts what the answer itself says: "3 options".
func writersOwn(noun string) bool {
	switch stem(plainLetters(noun)) {
	case "way", "option", "step", "thing", "reason", "question", "choice", "problem", "issue", "point", "note", "part", "tip",
		"suggestion", "possibility", "alternative", "detail", "topic", "section",
		"cach", "buoc", "lua chon", "ly do", "cau hoi", "van de", "diem", "phan", "goi y", "dieu", "phuong an":
		return true
	}
	return false
}

// speaksOfFound is whether the words before a count say that so many are there.
func (c *checker) speaksOfFound(a *atom.Atom) bool {
	before := c.draft[max(0, a.Start-24):a.Start]
	if i := strings.LastIndexAny(before, ".!?\n"); i >= 0 {
		before = before[i+1:]
	}
	last := ""
	for w := range words(before) {
		last = w
	}
	switch last {
	case "found", "have", "has", "are", "returned", "shows", "see", "lists", "có", "thấy", "được", "gồm":
		return true
	}
	return false
}

// valueCount finds the words around a counted noun that are a value of the
// rows, "3 overdue invoices", where another number of rows has it.
func (c *checker) valueCount(r *roster, a *atom.Atom, n int) (place, string, bool) {
	x := c.x
	end := a.Noun[1]
	for taken := 0; end < len(c.draft) && taken < 24 && strings.IndexByte(".,;:!?\n()", c.draft[end]) < 0; end++ {
		taken++
	}
	around := c.draft[a.End:end]
	for _, array := range r.arrays {
		for id := array + 1; int(id) < len(x.paths); id++ {
			p := &x.paths[id]
			if p.freeText || !x.under(id, array) {
				continue
			}
			for _, v := range p.values {
				if len(v.text) >= 4 && v.text != "true" && v.text != "false" && v.n != n && wordIn(strings.ToLower(around), strings.ToLower(v.text), joined) >= 0 && !strings.Contains(strings.ToLower(around), "not") {
					return place{p.src, v.start, v.start + uint32(len(v.text))}, fmt.Sprintf("%d of %s have it", v.n, x.called(id)), true
				}
			}
		}
	}
	return place{}, "", false
}

// speaksOfAll is whether a count is of all that there is: "there are 3
// invoices.", with nothing behind it that picks some out.
func (c *checker) speaksOfAll(a *atom.Atom) bool {
	if strings.TrimSpace(c.draft[a.End:a.Noun[0]]) != "" {
		return false
	}
	rest := strings.TrimLeft(c.draft[a.Noun[1]:], " *_")
	if rest != "" && strings.IndexByte(".!?\n", rest[0]) < 0 && !strings.HasPrefix(rest, "in total") && !strings.HasPrefix(rest, "altogether") && !strings.HasPrefix(rest, "tất cả") {
		return false
	}
	before := c.draft[max(0, a.Start-24):a.Start]
	if i := strings.LastIndexAny(before, ".!?\n"); i >= 0 {
		before = before[i+1:]
	}
	for w := range words(before) {
		switch w {
		case "found", "have", "has", "are", "is", "of", "returned", "contains", "lists", "total", "all", "có", "gồm", "thấy", "tổng":
			return true
		}
	}
	return false
}

// enumerates is whether the draft itself lists as many items behind a count.
func (c *checker) enumerates(a *atom.Atom, n int) bool {
	rest := c.draft[a.End:]
	_, rest, _ = strings.Cut(rest, "\n")
	items := 0
	for line := range strings.Lines(rest) {
		line = strings.TrimRight(line, " \r\n")
		switch {
		case isItem(line):
			items++
		case line == "" || line[0] == ' ' || line[0] == '\t':
		case items > 0:
			return items == n
		default:
			return false
		}
	}
	return items == n
}

// isItem is whether a line begins, without indentation, as an item of a list or
// as a row of a table.
func isItem(line string) bool {
	if len(line) < 2 {
		return false
	}
	switch line[0] {
	case '-', '*', '+', '|':
		return line[1] == ' ' || line[0] == '|'
	}
	if strings.HasPrefix(line, "•") {
		return true
	}
	i := 0
	for i < len(line) && line[i] >= '0' && line[i] <= '9' {
		i++
	}
	return i > 0 && i < 4 && i+1 < len(line) && (line[i] == '.' || line[i] == ')') && line[i+1] == ' '
}
