package guard

import (
	"regexp"
	"strings"
	"unicode"

	"golang.org/x/text/unicode/norm"
)

// visible is the part of a draft that its author says to a reader: without
// what a user interface strips or hides (comments, thoughts, tags, struck
// text), without code, and without quotations, which are the words of others.
// A quotation that is one of the names stays.
func visible(draft string, names map[string]bool) string {
	text := strings.Map(func(r rune) rune {
		if r < 0xAD || r >= 0x1E00 && r < 0x2000 {
			return r // what most drafts are written in
		}
		if unicode.Is(unicode.Cf, r) || unicode.Is(unicode.Variation_Selector, r) {
			return -1 // zero-width characters hide in the middle of words
		}
		return r
	}, norm.NFC.String(draft))
	text = strings.ReplaceAll(dropHidden(text), "n`t ", "n't ")
	unquote := func(q string) string {
		if isName(q, names) {
			return q
		}
		return " " + quoted + " "
	}
	var b strings.Builder
	fence := ""
	for line := range strings.Lines(text) {
		trimmed := strings.TrimLeft(line, " \t")
		if fence != "" {
			if strings.HasPrefix(trimmed, fence) {
				fence = ""
			}
			continue
		}
		if strings.HasPrefix(trimmed, "```") || strings.HasPrefix(trimmed, "~~~") {
			fence = trimmed[:3]
			continue
		}
		if strings.HasPrefix(trimmed, ">") || linkTarget.MatchString(trimmed) {
			continue
		}
		if strings.Contains(line, "](") {
			line = link.ReplaceAllString(image.ReplaceAllString(line, ""), "$1")
		}
		if strings.Contains(line, "~~") {
			line = struck.ReplaceAllString(line, " ")
		}
		for _, q := range quotations {
			if strings.Contains(line, q.open) {
				line = q.form.ReplaceAllStringFunc(line, unquote)
			}
		}
		b.WriteString(line)
	}
	return b.String()
}

var (
	linkTarget = regexp.MustCompile(`^\[[^\]]+\]:\s`)
	image      = regexp.MustCompile(`!\[[^\]\n]*\]\([^)\n]*\)`)
	link       = regexp.MustCompile(`\[([^\]\n]*)\]\([^)\n]*\)`)
	struck     = regexp.MustCompile(`~~[^~\n]+~~`)
	quotations = []struct {
		open string
		form *regexp.Regexp
	}{
		{`"`, regexp.MustCompile(`"[^"\n]*"`)},
		{"“", regexp.MustCompile(`“[^”\n]*”`)},
		{"„", regexp.MustCompile(`„[^“”\n]*[“”]`)},
		{"«", regexp.MustCompile(`«[^»\n]*»`)},
		{"`", regexp.MustCompile("`[^`\n]*`")},
		{"‘", regexp.MustCompile(`‘[^’\n]*’`)},
		{"'", regexp.MustCompile(`(?:^|[\s(])'[^'\n]+'(?:[\s.,;:!?)]|$)`)},
	}
)

// isName tells a quotation that is a name ("get_invoices", "401 Unauthorized")
// from one that is somebody's sentence.
func isName(q string, names map[string]bool) bool {
	return len(strings.Fields(q)) <= maxQuotedName || names[strings.ToLower(strings.Trim(q, "\"“”„«»`‘’' "))]
}

const (
	quoted        = "quotation"
	maxQuotedName = 3
)

// silent elements: what stands in them is not shown, or shown as withdrawn.
var silent = set("think thinking thought thoughts reasoning reflection scratchpad analysis script style template del s strike head title noscript")

// dropHidden takes out comments, silent and invisible elements, and tags.
func dropHidden(text string) string {
	if !strings.Contains(text, "<") {
		return text
	}
	var b strings.Builder
	for {
		at := strings.IndexByte(text, '<')
		if at < 0 {
			b.WriteString(text)
			return b.String()
		}
		b.WriteString(text[:at])
		text = text[at:]
		if rest, ok := strings.CutPrefix(text, "<!--"); ok {
			_, text, _ = strings.Cut(rest, "-->")
			continue
		}
		end := strings.IndexByte(text[:min(len(text), maxTag)], '>')
		name := tagName(text)
		if end < 0 || name == "" {
			b.WriteByte('<')
			text = text[1:]
			continue
		}
		tag := strings.ToLower(text[:end])
		text = text[end+1:]
		if silent[name] || strings.Contains(tag, "display:none") || strings.Contains(tag, "display: none") || strings.Contains(tag, "visibility:hidden") || strings.HasSuffix(tag, " hidden") || strings.Contains(tag, " hidden ") {
			text = afterElement(text, name)
		}
		if blockTags[name] {
			b.WriteByte('\n')
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
