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
	chance     = 0.3
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
	low     float64 // what is outside of these is none of its readings
	high    float64
}

// want is a figure as its digits are written; of one that is called approximate
// also as that, once that has not been found.
func want(a *atom.Atom, rounded bool) wanted {
	w := wanted{a: a, rounded: rounded, open: 1, percent: a.Kind == atom.Percent, low: math.Inf(1)}
	for i := range a.N {
		r := scaledReading(a.Readings[i], 1)
		t := toleranceOf(r, rounded)
		w.low, w.high = min(w.low, r.Value-t), max(w.high, r.Value+t)
		if i == 0 && r.Value != 0 {
			w.open = t / r.Value
		}
	}
	return w
}

// is whether a value is the wanted figure, in its digits.
func (w *wanted) is(v float64) bool {
	v = math.Abs(v)
	if !(v >= w.low && v <= w.high) || v == 0 { // true for what is no number, too
		return false
	}
	for i := range w.a.N {
		if scaledReading(w.a.Readings[i], 1).Covers(v, w.rounded) {
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
		if a.Kind == atom.Number && a.Unit == 0 && value < 100 && a.Noun[1] > 0 && !c.strict(i) {
			w.open /= leniency
		}
		if c.fromSeries(&w, r) || c.fromTables(&w, r) || c.fromShares(&w, r) {
			return
		}
		if c.fromPairs(&w, r); r.Verdict != 0 {
			return
		}
		if c.fromProducts(&w, r) || c.fromRows(&w, r) {
			return
		}
	}
}

// leniency is by how much more may be tried for a small number of things that the
// evidence does not speak of by their name: it is hardly ever wrong.
const leniency = 4

func (c *checker) derived(r *Result, at place, how string) {
	if r.Verdict == 0 {
		r.Verdict, r.Nearest = Derived, c.x.nearest(at, how)
	}
}

// fromPairs looks at what follows from two figures: of an object that the draft
// cites, of all the evidence where that is little, of one field.
func (c *checker) fromPairs(w *wanted, r *Result) {
	x := c.x
	var all []figure
	for i := range x.figures {
		f := &x.figures[i]
		if !pairable(f) {
			continue
		}
		all = append(all, *f)
		if len(all) > fewFigures {
			break
		}
	}
	if len(all) <= fewFigures {
		if c.pairs(w, r, all, "in the evidence") {
			return
		}
	}
	var group []figure
	for from := 0; from < len(x.figures) && r.Verdict == 0 && c.spent < mostSpent; {
		group = group[:0]
		object := x.figures[from].object
		to := from
		for ; to < len(x.figures) && x.figures[to].object == object; to++ {
			if f := &x.figures[to]; len(group) < mostPaired && pairable(f) {
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
	tried := 0
	for id := 1; id < len(x.paths) && r.Verdict == 0 && c.spent < mostSpent; id++ {
		p := &x.paths[id]
		if p.n < 2 || p.n > mostPaired || x.heard(p.src) || float64(tried+p.n*p.n)*w.open > chance {
			continue
		}
		tried += p.n * p.n
		group = group[:0]
		for f := range x.figuresOf(uint32(id)) {
			group = append(group, *f)
		}
		c.pairs(w, r, group, "of one field")
	}
	// The same field of several results.
	for i := range c.totals() {
		t := &c.sums[i]
		if n := len(t.paths); r.Verdict != 0 || n < 2 || n > fewFigures || t.n > fewFigures || float64(tried+n*n)*w.open > chance {
			continue
		}
		tried += t.n * t.n
		group = group[:0]
		for _, id := range t.paths {
			for f := range x.figuresOf(id) {
				group = append(group, *f)
			}
		}
		c.pairs(w, r, group, "of one field")
	}
}

// pairable is whether a figure is combined with others: it is no second reading
// of another one, and no year.
func pairable(f *figure) bool {
	year := f.path == 0 && f.kind == atom.Number && f.unit == 0 && f.marks&integer != 0 && f.value >= 1900 && f.value <= 2100
	return f.marks&alternate == 0 && (f.marks&restated == 0 || f.unit == 0) && !year
}

// pairs tries every pair of a group, unless so many would fit one by chance. It
// reports whether it tried them.
func (c *checker) pairs(w *wanted, r *Result, group []figure, where string) bool {
	n := len(group)
	if n < 2 || float64(n*(n-1)/2*tries(w))*w.open > chance || !c.spend(n*(n-1)/2) {
		return false
	}
	for i := range group {
		for j := i + 1; j < n; j++ {
			if how := combine(w, &group[i], &group[j]); how != "" {
				c.derived(r, group[j].place(), how+" "+where)
				return true
			}
		}
	}
	return true
}

// mostSpent is how many comparisons one check may make of what only follows: a
// draft of figures without any source is no reason to try everything for each.
const mostSpent = 160_000

// spend is whether n comparisons more may be made.
func (c *checker) spend(n int) bool {
	if c.spent+n > mostSpent {
		return false
	}
	c.spent += n
	return true
}

// spendMore is whether n comparisons more may be made of the second order.
func (c *checker) spendMore(n int) bool {
	if c.explored+n > mostSpent/4 {
		return false
	}
	c.explored += n
	return true
}

// tries is how many results of a pair are compared.
func tries(w *wanted) int {
	if w.percent {
		return 4
	}
	return 5
}
