package grounding

import (
	"math"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// A natural answer divides, shares out and adds up what a result holds: the price
// for a square metre, the share of a part. Such a figure is looked for in small
// families, the likeliest first: the figures of the draft and the question, one
// row, the sums of one table, what stands outside of lists in one result. A match
// counts as derived where the family is so small that chance hardly makes one. A
// match of a larger family tells nothing; then a figure whose words say that it
// was computed is [Unchecked], unless it looks like a slip, and any other has no
// source.

// likely is how many matches by chance a family may have for one to count.
const likely = 0.2

// The sizes of the families.
const (
	mostNear   = 8   // figures of the draft around the wanted one
	mostAsked  = 6   // figures of the question
	mostRecord = 60  // figures of one result outside of its lists
	mostSums   = 16  // columns of one table
	mostRun    = 64  // rows of a column of which some are added up
	mostLooked = 400 // figures of one result that are combined with those of the draft
)

// firmFamilies are the numbers of the first families: the draft itself and the rows
// that it speaks of.
const firmFamilies = 3

// scaled is the step of figures that are written in thousands or more.
const scaled = 1000

// mostly is from where on a percentage may be what is left of a whole: 99.9 % are
// up where 0.1 % failed.
const mostly = 90

// hunt is the search for one figure.
type hunt struct {
	c     *checker
	w     wanted
	how   manner
	per   string
	tried int    // values, in the families so far
	hit   string // how it followed, of the first match of the family
	at    place
	loose bool // a match told nothing
	exact bool // the first match needed no rounding
	firm  bool // that match was among few, or a percentage of one

	family int // the number of the family
}

// secondOrder looks for a figure among what is computed from others. It reports
// whether that brought something new.
func (c *checker) secondOrder(i int) bool {
	a, r := &c.atoms[i], &c.results[i]
	h := hunt{c: c, how: c.mannerOf(i)}
	_, to := c.sentence(a.Start, a.End)
	h.per = perUnit(c.draft[a.End:to])
	for _, rounded := range [...]bool{false, true} {
		if rounded && !a.Approx && h.how&loosely == 0 {
			break
		}
		h.w = want(a, rounded)
		near := c.near(i)
		asked := c.asked()
		for k, family := range [...]func(){
			func() { h.nouns() },
			func() { h.among(append(near[:len(near):len(near)], asked...), "in the draft itself") },
			func() { h.alike() },
			func() { h.rows() },
			func() { h.shaky(i, near) },
			func() { h.columns() },
			func() { h.records(near, asked) },
		} {
			h.family = k
			if family(); h.closed(r) {
				return true
			}
		}
	}
	if h.loose && h.how&^moved == loosely && !h.w.percent && !h.firm {
		h.loose = false // it may be a rounded one of the evidence
	}
	if h.loose && (h.w.percent && !c.shareOfStated(i) && !c.oneOfShares(i) || h.how&^moved != 0 && !h.w.percent) {
		if c.loose == nil {
			c.loose = make(map[int]bool)
		}
		first := !c.loose[i]
		c.loose[i] = true
		return first
	}
	return false
}

// shareOfStated is whether the sentence of a percentage gives the two figures that
// it is a share or a change of: then it follows from these.
func (c *checker) shareOfStated(i int) bool {
	from, _ := c.sentence(c.atoms[i].Start, c.atoms[i].End)
	var stated []*atom.Atom
	for j := i - 1; j >= 0 && c.atoms[j].Start >= from; j-- {
		if a := &c.atoms[j]; a.N > 0 && c.results[j].Verdict != 0 {
			stated = append(stated, a)
		}
	}
	measured := func(a *atom.Atom) bool { return a.Noun[1] > 0 || a.Unit != 0 }
	return len(stated) == 2 && (measured(stated[0]) || measured(stated[1])) && stated[0].Kind == stated[1].Kind && stated[0].Unit == stated[1].Unit && stated[0].Kind != atom.Percent &&
		min(stated[0].Readings[0].Value, stated[1].Readings[0].Value) >= leastCounted
}

// oneOfShares is whether the sentence gives another percentage that the evidence
// holds as it stands: then this one was to come from there too.
func (c *checker) oneOfShares(i int) bool {
	from, to := c.sentence(c.atoms[i].Start, c.atoms[i].End)
	for j := range c.atoms {
		if a := &c.atoms[j]; j != i && a.Kind == atom.Percent && a.Start >= from && a.End <= to && c.results[j].Verdict == Supported {
			return true
		}
	}
	return false
}

// closed ends a family. It reports whether the figure was found in it.
func (h *hunt) closed(r *Result) bool {
	if h.hit == "" {
		return false
	}
	defer func() { h.hit, h.exact = "", false }()
	open := h.w.open
	if h.exact && h.w.a.Readings[0].Step >= scaled { // "3 triệu", and it is: hardly by chance
		open /= 10
	}
	if float64(h.tried)*open > likely {
		h.loose = true
		h.firm = h.firm || h.family <= firmFamilies || strings.Contains(h.hit, "percentage") || h.w.a.Kind == atom.Money && strings.HasPrefix(h.hit, "product")
		return false
	}
	if h.at == (place{}) {
		r.Verdict, r.Nearest = Derived, Nearest{How: h.hit}
	} else {
		h.c.derived(r, h.at, h.hit)
	}
	return true
}

// offer tries a value.
func (h *hunt) offer(v float64, f *figure, how, where string) {
	h.tried++
	if (h.hit == "" || !h.exact) && h.w.is(v) {
		value := h.w.a.Readings[0].Value
		if exact := math.Abs(math.Abs(v)-math.Abs(value)) <= 1e-9*math.Abs(value); h.hit != "" && !exact {
			return
		} else {
			h.exact = exact
		}
		h.hit = strings.TrimSpace(how + " " + where)
		if f.length != 0 {
			h.at = f.place()
		}
	}
}

// near are the figures of the draft that stand nearest to an atom, its sentence's
// first.
func (c *checker) near(i int) []figure {
	at := 0
	for at < len(c.stated) && int(c.stated[at].src) < i {
		at++
	}
	from := max(0, at-mostNear*3/4)
	near := append([]figure(nil), c.stated[from:min(len(c.stated), from+mostNear)]...)
	for k := range near { // a place in the draft is none of the evidence
		near[k].src, near[k].object, near[k].start, near[k].length = 0, 0, 0, 0
	}
	return near
}

// asked are the figures of the question.
func (c *checker) asked() (asked []figure) {
	for i := range c.x.figures {
		if f := &c.x.figures[i]; c.x.heard(f.src) && pairable(f) && len(asked) < mostAsked {
			asked = append(asked, *f)
		}
	}
	return asked
}

// shaky tries the figures before the wanted one that tell nothing themselves: what
// follows from them tells nothing, either.
func (h *hunt) shaky(i int, near []figure) {
	const most = 3
	taken := 0
	for j := i - 1; j >= 0 && taken < most; j-- {
		if a := &h.c.atoms[j]; h.c.loose[j] && h.c.results[j].Verdict == 0 {
			taken++
			f := figure{value: math.Abs(a.Readings[0].Value), unit: a.Unit, kind: a.Kind}
			for k := range near {
				h.pair(&near[k], &f, "in the draft itself")
			}
			near = append(near[:len(near):len(near)], f)
		}
	}
	if h.hit != "" {
		h.loose, h.hit = true, ""
	}
}

// among tries every pair of a family.
func (h *hunt) among(family []figure, where string) {
	if !h.c.spendMore(len(family) * len(family)) {
		return
	}
	for i := range family {
		h.each(&family[i], where)
		for j := i + 1; j < len(family); j++ {
			h.pair(&family[i], &family[j], where)
		}
	}
}

// each tries what follows from one figure: what it is for another period, twice
// of it, it on the other scale of temperature.
func (h *hunt) each(f *figure, where string) {
	v := math.Abs(f.value)
	a := h.w.a
	if h.how&rated != 0 || h.per != "" {
		for _, n := range periods[h.per].parts {
			h.offer(v/n, f, "a part of the period", where)
		}
	}
	if h.how&summed != 0 && a.Unit.Compatible(f.unit) && f.kind == a.Kind {
		h.offer(2*v, f, "twice one", where)
	}
	switch {
	case a.Unit.Dimension() == atom.Fahrenheit && f.unit.Dimension() == atom.Celsius:
		h.offer(f.value*1.8+32, f, "on the other scale", where)
	case a.Unit.Dimension() == atom.Celsius && f.unit.Dimension() == atom.Fahrenheit:
		h.offer((f.value-32)/1.8, f, "on the other scale", where)
	}
}

// pair tries what follows from two figures.
func (h *hunt) pair(f, g *figure, where string) {
	a, b := math.Abs(f.value), math.Abs(g.value)
	if a < b {
		a, b, f, g = b, a, g, f
	}
	if b == 0 {
		return
	}
	alike := f.unit == g.unit || f.unit == 0 || g.unit == 0
	unit := h.w.a.Unit
	fits := unit.Compatible(f.unit) && unit.Compatible(g.unit)
	hundredths := f.kind == atom.Percent || g.kind == atom.Percent
	switch {
	case h.w.percent && hundredths:
		if f.kind == g.kind {
			h.offer(a-b, f, "difference of two", where)
		}
		return
	case h.w.percent:
		if alike {
			h.offer(100*b/a, g, "ratio of two", where)
			if h.how&(compared|moved) != 0 || h.w.low >= mostly {
				h.offer(100*(a-b)/a, g, "change between two", where)
			}
			if h.how&(compared|moved) != 0 {
				h.offer(100*(a-b)/b, f, "change between two", where)
			}
		}
		return
	case hundredths:
		if f.kind == g.kind {
			return
		}
		if f.kind == atom.Percent {
			f, a, b = g, b, a
		}
		if unit.Compatible(f.unit) {
			h.offer(a*b/100, f, "percentage of one", where)
			h.offer(a*(100-b)/100, f, "one less a percentage", where)
			h.offer(a*(100+b)/100, f, "one and a percentage", where)
		}
		return
	}
	if h.how&(rated|averaged|ratioed|follows) != 0 {
		h.offer(a/b, f, "ratio of two", where)
		h.offer(b/a, g, "ratio of two", where)
		if h.per == "100" {
			h.offer(100*a/b, f, "ratio of two, for a hundred,", where)
			h.offer(100*b/a, g, "ratio of two, for a hundred,", where)
		}
	}
	if alike && fits {
		h.offer(a+b, f, "sum of two", where)
		h.offer(a-b, f, "difference of two", where)
		if h.how&averaged != 0 && f.length == 0 {
			h.offer((a+b)/2, f, "mean of two", where)
		}
	}
	if h.w.a.Kind == atom.Money || h.how&(follows|summed|rated) != 0 || fits && (f.unit != 0) != (g.unit != 0) {
		h.offer(a*b, f, "product of two", where)
	}
}
