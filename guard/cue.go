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
)

// strength is how much else a cue needs in its clause before it is believed.
type strength uint8

const (
	clear   strength = iota // speaks of reaching data by itself: "could not retrieve"
	loose                   // needs a word for what it is about: "is unavailable"
	generic                 // needs a word for a look-up or a tool: "failed", "error"
	act                     // counts for tools that change something: "could not send"
)

// cue is a compiled pattern of the lexicon.
type cue struct {
	parts    [][][]matcher // alternatives of sequences
	gap      []bool        // up to three words may stand before the part
	topics   topic
	strength strength
	active   bool // it tells what its grammatical subject did
	negative bool // it has a "not" of its own
}

// matcher matches one word: exactly, by its beginning, or any number but 0.
type matcher struct {
	word
	prefix, number bool
}

func (m matcher) matches(w word, marked bool) bool {
	if m.number {
		return isNumber(w)
	}
	if m.prefix {
		return strings.HasPrefix(w.text, m.text) || !marked && strings.HasPrefix(w.plain, m.plain)
	}
	return w.text == m.text || !marked && w.plain == m.plain
}

// isNumber holds for a count that is not nothing.
func isNumber(w word) bool {
	return numbers[w.text] || strings.Trim(w.text, "0123456789") == "" && strings.Trim(w.text, "0") != ""
}

// compile reads a pattern: words; "a|b" for either; "{class}" for one of a
// word list; "retriev*" for a beginning; "#" for a number; "~" for up to three
// words of any kind; a leading "@" says that the pattern is active.
func compile(pattern string, topics topic, s strength) cue {
	c := cue{topics: topics, strength: s}
	pattern, c.active = strings.CutPrefix(pattern, "@")
	gap := false
	for _, field := range strings.Fields(pattern) {
		if field == "~" {
			gap = true
			continue
		}
		var alternatives [][]matcher
		if name, isClass := strings.CutPrefix(field, "{"); isClass {
			name = strings.TrimSuffix(name, "}")
			for _, phrase := range classes[name] {
				alternatives = append(alternatives, compileWords(strings.Fields(phrase)))
			}
			c.active = c.active || name == "cannot"
		} else {
			for _, w := range strings.Split(field, "|") {
				alternatives = append(alternatives, compileWords([]string{w}))
			}
		}
		for _, seq := range alternatives {
			for _, m := range seq {
				c.negative = c.negative || negators[m.text]
			}
		}
		c.parts, c.gap = append(c.parts, alternatives), append(c.gap, gap)
		gap = false
	}
	return c
}

func compileWords(words []string) []matcher {
	seq := make([]matcher, len(words))
	for i, w := range words {
		text, prefix := strings.CutSuffix(w, "*")
		seq[i] = matcher{word: newWord(text), prefix: prefix, number: w == "#"}
	}
	return seq
}

// match reports where the cue ends when it starts at words[at], -1 where it
// does not start there. The shortest gap that fits is taken.
func (c *cue) match(words []word, at int, marked bool) int {
	return c.matchFrom(0, words, at, marked)
}

func (c *cue) matchFrom(part int, words []word, at int, marked bool) int {
	if part == len(c.parts) {
		return at
	}
	longest := 0
	if c.gap[part] {
		longest = maxGap
	}
	for skip := 0; skip <= longest && at+skip < len(words); skip++ {
		for _, seq := range c.parts[part] {
			if !matchSequence(seq, words[at+skip:], marked) {
				continue
			}
			if end := c.matchFrom(part+1, words, at+skip+len(seq), marked); end >= 0 {
				return end
			}
		}
	}
	return -1
}

const maxGap = 3

func matchSequence(seq []matcher, words []word, marked bool) bool {
	if len(seq) > len(words) {
		return false
	}
	for i, m := range seq {
		if !m.matches(words[i], marked) {
			return false
		}
	}
	return true
}

// contains reports whether one of the sequences occurs in the words.
func contains(words []word, marked bool, sequences [][]matcher) bool {
	for at := range words {
		for _, seq := range sequences {
			if matchSequence(seq, words[at:], marked) {
				return true
			}
		}
	}
	return false
}

// cueIndex finds the cues that can start with a word without trying them all.
type cueIndex struct {
	exact  map[string][]*cue // by the first word without marks
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
			case m.number:
				x.number = addCue(x.number, c)
			case m.prefix:
				key := m.plain[:prefixKey]
				x.prefix[key] = addCue(x.prefix[key], c)
			default:
				x.exact[m.plain] = addCue(x.exact[m.plain], c)
			}
		}
	}
	return x
}

func addCue(to []*cue, c *cue) []*cue {
	if n := len(to); n > 0 && to[n-1] == c {
		return to
	}
	return append(to, c)
}

// each calls f for every cue in the clause and the words it spans.
func (x *cueIndex) each(cl *clause, f func(c *cue, start, end int)) {
	for at, w := range cl.words {
		candidates := [3][]*cue{x.exact[w.plain]}
		if len(w.plain) >= prefixKey {
			candidates[1] = x.prefix[w.plain[:prefixKey]]
		}
		if isNumber(w) {
			candidates[2] = x.number
		}
		for _, set := range candidates {
			for _, c := range set {
				if end := c.match(cl.words, at, cl.marked); end > at {
					f(c, at, end)
				}
			}
		}
	}
}
