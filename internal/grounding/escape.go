package grounding

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// unescape is the text that a JSON string stands for. What is no escape of JSON
// stays as it is written.
func unescape(s string) string {
	var b strings.Builder
	b.Grow(len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 || i+1 >= len(s) {
			b.WriteString(s)
			return b.String()
		}
		b.WriteString(s[:i])
		c := s[i+1]
		s = s[i+2:]
		switch c {
		case 'n':
			b.WriteByte('\n')
		case 't':
			b.WriteByte('\t')
		case 'r':
			b.WriteByte('\r')
		case 'b', 'f':
			b.WriteByte(' ')
		case 'u':
			r, rest := codePoint(s)
			s = rest
			b.WriteRune(r)
		default:
			b.WriteByte(c)
		}
	}
}

// codePoint reads what follows "\u", and the second half of a pair.
func codePoint(s string) (r rune, rest string) {
	r, ok := hex4(s)
	if !ok {
		return utf8.RuneError, s
	}
	s = s[4:]
	if utf16.IsSurrogate(r) && strings.HasPrefix(s, `\u`) {
		if low, ok := hex4(s[2:]); ok {
			if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
				return both, s[6:]
			}
		}
	}
	return r, s
}

func hex4(s string) (rune, bool) {
	if len(s) < 4 {
		return 0, false
	}
	n, err := strconv.ParseUint(s[:4], 16, 16)
	return rune(n), err == nil
}
