package grounding

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// fromProducts looks at the sums of the products of two columns, as of the
// quantities and prices of a bill.
func (c *checker) fromProducts(w *wanted, r *Result) bool {
	const most = 8 // columns of one table
	if w.a.Kind == atom.Percent {
		return false
	}
	x := c.x
	tried := 0
	for id := 1; id < len(x.paths); id++ {
		if p := &x.paths[id]; !p.element || x.heard(p.src) {
			continue
		}
		var columns []uint32
		for _, m := range x.paths[id].members {
			if p := &x.paths[m]; p.n > 1 && p.n <= mostPaired && len(columns) < most {
				columns = append(columns, m)
			}
		}
		for k, p := range columns {
			for _, q := range columns[k+1:] {
				if tried++; float64(tried)*w.open > chance {
					return false
				}
				if x.paths[p].n == x.paths[q].n && c.fitsPath(w, &x.paths[p]) && c.fitsPath(w, &x.paths[q]) && w.is(x.product(p, q)) {
					c.derived(r, x.pathPlace(p), "sum of "+x.called(p)+" times "+x.paths[q].key)
					return true
				}
			}
		}
	}
	return false
}

// product is the sum of the products of the figures of two fields of the same
// objects.
func (x *Index) product(p, q uint32) (sum float64) {
	byObject := make(map[uint32]float64, x.paths[p].n)
	for _, id := range [...]uint32{p, q} {
		field := &x.paths[id]
		found := 0
		for i := int(field.first); i < len(x.figures) && found < field.n; i++ {
			f := &x.figures[i]
			if f.path != id || f.marks&alternate != 0 || (field.factor != 0) != (f.marks&restated != 0) {
				continue
			}
			found++
			if id == p {
				byObject[f.object] = f.value
			} else {
				sum += byObject[f.object] * f.value
			}
		}
	}
	return sum
}

// group is the figures of one object or line.
type group struct{ from, to int }

// groups are the figures of the objects and lines, in order.
func (x *Index) groups(yield func(group) bool) {
	for from := 0; from < len(x.figures); {
		to := from + 1
		for to < len(x.figures) && x.figures[to].object == x.figures[from].object {
			to++
		}
		if x.figures[from].object != 0 && !x.heard(x.figures[from].src) && !yield(group{from, to}) {
			return
		}
		from = to
	}
}

// fromRows looks at what follows from the figures of one object or line: their
// sum and mean; pairs of them, where the draft names it; so many of one and so
// many of another, where the draft or the user says how many.
func (c *checker) fromRows(w *wanted, r *Result) bool {
	x := c.x
	tried := 0
	var row []figure
	for g := range x.groups {
		if row = row[:0]; g.to-g.from > 4*fewFigures {
			continue
		}
		for i := g.from; i < g.to; i++ {
			if f := &x.figures[i]; pairable(f) && len(row) <= fewFigures {
				row = append(row, *f)
			}
		}
		if len(row) < 2 || len(row) > fewFigures {
			continue
		}
		if len(row) > 2 {
			if tried += 2; float64(tried)*w.open > chance {
				return false
			}
			if how := c.ofRow(w, row); how != "" {
				c.derived(r, row[0].place(), how+" of one object")
				return true
			}
		}
		named := c.namesRow(g)
		if size := len(row) * (len(row) - 1) / 2 * tries(w); named && float64(tried+size)*w.open <= chance {
			tried += size
			if c.pairs(w, r, row, "of one object"); r.Verdict != 0 {
				return true
			}
		}
		counts := c.smallCounts()
		if size := len(row) * len(row) / 2 * len(counts) * len(counts); (named || c.cited[x.figures[g.from].object]) && float64(tried+size)*w.open <= chance {
			tried += size
			if c.multiples(w, row, counts) {
				c.derived(r, row[0].place(), "so many of two figures of one object")
				return true
			}
		}
	}
	return false
}

// ofRow says how a figure follows from all of a row: "" where it does not.
func (c *checker) ofRow(w *wanted, row []figure) string {
	sum := 0.0
	for i := range row {
		if row[i].unit != row[0].unit || row[i].kind != row[0].kind || !w.a.Unit.Compatible(row[i].unit) || row[i].kind == atom.Percent != w.percent {
			return ""
		}
		sum += row[i].value
	}
	switch {
	case w.is(sum):
		return "sum"
	case w.is(sum / float64(len(row))):
		return "mean"
	}
	return ""
}

// multiples is whether a figure is so many of one figure of a row and so many of
// another: the fares of two adults and a child.
func (c *checker) multiples(w *wanted, row []figure, counts []float64) bool {
	for i := range row {
		for j := range row {
			f, g := &row[i], &row[j]
			if i == j || f.kind == atom.Percent || g.kind == atom.Percent || f.unit != g.unit || !w.a.Unit.Compatible(f.unit) {
				continue
			}
			for _, n := range counts {
				for _, m := range counts {
					if (n > 1 || m > 1) && w.is(n*f.value+m*g.value) {
						return true
					}
				}
			}
		}
	}
	return false
}

// smallCounts are one and the small numbers that the draft and the user say.
func (c *checker) smallCounts() []float64 {
	const most, greatest = 4, 20
	if c.small != nil {
		return c.small
	}
	c.small = append(c.small, 1)
	add := func(v float64, unit atom.Unit) {
		if v > 1 && v <= greatest && v == float64(int(v)) && unit == 0 && len(c.small) < most && !slices.Contains(c.small, v) {
			c.small = append(c.small, v)
		}
	}
	for i := range c.x.figures {
		if f := &c.x.figures[i]; c.x.heard(f.src) {
			add(f.value, f.unit)
		}
	}
	for i := range c.atoms {
		if a := &c.atoms[i]; a.N > 0 && a.Kind == atom.Number {
			add(a.Readings[0].Value, a.Unit)
		}
	}
	return c.small
}

// namesRow is whether the draft names an object or line by a word of it that is
// written with a capital: "Generic" beside {"campaign": "Generic", "clicks": 611}.
func (c *checker) namesRow(g group) bool {
	const longest = 512 // bytes of a row
	first, last := &c.x.figures[g.from], &c.x.figures[g.to-1]
	text := c.x.sources[first.src].text
	start, end := int(first.start), min(len(text), int(last.start)+int(last.length))
	if i := strings.LastIndexAny(text[max(0, start-longest):start], "{\n"); i >= 0 {
		start = max(0, start-longest) + i
	}
	if start >= end || end-start > longest {
		return false
	}
	for w := range words(text[start:end]) {
		if len(w) > 3 && c.names(w) {
			return true
		}
	}
	return false
}

// names is whether the draft holds a word, in lower case, with a capital.
func (c *checker) names(word string) bool {
	if c.capitals == nil {
		c.capitals = make(map[string]bool)
		for at := 0; at < len(c.draft); {
			for at < len(c.draft) && !wordByte(c.draft[at]) {
				at++
			}
			end := at
			for end < len(c.draft) && wordByte(c.draft[end]) {
				end++
			}
			if end > at && (upper(c.draft[at]) || c.draft[at] >= 0x80) {
				c.capitals[strings.ToLower(c.draft[at:end])] = true
			}
			at = end
		}
	}
	return c.capitals[word]
}
