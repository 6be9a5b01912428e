package grounding

import (
	"fmt"
	"strings"
)

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
	s := stem(plainLetters(noun))
	if r, ok := c.rosters[s]; ok {
		return r
	}
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if x.heard(p.src) {
			continue
		}
		if p.arrays > 0 && (namesThing(p.key, s) || c.list(uint32(id)) && (anyThing[s] || hasStem(x.sources[p.src].Tool, s))) {
			r.arrays = append(r.arrays, uint32(id))
		}
		if p.n > 0 && !p.element && (hasStem(p.key, s) || strings.Contains(s, " ") && namesThing(p.key, s)) {
			r.numbers = append(r.numbers, uint32(id))
		}
	}
	for i := range x.nouns {
		n := &x.nouns[i]
		f := &x.figures[n.figure]
		if !x.heard(f.src) && stem(plainLetters(x.textOf(place{f.src, n.start, n.end}))) == s {
			r.figures = append(r.figures, n.figure)
		}
	}
	if c.rosters == nil {
		c.rosters = make(map[string]roster)
	}
	c.rosters[s] = r
	return r
}

// anyThing are the nouns by which the entries of any list are spoken of.
var anyThing = map[string]bool{
	"item": true, "result": true, "entry": true, "record": true, "row": true, "match": true, "hit": true, "ket qua": true, "muc": true,
}

// list is whether an array has no name of its own: it is what its tool lists.
func (c *checker) list(id uint32) bool {
	p := &c.x.paths[id]
	switch strings.ToLower(p.key) {
	case "", "data", "items", "results", "result", "rows", "records", "entries", "list", "values", "value", "hits", "matches":
		return !p.element && !p.grid
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

// holds is whether a number of things follows from what there is of them.
func (c *checker) holds(r *roster, n int) (at place, how string, ok bool) {
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
		if at, how, ok := c.tallied(id, n); ok {
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
		if f := x.numberAt(id, float64(n)); f != nil {
			return f.place(), x.called(id), true
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

// numberAt is the figure with this value at a path, nil where there is none.
func (x *Index) numberAt(id uint32, value float64) *figure {
	for _, at := range x.sorted.between(value, value) {
		if f := &x.figures[at]; f.path == id && f.value == value {
			return f
		}
	}
	return nil
}

// tallied is whether so many of the rows of an array have one value in a field.
func (c *checker) tallied(array uint32, n int) (place, string, bool) {
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
