package guard

import "strings"

// about which troubles a cue speaks. A cue may speak about several.
type topic uint16

const (
	saysFailed    topic = 1 << iota // it could not be done or reached
	saysAbsent                      // it was looked for and is not there
	saysDenied                      // somebody said no
	saysUncertain                   // nobody knows whether it happened
	saysPending                     // it is not done yet
	saysPartial                     // only part of it is there
	saysCut                         // there is more than is shown
	saysOld                         // it is not current
	saysShort                       // the work was ended early
	saysAsks                        // the reader is asked to put it right: "please provide the order number"
)

// rule says where a cue's theme stands, and what it has to be.
type rule uint32

const (
	before  rule = 1 << iota // the theme is what stands before it: "the invoices are unavailable"
	after                    // what stands behind it, else what stands before: "could not retrieve the invoices"
	from                     // it begins within the cue: "no invoice data"
	inner                    // it is within the cue: "none of the invoices could be retrieved"
	whole                    // it may be anywhere in the clause
	active                   // its subject must be the author, a look-up or the tool
	strict                   // nothing foreign may follow: "not available in red"
	event                    // the theme has to be a look-up, a tool, or the deed of one: "failed"
	deed                     // counts for tools that change something, and only for the change they make
	cell                     // has to be the whole of a cell or of what follows a label
	own                      // has to name the tool, or nothing but look-ups and data
	general                  // says by itself that a look-up failed
	onWork                   // has to be about the author or the task
	sought                   // the name of what was looked for is enough for a theme: "could not look up Globex"
	tried                    // has to stand behind a clause that tells of an attempt: "but no luck"
	viet                     // Vietnamese puts the head of a phrase first

	either = before | after
)

// cue is a compiled pattern of the lexicon.
type cue struct {
	parts    [][][]matcher // alternatives of sequences
	gap      []gap         // what may stand before the part
	topics   topic
	rule     rule
	class    class // of the vocabulary
	negative bool  // it has a "not" of its own
}

// gap is how many words may stand between two parts of a cue.
type gap uint8

const (
	noGap    gap = 0
	lightGap gap = 3 // "~": light words
	anyGap   gap = 5 // "~~": any words
)

// matcher matches one word: exactly, by its beginning, any number but 0, or
// any word.
type matcher struct {
	word
	prefix, numeric, any bool
}

func (m *matcher) matches(w *word, marked bool) bool {
	switch {
	case m.any:
		return true
	case m.numeric:
		return isNumber(w)
	case m.prefix:
		return strings.HasPrefix(w.text, m.text) || !marked && strings.HasPrefix(w.plain, m.plain)
	}
	return w.text == m.text || !marked && w.plain == m.plain
}

// isNumber holds for a count that is not nothing.
func isNumber(w *word) bool { return w.number }

var numberFilter = filterOf(numbers)

func readsAsNumber(text string) bool {
	if text == "" || text[0] < '0' || text[0] > '9' {
		return numberFilter.may(text) && numbers[text]
	}
	return strings.Trim(text, "0123456789") == "" && strings.Trim(text, "0") != ""
}

// compile reads a pattern: words; "a|b" for either; "{set}" for one of [sets];
// "retriev*" for a beginning; "#" for a number; "?" for any word; "~" and "~~" for a [gap].
func compile(pattern string, topics topic, r rule) cue {
	c := cue{topics: topics, rule: r}
	next := noGap
	for _, field := range strings.Fields(pattern) {
		switch field {
		case "~":
			next = lightGap
			continue
		case "~~":
			next = anyGap
			continue
		}
		var alternatives [][]matcher
		if name, isSet := strings.CutPrefix(field, "{"); isSet {
			for _, phrase := range sets[strings.TrimSuffix(name, "}")] {
				alternatives = append(alternatives, compileWords(strings.Fields(phrase)))
			}
		} else {
			for w := range strings.SplitSeq(field, "|") {
				alternatives = append(alternatives, compileWords([]string{w}))
			}
		}
		for _, seq := range alternatives {
			for _, m := range seq {
				c.negative = c.negative || negators[m.text]
			}
		}
		c.parts, c.gap = append(c.parts, alternatives), append(c.gap, next)
		next = noGap
	}
	return c
}

func compileWords(words []string) []matcher {
	seq := make([]matcher, len(words))
	for i, w := range words {
		text, prefix := strings.CutSuffix(w, "*")
		seq[i] = matcher{word: newWord(text), prefix: prefix, numeric: w == "#", any: w == "?"}
	}
	return seq
}

// match reports where the cue ends when it starts at words[at], -1 where it
// does not start there. The shortest gap that fits is taken.
func (c *cue) match(cl *clause, at int) int { return c.matchFrom(0, cl, at) }

func (c *cue) matchFrom(part int, cl *clause, at int) int {
	if part == len(c.parts) {
		return at
	}
	for skip := 0; skip <= int(c.gap[part]) && at+skip < len(cl.words); skip++ {
		if skip > 0 && c.gap[part] == lightGap && cl.tags[at+skip-1]&light == 0 {
			break
		}
		for _, seq := range c.parts[part] {
			if !matchSequence(seq, cl.words[at+skip:], cl.marked) {
				continue
			}
			if end := c.matchFrom(part+1, cl, at+skip+len(seq)); end >= 0 {
				return end
			}
		}
	}
	return -1
}

func matchSequence(seq []matcher, words []word, marked bool) bool {
	if len(seq) > len(words) {
		return false
	}
	for i := range seq {
		if !seq[i].matches(&words[i], marked) {
			return false
		}
	}
	return true
}

// cueIndex finds the cues that can start with a word without trying them all.
type cueIndex struct {
	exact  map[string][]*cue // by the first word without marks
	known  *filter           // of exact
	prefix map[string][]*cue // by the first letters of a beginning
	number []*cue
}

// prefixKey is how many bytes of a beginning are looked up.
const prefixKey = 3

func indexCues(all []cue) *cueIndex {
	x := &cueIndex{exact: map[string][]*cue{}, prefix: map[string][]*cue{}}
	for i := range all {
		c := &all[i]
		for _, seq := range c.parts[0] {
			switch m := seq[0]; {
			case m.numeric:
				x.number = addCue(x.number, c)
			case m.prefix:
				key := m.plain[:prefixKey]
				x.prefix[key] = addCue(x.prefix[key], c)
			default:
				x.exact[m.plain] = addCue(x.exact[m.plain], c)
			}
		}
	}
	x.known = filterOf(x.exact)
	return x
}

func addCue(to []*cue, c *cue) []*cue {
	if n := len(to); n > 0 && to[n-1] == c {
		return to
	}
	return append(to, c)
}

// each calls f for every cue in the clause and the words it spans, until f
// has had enough.
func (x *cueIndex) each(cl *clause, f func(c *cue, start, end int) (more bool)) {
	for at := range cl.words {
		w := &cl.words[at]
		var candidates [3][]*cue
		if x.known.may(w.plain) {
			candidates[0] = x.exact[w.plain]
		}
		if len(w.plain) >= prefixKey && len(x.prefix) > 0 {
			candidates[1] = x.prefix[w.plain[:prefixKey]]
		}
		if isNumber(w) {
			candidates[2] = x.number
		}
		for _, set := range candidates {
			for _, c := range set {
				if end := c.match(cl, at); end > at && !f(c, at, end) {
					return
				}
			}
		}
	}
}
