package atom

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	localMax  = 64  // bytes of the part before the @, by RFC 5321
	domainMax = 255 // and of the one behind it
)

// scanEmail reads an e-mail address that begins at text[at], or behind a "mailto:"
// that does. Of what RFC 5322 allows before the @ it takes letters of any script,
// digits and . _ % + - ', not the signs that separate addresses from what is around
// them in practice. The Hash has no case.
func scanEmail(text string, at int, a *Atom) (end int) {
	const mailto = "mailto:"
	if len(text)-at > len(mailto) && lower(text[at]) == 'm' && strings.EqualFold(text[at:at+len(mailto)], mailto) {
		at += len(mailto)
	}
	i := at
	for i < len(text) && i-at <= localMax && text[i] != '@' {
		n := addressByte(text, i)
		if n == 0 && strings.IndexByte("._%+-'", text[i]) >= 0 {
			n = 1
		}
		if n == 0 {
			return 0
		}
		i += n
	}
	if i == at || byteAt(text, i) != '@' || text[i-1] == '.' || text[at] == '.' {
		return 0
	}
	if end = domainEnd(text, i+1); end == 0 || byteAt(text, end) == '@' {
		return 0
	}
	*a = Atom{Kind: Email, Start: at, End: end, Seconds: -1, Hash: foldStart.text(text[at:end]).sum()}
	return end
}

// domainEnd is where the domain ends that begins at text[at], of which the last
// label is letters; 0 where there is none.
func domainEnd(text string, at int) (end int) {
	label, letters := at, true
	for i := at; i-at <= domainMax; {
		n := 0
		if i < len(text) {
			n = addressByte(text, i)
		}
		switch {
		case n > 0:
			letters = letters && !digit(text[i])
			i += n
			continue
		case byteAt(text, i) == '-' && i > label && addressByte(text, i+1) > 0:
			letters = false
			i++
			continue
		}
		if i == label {
			return end
		}
		if label > at && (letters && i-label >= 2 || strings.HasPrefix(text[label:], "xn--")) {
			end = i
		}
		if byteAt(text, i) != '.' || i+1 >= len(text) || addressByte(text, i+1) == 0 {
			return end
		}
		i++
		label, letters = i, true
	}
	return 0
}

// addressByte is the length of the letter or digit at text[i], 0 for another sign.
func addressByte(text string, i int) int {
	c := byteAt(text, i)
	if c < utf8.RuneSelf {
		if isAlnum(c) {
			return 1
		}
		return 0
	}
	if r, size := utf8.DecodeRuneInString(text[i:]); unicode.IsLetter(r) || unicode.IsMark(r) || unicode.IsDigit(r) {
		return size
	}
	return 0
}
