package redact

import "strings"

// saying are the words that give a name its value in a sentence.
var saying = []string{"is ", "is: ", "was ", "to ", "là ", "là: ", "la\u0300 ", "la\u0300: ", "la ", "la: ", "thành ", "tha\u0300nh ", "thanh "}

// says returns the length of the word of saying that s starts with, 0 for none.
func says(s string) (n int, how given) {
	for _, word := range saying {
		if strings.HasPrefix(s, word) {
			if strings.HasSuffix(word, ": ") {
				return len(word), told
			}
			return len(word), said
		}
	}
	return 0, apart
}

// maxBetween is how many bytes of a sentence may stand between a name and the
// word that gives it its value.
const maxBetween = 64

// maxAnnounced is how far from a password's name a word with a colon gives it its
// value, as in "mật khẩu wifi: x1".
const maxAnnounced = 24

// announces returns the length of the word with a colon that s starts with.
func announces(s string) (n int, how given) {
	n = strings.IndexAny(s[:min(len(s), maxAnnounced)], " :") + 2
	if n < 3 || n > len(s) || s[n-2:n] != ": " {
		return 0, apart
	}
	return n, said
}

// later finds the value in "mật khẩu của bạn là x" and "the password for bob is
// x": words stand between the name, which ended before j, and its value. Only
// what is no word of prose is one.
func later(s string, j int, kind nameClass) (from, to int) {
	if kind < token || kind == plural || kind >= header || j == len(s) || s[j] != ' ' {
		return 0, 0
	}
	announced := kind == password && !complaint(s[j:min(len(s), j+maxBetween)])
	for k := j; k < min(len(s), j+maxBetween) && strings.IndexByte(".,;:!?\r\n\"'`{}[]()<>=|", s[k]) < 0; k++ {
		if s[k] != ' ' {
			continue
		}
		n, how := says(s[k+1:])
		if n == 0 && announced && k-j < maxAnnounced {
			n, how = announces(s[k+1:])
		}
		if n == 0 || strings.HasPrefix(s[k+1:], "to ") && (kind != password || strings.HasSuffix(s[j:k], " sent")) {
			continue
		}
		if from, to = spokenValue(s, skipSpace(s, k+1+n), kind, how); to > from {
			return from, to
		}
	}
	return 0, 0
}

// spokenValue is the value at from that a sentence gives a name of this kind.
func spokenValue(s string, from int, kind nameClass, how given) (int, int) {
	if behind, _ := opening(s, from); behind > from {
		return quoted(s, from, kind, how)
	}
	to := endOfBare(upTo(s, from), from)
	word := strings.TrimRight(s[from:to], ".,;:)?")
	switch {
	case kind == pin:
		if !digits(word) || len(word) < 4 || len(word) > 8 {
			return 0, 0
		}
	case kind == token && !looksSecret(word), how != told && !mixed(word) && !looksSecret(word), !isSecret(kind, how, word, s[to:]):
		return 0, 0
	}
	return from, from + len(word)
}
