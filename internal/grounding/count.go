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

// roster is what the evidence says about how many there are of one thing.
type roster struct {
	arrays  []uint32 // paths of arrays of that name
	numbers []uint32 // paths of numbers of that name
	figures []uint32 // figures of plain text that count it
}

// roster finds what is named by a noun: the array "invoices", the number
// "open_invoices", "5 invoices" in a text.
func (c *checker) roster(noun string) (r roster) {
	x := c.x
	s := stem(noun)
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if x.heard(p.src) {
			continue
		}
		if p.arrays > 0 && (lastStem(p.key) == s || c.list(uint32(id)) && (anyThing[s] || hasStem(x.sources[p.src].Tool, s))) {
			r.arrays = append(r.arrays, uint32(id))
		}
		if p.n > 0 && !p.element && hasStem(p.key, s) {
			r.numbers = append(r.numbers, uint32(id))
		}
	}
	for i := range x.nouns {
		n := &x.nouns[i]
		f := &x.figures[n.figure]
		if !x.heard(f.src) && stem(x.textOf(place{f.src, n.start, n.end})) == s {
			r.figures = append(r.figures, n.figure)
		}
	}
	return r
}

// anyThing are the nouns by which the entries of any list are spoken of.
var anyThing = map[string]bool{
	"item": true, "result": true, "entry": true, "record": true, "row": true, "match": true, "hit": true, "kết": true, "mục": true,
}

// list is whether an array has no name of its own: it is what its tool lists.
func (c *checker) list(id uint32) bool {
	p := &c.x.paths[id]
	switch strings.ToLower(p.key) {
	case "", "data", "items", "results", "result", "rows", "records", "entries", "list", "values", "value", "hits", "matches":
		return !p.element
	}
	return false
}

func lastStem(key string) (last string) {
	for w := range words(key) {
		last = w
	}
	return stem(last)
}

func hasStem(key, s string) bool {
	for w := range words(key) {
		if stem(w) == s {
			return true
		}
	}
	return false
}

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
		return
	}
	if at, how, ok := c.holds(&named, n, a); ok {
		r.Verdict, r.Nearest = Derived, c.x.nearest(at, how)
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
	case r.Verdict == 0 && n < most:
		r.Verdict, r.Nearest = Unchecked, c.x.nearest(at, "a part of "+how)
	}
}

func (c *checker) miscounted(r *Result, at place, how string) {
	r.Verdict, r.Nearest = Contradicted, c.x.nearest(at, how)
	if c.cut {
		r.Verdict = Unchecked
	}
}

// holds is whether a number of things follows from what there is of them.
func (c *checker) holds(r *roster, n int, a *atom.Atom) (at place, how string, ok bool) {
	x := c.x
	total := 0
	for _, id := range r.arrays {
		p := &x.paths[id]
		for _, l := range p.lengths {
			if l.n == n {
				return place{p.src, l.start, l.start + 1}, "length of " + x.called(id), true
			}
		}
		total += p.total
		if at, how, ok := c.tallied(id, n, a); ok {
			return at, how, true
		}
	}
	if len(r.arrays) > 0 && total == n {
		return x.pathPlace(r.arrays[0]), "length of all " + x.called(r.arrays[0]), true
	}
	sum, count := 0.0, 0
	for _, id := range r.numbers {
		p := &x.paths[id]
		sum += p.sum
		count += p.n
		for _, f := range x.figures {
			if f.path == id && f.value == float64(n) {
				return f.place(), x.called(id), true
			}
		}
		if p.sum == float64(n) {
			return x.pathPlace(id), "sum of " + x.called(id), true
		}
	}
	for _, id := range r.figures {
		f := &x.figures[id]
		sum += f.value
		if f.value == float64(n) {
			return f.place(), "", true
		}
	}
	if len(r.numbers) > 0 && (sum == float64(n) || count == n) {
		return x.pathPlace(r.numbers[0]), "sum of " + x.called(r.numbers[0]), true
	}
	if len(r.figures) > 1 && sum == float64(n) {
		return x.figures[r.figures[0]].place(), "sum of what is counted", true
	}
	// One call for each, or one line for each.
	calls := make(map[string]int)
	for i := range x.sources {
		if s := &x.sources[i]; !s.inner && s.Kind == Returned && s.Tool != "" {
			calls[s.Tool]++
			if calls[s.Tool] == n && n > 1 {
				return place{src: uint32(i)}, "number of calls", true
			}
		}
	}
	return place{}, "", false
}

// tallied is whether so many of the rows of an array have one value in a field.
func (c *checker) tallied(array uint32, n int, a *atom.Atom) (place, string, bool) {
	x := c.x
	for id := array + 1; int(id) < len(x.paths); id++ { // members come after their array
		p := &x.paths[id]
		if p.freeText || len(p.values) == 0 || !x.under(id, array) {
			continue
		}
		for _, v := range p.values {
			if v.n == n {
				return place{p.src, v.start, v.start + uint32(len(v.text))}, fmt.Sprintf("rows with this %s", x.called(id)), true
			}
		}
	}
	return place{}, "", false
}

// under is whether a path leads through another.
func (x *Index) under(id, root uint32) bool {
	for id != 0 {
		if id == root {
			return true
		}
		id = x.paths[id].parent
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

// most is the greatest number of things that the evidence speaks of.
func (c *checker) most(r *roster) (most int, at place, how string) {
	x := c.x
	most = -1
	for _, id := range r.arrays {
		p := &x.paths[id]
		if p.total > most {
			most, at, how = p.total, x.pathPlace(id), fmt.Sprintf("%d in %s", p.total, x.called(id))
		}
	}
	if most >= 0 {
		total := 0
		for _, id := range r.arrays {
			total += x.paths[id].total
		}
		most = total
	}
	for _, id := range r.numbers {
		p := &x.paths[id]
		if v := int(p.sum); p.sum >= 0 && p.sum < 1e9 && v > most {
			most, at, how = v, x.pathPlace(id), fmt.Sprintf("%d in %s", v, x.called(id))
		}
	}
	for _, id := range r.figures {
		f := &x.figures[id]
		if v := int(f.value); f.value < 1e9 && v > most {
			most, at, how = v, f.place(), fmt.Sprintf("%d are counted", v)
		}
	}
	return most, at, how
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

// called is how a path is spoken of.
func (x *Index) called(id uint32) string {
	if s := x.spelled(id); s != "" {
		return s
	}
	if t := x.sources[x.paths[id].src].Tool; t != "" {
		return "what " + t + " returned"
	}
	return "the list"
}

// pathPlace is the first place of the evidence with this path.
func (x *Index) pathPlace(id uint32) place {
	p := &x.paths[id]
	switch {
	case len(p.lengths) > 0:
		return place{p.src, p.lengths[0].start, p.lengths[0].start + 1}
	case p.n > 0 && int(p.first) < len(x.figures):
		return x.figures[p.first].place()
	}
	return place{src: p.src}
}
