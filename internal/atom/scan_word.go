package atom

import "unicode/utf8"

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
			if !s.quiet(i) {
				if end := s.token(i, e); end > 0 {
					return s.emit(i, end)
				}
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
	if c := s.text[e]; s.host >= i && (c == ':' || c == '.' || c == '-' || c == '+' || classes[c] != isSkipped) {
		if end = scanURL(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	if s.at >= i {
		if end = scanEmail(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	if e-i == 2 {
		if end = scanIBAN(s.text, i, &s.a); end > 0 {
			return end
		}
	}
	if s.digit < i {
		return 0
	}
	return scanIdentifier(s.text, i, &s.a)
}

// code reports whether the letters text[i:e], which touch a number, are a
// currency and not the beginning of a code of letters and digits: USD500, Rs.500.
func (s *scanner) code(i, e int) bool {
	at := e
	if s.text[at] == '.' {
		at++
	}
	return digitAt(s.text, at) && words.at(s.text[i:e]).before && !wordAt(s.text, digitsEnd(s.text, at))
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
