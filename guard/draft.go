package guard

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clause is a stretch of a draft that makes one statement: a sentence, or the
// part of one before or after a word of contrast ("but", "although", "nhưng").
type clause struct {
	words   []word
	marked  bool   // it has letters with marks: an unmarked word in it is meant to be unmarked
	bullet  bool   // it stands on a line that is an item of a list
	colon   bool   // it ends with a colon and so speaks of the list below it
	context []word // words of its heading, or of the clause its pronoun points at
	below   []word // words of the list below it
}

// word is one word in lower case. plain is the same without marks; for
// Vietnamese that is how many people type.
type word struct {
	text, plain string
	comma       bool // a comma stands before it
}

// splitDraft reads a draft into clauses. It is linear in the draft's length.
func splitDraft(draft string) []clause {
	var clauses []clause
	for line := range strings.Lines(norm.NFC.String(draft)) {
		clauses = splitLine(clauses, strings.TrimRight(line, "\r\n"))
	}
	clauses = splitStatements(clauses)
	connect(clauses)
	return clauses
}

func splitLine(clauses []clause, line string) []clause {
	text := strings.TrimLeft(line, " \t>|")
	bullet := isBullet(text)
	var cur clause
	subordinate := false // the clause began with "although": it ends at the comma
	comma := false
	flush := func() {
		if len(cur.words) > 0 {
			cur.bullet = bullet
			clauses = append(clauses, cur)
		}
		cur, subordinate = clause{}, false
	}
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		switch {
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			end := i + wordLength(text[i:])
			for _, w := range readWord(text[i:end]) {
				if contrast[w.text] || afterComma[w.text] && (comma || len(cur.words) == 0) {
					flush()
					subordinate = concessive[w.text]
				}
				w.comma, comma = comma, false
				cur.add(w)
			}
			i = end
			continue
		case r == ',' && !subordinate:
			comma = true
		case r == ',', r == ';', r == '!', r == '?', r == '…', r == '。':
			flush()
		case r == '.' && endsSentence(text[i+size:]):
			flush()
		case r == ':':
			cur.colon = strings.TrimRight(text[i+size:], " \t*_") == ""
		}
		i += size
	}
	flush()
	return clauses
}

// splitStatements parts what "and" or a comma joins where a new statement
// follows: "I have the invoices and could not reach shipping". A mere list
// ("invoices, orders and tickets") stays whole.
func splitStatements(clauses []clause) []clause {
	split := make([]clause, 0, len(clauses))
	for _, c := range clauses {
		from := 0
		for i := 1; i < len(c.words); i++ {
			w := c.words[i]
			and := w.text == "and" || w.text == "và"
			next := c.words[i:]
			if and {
				next = next[1:]
			}
			if len(next) == 0 || !and && !w.comma || !slices.ContainsFunc(next[:min(5, len(next))], isAuxiliary) {
				continue
			}
			if verb := isAuxiliary(next[0]); and && verb || !verb && slices.ContainsFunc(c.words[from:i], isAuxiliary) {
				split = append(split, c.part(from, i))
				from = i
			}
		}
		rest := c.part(from, len(c.words))
		rest.colon = c.colon
		split = append(split, rest)
	}
	return split
}

// part is a stretch of the clause. "… and is not finished" has its subject in
// the words before; "… and could not reach shipping" has the author for it.
func (c *clause) part(from, to int) clause {
	p := clause{bullet: c.bullet}
	for _, w := range c.words[from:to] {
		p.add(w)
	}
	if from > 0 && to > from+1 && isAuxiliary(c.words[from+1]) &&
		(!authored[c.words[from+1].text] || slices.ContainsFunc(p.words[:min(5, len(p.words))], func(w word) bool { return w.text == "be" })) {
		p.context = slices.Clip(c.words[:from])
	}
	return p
}

func isAuxiliary(w word) bool { return auxiliary[w.text] }

func (c *clause) add(w word) {
	c.words = append(c.words, w)
	c.marked = c.marked || w.text != w.plain
}

// endsSentence tells the full stop of a sentence from the one inside "3.14",
// "r.md" or "api.example.test".
func endsSentence(rest string) bool {
	r, _ := utf8.DecodeRuneInString(rest)
	return rest == "" || !unicode.IsLetter(r) && !unicode.IsDigit(r)
}

func isBullet(line string) bool {
	if strings.HasPrefix(line, "- ") || strings.HasPrefix(line, "* ") || strings.HasPrefix(line, "• ") || strings.HasPrefix(line, "– ") {
		return true
	}
	digits := 0
	for digits < len(line) && line[digits] >= '0' && line[digits] <= '9' {
		digits++
	}
	return digits > 0 && digits < 4 && len(line) > digits+1 && (line[digits] == '.' || line[digits] == ')') && line[digits+1] == ' '
}

// wordLength is the length in bytes of the word that text starts with. An
// apostrophe belongs to it where a letter follows.
func wordLength(text string) int {
	n := 0
	for n < len(text) {
		r, size := utf8.DecodeRuneInString(text[n:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			next, _ := utf8.DecodeRuneInString(text[n+size:])
			if r != '\'' && r != '’' || !unicode.IsLetter(next) {
				break
			}
		}
		n += size
	}
	return n
}

// readWord splits "getInvoices" into two words, and "couldn't" into "could"
// and "not".
func readWord(w string) []word {
	if at := strings.IndexAny(w, "'’"); at > 0 {
		head, tail := w[:at], strings.ToLower(strings.TrimLeft(w[at:], "'’"))
		lower := strings.ToLower(head)
		if tail == "t" && strings.HasSuffix(lower, "n") {
			if lower != "can" {
				head = head[:len(head)-1]
			}
			return append(readWord(head), newWord("not"))
		}
		return readWord(head) // "I've", "Acme's"
	}
	if strings.EqualFold(w, "cannot") {
		return []word{newWord("can"), newWord("not")}
	}
	var words []word
	start, lower := 0, false
	for i, r := range w {
		if lower && unicode.IsUpper(r) {
			words = append(words, newWord(w[start:i]))
			start = i
		}
		lower = unicode.IsLower(r)
	}
	return append(words, newWord(w[start:]))
}

func newWord(s string) word {
	lower := strings.ToLower(s)
	return word{text: lower, plain: plain(lower)}
}

// plain takes the marks off: "không" is "khong", "đã" is "da".
func plain(s string) string {
	ascii := true
	for i := range len(s) {
		if s[i] >= utf8.RuneSelf {
			ascii = false
			break
		}
	}
	if ascii {
		return s
	}
	var b strings.Builder
	for _, r := range norm.NFD.String(s) {
		switch {
		case unicode.Is(unicode.Mn, r):
		case r == 'đ':
			b.WriteByte('d')
		default:
			b.WriteRune(r)
		}
	}
	return b.String()
}

// connect gives each clause the words it leans on: an item of a list its
// heading, a heading its items, and "it failed" the clause before it.
func connect(clauses []clause) {
	heading := -1
	for i := range clauses {
		c := &clauses[i]
		switch {
		case c.colon:
			heading = i
		case c.bullet && heading >= 0:
			c.context = append(c.context, clauses[heading].words...)
			if h := &clauses[heading]; len(h.below) < maxBelow {
				h.below = append(h.below, c.words...)
			}
		case !c.bullet:
			heading = -1
		}
		if i > 0 && !c.bullet && startsWithPronoun(c.words) {
			c.context = append(c.context, clauses[i-1].words...)
		}
	}
}

// maxBelow bounds how many words of a list its heading speaks of.
const maxBelow = 400

// A pronoun within the first words points back: "but it timed out".
func startsWithPronoun(words []word) bool {
	for _, w := range words[:min(3, len(words))] {
		if pronouns[w.text] {
			return true
		}
	}
	return false
}
