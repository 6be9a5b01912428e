package guard

import (
	"slices"
	"strings"
)

// tongue is how one language says that something was done. To add a language,
// write one as in deed_en.go and put it into [tongues]: the verbs of each deed,
// and the words that decide what a verb is worth where it stands.
type tongue struct {
	language  Language
	verbs     map[string]verb   // by the name of the deed
	nounDeeds map[string]int    // the deeds of nouns, by their stems
	nouns     map[string]string // words for the deed, for "the refund has been processed"
	// finished are verbs that say of such a noun that it was done, as "done" does
	// of the deeds; finishing as "bare" does.
	// occurred are those that need no passive: "the payment has gone through".
	finished, finishing, occurred string
	roles                         map[string]role
	plainRoles                    map[string]role // the same without marks
	// marked: a verb is done only where a word of the role perfect, or one of
	// marksLater behind it, says so.
	marked     bool
	marksLater map[string]bool
	past       []string // patterns that put it before this run, read by [compile]
	pastCues   *cueIndex
	today      []string // patterns that do so where it "was" done
	todayCues  *cueIndex
	stories    []string // patterns behind which a sentence tells a history or what is to be done
	storyCues  *cueIndex
	already    string          // that do so only where nobody is named
	months     map[string]bool // that make a date
	texts      map[string]bool // things that are part of an answer and change nothing outside it
	outside    map[string]bool // what a business keeps, whatever is done to it
	storage    map[string]bool // places outside the answer
	negative   map[string]bool // words that take back what follows
}

// verb is the forms of the verbs for one deed. Forms are divided by commas and
// read by [compile], the words of the others by spaces.
type verb struct {
	done    string // that tell it is done: "sent"
	bare    string // behind "was able to"
	things  string // what it is done to; "-" for none
	shows   string // what a status says once it is done, divided by commas: "in transit"
	besides string // words behind the verb that make it something else
}

// role is what a word does around a verb.
type role uint32

const (
	adverb    role = 1 << iota // stands between subject and verb and changes nothing
	perfect                    // says that it is done
	actedOn                    // makes what was acted on the subject
	state                      // says how it is now
	wrote                      // the author of the draft
	other                      // somebody else
	unreal                     // makes it a wish, a plan or a guess
	unsaid                     // makes it a condition, a question or the words of others
	joiner                     // joins two verbs or statements
	announces                  // the author says that …
	telling                    // what is said follows
	agent                      // who did it follows
	shown                      // it is in the draft itself
	hedge                      // makes what stands before it a guess
	article                    // a noun follows
	goes                       // a preposition
	ahead                      // of "went ahead and"
)

var tongues = []*tongue{&englishTongue, &vietnameseTongue}

func roles(words map[role]string) map[string]role {
	m := map[string]role{}
	for r, list := range words {
		for w := range set(list) {
			m[w] |= r
		}
	}
	return m
}

// role is what a word is in this language. In a clause without marks a word
// may be any that it is without them.
func (t *tongue) role(w *word, marked bool) role {
	if marked {
		return t.roles[w.text]
	}
	return t.plainRoles[w.plain]
}

// verbForm is one form of a verb in the index.
type verbForm struct {
	cue
	tongue  *tongue
	deed    int // -1: that of the noun beside it
	bare    bool
	active  bool            // its subject is what was done
	things  map[string]bool // stems
	besides map[string]bool

	takesThing bool // it says what it is done to: "cấp quyền"
}

// verbs is every form of every verb by its first word.
var verbs = indexVerbs()

func indexVerbs() map[string][]*verbForm {
	index := map[string][]*verbForm{}
	for _, t := range tongues {
		t.plainRoles = map[string]role{}
		for w, r := range t.roles {
			t.plainRoles[plain(w)] |= r
		}
		t.pastCues, t.todayCues, t.storyCues = indexCues(compileClass(t.past, 0)), indexCues(compileClass(t.today, 0)), indexCues(compileClass(t.stories, 0))
		add := func(forms string, f verbForm) {
			for form := range strings.SplitSeq(forms, ",") {
				if form = strings.TrimSpace(form); form == "" {
					continue
				}
				f.cue = compile(form, 0, 0)
				one := f
				for _, part := range one.parts[1:] {
					one.takesThing = one.takesThing || f.things[stem(part[0][0].plain)]
				}
				first := one.parts[0][0][0].plain
				index[first] = append(index[first], &one)
			}
		}
		for name, v := range t.verbs {
			f := verbForm{tongue: t, deed: deedByName[name], things: stems(v.things), besides: set(v.besides)}
			add(v.done, f)
			f.bare = true
			add(v.bare, f)
		}
		nouns := map[string]bool{}
		t.nounDeeds = map[string]int{}
		for name, words := range t.nouns {
			for w := range strings.FieldsSeq(words) {
				t.nounDeeds[stem(w)] = deedByName[name]
			}
			for w := range stems(words) {
				nouns[w] = true
			}
		}
		f := verbForm{tongue: t, deed: -1, things: nouns}
		add(t.finished, f)
		f.bare = true
		add(t.finishing, f)
		f.bare, f.active = false, true
		add(t.occurred, f)
	}
	for _, forms := range index { // the longest first
		slices.SortStableFunc(forms, func(a, b *verbForm) int { return len(b.parts) - len(a.parts) })
	}
	return index
}

func stems(words string) map[string]bool {
	m := map[string]bool{}
	for w := range strings.FieldsSeq(words) {
		m[stem(w)] = true
		m[stem(plain(w))] = true
	}
	return m
}

// deedOfNoun is the deed that a noun is a word for, -1 for none.
func (t *tongue) deedOfNoun(w *word) int {
	if d, known := t.nounDeeds[stem(w.text)]; known {
		return d
	}
	return -1
}

// said is the first form of the deed's verb: what the texts call it.
func (t *tongue) said(deed int) string {
	first, _, _ := strings.Cut(t.verbs[deeds[deed].name].done, ",")
	return strings.TrimSpace(first)
}
