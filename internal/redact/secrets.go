package redact

import "strings"

// Mark stands where a secret was.
const Mark = "[REDACTED]"

// Secrets replaces what looks like a credential by [Mark]. It reads the text
// once, word by word, and decides at each word whether a secret starts there
// or is named there; it errs towards hiding too much.
func Secrets(s string) string {
	sc := scanner{s: s}
	for sc.pos < len(s) {
		sc.step()
	}
	if sc.copied == 0 {
		return s
	}
	sc.out.WriteString(s[sc.copied:])
	return sc.out.String()
}

// scanner walks over a text. What lies before copied is already in out.
type scanner struct {
	s      string
	pos    int
	copied int
	named  int // end of the last word that announces a secret, while it is near
	out    strings.Builder
}

// hide replaces s[from:to] and goes on behind it.
func (sc *scanner) hide(from, to int) {
	sc.out.WriteString(sc.s[sc.copied:from])
	sc.out.WriteString(Mark)
	sc.copied, sc.pos = to, to
}

const (
	near     = 48   // bytes behind a name in which a random-looking word is taken for its value
	longName = 48   // bytes of a word that are looked at as a name: its end
	longURL  = 1024 // bytes of a URL that are searched for a password
)

// step reads one word, or one byte that belongs to none.
func (sc *scanner) step() {
	s, i := sc.s, sc.pos
	if s[i] == '-' && strings.HasPrefix(s[i:], "-----BEGIN ") {
		sc.hide(i, endOfPEM(s, i))
		return
	}
	if !isName(s[i]) {
		sc.pos++
		return
	}
	j := i + 1
	for j < len(s) && isName(s[j]) {
		j++
	}
	if strings.HasPrefix(s[j:], "://") {
		sc.url(j + 3)
		return
	}
	if n := keyShape(s[i:]); n > 0 {
		sc.hide(i, i+n)
		return
	}
	kind := nameKind(s[i:j])
	if kind == ordinary {
		if sc.named > 0 && i-sc.named <= near && random(s[i:j]) {
			sc.hide(i, endOfToken(s, j))
			return
		}
		sc.pos = j
		return
	}
	sc.pos, sc.named = j, j
	if from, to := value(s, i, j, kind); to > from {
		sc.hide(from, to)
	}
}

// url hides the user and password of the authority that starts at i.
func (sc *scanner) url(i int) {
	s := sc.s
	sc.pos = i
	window := s[i:min(len(s), i+longURL)]
	if end := strings.IndexAny(window, " \t\r\n\"'<>`"); end >= 0 {
		window = window[:end]
	}
	authority := window
	if end := strings.IndexAny(window, "/?#"); end >= 0 {
		authority = window[:end]
		// A password with an unescaped slash: what follows the colon is no port.
		if _, port, ok := strings.Cut(authority, ":"); ok && !digits(port) && !strings.Contains(port, "]") {
			authority = window
		}
	}
	if at := strings.LastIndexByte(authority, '@'); at > 0 {
		sc.hide(i, i+at)
	}
}

// endOfPEM returns where the block that starts at i ends; without an end line
// that is the end of the text.
func endOfPEM(s string, i int) int {
	const end = "-----END "
	at := strings.Index(s[i:], end)
	if at < 0 {
		return len(s)
	}
	i += at + len(end)
	if at = strings.Index(s[i:], "-----"); at < 0 {
		return len(s)
	}
	return i + at + len("-----")
}
