package atom

import "unicode/utf8"

// digits reads what begins with the digit text[i], which no word is before.
func (s *scanner) digits(i int) int {
	text := s.text
	e := digitsEnd(text, i)
	if s.mode == Prose {
		if end := ordinal(text, i, e); end > 0 {
			return end
		}
	}
	follows := byte(0)
	if e < len(text) {
		follows = text[e]
	}
	if joins[follows] && s.joined(e) && !s.decimal(e) || classes[follows] == isAlpha && !s.measured(e) {
		s.quiet(i)
		if end := s.token(i, e); end > 0 {
			return s.emit(i, end)
		}
	} else if e-i >= marksDigits && s.markMayPrecede(i) || e-i == cardGroup && digitAt(text, e+spaceAt(text, e)) {
		if end := scanIdentifier(text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
	}
	if s.phoneMayFollow(i, e) {
		if end := scanPhone(text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
	}
	if s.dateMayFollow(i, e) {
		if end := scanDate(text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
		if end := scanRelative(text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
		if end := scanClock(text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
	}
	inherited := Unit(0)
	if s.rangeAt == i {
		inherited = s.rangeUnit
	}
	end := scanNumber(text, i, s.floor, s.mode, inherited, &s.a)
	if end == 0 {
		return s.skipWord(e)
	}
	if s.a.Kind == Money {
		s.rangeAt, _ = rangeTo(text, end, false)
		s.rangeUnit = s.a.Unit
	}
	return s.emit(i, end)
}

// marksDigits is how many digits make a code behind a word for one, cardGroup
// how many there are in a group of the number of a card.
const marksDigits, cardGroup = 4, 4

// markMayPrecede reports whether a word that makes a code of a number can stand
// before text[i]: "no. 4711", "ID: 4711".
func (s *scanner) markMayPrecede(i int) bool {
	i -= spaceBefore(s.text, i)
	if i == 0 {
		return false
	}
	switch c := s.text[i-1]; c {
	case ':', '.':
		return i > 1 && s.text[i-2] != '"'
	default:
		return isLetter(c) || c >= utf8.RuneSelf
	}
}

// measured reports whether the letters at text[e], behind digits, are a unit.
func (s *scanner) measured(e int) bool {
	_, end := wordAfter(s.text, e)
	return end > e && !wordAt(s.text, end)
}

// phoneMayFollow reports whether the digits text[i:e] can be the first of a
// telephone number: many, with a leading 0, or with a further group behind them.
func (s *scanner) phoneMayFollow(i, e int) bool {
	if e-i >= bareMin || s.text[i] == '0' && e-i >= phoneMin {
		return true
	}
	if e-i > 6 || e+1 >= len(s.text) {
		return e-i >= phoneMin
	}
	switch c := s.text[e]; c {
	case ' ', '-', '.', '/', ')':
		return s.text[e+1] == '(' || classes[s.text[e+1]] == isDigit || c == ')'
	default:
		return c >= utf8.RuneSelf
	}
}

// dateMayFollow reports whether the digits text[i:e] can be the first of a date
// or a time of day, or the last of a range of days.
func (s *scanner) dateMayFollow(i, e int) bool {
	if e-i > 4 {
		return e-i == len("20260630")
	}
	if e < len(s.text) {
		switch c := s.text[e]; {
		case c == '.' && e-i == 4 && byteAt(s.text, digitsEnd(s.text, e+1)) != '.':
			return false // 1999.05 is a number
		case c == ' ':
			if next := byteAt(s.text, e+1); next == ' ' || next == '-' || next >= utf8.RuneSelf || classes[next] == isAlpha && dateMayBegin(s.text, e+1) {
				return true
			}
		case c == '-' || c == '/' || c == '.' || c == ':' || c >= utf8.RuneSelf || classes[c] == isAlpha:
			return true
		}
	}
	return rangeMayEnd(s.text, i)
}
