package atom

import (
	"strings"
	"unicode"
	"unicode/utf8"
)

const (
	schemeMax = 16 // letters of the longest scheme that is looked for
	hostMax   = 128
)

// notDomains are endings of names of files and libraries that look like the
// top-level domain of a host with a path behind it: "node.js/express".
const notDomains = " js ts jsx tsx go json yaml yml toml txt html htm css xml csv java cpp exe dll lock mod sum proto rst tar gz zip jar net vue "

// scanURL reads a web address that begins at text[at]: one with a scheme, one that
// begins with "www.", or a host with a path (example.org/a). The punctuation of
// the sentence around it is no part of it; of brackets those that are balanced are.
// The Hash is the same with and without http:// or https://, "www.", the default
// port, a trailing slash, and in any case of the host.
func scanURL(text string, at int, a *Atom) (end int) {
	host := schemeEnd(text, at)
	if host == 0 {
		if !bareHost(text, at) {
			return 0
		}
		host = at
	}
	if !isURLByte(byteAt(text, host)) {
		return 0
	}
	if end = urlEnd(text, at, host); end == host { // bytes that are no text
		return 0
	}
	*a = Atom{Kind: URL, Start: at, End: end, Seconds: -1, Hash: hashURL(text[at:host], text[host:end])}
	return end
}

// schemeEnd is where "https://" or another scheme ends that begins at text[at].
func schemeEnd(text string, at int) int {
	for i := at; i < len(text) && i-at <= schemeMax; i++ {
		switch c := text[i]; {
		case isLetter(c):
		case i > at && (digit(c) || c == '+' || c == '-' || c == '.'):
		case i > at && c == ':' && byteAt(text, i+1) == '/' && byteAt(text, i+2) == '/':
			return i + 3
		default:
			return 0
		}
	}
	return 0
}

// bareHost is whether a host begins at text[at] that is a web address without a
// scheme: "www.…", or one that ends with a top-level domain of letters and has a
// path behind it.
func bareHost(text string, at int) bool {
	if at > 0 && strings.IndexByte(`/\@.-_~$%=`, text[at-1]) >= 0 { // a path, not a host
		return false
	}
	dot, labels := at-1, 0
	for i := at; i < len(text) && i-at < hostMax; i++ {
		c := text[i]
		switch {
		case isAlnum(c) || c == '-' || c >= utf8.RuneSelf && labels == 0:
			continue
		case c == '.' && i > dot+1:
			if labels == 0 && i-at == 3 && strings.EqualFold(text[at:i], "www") {
				return isAlnum(byteAt(text, i+1))
			}
			dot = i
			labels++
			continue
		case c == '/':
			return labels > 0 && isDomain(text[dot+1:i]) && isURLByte(byteAt(text, i+1)) && byteAt(text, i+1) != '/'
		}
		return false
	}
	return false
}

// isDomain is whether s has the form of a top-level domain.
func isDomain(s string) bool {
	if len(s) < 2 || len(s) > 24 {
		return false
	}
	for i := range len(s) {
		if !isLetter(s[i]) {
			return false
		}
	}
	return len(s) > 5 || !strings.Contains(notDomains, " "+strings.ToLower(s)+" ")
}

// isURLByte is whether an address can begin with c behind its scheme or slash.
func isURLByte(c byte) bool {
	return isAlnum(c) || c >= utf8.RuneSelf || c == '[' || c == '~' || c == '_'
}

// urlEnd is where the address ends of which the host begins at text[host].
func urlEnd(text string, at, host int) (end int) {
	quote := byteAt(text, at-1)
	round, square := 0, 0
	end = host
scan:
	for end < len(text) {
		c, size := text[end], 1
		switch c {
		case '"', '<', '>', '`', '{', '}', '|', '\\', '^':
			break scan
		case '\'', '*':
			if c == quote {
				break scan
			}
		case '(':
			round++
		case ')':
			if round--; round < 0 {
				break scan
			}
		case '[':
			square++
		case ']':
			if square--; square < 0 {
				break scan
			}
		default:
			if c <= ' ' || c == 0x7F {
				break scan
			}
			if c >= utf8.RuneSelf {
				var r rune
				if r, size = utf8.DecodeRuneInString(text[end:]); r == utf8.RuneError || !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.IsMark(r) {
					break scan
				}
			}
		}
		end += size
	}
	for end > host {
		switch text[end-1] {
		case '.', ',', ';', ':', '!', '?', '\'', '*', '~':
		case '(', '[': // "https://example.org/a(see"
		default:
			return end
		}
		end--
	}
	return end
}

// hashURL hashes an address by its scheme with "://" and what follows.
func hashURL(scheme, rest string) uint64 {
	f := foldStart
	web := scheme == "" || strings.EqualFold(scheme, "https://") || strings.EqualFold(scheme, "http://")
	if !web {
		f = f.text(scheme)
	}
	path := len(rest)
	if i := strings.IndexAny(rest, "/?#"); i >= 0 {
		path = i
	}
	host := rest[:path]
	if len(host) > 4 && strings.EqualFold(host[:4], "www.") {
		host = host[4:]
	}
	if web {
		host = strings.TrimSuffix(strings.TrimSuffix(host, ":443"), ":80")
	}
	f = f.text(host)
	tail := strings.TrimSuffix(rest[path:], "/")
	for i := 0; i < len(tail); i++ {
		c := tail[i]
		switch {
		case c == '&' && strings.HasPrefix(tail[i:], "&amp;"):
			i += len("amp;")
		case c == '%' && i+2 < len(tail):
			if v, ok := hexByte(tail[i+1], tail[i+2]); ok {
				if isAlnum(v) || v >= utf8.RuneSelf || v == '-' || v == '_' || v == '.' || v == '~' {
					f = f.add(v)
				} else {
					f = f.add('%').add(lower(tail[i+1])).add(lower(tail[i+2]))
				}
				i += 2
				continue
			}
		}
		f = f.add(c)
	}
	return f.sum()
}

// hexByte is the byte that two hexadecimal digits write.
func hexByte(hi, lo byte) (byte, bool) {
	h, ok := hexDigit(hi)
	l, also := hexDigit(lo)
	return h<<4 | l, ok && also
}

func hexDigit(c byte) (byte, bool) {
	switch c = lower(c); {
	case digit(c):
		return c - '0', true
	case c >= 'a' && c <= 'f':
		return c - 'a' + 10, true
	}
	return 0, false
}
