package grounding

import (
	"math"

	"github.com/failloud/failloud/internal/atom"
)

// The bounds of what may follow by arithmetic. Every pair of numbers that is
// tried makes more figures reachable by chance, so a figure counts as derived
// only where the pairs that were tried, times the share of all numbers that its
// written digits leave open, stay below chance.
const (
	chance     = 0.5
	mostPaired = 200 // figures of one object or field that are paired
	fewFigures = 12  // so few in all the evidence are paired across results
	mostSeries = 4096
)

// wanted is a figure that is looked for.
type wanted struct {
	a       *atom.Atom
	rounded bool    // it may be as far off as a figure that is called approximate
	open    float64 // the share of numbers that its digits leave open
	percent bool
}

// want is a figure as its digits are written; of one that is called approximate
// also as that, once that has not been found.
func want(a *atom.Atom, rounded bool) wanted {
	r := a.Readings[0]
	open := 1.0
	if r.Value != 0 {
		open = toleranceOf(r, rounded) / math.Abs(r.Value)
	}
	return wanted{a: a, rounded: rounded, open: open, percent: a.Kind == atom.Percent}
}

// is whether a value is the wanted figure, in its digits.
func (w *wanted) is(v float64) bool {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return false
	}
	v = math.Abs(v)
	for i := range w.a.N {
		if r := w.a.Readings[i]; v != 0 && scaledReading(r, 1).Covers(v, w.rounded) {
			return true
		}
	}
	return false
}

// derive looks for a figure among what follows from the evidence.
func (c *checker) derive(i int) {
	a, r := &c.atoms[i], &c.results[i]
	if a.N == 0 {
		return
	}
	value := a.Readings[0].Value
	if a.Kind == atom.Number && a.Unit == 0 && a.Readings[0].Step >= 1 {
		for _, n := range c.allCounts() {
			if float64(n.value) == value {
				c.derived(r, n.at, n.how)
				return
			}
		}
	}
	for _, rounded := range [...]bool{false, true} {
		if rounded && !a.Approx {
			return
		}
		w := want(a, rounded)
		if c.fromSeries(&w, r) || c.fromTables(&w, r) || c.fromShares(&w, r) {
			return
		}
		if c.fromPairs(&w, r); r.Verdict != 0 {
			return
		}
	}
}

func (c *checker) derived(r *Result, at place, how string) {
	if r.Verdict == 0 {
		r.Verdict, r.Nearest = Derived, c.x.nearest(at, how)
	}
}

// fromSeries looks at the sums and means of the fields.
func (c *checker) fromSeries(w *wanted, r *Result) bool {
	x := c.x
	type total struct {
		sum float64
		n   int
	}
	byKey := make(map[string]total)
	for id := 1; id < min(len(x.paths), mostSeries); id++ {
		p := &x.paths[id]
		if p.n == 0 || x.heard(p.src) || !c.fitsPath(w, p) {
			continue
		}
		factor := 1.0
		if p.factor != 0 {
			factor = p.factor
		}
		t := byKey[p.key]
		t.sum += p.sum * factor
		t.n += p.n
		byKey[p.key] = t
		for _, f := range [...]float64{factor, c.inUnit(w, p)} {
			switch sum := p.sum * f; {
			case f == 0 || p.n < 2:
			case w.is(sum):
				c.derived(r, x.pathPlace(uint32(id)), "sum of "+x.called(uint32(id)))
			case w.is(sum / float64(p.n)):
				c.derived(r, x.pathPlace(uint32(id)), "mean of "+x.called(uint32(id)))
			}
		}
		if at, ok := c.someOf(w, uint32(id)); ok {
			c.derived(r, at, "sum of some of "+x.called(uint32(id)))
		}
		if t.n > p.n && w.is(t.sum) {
			c.derived(r, x.pathPlace(uint32(id)), "sum of all "+x.called(uint32(id)))
		}
		if r.Verdict != 0 {
			return true
		}
	}
	return false
}

// someOf is whether the figure is the sum of some of the values of a field: of
// the rows of one kind, of those that the draft is about.
func (c *checker) someOf(w *wanted, id uint32) (place, bool) {
	const most = 10 // values, of which every selection is tried
	x := c.x
	p := &x.paths[id]
	if p.n < 3 || p.n > most || w.percent || float64(uint(1)<<p.n)*w.open > chance {
		return place{}, false
	}
	var values [most]float64
	n := 0
	for i := int(p.first); i < len(x.figures) && n < p.n; i++ {
		if f := &x.figures[i]; f.path == id && f.marks&alternate == 0 && (p.factor == 0 || f.marks&restated != 0) {
			values[n] = f.value
			n++
		}
	}
	for chosen := uint(1); chosen < 1<<n; chosen++ {
		sum := 0.0
		for i := range n {
			if chosen>>i&1 != 0 {
				sum += values[i]
			}
		}
		if w.is(sum) {
			return x.pathPlace(id), true
		}
	}
	return place{}, false
}

// inUnit is what turns the sum of a field into the unit of the wanted figure,
// 0 where that makes no difference.
func (c *checker) inUnit(w *wanted, p *path) float64 {
	u := w.a.Unit
	if u == 0 || p.unit == 0 || u == p.unit || u.Dimension() != p.unit.Dimension() || u.Dimension() == atom.Currency {
		return 0
	}
	return p.unit.Factor() / u.Factor()
}

func (c *checker) fitsPath(w *wanted, p *path) bool {
	switch w.a.Kind {
	case atom.Percent:
		return p.kind == atom.Percent || p.kind == 0 && p.unit == 0
	case atom.Money:
		return p.kind != atom.Percent && w.a.Unit.Compatible(p.unit)
	}
	return w.a.Unit.Compatible(p.unit)
}

// fromShares looks at how many of the rows have one value, as a percentage.
func (c *checker) fromShares(w *wanted, r *Result) bool {
	if !w.percent {
		return false
	}
	x := c.x
	tried := 0
	for id := 1; id < len(x.paths); id++ {
		p := &x.paths[id]
		if p.freeText || len(p.values) < 2 || x.heard(p.src) {
			continue
		}
		all := 0
		for _, v := range p.values {
			all += v.n
		}
		for _, v := range p.values {
			if tried++; float64(tried)*w.open > chance {
				return false
			}
			if v.n < all && w.is(100*float64(v.n)/float64(all)) {
				c.derived(r, place{p.src, v.start, v.start + uint32(len(v.text))}, "share of the rows with this "+x.called(uint32(id)))
				return true
			}
		}
	}
	return false
}

// fromPairs looks at what follows from two figures: of an object that the draft
// cites, of all the evidence where that is little, of one field.
func (c *checker) fromPairs(w *wanted, r *Result) {
	x := c.x
	var all []figure
	for i := range x.figures {
		f := &x.figures[i]
		if f.marks&alternate != 0 || f.marks&restated != 0 && f.unit != 0 {
			continue
		}
		all = append(all, *f)
		if len(all) > fewFigures {
			break
		}
	}
	if len(all) <= fewFigures {
		c.pairs(w, r, all, "in the evidence")
		return
	}
	var group []figure
	for from := 0; from < len(x.figures) && r.Verdict == 0; {
		group = group[:0]
		object := x.figures[from].object
		to := from
		for ; to < len(x.figures) && x.figures[to].object == object; to++ {
			if f := &x.figures[to]; len(group) < mostPaired && f.marks&alternate == 0 && (f.marks&restated == 0 || f.unit == 0) {
				group = append(group, x.figures[to])
			}
		}
		from = to
		if object != 0 && c.cited[object] && len(group) > 1 {
			c.pairs(w, r, group, "of one object")
		}
	}
	if r.Verdict != 0 {
		return
	}
	for id := 1; id < len(x.paths) && r.Verdict == 0; id++ {
		p := &x.paths[id]
		if p.n < 2 || p.n > mostPaired || x.heard(p.src) || float64(p.n*p.n)*w.open > chance {
			continue
		}
		group = group[:0]
		for i := int(p.first); i < len(x.figures) && len(group) < p.n; i++ {
			if x.figures[i].path == uint32(id) {
				group = append(group, x.figures[i])
			}
		}
		c.pairs(w, r, group, "of one field")
	}
}

// pairs tries every pair of a group.
func (c *checker) pairs(w *wanted, r *Result, group []figure, where string) {
	n := len(group)
	if n < 2 || float64(n*(n-1)/2*tries(w))*w.open > chance {
		return
	}
	for i := range group {
		for j := i + 1; j < n; j++ {
			if how := combine(w, &group[i], &group[j]); how != "" {
				c.derived(r, group[j].place(), how+" "+where)
				return
			}
		}
	}
}

// tries is how many results of a pair are compared.
func tries(w *wanted) int {
	if w.percent {
		return 4
	}
	return 5
}

// combine says how a figure follows from two others: "" where it does not.
func combine(w *wanted, f, g *figure) string {
	a, b := f.value, g.value
	if step := w.a.Readings[0].Step; math.Abs(a) <= step/2 || math.Abs(b) <= step/2 && f.kind != atom.Percent && g.kind != atom.Percent && !w.percent {
		return "" // what is added changes nothing
	}
	if w.percent {
		switch {
		case f.kind == atom.Percent && g.kind == atom.Percent && w.is(a-b):
			return "difference of two"
		case f.unit != g.unit && f.unit != 0 && g.unit != 0:
			return ""
		case b != 0 && w.is(100*a/b), a != 0 && w.is(100*b/a):
			return "ratio of two"
		case b != 0 && w.is(100*(a-b)/b), a != 0 && w.is(100*(b-a)/a):
			return "change between two"
		}
		return ""
	}
	switch {
	case g.kind == atom.Percent && f.kind != atom.Percent:
		return portion(w, f, b)
	case f.kind == atom.Percent && g.kind != atom.Percent:
		return portion(w, g, a)
	}
	same := f.unit == g.unit || f.unit == 0 || g.unit == 0
	fits := w.a.Unit.Compatible(f.unit) && w.a.Unit.Compatible(g.unit)
	switch {
	case same && fits && w.is(a+b):
		return "sum of two"
	case same && fits && w.is(a-b):
		return "difference of two"
	case product(w, f, g) && w.is(a*b):
		return "product of two"
	case f.object == g.object && fits && (part(g) && w.is(a/b) || part(f) && w.is(b/a)):
		return "a part of one"
	case w.a.Kind == atom.Number && w.a.Unit == 0 && w.a.Readings[0].Step < 1 && same && (b != 0 && w.is(a/b) || a != 0 && w.is(b/a)):
		return "ratio of two"
	}
	return ""
}

// portion says how a figure follows from another and a percentage: the discount
// of a price, the price less the discount, the price with the tax.
func portion(w *wanted, f *figure, percent float64) string {
	switch {
	case !w.a.Unit.Compatible(f.unit):
	case w.is(f.value * percent / 100):
		return "percentage of one"
	case w.is(f.value * (100 - percent) / 100):
		return "one less a percentage"
	case w.is(f.value * (100 + percent) / 100):
		return "one and a percentage"
	}
	return ""
}

// part is whether a figure can be a number of shares.
func part(f *figure) bool { return f.marks&integer != 0 && f.unit == 0 && f.value > 1 }

// product is whether two figures multiply into something that people state: a
// quantity and a price, a number of things and what each of them has.
func product(w *wanted, f, g *figure) bool {
	if f.kind == atom.Percent || g.kind == atom.Percent {
		return false
	}
	if f.object != g.object && f.path != 0 && g.path != 0 {
		return false
	}
	fits := w.a.Unit.Compatible(f.unit) && w.a.Unit.Compatible(g.unit)
	if w.a.Kind == atom.Money && !fits { // an amount at a rate is one of another currency
		return f.unit == w.a.Unit || g.unit == w.a.Unit
	}
	return fits && (f.unit == 0 && f.marks&integer != 0 || g.unit == 0 && g.marks&integer != 0)
}
