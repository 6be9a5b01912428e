package guard

import (
	"slices"
	"strings"
	"sync"
)

// reading is a draft with what its author states in it.
type reading struct {
	subjects  []*subject
	index     *subjectIndex
	values    *valueIndex
	clauses   []clause
	said      []statement
	unclear   []statement // that may be about the subject matter
	spared    []sparing
	troubles  int            // of the whole run
	ofTool    map[string]int // by tool
	inTrouble []bool         // by subject
	failed    int            // calls that did, made good or not

	asked    func(call uint32) []string             // see [judgment.askedAlone]; nil: nobody knows
	concerns func(call uint32, words []string) bool // see [Concerns]; nil: nobody knows
}

// statement is one cue that stands as a statement of the draft's author: not
// negated, not a condition, not somebody else's.
type statement struct {
	*cue
	theme
	values   map[string]bool // kept values in its clause and in what belongs to it
	scope    []word          // these words
	words    []word          // of the cue
	author   bool            // the author is its subject
	leant    bool            // the theme is that of what the clause leans on
	alone    bool            // it names nothing, and neither does what it leans on
	tail     bool            // something foreign follows
	before   int             // how many stand before the cue, 0 where no number does
	sentence int             // it stands in
	limit    int             // how many failures it covers at most, 0 for any
}

// sparing is a clause that takes something back: "but not the one for Globex".
type sparing struct {
	names  map[int]bool
	values map[string]bool
}

// read finds what the draft admits, once.
func (j *judgment) read() *reading {
	if j.reading != nil {
		return j.reading
	}
	d := &reading{subjects: j.subjects(), values: indexValues(j.ev.calls), troubles: len(j.troubles), ofTool: map[string]int{}, concerns: j.ev.concerns}
	if j.run != nil && len(j.tried()) > 0 {
		d.asked = j.askedAlone
	}
	for i := range j.ev.calls {
		if !succeeded(&j.ev.calls[i]) {
			d.failed++
		}
	}
	for _, s := range j.ev.stats {
		d.failed += s.DroppedNotOK
	}
	d.index = indexSubjects(d.subjects)
	for _, t := range j.troubles {
		d.ofTool[t.tool]++
	}
	for _, s := range d.subjects {
		d.inTrouble = append(d.inTrouble, d.ofTool[s.tool] > 0)
	}
	d.clauses = j.clauses()
	for i := range d.clauses {
		cl := &d.clauses[i]
		cl.tag()
		cl.turn()
	}
	for i := range d.clauses {
		d.readClause(i)
	}
	j.reading = d
	return d
}

// shown is what a reader sees of the draft, made once.
func (j *judgment) shown() string {
	if !j.seen {
		j.visible, j.from = visible(j.draft, sync.OnceValue(j.displayNames))
		j.seen = true
	}
	return j.visible
}

// displayNames are how the texts call the tools of the run.
func (j *judgment) displayNames() map[string]bool {
	names := map[string]bool{}
	for _, s := range j.subjects() {
		names[j.displayName(s.tool)] = true
	}
	return names
}

// clauses are those of what a reader sees, split once.
func (j *judgment) clauses() []clause {
	if j.split == nil {
		text := j.shown()
		j.split = splitFrom(text, j.from)
	}
	return j.split
}

// clausesThat are the clauses of the lines of a text in which the hints are
// right, and at least those. The text is what a reader sees, or that with some of
// its lines left empty.
func (j *judgment) clausesThat(right func(hint) bool, text string) []clause {
	if j.split != nil && len(text) == len(j.visible) {
		return j.split
	}
	if !strings.Contains(text, "\n") {
		return splitFrom(text, j.from)
	}
	var t tracer
	left := j.shown()
	for line := range strings.Lines(text) {
		at := len(j.visible) - len(left)
		if right(hintsOf(line)) {
			t.take(line, at)
		}
		left = left[strings.IndexByte(left, '\n')+1:]
	}
	return splitFrom(t.String(), j.from.and(t.trace))
}

// splitFrom splits a text that was made out of the draft.
func splitFrom(text string, from traces) []clause {
	clauses := splitDraft(text)
	for i := range clauses {
		clauses[i].from = from
	}
	return clauses
}

func (d *reading) readClause(i int) {
	cl := &d.clauses[i]
	var p *place
	tried, already := 0, len(d.said)
	cues.each(cl, func(c *cue, start, end int) bool {
		if p == nil {
			p = d.look(cl)
		}
		if !d.denied(p, i, c, start, end) {
			s, ok := d.state(p, i, c, start, end)
			switch {
			case ok:
				d.said = append(d.said, s)
			case d.concerns != nil || d.asked != nil:
				s.scope = slices.Concat(p.words, p.context, p.below)
				d.unclear = append(d.unclear, s)
			}
		}
		tried++
		return tried < maxCues
	})
	if first := slices.IndexFunc(cl.words, func(w word) bool { return !contrast[w.text] }); first >= 0 && already > 0 && len(d.said) == already && sparingWords[cl.words[first].text] {
		p = d.look(cl)
		t := p.scan(0, len(cl.words), false)
		d.spared = append(d.spared, sparing{t.names, d.values.in(cl.words)})
	}
}

// maxCues bounds how many cues of a clause are read.
const maxCues = 40

// tag finds out what the words of the clause stand for.
func (cl *clause) tag() {
	cl.tags = make([]class, len(cl.words))
	vocabularyIndex.each(cl, func(c *cue, start, end int) bool {
		for k := start; k < end; k++ {
			cl.tags[k] |= c.class
		}
		return true
	})
}

// turn finds the words that turn what the clause says.
func (cl *clause) turn() {
	cl.bygone, cl.untrue, cl.overcome = never, never, never
	turns.each(cl, func(c *cue, _, end int) bool {
		switch c.class {
		case isBygone:
			cl.bygone = min(cl.bygone, end)
		case isUntrue:
			cl.untrue = min(cl.untrue, end)
		case isOvercome:
			cl.overcome = min(cl.overcome, end)
		}
		return true
	})
}

// never is behind every word of a clause.
const never = maxClause + 1

// look finds out what the words of a clause name.
func (d *reading) look(cl *clause) *place {
	p := &place{clause: cl, named: make([][]int, len(cl.words)), inTrouble: d.inTrouble}
	for at := range cl.words {
		d.index.naming(cl.words, at, cl.marked, func(s, n int) {
			for k := at; k < at+n; k++ {
				p.named[k] = append(p.named[k], s)
			}
		})
	}
	return p
}

// leaning is the theme of what a clause leans on: its label, heading or row,
// what a pronoun in it points back at, or the list below it.
func (d *reading) leaning(cl *clause, headFirst bool) theme {
	var t theme
	for _, words := range [][]word{cl.context, cl.below} {
		if len(words) == 0 || t.content {
			continue
		}
		c := clause{words: words[:min(len(words), maxClause)], marked: cl.marked}
		c.tag()
		p := d.look(&c)
		t = p.scan(0, len(c.words), headFirst)
		t.names = settle(p.named)
	}
	return t
}

// attempt is the theme of the clause before, where that tells of an attempt:
// "I tried to get the invoices" before "but it failed".
func (d *reading) attempt(at int, headFirst bool) (theme, bool) {
	if at == 0 || d.clauses[at-1].sentence < d.clauses[at].sentence-1 {
		return theme{}, false
	}
	before := &d.clauses[at-1]
	if !slices.ContainsFunc(before.words, func(w word) bool { return attempts[w.text] }) {
		return theme{}, false
	}
	p := d.look(before)
	t := p.scan(0, len(p.words), headFirst)
	t.names = settle(p.named)
	t.lookup, t.foreign = true, false
	return t, true
}

var attempts = set("tried try trying attempted attempt thử")

// state reads a cue with its theme. It is none where the theme, the doer or
// what follows belongs to the subject matter.
func (d *reading) state(p *place, at int, c *cue, start, end int) (statement, bool) {
	r := c.rule
	headFirst := r&viet != 0
	subjectFrom := p.subjectStart(start)
	front := p.scan(subjectFrom, start, headFirst)
	passive := !headFirst && slices.ContainsFunc(p.words[start:end], func(w word) bool { return w.text == "be" || w.text == "been" }) && r&(active|deed) != 0
	s := statement{cue: c, sentence: p.sentence, before: front.count, words: p.words[start:end], author: slices.ContainsFunc(p.tags[subjectFrom:start], func(t class) bool { return t&author != 0 })}
	if r&active != 0 && !passive && !p.ownDoer(&front, subjectFrom, start, r) {
		return s, false
	}
	s.tail = p.foreignIn(end, len(p.words))
	switch {
	case r&whole != 0:
		s.theme = p.around(start, end)
		s.tail = s.mixed
	case r&inner != 0:
		s.theme = p.scan(start+1, p.firstAuxiliary(start+1, end), headFirst)
	case r&from != 0:
		s.theme = p.scan(start+1, len(p.words), headFirst)
	case passive, r&either == before:
		s.theme = front
	default:
		s.theme = p.scan(end, len(p.words), headFirst)
		if !s.content && r&before != 0 || s.content && r&before != 0 && len(s.names) == 0 && len(front.names) > 0 {
			s.theme = front
		}
	}
	s.alone = !s.content
	if s.alone || p.inside && len(s.names) == 0 && r&(strict|event) == 0 {
		if t := d.leaning(p.clause, headFirst); t.content {
			labelled := s.alone || t.count == 0 && !slices.ContainsFunc(p.context, func(w word) bool { return isNumber(&w) })
			if labelled {
				n := s.count
				s.theme, s.alone, s.leant = t, false, true
				if n > 0 {
					s.count = n
				}
			}
		}
	}
	if s.alone && r&(event|tried) != 0 {
		if t, ok := d.attempt(at, headFirst); ok {
			s.theme, s.alone, s.leant = t, false, true
		} else if r&tried != 0 {
			return s, false
		}
	} else if r&tried != 0 {
		return s, false
	}
	if r&strict != 0 && s.leant && (r&whole != 0 || !p.inside && !p.bullet && r&active != 0) {
		return s, false // "they cannot be opened twice"
	}
	if r&cell != 0 && (!p.inside || start > 0 && front.content || p.foreignIn(0, start) || s.tail) {
		return s, false
	}
	if (r&general != 0 || r&event != 0 && r&active == 0 || r&(event|viet) == event|viet) && s.tail || r&general != 0 && s.foreign {
		return s, false
	}
	s.limit = s.count
	s.scope = slices.Concat(p.words, p.context, p.below)
	s.values = d.values.in(s.scope)
	return s, true
}
