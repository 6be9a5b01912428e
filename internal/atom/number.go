package atom

import (
	"strings"
	"unicode/utf8"
)

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
	if a.Kind == Number && a.Unit == 0 && (f.num.integer || f.exp > 0) {
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

// wordAt reports whether a word begins at text[at].
func wordAt(text string, at int) bool {
	if at >= len(text) {
		return false
	}
	switch c := text[at]; {
	case c == '_': // or the end of an emphasis: _12_
		return at+1 < len(text) && isWordByte(text[at+1])
	case c < utf8.RuneSelf:
		return isWordByte(c)
	}
	return wordRune(text, at) > 0
}

// emphasisEnd is the end of the marks at text[at] that close an emphasis:
// **12** errors.
func emphasisEnd(text string, at int) int {
	end := at
	for end < len(text) && end-at < 3 && (text[end] == '*' || text[end] == '_' || text[end] == '`') {
		end++
	}
	return end
}

// readWords reads up to two magnitudes and a unit behind the digits.
func (f *figure) readWords(text string, money bool) {
	for range 3 {
		gap := spaceAt(text, f.end)
		if marks := emphasisEnd(text, f.end); marks > f.end && spaceAt(text, marks) > 0 {
			gap = marks - f.end + spaceAt(text, marks)
		}
		if gap == 0 && f.end+1 < len(text) && text[f.end] == '-' && isLetter(text[f.end+1]) {
			gap = 1
		}
		at := f.end + gap
		w, end := wordAfter(text, at)
		form := text[at:end]
		switch {
		case end == at && !money || wordAt(text, end) && !goesOn(text, &w, end):
			return
		case gap == 1 && text[f.end] == '-' && len(form) < 3:
			return
		case end == at:
			if end = wordEnd(text, at); end == at {
				return
			}
			form = text[at:end]
		}
		if exp, ok := moneyMagnitude(form); ok && money && f.exp == 0 {
			w = word{magnitude: true, exp: exp}
		} else if w == (word{}) {
			return
		} else if form == "B" && gap == 0 {
			w = word{magnitude: true, exp: 9}
			f.bytes = true
		}
		if w.tight && gap > 0 && !(w.magnitude && (money || currencyAfter(text, end))) {
			return
		}
		f.end = end
		if !w.magnitude {
			f.unit = w.unit
			return
		}
		f.exp += int(w.exp)
		f.approx = true
	}
}

// goesOn reports whether a unit may touch the digit behind it: 1h30m, 1m30s.
func goesOn(text string, w *word, end int) bool {
	if w.unit == metre && byteAt(text, digitsEnd(text, end)) == 's' {
		w.unit = minute
	}
	return w.unit.Dimension() == Time && digitAt(text, end)
}

// currencyAfter reports whether a currency stands at text[at], perhaps behind a
// space.
func currencyAfter(text string, at int) bool {
	w, _ := wordAfter(text, at+spaceAt(text, at))
	return w.unit.Dimension() == Currency
}

// addParts adds the smaller parts of a span of time: 2 hours 30 minutes, 1h30m.
func (f *figure) addParts(text string) {
	for range 3 {
		at := f.end
		if s := spaceAt(text, at); s > 0 {
			at += s
			if strings.HasPrefix(text[at:], "and ") {
				at += len("and ")
			}
		}
		if !digitAt(text, at) || f.num.n != 1 || f.num.as[0].frac {
			return
		}
		end := digitsEnd(text, at)
		w, wordEnd := wordAfter(text, end+spaceAt(text, end))
		if w.unit == metre { // 1h30m
			w.unit = minute
		}
		if w.unit.Dimension() != Time || w.unit.Factor() >= f.unit.Factor() || w.tight && spaceAt(text, end) > 0 || end-at > 3 {
			return
		}
		times := f.unit.Factor() / w.unit.Factor()
		var part decimal
		part.read(text, []run{{at, end}}, 0)
		whole := float64(f.num.as[0].mant)*times + float64(part.mant)
		if f.num.as[0].exp != 0 || whole != float64(uint64(whole)) || whole > 1e15 {
			return
		}
		f.num.as[0].mant = uint64(whole)
		f.unit, f.end, f.num.plain = w.unit, wordEnd, false
	}
}

// addMagnitudes adds the smaller parts of a number that is written in steps:
// 1 tỷ 200 triệu.
func (f *figure) addMagnitudes(text string) {
	at := f.end + spaceAt(text, f.end)
	if at == f.end || !digitAt(text, at) || f.num.n != 1 {
		return
	}
	end := digitsEnd(text, at)
	w, wordEnd := wordAfter(text, end+spaceAt(text, end))
	exp := int(w.exp)
	if !w.magnitude || exp < 3 || exp >= f.exp || end-at > 3 || w.tight || f.num.as[0].exp != 0 || f.num.as[0].mant > 1e6 {
		return
	}
	var part decimal
	part.read(text, []run{{at, end}}, 0)
	for range f.exp - exp {
		f.num.as[0].mant *= 10
	}
	f.num.as[0].mant += part.mant
	f.exp, f.end, f.num.plain = exp, wordEnd, false
	if w, end := wordAfter(text, f.end+spaceAt(text, f.end)); !w.magnitude && !w.tight && w.unit != 0 {
		f.unit, f.end = w.unit, end
	}
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
