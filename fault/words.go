package fault

import (
	"strings"
	"unicode"
)

// Text is compared word by word, so that the spelling of a message (case,
// punctuation, quotes, line breaks) does not matter: "API key: NOT valid!"
// and "api_key not-valid" are the same four words.

const (
	maxText  = 4 << 10 // bytes of a message that are looked at
	maxWords = 700
)

// word is one word of a lower-cased text and where it stands in it.
type word struct {
	text       string
	start, end int
}

// fold returns the lower-case form that words are cut from.
func fold(text string) string {
	if len(text) > maxText {
		// The head names the problem, the tail names the exception.
		text = text[:maxText*3/4] + "\n" + text[len(text)-maxText/4:]
	}
	for i := 0; i < len(text); i++ {
		if text[i] >= 0x80 {
			return strings.Map(foldRune, text)
		}
	}
	return strings.ToLower(text)
}

// foldRune folds one character: outside of ASCII, too, what is no letter or
// digit separates words, be it the quotes of a word processor or the full stop
// of Japanese.
func foldRune(r rune) rune {
	if r < 0x80 || r == '’' || unicode.IsLetter(r) || unicode.IsNumber(r) || unicode.IsMark(r) {
		return unicode.ToLower(r)
	}
	return ' '
}

// split cuts a folded text into words. An apostrophe inside a word is dropped
// ("can't" → "cant"), everything else that is not a letter or digit separates.
func split(folded string) []word {
	words := make([]word, 0, min(maxWords, len(folded)/5+2))
	start, quoted := -1, false
	for i := 0; i <= len(folded); i++ {
		if i < len(folded) && (isWordByte(folded[i]) || start >= 0 && isApostrophe(folded, i)) {
			if start < 0 {
				start = i
			}
			quoted = quoted || folded[i] == '\'' || folded[i] >= 0x80
			continue
		}
		if start >= 0 {
			text := folded[start:i]
			if quoted {
				text = unquote(text)
			}
			words = append(words, word{text, start, i})
			start, quoted = -1, false
			if len(words) == maxWords {
				break
			}
		}
	}
	return words
}

func isWordByte(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 'A' && b <= 'Z' || b >= 0x80
}

// isApostrophe reports whether the quote at i stands between two letters.
func isApostrophe(s string, i int) bool {
	return s[i] == '\'' && i+1 < len(s) && s[i+1] >= 'a' && s[i+1] <= 'z' && s[i-1] >= 'a' && s[i-1] <= 'z'
}

func unquote(w string) string {
	if strings.IndexByte(w, '\'') >= 0 {
		w = strings.ReplaceAll(w, "'", "")
	}
	if strings.Contains(w, "’") {
		w = strings.ReplaceAll(w, "’", "")
	}
	return w
}

// squash is the form under which machine codes are compared: lower-case letters
// and digits only, so RATE_LIMITED, rateLimited and rate-limited are one code.
func squash(code string) string {
	if isSquashed(code) {
		return code
	}
	out := make([]byte, 0, len(code))
	for i := 0; i < len(code); i++ {
		b := code[i]
		switch {
		case b >= 'A' && b <= 'Z':
			out = append(out, b+('a'-'A'))
		case isWordByte(b):
			out = append(out, b)
		}
	}
	return string(out)
}

func isSquashed(s string) bool {
	for i := 0; i < len(s); i++ {
		if b := s[i]; !(b >= 'a' && b <= 'z' || b >= '0' && b <= '9' || b >= 0x80) {
			return false
		}
	}
	return true
}

// spell turns a machine code into a sentence: "INSUFFICIENT_ACCESS" and
// "insufficientAccess" both become "insufficient access".
func spell(code string) string {
	out := make([]byte, 0, len(code)+8)
	for i := 0; i < len(code); i++ {
		b := code[i]
		switch {
		case b >= 'A' && b <= 'Z':
			afterLower := i > 0 && (code[i-1] >= 'a' && code[i-1] <= 'z' || code[i-1] >= '0' && code[i-1] <= '9')
			endOfAcronym := i > 0 && i+1 < len(code) && code[i-1] >= 'A' && code[i-1] <= 'Z' && code[i+1] >= 'a' && code[i+1] <= 'z'
			if afterLower || endOfAcronym {
				out = append(out, ' ')
			}
			out = append(out, b+('a'-'A'))
		case isWordByte(b):
			out = append(out, b)
		default:
			out = append(out, ' ')
		}
	}
	return string(out)
}
