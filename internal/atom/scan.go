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
	*s = scanner{text: text, mode: m, visit: visit}
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
	runEnd    int  // end of the run that quiet has read, and in it
	digit     int  // the last digit, -1 where there is none
	at        int  // the last "@"
	host      int  // the last slash, or the dot of "www."
	done      bool // visit has had enough
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

// special reads what begins with a sign that may open an atom or what is no
// statement.
func (s *scanner) special(i int) int {
	switch s.text[i] {
	case '`', '[':
		if s.mode == Prose {
			if next := unquoted(s.text, i); next > 0 {
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
