package grounding

import (
	"math"
	"strings"

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
			if how == "" {
				how = c.balance(&w, i)
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
	at := 0
	for at < len(c.stated) && int(c.stated[at].src) < i {
		at++
	}
	tried := 0
	within := func(group []figure) bool {
		tried += len(group) * (len(group) - 1) / 2
		return float64(tried*tries(w))*w.open <= 2*chance
	}
	for _, n := range [...]int{3, 2} { // that stand right before it: "from 40 to 46, a plus of 15 %"
		if group := c.stated[max(0, at-n):at]; within(group) {
			if how := c.anyPair(w, i, group); how != "" {
				return how
			}
			break
		}
		tried = 0
	}
	before := tried
	for _, n := range [...]int{mostStated, 8, 4, 3} { // that stand around it
		from := max(0, at-n/2)
		if group := c.stated[from:min(len(c.stated), from+n)]; within(group) {
			return c.anyPair(w, i, group)
		}
		tried = before
	}
	return ""
}

func (c *checker) anyPair(w *wanted, i int, group []figure) string {
	for k := range group {
		for l := k + 1; l < len(group); l++ {
			f, g := &group[k], &group[l]
			how := combine(w, f, g)
			if how == "" || how == productOfTwo && f.unit == 0 && g.unit == 0 && !c.inSentence(i, f, g) {
				continue
			}
			return how
		}
	}
	return ""
}

// balance looks at what is left of the three figures before an atom that can be
// added to it: 72.75 less 10.91 and 4.90.
func (c *checker) balance(w *wanted, i int) string {
	if w.percent || 12*w.open > 2*chance {
		return ""
	}
	var last [3]float64
	n := 0
	for k := len(c.stated) - 1; k >= 0 && n < len(last); k-- {
		f := &c.stated[k]
		if int(f.src) < i && f.kind != atom.Percent && (f.kind == w.a.Kind && f.unit == w.a.Unit || f.unit == 0 && f.marks&integer == 0) {
			last[n] = f.value
			n++
		}
	}
	if n < len(last) {
		return ""
	}
	a, b, d := last[2], last[1], last[0]
	if w.is(a+b-d) || w.is(a-b+d) || w.is(a-b-d) {
		return "balance of three figures"
	}
	return ""
}

// inSentence is whether two figures of the draft stand in the sentence of an
// atom: only there, two bare numbers are multiplied.
func (c *checker) inSentence(i int, f, g *figure) bool {
	a := &c.atoms[i]
	for _, other := range [...]*figure{f, g} {
		b := &c.atoms[other.src]
		between := c.draft[min(a.End, b.End):max(a.Start, b.Start)]
		if strings.Contains(between, ". ") || strings.ContainsAny(between, "\n!?") {
			return false
		}
	}
	return true
}
