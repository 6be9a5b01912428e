package grounding

import "github.com/failloud/failloud/internal/atom"

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
