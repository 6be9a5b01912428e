package grounding

import (
	"slices"

	"github.com/failloud/failloud/internal/atom"
)

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
		if t.n > p.n && w.is(t.sum) {
			c.derived(r, x.pathPlace(uint32(id)), "sum of all "+x.called(uint32(id)))
		}
		if r.Verdict != 0 {
			return true
		}
	}
	for key, t := range byKey {
		if t.n < 3 {
			continue
		}
		if at, ok := c.someOf(w, key); ok {
			c.derived(r, at, "sum of some of "+key)
			return true
		}
	}
	return false
}

// someOf is whether the figure is the sum of some of the values that stand under
// one key: of the rows of one kind, of the results that the draft is about.
func (c *checker) someOf(w *wanted, key string) (at place, ok bool) {
	const most = 14 // different values, of which every selection is tried
	x := c.x
	if w.percent {
		return at, false
	}
	var values [most]float64
	n := 0
	for i := range x.figures {
		f := &x.figures[i]
		p := &x.paths[f.path]
		if f.path == 0 || p.key != key || f.marks&alternate != 0 || x.heard(f.src) || p.factor != 0 && f.marks&restated == 0 {
			continue
		}
		if slices.Contains(values[:n], f.value) {
			continue
		}
		if n == most || float64(uint(2)<<n)*w.open > chance {
			return at, false
		}
		values[n], at = f.value, f.place()
		n++
	}
	for chosen := uint(1); chosen < 1<<n && n > 2; chosen++ {
		sum := 0.0
		for i := range n {
			if chosen>>i&1 != 0 {
				sum += values[i]
			}
		}
		if w.is(sum) {
			return at, true
		}
	}
	return at, false
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
