package redact

import "strings"

// Mark stands where a secret was.
const Mark = "[REDACTED]"

// Secrets replaces what looks like a credential by [Mark]. It reads the text
// once, word by word, and decides at each word whether a secret starts there
// or is named there. What is given to a name that only secrets have is hidden
// whatever it is; what is given to a word that other things are called by as
// well is hidden where it looks like a secret, so that a message keeps saying
// what went wrong.
//
// Escapes of JSON are read as what they stand for, in strings within strings as
// well, and stay as they are written where nothing is hidden.
func Secrets(s string) string {
	text, written := unescape(s)
	sc := scanner{s: text, plain: written}
	for sc.pos < len(text) {
		sc.step()
	}
	if sc.copied == 0 {
		return s
	}
	sc.out.WriteString(s[sc.original(sc.copied):])
	return sc.out.String()
}

// scanner walks over a text. What lies before copied is already in out.
type scanner struct {
	plain
	s      string
	pos    int
	copied int
	before int             // start of the word before this one
	after  int             // and its end
	named  int             // end of the last word that announces a secret, in the output, while it is near
	by     nameClass       // what it was
	hook   int             // end of the URL that is secret in itself
	below  int             // end of the object that has a secret's name
	size   int             // of what is in out, without escapes
	out    strings.Builder // as it is written
}

// hide replaces s[from:to] by the mark and goes on behind it.
func (sc *scanner) hide(from, to int) { sc.replace(from, to, Mark) }

func (sc *scanner) replace(from, to int, by string) {
	sc.out.WriteString(sc.plain.written[sc.original(sc.copied):sc.original(from)])
	sc.out.WriteString(by)
	sc.size += from - sc.copied + len(by)
	sc.copied, sc.pos = to, to
}

// hideValue hides what a name, which ended before j, is given. A number, a list
// or an object of JSON becomes a string, so that the text stays JSON.
func (sc *scanner) hideValue(j, from, to int) {
	s := sc.s
	behind, q := opening(s, j)
	if behind == j || q.mark != `"` || strings.IndexByte("[{-0123456789", s[from]) < 0 || isQuote(s[from-1]) || strings.HasPrefix(s[from:], Mark) {
		sc.hide(from, to)
		return
	}
	mark := strings.Repeat(`\`, q.slashes) + `"`
	sc.replace(from, to, mark+Mark+mark)
}

// written is where byte i of the text is in the output.
func (sc *scanner) written(i int) int { return sc.size + i - sc.copied }

const (
	near     = 48   // bytes behind a name in which a random-looking word is taken for its value
	longName = 48   // bytes of a word that are looked at as a name: its end
	longURL  = 1024 // bytes of a URL that are searched for a password
	glance   = 256  // bytes of a value that decide whether it is hidden
)

// step reads one word, or what stands between two.
func (sc *scanner) step() {
	s, i := sc.s, sc.pos
	if !isName(s[i]) {
		sc.between()
		return
	}
	if s[i] == '-' {
		if from, to := pem(s, i, sc.copied); to > from {
			sc.hide(from, to)
			return
		}
	}
	j := i + 1
	for j < len(s) && isName(s[j]) {
		j++
	}
	broken := i > 0 && s[i-1] == '\\' && strings.IndexByte("nrt", s[i]) >= 0 && j > i+1 // an escaped line break before the word
	if broken && keyShape(s[i+1:]) > 0 {
		sc.pos++
		return
	}
	if sc.secret(i, j) {
		return
	}
	phrase := ""
	if sc.after > 0 && i == sc.after+1 && s[sc.after] == ' ' {
		phrase = s[max(sc.before, j-longName):j]
	}
	sc.before, sc.after = i, j
	kind := nameKind(s[i:j], phrase)
	if n := foreignName(s[i:]); n > 0 {
		kind, j = password, i+n
	} else if n, class := vietnamese(s[i:]); n > 0 {
		kind, j = class, i+n
	}
	sc.pos = j
	if kind == ordinary {
		if broken {
			sc.pos = i + 1
			return
		}
		if i < sc.below {
			if from, to := member(s, i, j); to > from {
				sc.hideValue(j, from, to)
				return
			}
		}
		if sc.named > 0 && sc.written(i)-sc.named <= near && sc.announced(i, j) {
			sc.hide(i, endOfToken(s, j))
		}
		return
	}
	sc.name(i, j, kind)
}

// name hides what the name s[i:j] is given.
func (sc *scanner) name(i, j int, kind nameClass) {
	sc.pos = j
	if kind != scheme {
		sc.named, sc.by = sc.written(j), kind
	}
	if from, to := value(sc.s, i, j, kind); to > from {
		sc.hideValue(j, from, to)
		return
	}
	sc.enter(j, kind)
}

// between passes over a byte that belongs to no word, or over what spells one.
func (sc *scanner) between() {
	s, i := sc.s, sc.pos
	sc.pos++
	switch rest := s[i:]; {
	case s[i] == '%' && len(rest) > 2 && isHex(rest[1]) && isHex(rest[2]):
		sc.pos = i + 3
	case s[i] == '\\' && len(rest) > 5 && rest[1] == 'u' && isHex(rest[2]) && isHex(rest[3]) && isHex(rest[4]) && isHex(rest[5]):
		sc.pos = i + 6
	case s[i] == '$':
		if n := cryptHash(rest); n > 0 {
			sc.hide(i, i+n)
		}
	case s[i] >= 0x80:
		if n := foreignName(rest); n > 0 {
			sc.name(i, i+n, password)
		}
	}
}

// secret hides the word s[i:j] where it, or the URL that it begins, is one by
// itself.
func (sc *scanner) secret(i, j int) bool {
	s := sc.s
	switch {
	case strings.HasPrefix(s[j:], "://"):
		sc.url(i, j+3)
		return true
	case len(s) >= j+9 && s[j] == '%' && strings.EqualFold(s[j:j+9], "%3a%2f%2f"):
		sc.escapedURL(j + 9)
		return true
	}
	n := keyShape(s[i:])
	if n == 0 {
		n = botToken(s[i:], j-i)
	}
	if n == 0 {
		n = builtKey(s[i:], j-i)
	}
	if n == 0 && i < sc.hook && j-i >= 16 && hasOpaque(s[i:j]) {
		n = j - i
	}
	if n > 0 {
		sc.hide(i, i+n)
		return true
	}
	if to := userinfo(s, i, j); to > i {
		sc.hide(i, to)
		return true
	}
	from, to := flag(s, i, j)
	if s[i:j] == "Private-Lines" {
		from, to = puttyKey(s, j)
	}
	if to > from {
		sc.hide(from, to)
		return true
	}
	return false
}

// flag returns user:password behind -u and --user on a command line.
func flag(s string, i, j int) (from, to int) {
	if word := s[i:j]; word != "-u" && word != "--user" && word != "--proxy-user" {
		return 0, 0
	}
	from, q := opening(s, skipSpace(s, j))
	to = endOfBare(upTo(s, from), from)
	user, pass, ok := strings.Cut(s[from:to], ":")
	if !ok || from == j || user == "" || pass == "" || digits(pass) || strings.HasPrefix(pass, "//") {
		return 0, 0
	}
	if q.mark != "" {
		return from, closing(s, from, q)
	}
	return from, endOfBare(s, to)
}

// puttyKey returns the lines of a private key behind the count of them.
func puttyKey(s string, i int) (from, to int) {
	from = endOfLine(s, i)
	if from == len(s) {
		return 0, 0
	}
	from++
	if end := strings.Index(s[from:], "\nPrivate-MAC"); end >= 0 {
		return from, from + end
	}
	return from, len(s)
}

// announced reports whether the word s[i:j], close behind a name, is its value.
func (sc *scanner) announced(i, j int) bool {
	s := sc.s
	end := endOfToken(upTo(s, j), j)
	if sc.by == weak && lookedUp(s[end:]) {
		return false
	}
	if random(s[i:j]) {
		return true
	}
	letters, digits, turns := tally(s[i:end])
	return end-i == 40 && letters > 0 && digits > 0 && turns > 1 // a secret access key, with slashes in it
}

// pem returns the block of a key that starts at i, or the rest of one whose
// beginning was cut off, back to what is copied already.
func pem(s string, i, copied int) (from, to int) {
	const begin, end, dashes = "-----BEGIN ", "-----END ", "-----"
	from, to = i, i
	switch {
	case strings.HasPrefix(s[i:], begin):
		at := strings.Index(s[i:], end)
		if at < 0 {
			return i, len(s)
		}
		to += at
	case strings.HasPrefix(s[i:], end):
		for from > copied && (isName(s[from-1]) || strings.IndexByte("+/=\r\n", s[from-1]) >= 0) {
			from--
		}
	default:
		return i, i
	}
	to += len(end)
	if at := strings.Index(s[to:], dashes); at >= 0 {
		return from, to + at + len(dashes)
	}
	return from, len(s)
}
