package guard

import (
	"regexp"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// visible is the part of a draft that its author says to a reader: without
// what a user interface strips or hides (comments, thoughts, tags, struck
// text), without code, and without quotations, which are the words of others.
// A quotation that is one of the names stays. The traces lead back to the draft
// in its composed form.
func visible(draft string, names func() map[string]bool) (string, traces) {
	text, from := shownRunes(norm.NFC.String(draft))
	all := traces{}.and(from)
	step := func(made string, from trace) { text, all = made, all.and(from) }
	step(dropHidden(text))
	text = strings.ReplaceAll(text, "n`t ", "n't ") // as long as before
	step(withoutCode(text))
	if strings.Contains(text, "](") {
		step(rewrite(text, image, func(*tracer, []int) {}))
		step(rewrite(text, link, func(t *tracer, m []int) { t.take(text[m[2]:m[3]], m[2]) }))
	}
	if strings.Contains(text, "~~") {
		step(rewrite(text, struck, func(t *tracer, m []int) { t.put(" ", m[0], m[1]-m[0]) }))
	}
	unquote := func(t *tracer, m []int) {
		if q := text[m[0]:m[1]]; isName(q, names) {
			t.take(q, m[0])
		} else {
			t.put(" "+quoted+" ", m[0], len(q))
		}
	}
	for _, q := range quotations {
		step(rewriteAt(text, q.in(text), unquote))
	}
	if opensSingle(text) {
		step(rewrite(text, singleQuoted, unquote))
	}
	return text, all
}

// shownRunes takes out zero-width characters, which hide in the middle of words.
func shownRunes(text string) (string, trace) {
	var t tracer
	done := 0
	for i, r := range text {
		if r < 0xAD || r >= 0x1E00 && r < 0x2000 {
			continue // what most drafts are written in
		}
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			t.take(text[done:i], done)
			done = i + utf8.RuneLen(r)
		}
	}
	if done == 0 {
		return text, nil
	}
	t.take(text[done:], done)
	return t.String(), t.trace
}

// withoutCode takes out fenced code, quoted lines and the targets of links.
func withoutCode(text string) (string, trace) {
	var t tracer
	fence, at := "", 0
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " \t")
		switch {
		case fence != "":
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
		case strings.HasPrefix(trimmed, "```"), strings.HasPrefix(trimmed, "~~~"):
			fence = trimmed[:3]
		case strings.HasPrefix(trimmed, ">"), trimmed != "" && trimmed[0] == '[' && linkTarget.MatchString(trimmed):
		default:
			t.take(line, at)
		}
		at += len(line)
	}
	if t.Len() == len(text) {
		return text, nil
	}
	return t.String(), t.trace
}

var (
	linkTarget = regexp.MustCompile(`^\[[^\]]+\]:\s`)
	image      = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\n]*\)`)
	link       = regexp.MustCompile(`\[([^\]\n]*)\]\([^)\n]*\)`)
	struck     = regexp.MustCompile(`~~[^~\n]+~~`)
	quotations = []quotation{{`"`, `"`}, {"“", "”"}, {"„", "“”"}, {"«", "»"}, {"`", "`"}, {"‘", "’"}}
	// An apostrophe is none.
	singleQuoted = regexp.MustCompile(`(?m)(?:^|[ \t(])'[^'\n]+'(?:[ \t.,;:!?)]|$)`)
)

// quotation is how one kind of quotation begins, and by which runes it ends.
type quotation struct{ open, close string }

// in finds the quotations of a text, each within a line.
func (q quotation) in(text string) (matches [][]int) {
	ends := q.close + "\n"
	for at := 0; ; {
		n := strings.Index(text[at:], q.open)
		if n < 0 {
			return matches
		}
		start := at + n
		at = start + len(q.open)
		if n = strings.IndexAny(text[at:], ends); n < 0 {
			return matches
		}
		end, size := utf8.DecodeRuneInString(text[at+n:])
		if at += n + size; end != '\n' {
			matches = append(matches, []int{start, at})
		}
	}
}

// opensSingle is the quick look for a single quote that is no apostrophe.
func opensSingle(text string) bool {
	for at := strings.IndexByte(text, '\''); at >= 0; {
		if at == 0 || strings.IndexByte("\n \t(", text[at-1]) >= 0 {
			return true
		}
		n := strings.IndexByte(text[at+1:], '\'')
		if n < 0 {
			return false
		}
		at += 1 + n
	}
	return false
}

// isName tells a quotation that is a name ("get_invoices", "401 Unauthorized")
// from one that is somebody's sentence.
func isName(q string, names func() map[string]bool) bool {
	return len(strings.Fields(q)) <= maxQuotedName || names()[strings.ToLower(strings.Trim(q, "\"“”„«»`‘’' "))]
}

const (
	quoted        = "quotation"
	maxQuotedName = 3
)

// silent elements: what stands in them is not shown, or shown as withdrawn.
var silent = set("think thinking thought thoughts reasoning reflection scratchpad analysis script style template del s strike head title noscript")

// dropHidden takes out comments, silent and invisible elements, and tags.
func dropHidden(whole string) (string, trace) {
	if !strings.Contains(whole, "<") {
		return whole, nil
	}
	var t tracer
	for text := whole; ; {
		done := len(whole) - len(text)
		at := strings.IndexByte(text, '<')
		if at < 0 {
			t.take(text, done)
			return t.String(), t.trace
		}
		t.take(text[:at], done)
		text = text[at:]
		done += at
		if rest, ok := strings.CutPrefix(text, "<!--"); ok {
			_, text, _ = strings.Cut(rest, "-->")
			continue
		}
		end := strings.IndexByte(text[:min(len(text), maxTag)], '>')
		name := tagName(text)
		if end < 0 || name == "" {
			t.take("<", done)
			text = text[1:]
			continue
		}
		tag := strings.ToLower(text[:end])
		text = text[end+1:]
		if silent[name] || strings.Contains(tag, "display:none") || strings.Contains(tag, "display: none") || strings.Contains(tag, "visibility:hidden") || strings.HasSuffix(tag, " hidden") || strings.Contains(tag, " hidden ") {
			text = afterElement(text, name)
		}
		if blockTags[name] {
			t.put("\n", done, 1)
		}
	}
}

var blockTags = set("br p div li tr td h1 h2 h3 h4")

// maxTag bounds how far the end of a tag is looked for, so that a text full of
// "<" costs no more than another.
const maxTag = 400

// tagName is the name of the element that text opens, "" for anything else; of
// a closing tag it begins with "/".
func tagName(text string) string {
	n := 1
	if n < len(text) && text[n] == '/' {
		n++
	}
	for n < len(text) && n < 24 && (unicode.IsLetter(rune(text[n])) || n > 1 && text[n] >= '0' && text[n] <= '9') {
		n++
	}
	if n == len(text) || n == 1 || !strings.ContainsRune(" />\t\n", rune(text[n])) {
		return ""
	}
	return strings.ToLower(text[1:n])
}

// afterElement is the text behind the element's end; one that is not closed
// hides the rest.
func afterElement(text, name string) string {
	closing := "</" + name
	for i := 0; i+len(closing) <= len(text); i++ {
		next := strings.IndexByte(text[i:], '<')
		if next < 0 || i+next+len(closing) > len(text) {
			return ""
		}
		i += next
		if strings.EqualFold(text[i:i+len(closing)], closing) {
			_, rest, _ := strings.Cut(text[i:], ">")
			return rest
		}
	}
	return ""
}
