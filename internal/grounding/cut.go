package grounding

import (
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

func (c *checker) hides(src uint32, a *atom.Atom) bool {
	x := c.x
	switch a.Kind {
	case atom.Number, atom.Money, atom.Percent:
		bare := false
		for j := range x.figures {
			f := &x.figures[j]
			if !x.within(f.src, src) {
				continue
			}
			switch {
			case f.kind == a.Kind && (f.unit.Dimension() == a.Unit.Dimension() || a.Unit == 0):
				return true
			case f.kind == atom.Number && f.unit == 0:
				bare = true
			}
		}
		// A bare number is of the kind that its field or its column is called, and
		// a span of time lies between any two days or times.
		return bare && x.mentions(src, a) || isTime(a) && x.tellsTime(src, a)
	case atom.Date, atom.Clock:
		return x.tellsTime(src, a)
	}
	for j := range x.names {
		if n := &x.names[j]; x.within(n.src, src) && n.kind == a.Kind {
			return true
		}
	}
	return false
}

// tellsTime is whether a text holds days, where the atom is one, or times of day.
func (x *Index) tellsTime(src uint32, a *atom.Atom) bool {
	for j := range x.moments {
		m := &x.moments[j]
		if x.within(m.src, src) && (a.Kind != atom.Clock && m.day != (atom.Day{}) || a.Kind != atom.Date && m.seconds >= 0) {
			return true
		}
	}
	return false
}

// within is whether a source is another one or stood inside of it.
func (x *Index) within(src, outer uint32) bool {
	for src != outer && x.sources[src].inner {
		src = x.sources[src].outer
	}
	return src == outer
}

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

// mentions is whether a text speaks of the quantity that an atom is of.
func (x *Index) mentions(src uint32, a *atom.Atom) bool {
	dimension := a.Unit.Dimension()
	switch {
	case a.Kind == atom.Money:
		dimension = atom.Currency
	case a.Kind == atom.Percent:
		dimension = atom.Fraction
	case dimension == atom.Fahrenheit:
		dimension = atom.Celsius
	}
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
