package atom

import "strings"

// ratio reads a fraction: 3/4 is 0.75. In evidence it is its two numbers, too.
func ratio(text string, start int, f *figure, m Mode, a *Atom) (end int) {
	if !f.num.plain || f.end != f.num.end || f.end >= len(text) || text[f.end] != '/' || !digitAt(text, f.end+1) {
		return 0
	}
	end = digitsEnd(text, f.end+1)
	var below decimal
	below.read(text, []run{{f.end + 1, end}}, 0)
	above := f.num.as[0]
	if below.mant == 0 || wordAt(text, end) || end < len(text) && (text[end] == '/' || digitAt(text, end+1)) {
		return 0
	}
	if likelyYear(int(below.mant)) && partBefore(text, start) { // of "quý 2/2026" the year is left
		*a = Atom{Kind: Date, Start: f.num.end + 1, End: end, Seconds: -1, Dates: [2]Day{{Year: int16(below.mant)}}}
		return end
	}
	*a = Atom{Kind: Number, Start: start, End: end, Seconds: -1}
	a.Readings[0] = Reading{Value: float64(above.mant) / float64(below.mant), Step: 0.01, Round: 0.01}
	a.N = 1
	if m == Evidence {
		a.Readings[1], a.Readings[2] = above.reading(0), below.reading(0)
		a.N = 3
	}
	return end
}

// adopt gives the first number of a range what stands behind the second:
// 10–20 %, between 10 and 20 million.
func (f *figure) adopt(text string, between bool, m Mode) {
	next, dash := rangeTo(text, f.end, between)
	if next == 0 {
		return
	}
	if sign, end := symbolAfter(text, next); end > next && sign.unit.Dimension() == Currency {
		next = end
	}
	if !digitAt(text, next) {
		return
	}
	var second figure
	if !second.read(text, next, m, f.unit.Dimension() == Currency) || second.num.dotted {
		return
	}
	if f.unit == 0 {
		f.unit = second.unit
	}
	if f.exp != 0 || second.exp == 0 || f.num.n == 0 {
		return
	}
	f.approx = true
	if dash || between {
		f.exp = second.exp
		return
	}
	bare := f.num.as[0] // "from 5 to 10 million" may be five, or five million
	f.num.as[0].exp += second.exp
	f.num.add(bare)
}

// rangeTo is where the second number of a range begins whose first ends at
// text[at], 0 where there is none.
func rangeTo(text string, at int, between bool) (next int, dash bool) {
	gap := spaceAt(text, at)
	rest := text[min(len(text), at+gap):]
	for _, sign := range [...]string{"-", "–", "—", "~"} {
		if strings.HasPrefix(rest, sign) {
			next = at + gap + len(sign)
			return next + spaceAt(text, next), true
		}
	}
	if gap == 0 {
		return 0, false
	}
	switch {
	case strings.HasPrefix(rest, "to "):
		return at + gap + len("to "), false
	case strings.HasPrefix(rest, "đến "):
		return at + gap + len("đến "), false
	case between && strings.HasPrefix(rest, "and "):
		return at + gap + len("and "), false
	case between && strings.HasPrefix(rest, "và "):
		return at + gap + len("và "), false
	}
	return 0, false
}
