package rawjson

import (
	"bytes"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Text returns a copy of a text with its escapes decoded; ok is false for any
// other value. An escape that JSON does not know is kept as it stands, half of
// a surrogate pair becomes U+FFFD.
func (v Value) Text() (text string, ok bool) {
	if v.Kind() != String || len(v) < 2 {
		return "", false
	}
	return unescape(v[1 : len(v)-1]), true
}

// AppendText appends what [Value.Text] returns.
func (v Value) AppendText(dst []byte) []byte {
	if v.Kind() != String || len(v) < 2 {
		return dst
	}
	if inner := v[1 : len(v)-1]; bytes.IndexByte(inner, '\\') < 0 {
		return append(dst, inner...)
	}
	return append(dst, unescape(v[1:len(v)-1])...)
}

// unescape returns what stands between two quotes, copied once.
func unescape(s []byte) string {
	slash := bytes.IndexByte(s, '\\')
	if slash < 0 {
		return string(s)
	}
	var b strings.Builder
	b.Grow(len(s))
	var char [utf8.UTFMax]byte
	for slash >= 0 && slash+1 < len(s) {
		b.Write(s[:slash])
		decoded, n := appendEscape(char[:0], s[slash:])
		b.Write(decoded)
		s = s[slash+n:]
		slash = bytes.IndexByte(s, '\\')
	}
	b.Write(s)
	return b.String()
}

// appendEscape appends what the escape at the start of s stands for and
// returns how many bytes of s that was. s has at least two bytes.
func appendEscape(dst, s []byte) ([]byte, int) {
	switch s[1] {
	case 'n':
		return append(dst, '\n'), 2
	case 't':
		return append(dst, '\t'), 2
	case 'r':
		return append(dst, '\r'), 2
	case 'b':
		return append(dst, '\b'), 2
	case 'f':
		return append(dst, '\f'), 2
	case '"', '\\', '/':
		return append(dst, s[1]), 2
	case 'u':
		unit, ok := hex4(s[2:])
		if !ok {
			break
		}
		if !utf16.IsSurrogate(unit) {
			return utf8.AppendRune(dst, unit), 6
		}
		if len(s) >= 8 && s[6] == '\\' && s[7] == 'u' {
			if low, ok := hex4(s[8:]); ok {
				if r := utf16.DecodeRune(unit, low); r != utf8.RuneError {
					return utf8.AppendRune(dst, r), 12
				}
			}
		}
		return utf8.AppendRune(dst, utf8.RuneError), 6
	}
	return append(dst, '\\'), 1
}

func hex4(s []byte) (r rune, ok bool) {
	if len(s) < 4 {
		return 0, false
	}
	for _, c := range s[:4] {
		switch {
		case c >= '0' && c <= '9':
			c -= '0'
		case c >= 'a' && c <= 'f':
			c -= 'a' - 10
		case c >= 'A' && c <= 'F':
			c -= 'A' - 10
		default:
			return 0, false
		}
		r = r<<4 | rune(c)
	}
	return r, true
}
