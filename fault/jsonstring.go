package fault

import (
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// special marks the bytes that mean something in a string.
var special = func() (t [256]bool) {
	for i := range 0x20 {
		t[i] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// quoted takes a string and returns what stands between its quotes, and
// whether there are escapes in it.
func (j *jsonReader) quoted() (inner string, escaped, ok bool) {
	s, i := j.s, j.at+1
	for i < len(s) {
		if !special[s[i]] {
			i++
			continue
		}
		switch s[i] {
		case '"':
			inner, j.at = s[j.at+1:i], i+1
			return inner, escaped, true
		case '\\':
			n := escape(s[i:])
			if n == 0 {
				return "", false, false
			}
			i, escaped = i+n, true
		default:
			return "", false, false
		}
	}
	return "", false, false
}

// escape is the length of the escape that s begins with, 0 for none.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(s); ok {
			return 6
		}
	}
	return 0
}

// hex4 reads an escape of four hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// text takes a string and returns what it says. Bytes that are no UTF-8 become
// U+FFFD.
func (j *jsonReader) text() (string, bool) {
	s, escaped, ok := j.quoted()
	if escaped {
		s = unescape(s)
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return s, ok
}

// unescape resolves the escapes of a string that was checked.
func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return string(append(out, s...))
		}
		out = append(out, s[:i]...)
		c := s[i+1]
		switch c {
		case 'u':
			r, _ := hex4(s[i:])
			s = s[i+6:]
			if low, ok := hex4(s); ok && utf16.IsSurrogate(r) {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					r, s = both, s[6:]
				}
			}
			out = utf8.AppendRune(out, r) // half a pair becomes U+FFFD
			continue
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		}
		out, s = append(out, c), s[i+2:]
	}
}
