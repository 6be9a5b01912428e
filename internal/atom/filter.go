package atom

import (
	"strings"
	"unicode/utf8"
)

// What is asked most often is mostly answered with no. The filters of this file
// answer so from a byte or two, and never where the whole look would say yes.

// runs says of each byte whether it goes on with a run of letters, digits and
// joining signs.
var runs = func() (t [256]bool) {
	for c := range t {
		t[c] = joins[c] || isWordByte(byte(c)) || c >= utf8.RuneSelf || strings.IndexByte("~?$'", byte(c)) >= 0
	}
	return t
}()

// quiet reports whether the rest of the run that text[i] is part of holds nothing
// without which there is no code and no address: a digit, an "@", a slash or
// "www.". A run is read once.
func (s *scanner) quiet(i int) bool {
	if i >= s.runEnd {
		s.digit, s.at, s.host = -1, -1, -1
		e := i
		for ; e < len(s.text) && runs[s.text[e]]; e++ {
			switch c := s.text[e]; {
			case classes[c] == isDigit:
				s.digit = e
			case c == '@':
				s.at = e
			case c == '/', c == '.' && e >= 3 && strings.EqualFold(s.text[e-3:e], "www"):
				s.host = e
			}
		}
		s.runEnd = e
	}
	return max(s.digit, s.at, s.host) < i
}

// dateMayBegin reports whether a word at text[at], behind the digits of a day, an
// hour or a number of days, can make a date or a time of them.
func dateMayBegin(text string, at int) bool {
	if mayBeginDate(text, at) {
		return true
	}
	second := byteAt(text, at+1)
	if second >= utf8.RuneSelf {
		return true
	}
	second |= 0x20
	switch text[at] | 0x20 {
	case 'o': // of
		return second == 'f' && mayBeginDate(text, skipSpaces(text, at+2))
	case 'd': // days, dias; de, del, di
		return second == 'a' || second == 'i' || second == 'e' && (mayBeginDate(text, skipSpaces(text, at+2)) || mayBeginDate(text, skipSpaces(text, at+3)))
	case 'w': // weeks, Wochen
		return second == 'e' || second == 'o'
	case 'n': // ngay
		return second == 'g'
	case 't': // Tage, tuan, toi; to, through
		return second == 'a' || second == 'u' || digitBehind(text, at)
	case 'j': // jours
		return second == 'o'
	case 's': // semanas, settimane, sang
		return second == 'e' || second == 'a'
	case 'g': // giorni, gio
		return second == 'i'
	case 'p': // pm
		return second == 'm' || second == '.'
	case 'a': // am; and, au, al, a
		return second == 'm' || second == '.' || digitBehind(text, at)
	case 'u': // Uhr; und
		return second == 'h' || digitBehind(text, at)
	case 'c': // chieu
		return second == 'h'
	case 'b', 'e', 'v', 'y': // bis, et, e, va, y
		return digitBehind(text, at)
	}
	return false
}

// digitBehind reports whether a digit stands behind the word at text[at].
func digitBehind(text string, at int) bool {
	const longest = len("through")
	end := at
	for end-at <= longest && end < len(text) && isLetter(text[end]) {
		end++
	}
	return digitAt(text, skipSpaces(text, end)) || byteAt(text, end) >= utf8.RuneSelf
}

// rangeMayEnd reports whether what stands before text[i] can be the sign or the
// word of a range of days.
func rangeMayEnd(text string, i int) bool {
	j := backSpaces(text, i)
	if j == 0 {
		return false
	}
	c := text[j-1]
	return c == '-' || c >= utf8.RuneSelf || j < i && (c == 'o' || c == 's' || c == 'h' || c == 'O' || c == 'S' || c == 'H')
}
