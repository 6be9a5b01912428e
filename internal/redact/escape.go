package redact

import (
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"
)

const ellipsis = "…"

// maxHalved is how far Cut goes back to keep a word whole. Longer words are
// blobs, not tokens.
const maxHalved = 256

// Text cuts s, hides its secrets and makes it one line of at most limit bytes.
func Text(s string, limit int) string { return Escape(Secrets(Cut(s, 4*limit)), limit) }

// Cut shortens s to at most limit bytes on a rune boundary. A word that the cut
// runs through is left out as well: half of a secret may no longer look like one.
func Cut(s string, limit int) string {
	if len(s) <= limit {
		return s
	}
	limit = max(limit, 0)
	cut := limit
	for cut > 0 && cut > limit-maxHalved && inWord(s[cut-1]) && inWord(s[cut]) {
		cut--
	}
	if cut <= limit-maxHalved {
		cut = limit
	}
	for cut > 0 && !utf8.RuneStart(s[cut]) {
		cut--
	}
	return s[:cut]
}

func inWord(b byte) bool {
	switch b {
	case '"', '\'', ',', ';', '&', '<', '>':
		return false
	}
	return b > ' '
}

// Escape makes s one line of at most limit bytes: control characters, invalid
// bytes and the invisible runes that reorder or hide text are written as
// escapes, and what is too long ends in an ellipsis.
func Escape(s string, limit int) string {
	if len(s) <= limit && harmless(s) {
		return s
	}
	limit = max(limit, 0)
	out := make([]byte, 0, min(len(s), limit)+utf8.UTFMax)
	fits := 0 // length up to which an ellipsis still fits behind
	for i := 0; i < len(s) && len(out) <= limit; {
		if len(out) <= limit-len(ellipsis) {
			fits = len(out)
		}
		r, n := utf8.DecodeRuneInString(s[i:])
		switch {
		case r == utf8.RuneError && n == 1:
			out = append(out, `\x`...)
			out = append(out, hex[s[i]>>4], hex[s[i]&15])
		case hidden(r):
			quoted := strconv.QuoteRuneToASCII(r)
			out = append(out, quoted[1:len(quoted)-1]...)
		default:
			out = append(out, s[i:i+n]...)
		}
		i += n
	}
	if len(out) <= limit {
		return string(out)
	}
	if limit < len(ellipsis) {
		return ""
	}
	return string(out[:fits]) + ellipsis
}

const hex = "0123456789abcdef"

func harmless(s string) bool {
	for i := 0; i < len(s); i++ {
		if s[i] < ' ' || s[i] >= 0x7f {
			return utf8.ValidString(s) && strings.IndexFunc(s, hidden) < 0
		}
	}
	return true
}

// hidden reports whether r is a rune that a reader cannot see: controls, line
// and paragraph separators, and the format characters that turn text around.
func hidden(r rune) bool {
	return r < ' ' || r == 0x7f || r >= 0x80 && unicode.In(r, unicode.Cc, unicode.Cf, unicode.Zl, unicode.Zp)
}
