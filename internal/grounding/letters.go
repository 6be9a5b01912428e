package grounding

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// plainLetters is a text without the marks on its letters, as the names of
// fields are written: "san pham" for "sản phẩm".
func plainLetters(s string) string {
	ascii := true
	for i := range len(s) {
		ascii = ascii && s[i] < utf8.RuneSelf
	}
	if ascii {
		return s
	}
	var b strings.Builder
	b.Grow(len(s))
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'đ':
			b.WriteByte('d')
		case r == 'Đ':
			b.WriteByte('D')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// namesThing is whether a noun is what a key names: its last word, or, in a
// language that writes its nouns as several, its last words.
func namesThing(key, noun string) bool {
	if !strings.Contains(noun, " ") {
		return lastStem(key) == noun
	}
	name := spaced(key)
	return name == noun || strings.HasSuffix(name, " "+noun)
}

// spaced is the words of a key with spaces between them.
func spaced(key string) string {
	var b strings.Builder
	for w := range words(key) {
		if b.Len() > 0 {
			b.WriteByte(' ')
		}
		b.WriteString(w)
	}
	return b.String()
}
