package grounding

import (
	"math/bits"
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// total is what stands under one key in all of the evidence.
type total struct {
	key    string
	sum    float64
	n      int
	paths  []uint32
	values []float64 // the different ones, one more than mostChosen at most
	at     place
}

// mostChosen is how many different values of a key are added up in every
// selection.
const mostChosen = 12

// totals adds the evidence up by key, when a draft first needs it.
func (c *checker) totals() []total {
	if c.summed {
		return c.sums
	}
	c.summed = true
	x := c.x
	byKey := make(map[string]int)
	for id := 1; id < min(len(x.paths), mostSeries); id++ {
		p := &x.paths[id]
		if p.n == 0 || x.heard(p.src) {
			continue
		}
		k, ok := byKey[p.key]
		if !ok {
			k = len(c.sums)
			byKey[p.key] = k
			c.sums = append(c.sums, total{key: p.key, at: x.pathPlace(uint32(id))})
		}
		t := &c.sums[k]
		t.sum += p.sum * p.scale()
		t.n += p.n
		t.paths = append(t.paths, uint32(id))
		for f := range x.figuresOf(uint32(id)) {
			if len(t.values) > mostChosen {
				break
			}
			if !slices.Contains(t.values, f.value) {
				t.values = append(t.values, f.value)
			}
		}
	}
	return c.sums
}

// scale is what the numbers of a path are multiplied by, as its key says.
func (p *path) scale() float64 {
	if p.factor != 0 {
		return p.factor
	}
	return 1
}

// fromSeries looks at the sums and means of the fields, then at the sums of some
// of their values: of the rows of one kind, of the results that the draft is
// about.
func (c *checker) fromSeries(w *wanted, r *Result) bool {
	x := c.x
	tried := 0.0
	for i := range c.totals() {
		t := &c.sums[i]
		for _, id := range t.paths {
			p := &x.paths[id]
			if p.n < 2 || !c.fitsPath(w, p) {
				continue
			}
			for _, f := range [...]float64{p.scale(), c.inUnit(w, p)} {
				switch sum := p.sum * f; {
				case w.is(sum):
					c.derived(r, x.pathPlace(id), "sum of "+x.called(id))
				case w.is(sum / float64(p.n)):
					c.derived(r, x.pathPlace(id), "mean of "+x.called(id))
				}
			}
			if r.Verdict != 0 {
				return true
			}
		}
		if !c.fitsPath(w, &x.paths[t.paths[0]]) {
			continue
		}
		if len(t.paths) > 1 && (w.is(t.sum) || w.is(t.sum*c.inUnit(w, &x.paths[t.paths[0]]))) {
			c.derived(r, t.at, "sum of all "+t.key)
			return true
		}
		if len(t.paths) > 1 && !w.percent && w.is(t.sum/float64(t.n)) {
			c.derived(r, t.at, "mean of all "+t.key)
			return true
		}
		n := len(t.values)
		if n < 3 || n > mostChosen || w.percent {
			continue
		}
		if tried += float64(uint(1)<<n) * w.open; tried < chance/4 && c.spend(1<<n) && t.someOf(w, c.inUnit(w, &x.paths[t.paths[0]])) {
			c.derived(r, t.at, "sum of some of "+t.key)
			return true
		}
	}
	return false
}

// someOf is whether the figure is the sum of two or more of the values, which a
// factor turns into its unit.
func (t *total) someOf(w *wanted, factor float64) bool {
	if factor == 0 {
		factor = 1
	}
	sum, chosen := 0.0, uint(0)
	for n := uint(1); n < 1<<len(t.values); n++ {
		i := bits.TrailingZeros(n) // each selection differs from the one before in one value
		if chosen ^= 1 << i; chosen>>i&1 != 0 {
			sum += t.values[i]
		} else {
			sum -= t.values[i]
		}
		if chosen&(chosen-1) != 0 && w.is(sum*factor) {
			return true
		}
	}
	return false
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
		return p.kind == atom.Percent || p.kind == 0 && p.unit == 0 && speaksOfShares(p.key)
	case atom.Money:
		return p.kind != atom.Percent && w.a.Unit.Compatible(p.unit)
	}
	return w.a.Unit.Compatible(p.unit)
}

// speaksOfShares is whether a key says that its numbers are percentages or ratios.
func speaksOfShares(key string) bool {
	for w := range words(key) {
		if strings.Contains(" "+quantities[atom.Fraction]+" ", " "+w+" ") {
			return true
		}
	}
	return false
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
