package redact

import (
	"strings"
	"unicode"
)

// given is how a name and its value are joined.
type given uint8

const (
	apart    given = iota // by nothing
	said                  // the name is value
	told                  // name: value, as a sentence may also have it
	listed                // "name": value, name:value
	assigned              // name=value, name => value, name -> value
	query                 // ?name=value, &name=value
)

// joints are what joins a name and its value, besides the colon.
var joints = []struct {
	text string
	how  given
}{
	{"=>", assigned}, {"==", assigned}, {"=", assigned}, {":=", assigned}, {":: ", assigned}, {"->", assigned}, {"→", assigned}, {"＝", assigned},
	{"：", told}, {"%3D", assigned}, {"%3d", assigned}, {"%3A", listed}, {"%3a", listed},
}

// separator reads what joins the name that ended before i with its value, and
// returns the index behind it.
func separator(s string, i int) (next int, how given) {
	k := skipSpace(s, i)
	rest := s[k:]
	if rest == "" {
		return k, apart
	}
	if strings.IndexByte("=:-%\xe2\xef", rest[0]) >= 0 {
		for _, joint := range joints {
			if strings.HasPrefix(rest, joint.text) {
				return k + len(joint.text), joint.how
			}
		}
	}
	switch {
	case rest[0] == ':' && len(rest) > 1 && (rest[1] == ' ' || rest[1] == '\t'):
		return k + 1, told
	case rest[0] == ':':
		return k + 1, listed
	case k > i:
		n, how := says(rest)
		return k + n, how
	}
	return k, apart
}

// isSecret decides whether v, which a name of this kind was given, is hidden.
// rest is what stands behind it.
func isSecret(kind nameClass, how given, v, rest string) bool {
	trimmed := strings.Trim(v, " ,.:;()[]{}'\"`")
	letters, number, _ := tally(trimmed)
	if letters+number == 0 && strings.IndexFunc(v, func(r rune) bool { return r > 0x7f }) < 0 || complaint(v) {
		return false
	}
	count := digits(trimmed) && len(trimmed) < 6
	switch kind {
	case weak:
		return looksSecret(trimmed) || how == query && mixed(v)
	case plural:
		return looksSecret(trimmed)
	case pin:
		return digits(trimmed) && len(trimmed) > 2 && len(trimmed) < 10 || mixed(trimmed)
	case token:
		if how >= listed {
			return !count
		}
		return looksSecret(trimmed) || mixed(trimmed) && !strings.Contains(v, " ")
	case password:
		return how != said || !lowerLetters(strings.TrimRight(trimmed, "?")) && !(count && len(trimmed) < 4) && !foreignWord(trimmed)
	}
	if lookedUp(rest) && !looksSecret(trimmed) {
		return false
	}
	return how != said || mixed(trimmed) || looksSecret(trimmed)
}

// foreignWord reports whether a text has letters beyond ASCII and nothing that
// words do not have: no sentence of another language is a value.
func foreignWord(s string) bool {
	return strings.IndexFunc(s, func(r rune) bool { return r > 0x7f }) >= 0 &&
		strings.IndexFunc(s, func(r rune) bool { return !unicode.IsLetter(r) && !unicode.Is(unicode.Mn, r) && r != '?' && r != ' ' }) < 0
}

// spoken finds the value of a name that nothing joins with it: --name x on a
// command line, "PIN 1234", password 'x', "password for user bob: x".
func spoken(s string, i, j int, kind nameClass) (from, to int) {
	from = skipSpace(s, j)
	if from == j || from == len(s) {
		return 0, 0
	}
	to = endOfBare(upTo(s, from), from)
	word := s[from:to]
	switch {
	case kind == pin:
		if n := strings.TrimRight(word, ".,"); digits(n) && len(n) > 3 && len(n) < 9 && !lowerLetters(s[i:j]) {
			return from, from + len(n)
		}
		return 0, 0
	case strings.HasPrefix(s[i:j], "--") && kind >= token:
		if behind, _ := opening(s, from); behind > from {
			return quoted(s, from, kind, listed)
		}
		if s[from] == '-' || !isSecret(kind, listed, word, "") {
			return 0, 0
		}
		return from, endOfBare(s, to)
	case kind < strong || kind == header:
		return 0, 0
	}
	if behind, q := opening(s, from); behind > from {
		if len(q.mark) == 1 && q.mark != "`" && mixed(s[behind:endOfBare(upTo(s, behind), behind)]) {
			return quoted(s, from, kind, listed)
		}
		return 0, 0
	}
	if kind != password {
		return 0, 0
	}
	if strings.HasPrefix(s[from:], "for ") {
		return promised(s, from)
	}
	word = strings.TrimRight(word, ".,:;)")
	login := strings.Contains(s[max(0, i-2*longName):i], "login ") && to < len(s) && !complaint(word)
	if login && strings.Contains(s[max(0, i-4*longName):i], "machine ") || mixed(word) && isSecret(kind, listed, word, "") && !algorithm(word) {
		return from, from + len(word)
	}
	return 0, 0
}

// promised is the value in "password for user bob: x".
func promised(s string, i int) (from, to int) {
	window := s[i:min(len(s), i+longName)]
	end := strings.IndexAny(window, ":\r\n,;.")
	if end < 0 || window[end] != ':' {
		return 0, 0
	}
	from = skipSpace(s, i+end+1)
	to = endOfBare(upTo(s, from), from)
	if word := strings.TrimRight(s[from:to], ".,;"); mixed(word) && !complaint(word) {
		return from, from + len(word)
	}
	return 0, 0
}

// algorithm reports whether a word is the name of a method, with its number.
func algorithm(word string) bool {
	word = strings.ToLower(word)
	for _, prefix := range []string{"sha", "md", "oauth", "argon", "base", "utf", "pbkdf", "bcrypt", "http", "tls", "hs", "rs", "es"} {
		if n := strings.TrimPrefix(word, prefix); n != word && n != "" && (isDigit(n[0]) || n[0] == '-') && len(n) < 6 {
			return true
		}
	}
	return false
}

// pairValue returns where the value begins in {"name":"Authorization","value":"x"}
// and in the lines "name: DB_PASSWORD" and "value: x", where the secret's name,
// which ended before i, is itself a value; 0 for none.
func pairValue(s string, i int) int {
	if i == len(s) || s[i] != ',' && s[i] != '\n' {
		return 0
	}
	k := skipSpace(s, i+1)
	behind, _ := opening(s, k)
	if s[i] == ',' && behind == k {
		return 0
	}
	for _, name := range []string{"value", "Value", "val", "content", "data"} {
		if !strings.HasPrefix(s[behind:], name) {
			continue
		}
		end := behind + len(name)
		if behind > k {
			end = skipClosing(s, end)
		}
		if colon := skipSpace(s, end); colon < len(s) && s[colon] == ':' {
			return skipSpace(s, colon+1)
		}
	}
	return 0
}

// element is the text of an element of XML whose name s[i:j] is; ok is false
// where it is none.
func element(s string, i, j int, kind nameClass) (from, to int, ok bool) {
	const long = 128
	start := i
	if i > 0 && s[i-1] == ':' { // a namespace
		for start = i - 1; start > 0 && start > i-longName && isName(s[start-1]); start-- {
		}
	}
	open, end, next := start > 0 && s[start-1] == '<', ">", "<"
	if !open {
		if open, end, next = strings.HasSuffix(s[:start], "&lt;"), "&gt;", "&lt;"; !open {
			return 0, 0, false
		}
	}
	head := s[j:min(len(s), j+long)]
	at := strings.Index(head, end)
	if at < 0 || strings.Contains(head[:at], next) || at > 0 && head[0] != ' ' || at > 0 && head[at-1] == '/' {
		return 0, 0, false
	}
	from = j + at + len(end)
	window := s[from:min(len(s), from+glance)]
	to = strings.Index(window, next)
	if to < 0 {
		to = len(window)
	}
	if !isSecret(kind, listed, window[:to], "") {
		return 0, 0, true
	}
	if end := strings.Index(s[from:], next); end >= 0 {
		return from, from + end, true
	}
	return from, len(s), true
}
