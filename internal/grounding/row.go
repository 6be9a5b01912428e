package grounding

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// fromProducts looks at the sums of the products of two columns, as of the
// quantities and prices of a bill.
func (c *checker) fromProducts(w *wanted, r *Result) bool {
	if w.a.Kind == atom.Percent {
		return false
	}
	x := c.x
	for i, p := range c.products() {
		if float64(i+1)*w.open > chance {
			return false
		}
		if w.is(p.sum) && c.fitsPath(w, &x.paths[p.of]) && c.fitsPath(w, &x.paths[p.by]) {
			c.derived(r, x.pathPlace(p.of), "sum of "+x.called(p.of)+" times "+x.paths[p.by].key)
			return true
		}
	}
	return false
}

// bill is the sum of the products of two columns of one table.
type bill struct {
	of, by uint32 // their paths
	sum    float64
}

// products multiplies the columns when a draft first needs it.
func (c *checker) products() []bill {
	const most, mostBills = 8, 256 // columns of one table
	if c.bills != nil {
		return c.bills
	}
	c.bills = []bill{}
	x := c.x
	for id := 1; id < len(x.paths) && len(c.bills) < mostBills; id++ {
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
				if x.paths[p].n == x.paths[q].n {
					c.bills = append(c.bills, bill{p, q, x.product(p, q)})
				}
			}
		}
	}
	return c.bills
}

// product is the sum of the products of the figures of two fields of the same
// objects.
func (x *Index) product(p, q uint32) (sum float64) {
	byObject := make(map[uint32]float64, x.paths[p].n)
	for _, id := range [...]uint32{p, q} {
		for f := range x.figuresOf(id) {
			if id == p {
				byObject[f.object] = f.value
			} else {
				sum += byObject[f.object] * f.value
			}
		}
	}
	return sum
}

// row is the figures of one object or line that can be combined.
type row struct {
	figures []figure
	object  uint32
	sum     float64
	alike   bool // they measure the same
	named   bool // the draft speaks of it
}

// mostRows is how many objects and lines are looked at.
const mostRows = 4096

// allRows are the objects and lines of few figures, when a draft first needs
// them.
func (c *checker) allRows() []row {
	if c.rows != nil {
		return c.rows
	}
	c.rows = []row{}
	all := c.x.figures
	kept := make([]figure, 0, len(all))
	for from := 0; from < len(all) && len(c.rows) < mostRows; {
		start, to := len(kept), from
		for ; to < len(all) && all[to].object == all[from].object; to++ {
			if pairable(&all[to]) {
				kept = append(kept, all[to])
			}
		}
		figures := kept[start:len(kept):len(kept)]
		if object := all[from].object; object != 0 && !c.x.heard(all[from].src) && len(figures) > 1 && len(figures) <= fewFigures {
			r := row{figures: figures, object: object, alike: true, named: c.namesRow(&all[from], &all[to-1])}
			for i := range figures {
				r.sum += figures[i].value
				r.alike = r.alike && figures[i].unit == figures[0].unit && figures[i].kind == figures[0].kind
			}
			c.rows = append(c.rows, r)
		} else {
			kept = kept[:start]
		}
		from = to
	}
	return c.rows
}

// fromRows looks at what follows from the figures of one object or line: their
// sum and mean; pairs of them, where the draft names it; so many of one and so
// many of another, where the draft or the user says how many.
func (c *checker) fromRows(w *wanted, r *Result) bool {
	tried := 0
	may := func(n int) bool {
		if float64(tried+n)*w.open > chance {
			return false
		}
		tried += n
		return true
	}
	counts := c.smallCounts()
	for i := range c.allRows() {
		row := &c.rows[i]
		at := row.figures[0].place()
		n := len(row.figures)
		if n > 2 && row.alike && c.fitsRow(w, row) {
			if !may(2) {
				return false
			}
			switch {
			case w.is(row.sum):
				c.derived(r, at, "sum of one object")
			case w.is(row.sum / float64(n)):
				c.derived(r, at, "mean of one object")
			}
		}
		if row.named && may(n*(n-1)/2*tries(w)) {
			c.pairs(w, r, row.figures, "of one object")
		}
		if (row.named || c.cited[row.object]) && len(counts) > 1 && r.Verdict == 0 && c.spend(n*n*len(counts)*len(counts)) && may(n*n/2*len(counts)*len(counts)) &&
			c.multiples(w, row.figures, counts) {
			c.derived(r, at, "so many of two figures of one object")
		}
		if r.Verdict != 0 {
			return true
		}
	}
	return false
}

func (c *checker) fitsRow(w *wanted, row *row) bool {
	f := &row.figures[0]
	return w.a.Unit.Compatible(f.unit) && (f.kind == atom.Percent) == w.percent
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

// namesRow is whether the draft names an object or line, which reaches from one
// figure to another, by a word of it that the draft writes with a capital:
// "Generic" beside {"campaign": "Generic", "clicks": 611}.
func (c *checker) namesRow(first, last *figure) bool {
	const longest = 512 // bytes of a row
	text := c.x.sources[first.src].text
	start, end := int(first.start), min(len(text), int(last.start)+int(last.length))
	keyed := false // the row has its keys beside its values
	if i := strings.LastIndexAny(text[max(0, start-longest):start], "{\n"); i >= 0 {
		start = max(0, start-longest) + i
		keyed = text[start] == '{'
	}
	keyed = keyed || strings.Contains(text[start:min(end, len(text))], "\":")
	if start >= end || end-start > longest {
		return false
	}
	var held [longestName + 1]byte // one more than a name has: a longer word is none
	word := held[:0]
	for i := start; i <= end; i++ {
		if i < end && wordByte(text[i]) {
			if len(word) < cap(word) {
				word = append(word, lower(text[i]))
			}
			continue
		}
		if len(word) >= shortestName && len(word) <= longestName && (c.names(word) || !keyed && len(word) > shortestName && c.says(word)) {
			return true
		}
		word = word[:0]
	}
	return false
}

// says is whether the draft holds a word, in lower case.
func (c *checker) says(word []byte) bool {
	if c.said == nil {
		c.said = make(map[string]bool)
		for w := range words(c.draft) {
			if len(w) > shortestName && len(w) <= longestName {
				c.said[w] = true
			}
		}
	}
	return c.said[string(word)]
}

// How many bytes a word has that names something.
const shortestName, longestName = 4, 32

// names is whether the draft holds a word, in lower case, with a capital.
func (c *checker) names(word []byte) bool {
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
			if end-at >= shortestName && end-at <= longestName && (upper(c.draft[at]) || c.draft[at] >= 0x80) {
				name := []byte(c.draft[at:end])
				for i := range name {
					name[i] = lower(name[i])
				}
				c.capitals[string(name)] = true
			}
			at = end
		}
	}
	return c.capitals[string(word)]
}
