package redact

import (
	"strconv"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// plain is a text with the escapes of JSON undone, at every depth of strings in
// strings, and where each of them was. Names and shapes are looked for in it;
// what is hidden is cut out of the text as it was written. Quotes, line breaks
// and backslashes stay escaped, in one of their spellings: they tell how deep a
// string lies and where it ends.
type plain struct {
	written string   // as it was
	escapes []escape // in order
}

// escape is a piece that reads otherwise than it is written.
type escape struct{ from, to, writtenFrom, writtenTo int }

// unescape undoes the escapes of s.
func unescape(s string) (string, plain) {
	p := plain{written: s}
	at := strings.IndexByte(s, '\\')
	if at < 0 {
		return s, p
	}
	var out []byte
	copied := 0
	for at < len(s) {
		size := len(out) + at - copied
		before, r, end, ok := readEscape(s, at)
		if ok {
			out = append(append(out, s[copied:at]...), manySlashes[:before]...)
			out = utf8.AppendRune(out, r)
			p.escapes = append(p.escapes, escape{size, len(out), at, end})
			copied = end
		}
		next := strings.IndexByte(s[end:], '\\')
		if next < 0 {
			break
		}
		at = end + next
	}
	if copied == 0 {
		return s, p
	}
	return string(append(out, s[copied:]...)), p
}

// maxSlashes bounds the backslashes that are told apart: strings in strings,
// six deep.
const maxSlashes = 64

var manySlashes = strings.Repeat(`\`, maxSlashes)

// readEscape reads the backslashes at i and what they escape. Strings in
// strings double them, which is why their number does not matter but for quotes,
// which keep the ones before them.
func readEscape(s string, i int) (before int, r rune, end int, ok bool) {
	n, k := 0, i
	for {
		for k < len(s) && s[k] == '\\' {
			n, k = min(n+1, maxSlashes), k+1
		}
		if r, ok := unicodeEscape(s[k:]); !ok || r != '\\' {
			break
		}
		n, k = min(2*n, maxSlashes), k+len(`u005c`)
	}
	if k < len(s) && s[k] == '/' {
		return 0, '/', k + 1, true
	}
	if r, ok = unicodeEscape(s[k:]); !ok {
		return 0, 0, k, false
	}
	end = k + len(`u0000`)
	if utf16.IsSurrogate(r) {
		low := end
		for low < len(s) && s[low] == '\\' {
			low++
		}
		second, ok := unicodeEscape(s[low:])
		if r = utf16.DecodeRune(r, second); !ok || low == end || r == utf8.RuneError {
			return 0, 0, end, false
		}
		end = low + len(`u0000`)
	}
	switch {
	case r == '"':
		return n, r, end, true
	case hidden(r): // a line break, say
		return 0, 0, end, false
	}
	return 0, r, end, true
}

// unicodeEscape reads uXXXX, what a backslash stands before.
func unicodeEscape(s string) (rune, bool) {
	if len(s) < len(`u0000`) || s[0] != 'u' {
		return 0, false
	}
	for i := 1; i < len(`u0000`); i++ {
		if !isHex(s[i]) {
			return 0, false
		}
	}
	r, err := strconv.ParseUint(s[1:len(`u0000`)], 16, 16)
	return rune(r), err == nil
}

// original is where a place of the text without escapes is in the written one.
// Places that are asked for do not go back.
func (p *plain) original(i int) int {
	for len(p.escapes) > 1 && p.escapes[1].from <= i {
		p.escapes = p.escapes[1:]
	}
	if len(p.escapes) == 0 || i < p.escapes[0].from {
		return i
	}
	if e := p.escapes[0]; i >= e.to {
		return e.writtenTo + i - e.to
	}
	return p.escapes[0].writtenFrom
}
