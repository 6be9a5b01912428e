package grounding

import (
	"math"

	"github.com/failloud/failloud/internal/atom"
)

// mostStated is how many figures of a draft are combined.
const mostStated = 40

// state collects the figures of the draft that stand.
func (c *checker) state() {
	c.stated = c.stated[:0]
	for i := range c.atoms {
		a := &c.atoms[i]
		switch c.results[i].Verdict {
		case Supported, Derived, Exempt:
		default:
			continue
		}
		if a.N == 0 {
			continue
		}
		f := figure{value: math.Abs(a.Readings[0].Value), unit: a.Unit, kind: a.Kind, src: uint32(i)}
		if a.Readings[0].Step >= 1 {
			f.marks = integer
		}
		if pairable(&f) {
			c.stated = append(c.stated, f)
		}
	}
}

// fromDraft derives figures from others of the draft: the total below a list,
// a share of it, a number of things times the price of each. It reports whether
// any was found.
func (c *checker) fromDraft() (any bool) {
	for i := range c.atoms {
		a, r := &c.atoms[i], &c.results[i]
		if r.Verdict != 0 || a.N == 0 || c.empty {
			continue
		}
		how := ""
		for _, rounded := range [...]bool{false, true} {
			if how != "" || rounded && !a.Approx {
				break
			}
			w := want(a, rounded)
			if how = c.totalOf(&w, i); how == "" {
				how = c.statedPair(&w, i)
			}
		}
		if how != "" {
			r.Verdict, r.Nearest, any = Derived, Nearest{How: how + " in the draft itself"}, true
		}
	}
	return any
}

// totalOf looks at the sums of the figures just before an atom, and just after.
func (c *checker) totalOf(w *wanted, i int) string {
	at := len(c.stated)
	for k := range c.stated {
		if int(c.stated[k].src) >= i {
			at = k
			break
		}
	}
	alike := func(f *figure) bool {
		return f.kind == w.a.Kind && f.unit == w.a.Unit || f.kind == atom.Number && f.unit == 0 && f.marks&integer == 0
	}
	if c.running(w, alike, at-1, -1) || c.running(w, alike, at, 1) {
		return "sum of figures"
	}
	return ""
}

func (c *checker) running(w *wanted, alike func(*figure) bool, from, step int) bool {
	sum, n := 0.0, 0
	for k := from; k >= 0 && k < len(c.stated) && n < mostStated; k += step {
		f := &c.stated[k]
		if !alike(f) {
			continue
		}
		sum += f.value
		n++
		if n >= 2 && float64(n)*w.open < chance && w.is(sum) {
			return true
		}
	}
	return false
}

// statedPair looks at the pairs of the figures that stand nearest to an atom.
func (c *checker) statedPair(w *wanted, i int) string {
	for k := range c.stated {
		f := &c.stated[k]
		if f.kind == w.a.Kind && f.unit != w.a.Unit && f.unit != 0 && f.unit.Dimension() == w.a.Unit.Dimension() &&
			f.kind == atom.Number && w.is(f.value*f.unit.Factor()/w.a.Unit.Factor()) {
			return "another unit of a figure"
		}
	}
	var group []figure
	for _, n := range [...]int{mostStated, 8, 4, 3} {
		group = c.near(i, n)
		if n = len(group); float64(n*(n-1)/2*tries(w))*w.open <= 2*chance {
			break
		}
		group = nil
	}
	for k := range group {
		for l := k + 1; l < len(group); l++ {
			if how := combine(w, &group[k], &group[l]); how != "" {
				return how
			}
		}
	}
	return ""
}

// near are the n figures that stand around an atom.
func (c *checker) near(i, n int) []figure {
	at := 0
	for at < len(c.stated) && int(c.stated[at].src) < i {
		at++
	}
	from := max(0, at-n/2)
	return c.stated[from:min(len(c.stated), from+n)]
}
