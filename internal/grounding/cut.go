package grounding

import (
	"math/bits"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// visiblyCut is whether a text says of itself that a part of it is missing:
// "…[cut 3000 chars]…", "[output truncated]", "(truncated, 12 more lines)".
func visiblyCut(text string) bool {
	if strings.Contains(text, "[cut ") {
		return true
	}
	for _, word := range [...]string{"runcated", "RUNCATED"} {
		for rest := text; ; {
			i := strings.Index(rest, word)
			if i < 0 {
				break
			}
			before := rest[max(0, i-24):i]
			after := rest[i+len(word):]
			if j := strings.LastIndexAny(before, "[(<…"); j >= 0 && !strings.ContainsAny(before[j:], "])>\n") {
				return true
			}
			if strings.HasSuffix(strings.TrimRight(before, " "), "..") {
				return true
			}
			if flag := strings.TrimLeft(after, "\\\" :"); flag != after && strings.HasPrefix(flag, "true") {
				return true
			}
			rest = after
		}
	}
	return false
}

// hidden is whether what is missing of the evidence may have held an atom. Only
// what is of a kind with the rest of a text can have been in its missing part: a
// list of files that was cut hides no prices.
func (c *checker) hidden(i int) bool {
	for _, src := range c.cuts {
		if c.hides(src, &c.atoms[i]) {
			return true
		}
	}
	return false
}

// visible is what of each kind a source shows.
type visible struct {
	kinds      uint32 // a bit for each kind of its atoms
	dimensions uint32 // a bit for each dimension of its numbers
	bare       bool   // numbers without a unit
	asked      uint32 // a bit for each dimension that was looked for by its words,
	spoken     uint32 // and for each that was found
	days       bool
	clocks     bool
}

// visibles looks over what the cut sources show, when a draft first needs it.
func (c *checker) visibles() map[uint32]*visible {
	if c.shown != nil {
		return c.shown
	}
	c.shown = make(map[uint32]*visible, len(c.cuts))
	for _, src := range c.cuts {
		c.shown[src] = &visible{}
	}
	x := c.x
	of := func(src uint32) *visible {
		for x.sources[src].inner {
			src = x.sources[src].outer
		}
		return c.shown[src]
	}
	for i := range x.figures {
		f := &x.figures[i]
		if v := of(f.src); v != nil {
			v.kinds |= 1 << f.kind
			if f.kind == atom.Number {
				v.dimensions |= 1 << f.unit.Dimension()
				v.bare = v.bare || f.unit == 0
			}
		}
	}
	for i := range x.names {
		if v := of(x.names[i].src); v != nil {
			v.kinds |= 1 << x.names[i].kind
		}
	}
	for i := range x.moments {
		if v := of(x.moments[i].src); v != nil {
			v.days = v.days || x.moments[i].day != (atom.Day{})
			v.clocks = v.clocks || x.moments[i].seconds >= 0
		}
	}
	return c.shown
}

func (c *checker) hides(src uint32, a *atom.Atom) bool {
	v := c.visibles()[src]
	switch a.Kind {
	case atom.Date:
		return v.days
	case atom.Clock:
		return v.clocks
	case atom.Number:
		if a.Unit == 0 && v.kinds>>atom.Number&1 != 0 || v.dimensions>>a.Unit.Dimension()&1 != 0 || isTime(a) && (v.days || v.clocks) {
			return true
		}
	default:
		if v.kinds>>a.Kind&1 != 0 {
			return true
		}
	}
	if of := uint32(1) << a.Unit.Dimension(); a.Kind == atom.Number && of&measures != 0 && bits.OnesCount32(v.dimensions&measures) > 1 {
		return true // a recipe that weighs and pours may measure as well
	}
	// A bare number is of the kind that its field or its column is called.
	if a.N == 0 || !v.bare {
		return false
	}
	dimension := quantityOf(a)
	if v.asked>>dimension&1 == 0 {
		v.asked |= 1 << dimension
		if c.x.mentions(src, dimension) {
			v.spoken |= 1 << dimension
		}
	}
	return v.spoken>>dimension&1 != 0
}

// measures are the dimensions, a bit each, of how much of a thing there is.
const measures = 1<<atom.Length | 1<<atom.Mass | 1<<atom.Area | 1<<atom.Volume

// quantities are the words by which a text speaks of amounts of a dimension.
var quantities = map[atom.Dimension]string{
	atom.Time:     "time duration elapsed latency age uptime runtime wait",
	atom.Data:     "size bytes memory storage disk",
	atom.Length:   "distance length height width depth radius size dimensions elevation",
	atom.Mass:     "weight mass",
	atom.Area:     "area acreage size",
	atom.Volume:   "volume capacity",
	atom.Speed:    "speed wind",
	atom.Celsius:  "temperature temp",
	atom.Power:    "power",
	atom.Energy:   "energy consumption",
	atom.Currency: "price amount cost total subtotal fee balance revenue salary budget tax payment charge rate paid gia tien phi luong doanh",
	atom.Fraction: "rate ratio percent percentage pct share probability growth change discount margin",
}

// quantityOf is the dimension by whose words a figure is spoken of.
func quantityOf(a *atom.Atom) atom.Dimension {
	switch dimension := a.Unit.Dimension(); {
	case a.Kind == atom.Money:
		return atom.Currency
	case a.Kind == atom.Percent:
		return atom.Fraction
	case dimension == atom.Fahrenheit:
		return atom.Celsius
	default:
		return dimension
	}
}

// mentions is whether a text speaks of a quantity.
func (x *Index) mentions(src uint32, dimension atom.Dimension) bool {
	spoken := quantities[dimension]
	text := x.sources[src].text
	for w := range words(text[:min(len(text), longestSpoken)]) {
		if len(w) > 2 && strings.Contains(" "+spoken+" ", " "+w+" ") {
			return true
		}
	}
	return false
}

// longestSpoken is how many bytes of a text are searched for the name of a
// quantity: keys and heads of columns recur.
const longestSpoken = 16 << 10
