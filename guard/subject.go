package guard

import (
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
)

// subject is what a draft has to name to speak of one tool.
type subject struct {
	tool   string
	effect fault.Effect
	name   []word      // the words of the tool's name
	keys   [][]matcher // word sequences that name it and no other tool of the run
}

// subjects are the tools of the run, bound or called.
func (j *judgment) subjects() []*subject {
	var subjects []*subject
	add := func(tool string, effect fault.Effect) {
		if tool != "" && !slices.ContainsFunc(subjects, func(s *subject) bool { return s.tool == tool }) {
			subjects = append(subjects, &subject{tool: tool, effect: effect, name: nameWords(tool)})
		}
	}
	for _, t := range j.ev.tools {
		add(t.Name, t.Effect)
	}
	for i := range j.ev.calls {
		if c := &j.ev.calls[i]; c.Tool != nil {
			add(toolName(c), c.Tool.Effect)
		}
	}
	for _, t := range j.troubles {
		add(t.tool, t.effect)
	}
	shared := map[string]int{}
	for _, s := range subjects {
		for _, w := range contentWords(s.name) {
			shared[stem(w.text)]++
		}
	}
	for _, s := range subjects {
		s.keys = keysOf(s, j.guard.called[s.tool], shared)
	}
	return subjects
}

// keysOf are the words of a name, and what the owner says people call it.
func keysOf(s *subject, called []string, shared map[string]int) [][]matcher {
	content := contentWords(s.name)
	var keys [][]matcher
	switch {
	case len(content) == 0 || len(content) == 1 && len(content[0].text) == 1: // "get" or "search": the verb alone names nothing
		for _, kind := range toolWords {
			keys = append(keys, sequence(append([]word{newWord(kind)}, s.name...)), sequence(append(slices.Clone(s.name), newWord(kind))))
		}
	case syllabic(content):
		keys = append(keys, sequence(content))
	default:
		for _, w := range content {
			keys = append(keys, sequence([]word{w}))
			for _, p := range glossaryKeys[stem(w.text)] {
				if shared[p.stem] == 0 {
					keys = append(keys, p.words)
				}
			}
		}
	}
	for _, phrase := range called {
		if words := splitWords(phrase); len(words) > 0 {
			keys = append(keys, sequence(words))
		}
	}
	return keys
}

// glossaryKeys are the phrases of the glossary as keys, with the stem of each.
var glossaryKeys = func() map[string][]phraseKey {
	keys := map[string][]phraseKey{}
	for word, phrases := range glossary {
		for _, phrase := range phrases {
			keys[word] = append(keys[word], phraseKey{stem(phrase), compileWords(strings.Fields(phrase))})
		}
	}
	return keys
}()

type phraseKey struct {
	stem  string
	words []matcher
}

// toolWords beside a name tell that it is one.
var toolWords = []string{"tool", "lookup", "step", "function", "call", "api", "cứu", "bước", "cụ"}

func sequence(words []word) []matcher {
	seq := make([]matcher, len(words))
	for i, w := range words {
		seq[i] = matcher{word: w}
	}
	return seq
}

// syllabic reports whether the words of a name are syllables of Vietnamese,
// which mean something only together: "hoa_don".
func syllabic(words []word) bool {
	n := 0
	for _, w := range words {
		if syllables[w.plain] {
			n++
		}
	}
	return len(words) > 1 && n == len(words)
}

// syllables are all that the glossary has, and the commonest.
var syllables = func() map[string]bool {
	all := map[string]bool{}
	for s := range vietnameseSyllables {
		all[s] = true
	}
	for _, phrases := range glossary {
		for _, phrase := range phrases {
			for s := range strings.FieldsSeq(phrase) {
				if strings.Contains(phrase, " ") {
					all[plain(s)] = true
				}
			}
		}
	}
	return all
}()

// splitWords reads any text as words.
func splitWords(s string) []word {
	var words []word
	for _, c := range splitDraft(s) {
		words = append(words, c.words...)
	}
	return words
}

func nameWords(tool string) []word {
	words := make([]word, 0, 4)
	for i := 0; i < len(tool); {
		c := tool[i]
		if c >= utf8.RuneSelf || c == '\'' {
			return splitWords(strings.Map(func(r rune) rune {
				if r == '.' || r == '_' || r == '-' || r == '/' || r == ':' {
					return ' '
				}
				return r
			}, tool))
		}
		n := 0
		for i+n < len(tool) && (tool[i+n]|0x20 >= 'a' && tool[i+n]|0x20 <= 'z' || tool[i+n] >= '0' && tool[i+n] <= '9') {
			n++
		}
		if n > 0 {
			words = append(words, readWord(tool[i:i+n])...)
		}
		i += max(n, 1)
	}
	return words
}

// verbs of names say nothing about what a look-up is about.
var nameVerbs = set("get fetch list read query search lookup look up find load retrieve show check api tool tools mcp by for of from to the all id ids data info information v1 v2 v3 http https run call do exec execute use my current tra lay xem tim")

func contentWords(name []word) []word {
	return slices.DeleteFunc(slices.Clone(name), func(w word) bool { return nameVerbs[w.text] })
}

// subjectIndex finds the subjects that words name.
type subjectIndex struct {
	subjects []*subject
	byWord   map[string][]subjectKey
}

type subjectKey struct {
	subject int
	words   []matcher
}

func indexSubjects(subjects []*subject) *subjectIndex {
	x := &subjectIndex{subjects: subjects, byWord: map[string][]subjectKey{}}
	for i, s := range subjects {
		for _, key := range s.keys {
			first := stem(key[0].plain)
			x.byWord[first] = append(x.byWord[first], subjectKey{i, key})
		}
	}
	return x
}

// naming calls f for each subject that is named at words[at], with the number
// of words that name it.
func (x *subjectIndex) naming(words []word, at int, marked bool, f func(subject, n int)) {
	for _, key := range x.byWord[stem(words[at].plain)] {
		if sameWords(key.words, words[at:], marked) {
			f(key.subject, len(key.words))
		}
	}
}

// namedInFull reports whether every word of the tool's name occurs.
func (s *subject) namedInFull(words []word) bool {
	for _, n := range s.name {
		if !slices.ContainsFunc(words, func(w word) bool { return w.text == n.text || stem(w.text) == stem(n.text) }) {
			return false
		}
	}
	return len(s.name) > 0
}

// sameWords compares without marks where the key has none, since tool names
// are written without.
func sameWords(key []matcher, words []word, marked bool) bool {
	if len(key) > len(words) {
		return false
	}
	for i := range key {
		k, w := &key[i], &words[i]
		bare := k.text == k.plain
		if w.text != k.text && !((bare || !marked) && w.plain == k.plain) && stem(w.text) != stem(k.text) {
			return false
		}
	}
	return true
}

// stem takes the commonest English endings off, so that "payments" speaks of
// pay_invoice and "archived" of archive_batch.
func stem(w string) string {
	for _, suffix := range []string{"ments", "ment", "ings", "ing", "ions", "ion", "ies", "ied", "ed", "es", "s", "e", "y"} {
		if root, ok := strings.CutSuffix(w, suffix); ok && len(root) >= 3 {
			w = root
			break
		}
	}
	if n := len(w); n > 3 && w[n-1] == w[n-2] {
		return w[:n-1] // "shipping" and "shipment"
	}
	return w
}

// does reports whether a verb is the tool's own deed. A tool whose name tells
// no deed does any.
func (s *subject) does(verb word) bool {
	if slices.ContainsFunc(s.name, func(w word) bool { return stem(w.text) == stem(verb.text) }) {
		return true
	}
	known := false
	for _, group := range verbGroups {
		for _, w := range s.name {
			if inGroup(group, w) {
				known = true
				if inGroup(group, verb) {
					return true
				}
			}
		}
	}
	return !known
}

func inGroup(group []string, w word) bool {
	return slices.Contains(group, w.text) || slices.Contains(group, stem(w.text))
}
