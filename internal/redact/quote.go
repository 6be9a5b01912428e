package redact

import "strings"

// quote is how a quotation begins and ends: a quote, with the backslashes before
// it as in JSON inside of JSON, or a spelling of one as in URLs and XML.
type quote struct {
	mark    string
	slashes int
}

// spelled are quotes as URLs and XML write them.
var spelled = []string{"%22", "%27", "&quot;", "&#34;", "&#39;", "&apos;"}

// opening returns the index behind the quote that starts at i; i for none.
func opening(s string, i int) (behind int, q quote) {
	if i == len(s) {
		return i, quote{}
	}
	if s[i] == '%' || s[i] == '&' {
		for _, mark := range spelled {
			if strings.HasPrefix(s[i:], mark) {
				return i + len(mark), quote{mark: mark}
			}
		}
		return i, quote{}
	}
	k := i
	for k < len(s) && s[k] == '\\' {
		k++
	}
	switch {
	case k < len(s) && isQuote(s[k]):
		return k + 1, quote{mark: s[k : k+1], slashes: k - i}
	}
	return i, quote{}
}

// closing returns where the quotation that starts at i ends: before its quote
// and the backslashes that belong to it, or at the end of the text.
func closing(s string, i int, q quote) int {
	if len(q.mark) > 1 {
		if end := strings.Index(s[i:], q.mark); end >= 0 {
			return i + end
		}
		return len(s)
	}
	run := 0
	for k := i; k < len(s); k++ {
		switch {
		case s[k] == '\\':
			run++
			continue
		case s[k] == q.mark[0] && (q.slashes == 0 && run%2 == 0 || q.slashes > 0 && run <= q.slashes):
			return k - min(run, q.slashes)
		}
		run = 0
	}
	return len(s)
}

// quoteBefore is the quote right before i, none where it has no mark.
func quoteBefore(s string, i int) quote {
	if i == 0 || !isQuote(s[i-1]) {
		return quote{}
	}
	q := quote{mark: s[i-1 : i]}
	for k := i - 2; k >= 0 && s[k] == '\\' && q.slashes < maxSlashes; k-- {
		q.slashes++
	}
	return q
}

// isDocument reports whether a text begins like JSON: its quotes then are
// strings, and nothing reaches over their ends.
func isDocument(s string) bool {
	s = strings.TrimLeft(s[:min(len(s), glance)], " \t\r\n[")
	return strings.HasPrefix(s, `"`) || strings.HasPrefix(s, `{`) && strings.HasPrefix(strings.TrimLeft(s[1:], " \t\r\n"), `"`)
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

// skipSpace passes over spaces, also as URLs write them and those that do not break.
func skipSpace(s string, i int) int {
	for i < len(s) {
		switch {
		case s[i] == ' ' || s[i] == '\t':
			i++
		case strings.HasPrefix(s[i:], "\u00a0"):
			i += len("\u00a0")
		default:
			return i
		}
	}
	return i
}

func isQuote(b byte) bool { return b == '"' || b == '\'' || b == '`' }

func isHex(b byte) bool { return isDigit(b) || b >= 'a' && b <= 'f' || b >= 'A' && b <= 'F' }
