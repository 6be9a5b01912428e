package redact

import "strings"

// value finds what the name s[i:j] is given: name=x, "name":"x", name: x,
// name:[x], a header to the end of its line, or the word behind a scheme of
// authentication. The range is empty where there is nothing to hide.
func value(s string, i, j int, kind nameClass) (from, to int) {
	k := skipSpace(s, skipClosing(s, j))
	if k == len(s) || s[k] != '=' && s[k] != ':' {
		if kind == scheme {
			return credentials(s, i, j)
		}
		return 0, 0
	}
	given := s[k]
	if k++; k < len(s) && (s[k] == '>' || s[k] == '=') {
		k++
	}
	from = skipSpace(s, k)
	if from == len(s) || s[from] == '{' {
		return 0, 0
	}
	if open, slashes := opening(s, from); open > from {
		return open, closing(s, open, s[open-1], slashes)
	}
	switch {
	case s[from] == '[' && (kind != header || from == k):
		if end := strings.IndexByte(s[from:], ']'); end >= 0 {
			return from, from + end + 1
		}
		return from, len(s)
	case kind == header:
		return from, endOfHeader(s, i, from)
	}
	to = endOfBare(s, from)
	if classes[strings.ToLower(s[from:min(to, from+longName)])] == scheme {
		if next := skipSpace(s, to); next > to {
			return from, endOfBare(s, next)
		}
	}
	if kind != strong && given == ':' && from > k && lowerLetters(s[from:to]) {
		return 0, 0
	}
	return from, to
}

// credentials is the word behind a scheme, unless it is one of prose, as in
// "bearer token expired" or "a basic plan".
func credentials(s string, i, j int) (from, to int) {
	from = skipSpace(s, j)
	to = endOfToken(s, from)
	if from == j || to == from || to < len(s) && s[to] == '"' && s[to-1] == '=' { // Bearer realm="…"
		return 0, 0
	}
	word := strings.TrimRight(s[from:to], ".")
	if strings.EqualFold(s[i:j], "bearer") {
		if prose[strings.ToLower(word[:min(len(word), longName)])] {
			return 0, 0
		}
		return from, to
	}
	if len(word) < 8 || lowerLetters(word[1:]) {
		return 0, 0
	}
	return from, to
}

// prose are words that follow "bearer" in messages about authentication.
var prose = map[string]bool{
	"": true, "a": true, "auth": true, "authentication": true, "authorization": true, "credential": true,
	"credentials": true, "error": true, "expired": true, "format": true, "has": true, "header": true, "in": true,
	"invalid": true, "is": true, "missing": true, "not": true, "or": true, "realm": true, "required": true,
	"scheme": true, "token": true, "tokens": true, "was": true, "and": true, "for": true, "with": true,
}

// opening returns the index behind the quote that starts at i, and how many
// backslashes stand before it, as in JSON inside of JSON; i itself for none.
func opening(s string, i int) (behind, slashes int) {
	k := i
	for k < len(s) && s[k] == '\\' {
		k++
	}
	if k < len(s) && isQuote(s[k]) {
		return k + 1, k - i
	}
	return i, 0
}

// closing returns where the value that starts at i ends: before its quote and
// the backslashes that belong to it, or at the end of the text.
func closing(s string, i int, quote byte, slashes int) int {
	run := 0
	for k := i; k < len(s); k++ {
		switch {
		case s[k] == '\\':
			run++
			continue
		case s[k] == quote && (slashes == 0 && run%2 == 0 || slashes > 0 && run <= slashes):
			return k - min(run, slashes)
		}
		run = 0
	}
	return len(s)
}

// endOfHeader is the end of the line or, where the header is quoted as a whole,
// of the quotation.
func endOfHeader(s string, name, from int) int {
	stop := "\r\n"
	if name > 0 && isQuote(s[name-1]) {
		stop += s[name-1 : name]
	}
	if end := strings.IndexAny(s[from:], stop); end >= 0 {
		return from + end
	}
	return len(s)
}

// endOfBare is the end of a value without quotes.
func endOfBare(s string, i int) int {
	if end := strings.IndexAny(s[i:], " \t\r\n&;<\"'`"); end >= 0 {
		return i + end
	}
	return len(s)
}

func endOfToken(s string, i int) int {
	for i < len(s) && (isName(s[i]) || strings.IndexByte(".+/=~", s[i]) >= 0) {
		i++
	}
	return i
}

// skipClosing passes over what may stand between a name and its separator: a
// quote, also an escaped one, or the bracket of a form field.
func skipClosing(s string, i int) int {
	if behind, _ := opening(s, i); behind > i {
		return behind
	}
	if i < len(s) && s[i] == ']' {
		return i + 1
	}
	return i
}

func skipSpace(s string, i int) int {
	for i < len(s) && (s[i] == ' ' || s[i] == '\t') {
		i++
	}
	return i
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func isName(b byte) bool {
	return b >= 'a' && b <= 'z' || b >= 'A' && b <= 'Z' || b >= '0' && b <= '9' || b == '_' || b == '-'
}

func lowerLetters(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < 'a' || r > 'z' }) < 0
}

func digits(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r < '0' || r > '9' }) < 0
}
