package atom

import (
	"unicode"
	"unicode/utf8"
)

// What a byte means to [Scan].
const (
	isSkipped = iota // begins no atom
	isAlpha
	isDigit
	isHigh // part of a character beyond ASCII
	isSpecial
)

var classes = func() (t [256]uint8) {
	for c := range t {
		switch b := byte(c); {
		case b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z':
			t[c] = isAlpha
		case b >= '0' && b <= '9':
			t[c] = isDigit
		case b >= utf8.RuneSelf:
			t[c] = isHigh
		case b == '+' || b == '(' || b == '`' || b == '[' || b == '#':
			t[c] = isSpecial
		}
	}
	return t
}()

func isLetter(c byte) bool { return classes[c] == isAlpha }
func digitAt(text string, at int) bool {
	return at < len(text) && classes[text[at]] == isDigit
}

// isWordByte reports whether a byte of ASCII belongs to a word.
func isWordByte(c byte) bool { return classes[c] == isAlpha || classes[c] == isDigit || c == '_' }

// wordRune is the size of the character at text[at] where it is a letter of a
// script that writes words with spaces between them, 0 where it is not. In the
// others a figure may touch the word before it.
func wordRune(text string, at int) int {
	r, size := utf8.DecodeRuneInString(text[at:])
	switch {
	case r == utf8.RuneError && size <= 1:
		return 0
	case r < utf8.RuneSelf:
		if isWordByte(byte(r)) {
			return size
		}
	case r >= 0x300 && r < 0x370 || r < 0x2e80 && unicode.IsLetter(r):
		return size
	}
	return 0
}

// wordBefore reports whether a letter, a digit or "_" ends at text[at].
func wordBefore(text string, at int) bool {
	if at == 0 {
		return false
	}
	if c := text[at-1]; c < utf8.RuneSelf {
		return isWordByte(c)
	}
	r, size := utf8.DecodeLastRuneInString(text[:at])
	return r != utf8.RuneError && wordRune(text, at-size) > 0
}

// spaceAt is the size of a space at text[at], a no-break or thin one included,
// 0 where there is none.
func spaceAt(text string, at int) int {
	if at >= len(text) {
		return 0
	}
	switch text[at] {
	case ' ':
		return 1
	case 0xc2:
		if at+1 < len(text) && text[at+1] == 0xa0 { // U+00A0
			return 2
		}
	case 0xe2:
		if at+2 < len(text) && text[at+1] == 0x80 && (text[at+2] == 0xaf || text[at+2] == 0x89 || text[at+2] == 0x87) { // U+202F, U+2009, U+2007
			return 3
		}
	}
	return 0
}

// spaceBefore is the size of the space that ends at text[at].
func spaceBefore(text string, at int) int {
	switch {
	case at >= 1 && text[at-1] == ' ':
		return 1
	case at >= 2 && text[at-2] == 0xc2 && spaceAt(text, at-2) == 2:
		return 2
	case at >= 3 && text[at-3] == 0xe2 && spaceAt(text, at-3) == 3:
		return 3
	}
	return 0
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
