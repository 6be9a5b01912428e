package guard

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// endsSentence tells the full stop of a sentence from the one inside "3.14",
// "r.md" or "api.example.test".
func endsSentence(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isBullet(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "• ") || strings.HasPrefix(line, "– ") {
		return true
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	return digits > 0 && digits < 4 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' '
}

// wordLength is the length in bytes of the word that text starts with. An
// apostrophe belongs to it where a letter follows.
func wordLength(text string) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			next, _ := utf8.DecodeRuneInString(text[n+size:])
			if r != '\'' && r != '’' || !unicode.IsLetter(next) {
				break
			}
		}
		n += size
	}
	return n
}

// readWord splits "getInvoices" into two words, and "couldn't" into "could"
// and "not".
func readWord(w string) []word { return appendWords(nil, w) }

// appendWords is [readWord] onto words that there are.
func appendWords(words []word, w string) []word {
	if at := apostrophe(w); at > 0 {
		head, tail := w[:at], strings.ToLower(strings.TrimLeft(w[at:], "'’"))
		lower := strings.ToLower(head)
		if tail == "t" && strings.HasSuffix(lower, "n") {
			if lower != "can" {
				head = head[:len(head)-1]
			}
			return append(appendWords(words, head), newWord("not"))
		}
		words = appendWords(words, head) // "I've", "Acme's"
		words[len(words)-1].tail = tail
		return words
	}
	if end := len(w) - 1; end > 0 && w[end]|0x20 == 't' {
		if verb := unapostrophed[strings.ToLower(w)]; verb != "" {
			return append(words, newWord(verb), newWord("not"))
		}
	}
	start, lower := 0, false
	for i, r := range w {
		if lower && unicode.IsUpper(r) {
			words = append(words, newWord(w[start:i]))
			start = i
		}
		lower = r >= 'a' && r <= 'z' || r >= utf8.RuneSelf && unicode.IsLower(r)
	}
	return append(words, newWord(w[start:]))
}

// apostrophe is where the first one stands, -1 where there is none.
func apostrophe(w string) int {
	for i := range len(w) {
		if w[i] == '\'' || w[i] == 0xE2 && strings.HasPrefix(w[i:], "’") {
			return i
		}
	}
	return -1
}

func newWord(s string) word {
	lower := strings.ToLower(s)
	first, _ := utf8.DecodeRuneInString(s)
	return word{text: lower, plain: plain(lower), number: readsAsNumber(lower), name: unicode.IsUpper(first) || unicode.IsDigit(first)}
}

// plain takes the marks off: "không" is "khong", "đã" is "da".
func plain(s string) string {
	ascii := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'đ':
			b.WriteByte('d')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// unapostrophed negations as people type them in a hurry.
var unapostrophed = map[string]string{
	"cannot": "can", "cant": "can", "couldnt": "could", "wasnt": "was", "werent": "were", "isnt": "is", "arent": "are",
	"didnt": "did", "doesnt": "does", "dont": "do", "hasnt": "has", "havent": "have", "wont": "will", "wouldnt": "would",
}
