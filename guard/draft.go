package guard

import (
	"math"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clause is a stretch of a draft that makes one statement: a sentence, or the
// part of one before or after a word such as "but", "because" or "nhưng".
type clause struct {
	words    []word
	marked   bool    // it has letters with marks: an unmarked word in it is meant to be unmarked
	bullet   bool    // it stands on a line that is an item of a list
	label    bool    // it ends with a colon or dash, or heads a row
	heading  bool    // it ends its line with a colon and so speaks of the list below it
	title    bool    // its line begins with "#"
	inside   bool    // it follows a label, or stands in parentheses or in a cell
	question bool    // its sentence asks
	opener   string  // the conjunction it began with
	sentence int     // the sentence it is in
	context  []word  // words of its label or heading, or of the clause its pronoun points at
	tags     []class // by word
	// where the first words end that turn what the clause says, see [clause.turn]
	bygone, untrue, overcome int
	from                     traces // where its words stand in the draft, see [finder]
	below                    []word // words of the list or of the parentheses behind it
	before                   int    // which clause the context is of, -1 for none
}

// word is one word in lower case. plain is the same without marks; for
// Vietnamese that is how many people type.
type word struct {
	text, plain string
	tail        string // what an apostrophe added: "ve" of "I've"
	comma       bool   // a comma stands before it
	name        bool   // it looks like a name: capitals, digits, "config.yml"
	number      bool   // it is a count that is not nothing
	joint       bool   // it is a part of a path, an address or a file name
	start, end  int32  // where it stands in the text that was split
}

// maxClause bounds a clause in words, so that the work on a draft stays linear
// in its length however it is written.
const maxClause = 64

// splitDraft reads a draft into clauses. It is linear in the draft's length.
func splitDraft(draft string) []clause {
	s := &splitter{clauses: make([]clause, 0, 2+len(draft)/64), words: make([]word, 0, 8+len(draft)/5)}
	for line := range strings.Lines(norm.NFC.String(draft)) {
		s.line(strings.TrimRight(line, "\r\n"))
		s.at += len(line)
	}
	clauses := splitStatements(s.clauses)
	connect(clauses)
	return clauses
}

// splitter cuts a draft into clauses, line by line.
type splitter struct {
	clauses  []clause
	words    []word // of all clauses, one behind the other
	cur      clause
	began    int    // where the words of the current clause begin
	read     []word // the words of one, used again for the next
	sentence int
	first    int  // the first clause of the sentence
	row      int  // the clause that heads the row or is the label of what follows, -1 for none
	until    bool // the clause began with "although" or "if": it ends at the comma
	comma    bool
	joined   bool // the next word belongs to the last: "yml" in "config.yml"
	cells    bool // the line is a row of a table
	at       int  // where the line begins
}

func (s *splitter) line(line string) {
	text := strings.TrimLeft(line, " \t")
	bullet := isBullet(text)
	s.cells = strings.HasPrefix(text, "|") || strings.Count(text, " | ") > 0
	s.endSentence()
	s.row = -1
	indent := s.at + len(line) - len(text)
	start := len(s.clauses)
	for i := 0; i < len(text); {
		r, size := utf8.DecodeRuneInString(text[i:])
		rest := text[i+size:]
		switch {
		case (r == 'n' || r == 'N') && len(rest) > 1 && strings.EqualFold(rest[:2], "/a") && (len(rest) == 2 || endsSentence(rest[2:])):
			s.add(newWord(notAvailable), indent+i, indent+i+len(notAvailable))
			i += len(notAvailable)
			continue
		case unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.Is(unicode.Mn, r):
			end := i + wordLength(text[i:])
			isName := end < len(text)-1 && strings.ContainsRune("._/@", rune(text[end])) && !endsSentence(text[end+1:])
			s.read = appendWords(s.read[:0], text[i:end])
			for _, w := range s.read {
				w.joint = isName || s.joined
				w.name = w.name || w.joint
				s.add(w, indent+i, indent+end)
			}
			s.joined = isName
			i = end
			continue
		case r == ',' && s.until:
			s.flush()
		case r == ',':
			s.comma = true
		case r == '|' && s.cells, r == ':' && endsSentence(rest), (r == '–' || r == '—') && endsSentence(rest), r == '-' && i > 0 && text[i-1] == ' ' && strings.HasPrefix(rest, " "):
			s.cur.label = s.length() > 0
			s.cur.heading = r == ':' && strings.TrimRight(rest, " \t*_") == ""
			at := s.flush()
			if at >= 0 && (s.row < 0 || r != '|') {
				s.row = at
			}
		case r == '(' || r == '[':
			if at := s.flush(); at >= 0 {
				s.row = at
			}
		case r == ')' || r == ']', r == ';', r == '…':
			s.flush()
		case r == '!', r == '。', r == '.' && endsSentence(rest):
			s.endSentence()
		case r == '?', r == '？':
			s.flush()
			for k := s.first; k < len(s.clauses); k++ {
				s.clauses[k].question = true
			}
			s.endSentence()
		}
		i += size
	}
	s.flush()
	title := strings.HasPrefix(text, "#")
	for k := start; k < len(s.clauses); k++ {
		s.clauses[k].bullet, s.clauses[k].title = bullet, title
	}
}

func (s *splitter) add(w word, start, end int) {
	w.start, w.end = int32(min(start, math.MaxInt32)), int32(min(end, math.MaxInt32))
	begins := s.length() == 0
	if parting.may(w.text) && (contrast[w.text] || afterComma[w.text] && (s.comma || begins) || begins && openers[w.text]) {
		s.flush()
		s.until = untilComma[w.text]
		s.cur.opener = w.text
	}
	if s.length() == maxClause {
		s.flush()
	}
	w.comma, s.comma = s.comma, false
	s.words = append(s.words, w)
	s.cur.marked = s.cur.marked || w.text != w.plain
}

// parting are the words before which a clause may end.
var parting = filterOf(contrast, afterComma, openers)

// length is how many words the current clause has.
func (s *splitter) length() int { return len(s.words) - s.began }

// flush ends the clause and tells where it stands now, -1 for an empty one.
func (s *splitter) flush() int {
	c := s.cur
	c.words = slices.Clip(s.words[s.began:])
	s.began = len(s.words)
	s.cur, s.until, s.comma = clause{}, false, false
	if len(c.words) == 0 {
		return -1
	}
	c.sentence, c.before = s.sentence, -1
	if s.row >= 0 {
		c.inside, c.before = true, s.row
	}
	s.clauses = append(s.clauses, c)
	return len(s.clauses) - 1
}

func (s *splitter) endSentence() {
	s.flush()
	s.sentence++
	s.first = len(s.clauses)
	if !s.cells {
		s.row = -1 // a label or a parenthesis belongs to its sentence
	}
}

// splitStatements parts what "and" or a comma joins where a new statement
// follows: "I have the invoices and could not reach shipping". A mere list
// ("invoices, orders and tickets") stays whole.
func splitStatements(clauses []clause) []clause {
	split := make([]clause, 0, len(clauses))
	moved := make([]int, len(clauses)) // where the last part of each clause went
	for n, c := range clauses {
		if c.before >= 0 {
			c.before = moved[c.before]
		}
		from := 0
		for i := 1; i < len(c.words); i++ {
			w := c.words[i]
			and := w.text == "and" || w.text == "và"
			next := c.words[i:]
			if and {
				next = next[1:]
			}
			if len(next) == 0 || !and && !w.comma || !slices.ContainsFunc(next[:min(6, len(next))], isAuxiliary) {
				continue
			}
			if verb := isAuxiliary(next[0]); and && verb || !verb && slices.ContainsFunc(c.words[from:i], isAuxiliary) && !slices.ContainsFunc(c.words[from:i], func(w word) bool { return noneOf[w.text] }) {
				split = append(split, c.part(from, i))
				from = i
			}
		}
		split = append(split, c.part(from, len(c.words)))
		moved[n] = len(split) - 1
		split[len(split)-1].label, split[len(split)-1].heading = c.label, c.heading
	}
	return split
}

// part is a stretch of the clause. "… and is not finished" has its subject in
// the words before; "… and could not reach shipping" has the author for it.
func (cl *clause) part(from, to int) clause {
	if from == 0 && to == len(cl.words) {
		return *cl
	}
	p := clause{bullet: cl.bullet, title: cl.title, inside: cl.inside, question: cl.question, sentence: cl.sentence, before: cl.before}
	if from == 0 {
		p.opener = cl.opener
	}
	p.words = slices.Clip(cl.words[from:to])
	p.marked = slices.ContainsFunc(p.words, func(w word) bool { return w.text != w.plain })
	if from > 0 && to > from+1 && isAuxiliary(cl.words[from+1]) &&
		(!authored[cl.words[from+1].text] || slices.ContainsFunc(p.words[:min(5, len(p.words))], func(w word) bool { return w.text == "be" })) {
		p.context = slices.Clip(cl.words[:from])
	}
	return p
}

func isAuxiliary(w word) bool { return auxiliaries.may(w.text) && auxiliary[w.text] }

var auxiliaries = filterOf(auxiliary)

// connect gives each clause the words it leans on: a cell its row, an item of
// a list its heading, a heading its items, and "it failed" the clause before.
func connect(clauses []clause) {
	heading := -1
	for i := range clauses {
		c := &clauses[i]
		switch {
		case c.heading:
			heading = i
		case c.bullet && heading >= 0:
			c.context = join(c.context, clauses[heading].words)
			if h := &clauses[heading]; len(h.below) < maxBelow {
				h.below = join(h.below, c.words)
			}
			if c.before < 0 {
				c.before = heading
			}
		case !c.bullet:
			heading = -1
		}
		if c.inside && c.before >= 0 {
			label := &clauses[c.before]
			c.context = join(c.context, label.words)
			if label.sentence == c.sentence && len(label.below) < maxBelow {
				label.below = join(label.below, c.words)
			}
		}
		if i > 0 && (startsWithPronoun(c.words) || c.opener == "due" || c.opener == "owing") {
			c.context = join(c.context, clauses[i-1].words)
			if c.before < 0 {
				c.before = i - 1
			}
		}
	}
}

// join is all words in one list; the words of one alone are not copied.
func join(words, more []word) []word {
	if len(words) == 0 {
		return slices.Clip(more)
	}
	return append(words, more...)
}

// notAvailable is the only word with a stroke in it.
const notAvailable = "n/a"

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
