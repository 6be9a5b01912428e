package atom

// figure is a number with what is written around it that says what it counts.
type figure struct {
	num    numeral
	exp    int // power of ten of its magnitude: 6 for "million"
	unit   Unit
	end    int
	approx bool
	bytes  bool // "5B": five billion, or five bytes
}

// scanNumber reads a number, an amount or a percentage whose first digit is
// text[at]. What stands before it is looked at as far back as floor. It returns
// 0 where the digits are no number of their own.
func scanNumber(text string, at, floor int, m Mode, inherited Unit, a *Atom) (end int) {
	p := readPrefix(text, at, floor, m)
	var f figure
	if !f.read(text, at, m, p.unit != 0 || inherited.Dimension() == Currency) {
		return 0
	}
	if f.num.dotted {
		*a = Atom{Kind: Identifier, Start: at, End: f.end, Seconds: -1, Hash: hashCode(text[at:f.end])}
		return f.end
	}
	if p.point {
		f.num.shift()
	}
	if end := ratio(text, p.start, &f, m, a); end != 0 {
		return end
	}
	switch {
	case p.unit != 0 && (f.unit == 0 || f.unit.Dimension() != Currency || len(canBe(p.unit)) <= len(canBe(f.unit))):
		f.unit = p.unit
	case f.unit == 0:
		f.unit = inherited
	}
	if f.unit == 0 || f.exp == 0 && f.unit.Dimension() == Currency {
		f.adopt(text, p.between, m)
	}
	*a = Atom{Start: p.start, End: f.end, Seconds: -1, Approx: f.approx || p.approx}
	f.settle(a)
	p.sign(text, f.end, a)
	if f.num.integer && f.exp == 0 && f.num.digits >= longDigits {
		a.Hash = hashDigits(text[at:f.num.end])
	}
	if a.Kind == Number && a.Unit == 0 && (f.num.integer || f.exp > 0 || f.num.n > 1 && !f.num.as[1].frac) {
		a.Noun = nounAfter(text, f.end, a.Readings[0].Value == 1)
	}
	return f.end
}

// longDigits is how many digits make a number that may be an identifier.
const longDigits = 6

// read reads the digits at text[at] and the words behind them. money says
// that a currency stands before them.
func (f *figure) read(text string, at int, m Mode, money bool) bool {
	f.num = readNumeral(text, at, m)
	f.end = f.num.end
	if f.num.dotted {
		return !wordAt(text, f.end)
	}
	f.readWords(text, money)
	if f.end == f.num.end && wordAt(text, f.end) {
		if text[f.end] == 'x' && !wordAt(text, f.end+1) { // 3x faster
			return true
		}
		return false
	}
	if f.num.n > 0 && f.num.plain && f.unit.Dimension() == Time && f.end == f.num.end+1 && decade(text[at:f.end]) {
		return false
	}
	if f.unit.Dimension() == Time {
		if f.addParts(text); wordAt(text, f.end) {
			return false
		}
	}
	if f.exp > 0 && f.unit == 0 {
		f.addMagnitudes(text)
	}
	if f.end < len(text) && text[f.end] == '+' && !digitAt(text, f.end+1) {
		f.approx = true
	}
	return true
}

// decade reports whether digits with an "s" are a decade: 1990s.
func decade(s string) bool {
	return len(s) == 5 && s[3:] == "0s" && (s[0] == '1' || s[0] == '2')
}

// settle writes the readings, the unit and the kind of a figure.
func (f *figure) settle(a *Atom) {
	exp := f.exp
	a.Kind, a.Unit = Number, f.unit
	switch f.unit.Dimension() {
	case Currency:
		a.Kind = Money
		if f.unit == cents {
			exp -= 2
			a.Unit = anyMoney
		}
	case Fraction:
		a.Kind = Percent
		switch f.unit.Factor() { // hundredths, however it is written
		case 0.001:
			exp--
			a.Unit = percent
		case 0.0001:
			exp -= 2
			a.Unit = percent
		}
	}
	as := f.num.as[:f.num.n]
	if a.Kind == Money && len(as) == 2 && as[0].frac && as[0].exp == -3 {
		as[0], as[1] = as[1], as[0] // an amount of money seldom has three decimals
	} else if a.Kind == Money && f.exp == 0 && len(as) == 2 && as[1].frac && as[1].exp == -3 {
		as = as[:1]
	}
	for i, d := range as {
		a.Readings[i] = d.reading(exp)
	}
	a.N = len(as)
	if f.bytes && a.Kind == Number && a.N == 1 {
		a.Readings[1] = as[0].reading(exp - 9)
		a.N = 2
	}
}
