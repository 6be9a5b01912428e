package redact

import "strings"

// value finds what the name s[i:j] is given: name=x, "name":"x", name: x,
// name:[x], a header to the end of its line, <name>x</name>, --name x, or the
// word behind a scheme of authentication. The range is empty where there is
// nothing to hide.
func value(s string, i, j int, kind nameClass) (from, to int) {
	if from, to, ok := element(s, i, j, kind); ok {
		return from, to
	}
	k := skipClosing(s, j)
	if at := pairValue(s, k); at > 0 && at < len(s) {
		if behind, _ := opening(s, at); behind > at || s[k] == '\n' {
			return valueAt(s, at, kind)
		}
	}
	next, how := separator(s, k)
	switch {
	case kind == scheme && how == apart:
		return credentials(s, i, j)
	case kind == scheme && (how != told && how != listed || !strings.EqualFold(s[i:j], "bearer")):
		return 0, 0
	case how == apart:
		if from, to := spoken(s, i, j, kind); to > from {
			return from, to
		}
		return later(s, j, kind)
	case how == told && k > j:
		how = listed
	case how == assigned && i > 0 && (s[i-1] == '?' || s[i-1] == '&'):
		how = query
	}
	from = skipSpace(s, next)
	if from == len(s) {
		return 0, 0
	}
	if behind, _ := opening(s, from); behind > from {
		return quoted(s, from, kind, how)
	}
	switch s[from] {
	case '{':
		return object(s, i, j, from, kind)
	case '\r', '\n':
		if at := pairValue(s, endOfLine(s, from)); at > 0 && kind >= strong && kind < header {
			return valueAt(s, at, kind)
		}
		return 0, 0
	case '[':
		if kind != header || from == next {
			return list(s, from, kind)
		}
	case '|', '>':
		if kind >= strong {
			return block(s, from)
		}
		return 0, 0
	}
	if kind == header {
		return headerValue(s, i, from)
	}
	if from, to := bare(s, from, kind, how); to > from || how != said {
		return from, to
	}
	return later(s, j, kind)
}

// valueAt is the value at i, with or without quotes.
func valueAt(s string, i int, kind nameClass) (from, to int) {
	if behind, _ := opening(s, i); behind > i {
		return quoted(s, i, kind, listed)
	}
	return bare(s, i, kind, listed)
}

// quoted is the quotation that opens at i.
func quoted(s string, i int, kind nameClass, how given) (from, to int) {
	from, q := opening(s, i)
	window := upTo(s, from)
	switch {
	case how == told && kind == token:
		how = listed
	case how == said && foreignWord(window[from:closing(window, from, q)]):
		how = told // nobody quotes a word of prose
	}
	if !isSecret(kind, how, window[from:closing(window, from, q)], "") {
		return 0, 0
	}
	return from, closing(s, from, q)
}

// list is the list that begins at i.
func list(s string, i int, kind nameClass) (from, to int) {
	window := upTo(s, i)
	content := window[i+1 : endOfNested(window, i)]
	if kind < strong && (kind < token || !mixed(content)) || complaint(content) {
		return 0, 0
	}
	return i, endOfNested(s, i)
}

// object is the object that begins at from, where the name is one of several
// secrets. Other objects have names of their own in them.
func object(s string, i, j, from int, kind nameClass) (int, int) {
	many := kind == plural && mixed(s[from:min(len(s), from+glance)])
	if !many && (kind != strong || !strings.HasSuffix(strings.ToLower(s[max(i, j-longName):j]), "credentials")) {
		return 0, 0
	}
	return from, endOfNested(s, from)
}

// block are the indented lines behind | or > in YAML.
func block(s string, i int) (from, to int) {
	from = i + 1
	for from < len(s) && (s[from] == '-' || s[from] == '+' || isDigit(s[from]) || s[from] == ' ' || s[from] == '\r') {
		from++
	}
	if from == len(s) || s[from] != '\n' {
		return 0, 0
	}
	from++
	to = from
	for to < len(s) && (s[to] == ' ' || s[to] == '\t') {
		to = endOfLine(s, to)
		if to < len(s) {
			to++
		}
	}
	from = skipSpace(s, from)
	for to > from && (s[to-1] == '\n' || s[to-1] == '\r') {
		to--
	}
	return from, to
}

// bare is a value without quotes.
func bare(s string, from int, kind nameClass, how given) (int, int) {
	to := endOfBare(upTo(s, from), from)
	if classes[strings.ToLower(s[from:min(to, from+longName)])] == scheme {
		if next := skipSpace(s, to); next > to && !schemeProse[s[next:endOfToken(upTo(s, next), next)]] {
			if behind, q := opening(s, next); behind > next {
				return from, closing(s, behind, q)
			}
			return from, endOfBare(s, next)
		}
	}
	if to > from && to < len(s) && s[to-1] == '(' && isQuote(s[to]) { // SecretStr('x')
		if end := strings.IndexByte(upTo(s, to)[to:], ')'); end >= 0 && isSecret(kind, how, s[to:to+end], "") {
			return from, to + end
		}
	}
	if !isSecret(kind, how, s[from:to], s[to:]) {
		return 0, 0
	}
	if to = endOfBare(s, to); how == assigned {
		to = endOfField(s, to)
	}
	for to > from+1 && strings.IndexByte(",.:)}]", s[to-1]) >= 0 && !strings.HasSuffix(s[from:to], Mark) {
		to--
	}
	return from, to
}

// endOfField is where a value of a connection string ends, which may have
// spaces in it: before the semicolon behind which another field begins.
func endOfField(s string, to int) int {
	const long = 64
	if to == len(s) || s[to] != ' ' {
		return to
	}
	window := s[to:min(len(s), to+long)]
	if end := strings.IndexAny(window, "\r\n\"'`"); end >= 0 {
		window = window[:end]
	}
	end := strings.IndexByte(window, ';')
	if end < 0 {
		return to
	}
	name, _, ok := strings.Cut(window[end+1:], "=")
	if ok && strings.IndexFunc(name, func(r rune) bool { return r != ' ' && (r > 'z' || !isName(byte(r))) }) < 0 || end == len(window)-1 {
		return to + end
	}
	return to
}

// headerValue is the header that begins at from to the end of its line, of the
// lines that fold it, or, where it is quoted as a whole, of the quotation.
func headerValue(s string, name, from int) (int, int) {
	word := endOfBare(upTo(s, from), from)
	if complaint(s[from:word]) {
		return 0, 0
	}
	if next := skipSpace(s, word); classes[strings.ToLower(s[from:min(word, from+longName)])] == scheme {
		end := endOfToken(upTo(s, next), next)
		if end > next && schemeProse[strings.TrimRight(s[next:end], ".")] {
			return 0, 0
		}
	}
	end := endOfHeader(s, from)
	switch q := quoteBefore(s, name); {
	case q.mark != "":
		end = closing(s[:end], from, q)
	case isDocument(s):
		end = closing(s[:end], from, quote{mark: `"`})
	}
	return from, end
}

// endOfHeader is the end of the line, or of the lines that fold it.
func endOfHeader(s string, end int) int {
	for {
		at := strings.IndexAny(s[end:], "\r\n")
		if at < 0 {
			return len(s)
		}
		end += at
		next := strings.TrimPrefix(strings.TrimPrefix(s[end:min(len(s), end+8)], "\r"), "\n")
		if len(next) < 2 || next[0] != ' ' && next[0] != '\t' || strings.HasPrefix(strings.TrimLeft(next, " \t"), "at ") {
			return end
		}
		end = len(s) - len(strings.TrimLeft(s[end:], "\r\n \t"))
	}
}

// credentials is the word behind a scheme, unless it is one of prose, as in
// "bearer token expired" or "a basic plan".
func credentials(s string, i, j int) (from, to int) {
	from = skipSpace(s, j)
	if strings.HasPrefix(s[j:], "%20") {
		from = j + 3
	}
	if from == j {
		return 0, 0
	}
	if behind, q := opening(s, from); behind > from {
		end := endOfToken(s, behind)
		if strings.HasPrefix(s[end:], strings.Repeat(`\`, q.slashes)+q.mark) && !lowerLetters(s[behind:end]) && isSecret(token, listed, s[behind:end], "") {
			return behind, end
		}
		return 0, 0
	}
	to = endOfToken(s, from)
	if to == from || parameter(s[from:min(to, from+glance)], s[to:]) {
		return 0, 0
	}
	word := strings.TrimRight(s[from:to], ".")
	if strings.EqualFold(s[i:j], "bearer") {
		if schemeProse[strings.ToLower(word[:min(len(word), longName)])] || word == "" || s[i] == 'b' && lowerLetters(word) {
			return 0, 0
		}
		return from, to
	}
	if len(word) < 8 || lowerLetters(word[1:]) {
		return 0, 0
	}
	return from, to
}

// parameter reports whether a word is the name of a parameter with its value,
// as in Bearer realm="…", and no base64 with its padding.
func parameter(word, rest string) bool {
	name, v, ok := strings.Cut(word, "=")
	if !ok || name == "" || strings.IndexFunc(name, func(r rune) bool { return r != '_' && r != '-' && (r < 'a' || r > 'z') }) >= 0 {
		return false
	}
	return strings.Trim(v, "=") != "" || rest != "" && isQuote(rest[0])
}

// upTo is s up to where, behind i, nothing is left that decides about a value.
func upTo(s string, i int) string { return s[:min(len(s), i+glance)] }

// endOfBare is the end of a value without quotes.
func endOfBare(s string, i int) int {
	end := strings.IndexAny(s[i:], " \t\r\n&;<\"'`")
	if end < 0 {
		return len(s)
	}
	return beforeQuote(s, i, i+end)
}

// beforeQuote is where the quote at end begins, whose value began at i: with the
// backslashes before it, in a string in a string.
func beforeQuote(s string, i, end int) int {
	if isQuote(s[end]) {
		for end > i && s[end-1] == '\\' {
			end--
		}
	}
	return end
}

func endOfLine(s string, i int) int {
	if end := strings.IndexByte(s[i:], '\n'); end >= 0 {
		return i + end
	}
	return len(s)
}
