package redact

import "strings"

// url hides the user and password of the authority that starts at i, behind the
// scheme that starts at begin. A URL that posts to a hook is a secret by the
// random part of its path.
func (sc *scanner) url(begin, i int) {
	s := sc.s
	sc.pos, sc.before, sc.after = i, 0, 0
	window := s[i:min(len(s), i+longURL)]
	if end := strings.IndexAny(window, " \t\r\n<>"); end >= 0 {
		window = window[:end]
	}
	window = window[:endOfQuoted(window, begin > 0 && isQuote(s[begin-1]))]
	if strings.Contains(window, "hook") {
		sc.hook = i + len(window)
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

// endOfQuoted is where the quotation ends that a URL stands in. A quote in the
// middle of a password, where none stands before the URL, does not end it.
func endOfQuoted(window string, quoted bool) int {
	end := strings.IndexAny(window, "\"'`")
	if end < 0 {
		return len(window)
	}
	at := strings.IndexByte(window[end:], '@')
	if quoted || at < 0 || strings.IndexByte(window[:end], ':') < 0 || strings.ContainsAny(window[:end], "/@") {
		return end
	}
	if strings.ContainsAny(window[end:end+at], ",;(){}[]") {
		return end
	}
	if next := strings.IndexAny(window[end+at:], "\"'`"); next >= 0 {
		return end + at + next
	}
	return len(window)
}

// escapedURL hides the same in a URL inside of a URL.
func (sc *scanner) escapedURL(i int) {
	s := sc.s
	sc.pos = i
	window := s[i:min(len(s), i+longURL)]
	if end := strings.IndexAny(window, "& \t\r\n\"'<>"); end >= 0 {
		window = window[:end]
	}
	at := strings.Index(window, "%40")
	if slash := strings.Index(strings.ToUpper(window), "%2F"); at > 0 && (slash < 0 || at < slash) {
		sc.hide(i, i+at)
	}
}

// userinfo returns where user:password ends in the address of a database that
// has no scheme, of which s[i:j] would be the user: a:b@tcp(host), a:b@host:1/,
// a/b@//host. It is i for none.
func userinfo(s string, i, j int) int {
	const long = 128
	if j == len(s) || s[j] != ':' && s[j] != '/' || j+1 < len(s) && s[j+1] == '/' {
		return i
	}
	window := s[j+1 : min(len(s), j+long)]
	if end := strings.IndexAny(window, " \t\r\n\"'<>`"); end >= 0 {
		window = window[:end]
	}
	at := strings.LastIndexByte(window, '@')
	if at < 1 || strings.Trim(window[:at], "0123456789:.") == "" {
		return i
	}
	host := window[at+1:]
	if s[j] == '/' {
		if strings.HasPrefix(host, "//") {
			return j + 1 + at
		}
		return i
	}
	end := 0
	for end < len(host) && (isName(host[end]) || host[end] == '.') {
		end++
	}
	if end > 0 && end+1 < len(host) && (host[end] == '(' || host[end] == ':' && isDigit(host[end+1])) {
		return j + 1 + at
	}
	return i
}
