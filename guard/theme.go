package guard

import "slices"

// place is a clause with what its words stand for.
type place struct {
	*clause
	named     [][]int // by word: the subjects that it names
	inTrouble []bool  // by subject
}

// theme is what a cue speaks about: the phrase before or behind it.
type theme struct {
	names   map[int]bool // the subjects it names
	lookup  bool         // it has a word for a look-up or a tool
	datum   bool         // it has one for what a look-up returns
	foreign bool         // its head is of the subject matter
	mixed   bool         // anything in it is
	plain   bool         // anything in it is that does not look like a name
	content bool         // it has a word that is more than grammar
	count   int          // how many it says it speaks of, 0 where it does not
}

// isGeneral holds for a theme that is nothing but look-ups and data.
func (t *theme) isGeneral() bool {
	return len(t.names) == 0 && (t.lookup || t.datum) && !t.foreign && !t.mixed
}

// scan reads the words from..to as one phrase. headFirst is for Vietnamese,
// where the head opens the phrase; in English it closes it, before the first
// preposition. What only qualifies a head of the subject matter ("payment of
// the invoice") is not what the phrase is about.
func (p *place) scan(start, stop int, headFirst bool) theme {
	var t theme
	var inHead, behind [][]int
	head := class(0) // of the head; 0 for one of the subject matter
	inside := true   // before the first preposition
	for i := p.skipPlace(start, stop); i < stop; i++ {
		w, tag := &p.words[i], p.tags[i]
		own := len(p.named[i]) > 0
		if t.content && w.comma && !p.listed(i, stop) || t.content && !own && !headFirst && tag&author != 0 {
			break // "without invoice data I cannot say"
		}
		if !own && t.content && tag&prepared != 0 {
			inside = false
			continue
		}
		if inside && t.count == 0 {
			t.count = counts[w.text]
		}
		kind := tag & (lookup | datum)
		switch {
		case own:
			kind = named
		case kind != 0:
			t.lookup, t.datum = t.lookup || tag&lookup != 0, t.datum || tag&datum != 0
		case tag&person != 0 && tag&light == 0:
			t.mixed = true
		case tag != 0, isNumber(w), w.text == "0":
			continue
		case !inside && w.name && naming[p.words[i-1].text]:
			continue
		default:
			t.mixed, t.plain = true, t.plain || inside && !w.name
		}
		if own {
			into := &inHead
			if !inside {
				into = &behind
			}
			*into = append(*into, p.named[i])
		}
		if inside && (!headFirst || !t.content) {
			head = kind
		}
		t.content = true
	}
	t.foreign = t.content && head == 0
	switch {
	case !t.foreign:
		inHead = append(inHead, behind...)
	case headFirst:
		inHead = nil
	}
	t.names = settle(inHead)
	return t
}

// named is the kind of a word that names a subject.
const named class = 1 << 15

// naming prepositions introduce what a look-up was for, so that a name behind
// one is no other matter: "the data for Globex".
var naming = set("for of cho của")

// counts are numbers that limit how many failures one admission covers.
var counts = map[string]int{"one": 1, "single": 1, "1": 1, "một": 1, "two": 2, "2": 2, "hai": 2, "three": 3, "3": 3, "ba": 3, "four": 4, "4": 4, "bốn": 4, "five": 5, "5": 5, "năm": 5}

// skipPlace leaves out an adverbial at the beginning: "For order 18 the
// delivery service failed" is about the delivery service.
func (p *place) skipPlace(start, stop int) int {
	if start >= stop || p.tags[start]&prepared == 0 || len(p.named[start]) > 0 {
		return start
	}
	for i := start + 2; i < stop; i++ {
		if w := p.words[i].text; w == "the" || w == "our" || w == "my" || p.words[i].comma {
			return i
		}
	}
	return start
}

// listed reports whether the comma before words[i] is one of a list: an "and"
// follows within a few words.
func (p *place) listed(i, stop int) bool {
	for k := i; k < min(stop, i+6); k++ {
		switch p.words[k].text {
		case "and", "or", "nor", "và", "hoặc":
			return true
		}
	}
	return false
}

// timed prepositions introduce a time where a number follows.
var timed = set("from at on between until till")

// around is the theme of a cue that may stand anywhere in its clause.
func (p *place) around(start, end int) theme {
	t := p.scan(0, start, false)
	behind := p.scan(end, len(p.words), false)
	t.content, t.lookup, t.datum = t.content || behind.content, t.lookup || behind.lookup, t.datum || behind.datum
	t.foreign, t.mixed = false, t.mixed || behind.mixed
	t.names = settle(p.named)
	return t
}

// settle is the set of the subjects that words name. Words that several tools
// share count only where no word names one alone: "the invoice payment" is
// about pay_invoice and not about get_invoices.
func settle(named [][]int) map[int]bool {
	var shared, sole map[int]bool
	for _, subjects := range named {
		into := &shared
		if len(subjects) == 1 {
			into = &sole
		}
		for _, s := range subjects {
			if *into == nil {
				*into = map[int]bool{}
			}
			(*into)[s] = true
		}
	}
	if sole != nil {
		return sole
	}
	return shared
}

// troubled reports whether words[i] names a tool that is in trouble.
func (p *place) troubled(i int) bool {
	return slices.ContainsFunc(p.named[i], func(s int) bool { return p.inTrouble[s] })
}

// foreignIn reports whether the words from..to, up to a comma, have one of the
// subject matter: "not available in red". Names behind "for" are none.
func (p *place) foreignIn(start, stop int) bool {
	for i := start; i < stop; i++ {
		w, tag := &p.words[i], p.tags[i]
		switch {
		case w.comma && i > start:
			return false
		case len(p.named[i]) > 0:
			if !p.troubled(i) {
				return true
			}
		case isNumber(w), w.text == "0":
			if i > start && timed[p.words[i-1].text] {
				return true // "unavailable from 12:03": told as history
			}
		case tag&person != 0 && tag&light == 0:
			return true
		case tag != 0, i > 0 && w.name && naming[p.words[i-1].text]:
		default:
			return true
		}
	}
	return false
}
