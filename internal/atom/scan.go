package atom

import (
	"strings"
	"sync"
	"unicode/utf8"
)

// Scan finds the checkable pieces of a text and hands them to visit in order,
// without overlap, until visit returns false. The *Atom is used again for the
// next one. Scan reads the text once, looks a bounded way back and ahead at
// what may be an atom, and allocates nothing per atom. It is safe for concurrent
// use, and visit may call it.
func Scan(text string, m Mode, visit func(*Atom) bool) {
	s := scanners.Get().(*scanner)
	defer scanners.Put(s)
	*s = scanner{text: text, mode: m, visit: visit, at: -1}
	s.run()
	s.text, s.visit = "", nil
}

var scanners = sync.Pool{New: func() any { return new(scanner) }}

type scanner struct {
	text  string
	mode  Mode
	visit func(*Atom) bool
	a     Atom

	floor     int  // end of the last atom: nothing reaches back behind it
	at        int  // the next "@", len(text) where there is none; -1: not looked for
	done      bool // visit has had enough
	unfenced  bool // no code fence closes any more
	rangeAt   int  // where the second number of a range begins
	rangeUnit Unit // the currency before its first number
}

func (s *scanner) run() {
	text := s.text
	for i := 0; i < len(text) && !s.done; {
		switch classes[text[i]] {
		case isSkipped:
			i++
		case isAlpha:
			i = s.word(i)
		case isDigit:
			i = s.digits(i)
		case isHigh:
			i = s.high(i)
		default:
			i = s.special(i)
		}
	}
}

// Recognisers leave the atom alone where they find nothing, and set the whole of
// it otherwise.

// emit hands out the atom that the recognisers have read and returns where to
// go on. Whatever they claim, the spans stay in order.
func (s *scanner) emit(start, end int) int {
	if s.a.End == 0 {
		s.a.Start, s.a.End = start, end
	}
	s.floor = max(end, s.a.End)
	s.done = !s.visit(&s.a)
	return s.floor
}

// word reads the word that begins with the letter text[i].
func (s *scanner) word(i int) int {
	text := s.text
	e := i + 1
	for e < len(text) && classes[text[e]] == isAlpha {
		e++
	}
	if e < len(text) {
		if c := text[e]; joins[c] && s.joined(e) || c >= utf8.RuneSelf && s.dashed(e) {
			if s.code(i, e) {
				return e
			}
			if end := s.token(i, e); end > 0 {
				return s.emit(i, end)
			}
			if classes[c] == isDigit || c == '_' {
				return s.skipWord(e)
			}
		} else if c >= utf8.RuneSelf {
			e = wordEnd(text, e)
		}
	}
	return s.name(i, e)
}

// name reads the word text[i:e], which is no part of a longer code, as the
// beginning of a date or of a number in words.
func (s *scanner) name(i, e int) int {
	if mayBeginDate(s.text, i) {
		if end := scanRelative(s.text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
		if end := scanDate(s.text, i, &s.a); end > 0 {
			return s.emit(i, end)
		}
	}
	if s.mode == Prose {
		if end := s.spokenNumber(i, e); end > 0 {
			return s.emit(i, end)
		}
	}
	return e
}

// joins are the bytes that may join a word to the rest of a code or an address.
var joins = func() (t [256]bool) {
	for _, c := range "0123456789-_./:@#+%&=" {
		t[c] = true
	}
	return t
}()

// joined reports whether the byte text[e] joins what is before it to what is
// behind it.
func (s *scanner) joined(e int) bool {
	if e+1 >= len(s.text) {
		return classes[s.text[e]] == isDigit
	}
	c := s.text[e+1]
	return classes[s.text[e]] == isDigit || isWordByte(c) || c == '/' || c >= utf8.RuneSelf
}

// dashed reports whether a hyphen beyond ASCII stands at text[e] and something
// behind it.
func (s *scanner) dashed(e int) bool {
	n := dash(s.text, e)
	return n > 1 && isAlnum(byteAt(s.text, e+n))
}

// decimal reports whether the digits that end at text[e] have a point and
// decimals behind them, and nothing that would make a code of them.
func (s *scanner) decimal(e int) bool {
	end := digitsEnd(s.text, e+1)
	return s.text[e] == '.' && end > e+1 && (end == len(s.text) || !joins[s.text[end]] && classes[s.text[end]] == isSkipped)
}

// token asks the recognisers of addresses and codes about what begins with the
// letters or digits text[i:e].
func (s *scanner) token(i, e int) (end int) {
	switch c := s.text[e]; {
	case c == ':' || c == '.' || c == '-' || c == '+' || classes[c] != isSkipped:
		if end = scanURL(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	if s.at < i {
		s.at = len(s.text)
		if n := strings.IndexByte(s.text[i:], '@'); n >= 0 {
			s.at = i + n
		}
	}
	if s.at-i <= maxLocal && s.at < len(s.text) {
		if end = scanEmail(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	if e-i == 2 {
		if end = scanIBAN(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	return scanIdentifier(s.text, i, &s.a)
}

const maxLocal = 64 // bytes that an address may have before its "@"

// code reports whether the letters text[i:e], which touch a number, are a
// currency and not the beginning of a code of letters and digits: USD500, Rs.500.
func (s *scanner) code(i, e int) bool {
	at := e
	if s.text[at] == '.' {
		at++
	}
	return digitAt(s.text, at) && words[s.text[i:e]].before && !wordAt(s.text, digitsEnd(s.text, at))
}

// skipWord is the end of the letters and digits that go on at text[e].
func (s *scanner) skipWord(e int) int {
	for e < len(s.text) {
		if c := s.text[e]; c < utf8.RuneSelf {
			if !isWordByte(c) {
				break
			}
			e++
			continue
		}
		size := wordRune(s.text, e)
		if size == 0 {
			break
		}
		e += size
	}
	return e
}

// high reads what begins with a character beyond ASCII: a word, or a sign.
func (s *scanner) high(i int) int {
	if size := wordRune(s.text, i); size > 0 {
		e := wordEnd(s.text, i)
		if digitAt(s.text, e) {
			return s.skipWord(e)
		}
		return s.name(i, e)
	}
	_, size := utf8.DecodeRuneInString(s.text[i:])
	return i + size
}

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
		case c == ' ' || c == '-' || c == '/' || c == '.' || c == ':' || c >= utf8.RuneSelf || classes[c] == isAlpha:
			return true
		}
	}
	return i > 0 && (s.text[i-1] == ' ' || s.text[i-1] == '-' || s.text[i-1] >= utf8.RuneSelf)
}

// special reads what begins with a sign that may open an atom or what is no
// statement.
func (s *scanner) special(i int) int {
	switch s.text[i] {
	case '`', '[':
		if s.mode == Prose {
			if next := s.unquoted(i); next > 0 {
				return next
			}
		}
	case '#':
		if i+1 < len(s.text) && isAlnum(s.text[i+1]) {
			if end := scanIdentifier(s.text, i, &s.a); end > 0 {
				return s.emit(i, end)
			}
		}
	case '+', '(':
		if digitAt(s.text, i+1) || strings.HasPrefix(s.text[i+1:], "+") {
			if end := scanPhone(s.text, i, &s.a); end > 0 {
				return s.emit(i, end)
			}
		}
	}
	return i + 1
}
