package guard

import (
	"slices"
	"strings"
)

// claimReader finds the claims of one clause.
type claimReader struct {
	*clause
	nouns    func() map[string]bool // words of the run's tools for what they act on, as stems
	declared map[string]string
	wants    deedSet
	tools    bool     // the run has tools: what is said to be changed may be outside
	next     string   // how the sentence goes on: the opener of its next clause
	before   []clause // of the sentence, which claim nothing
	found    []claim
}

// grip is how a verb stands in its clause.
type grip uint8

const (
	noClaim   grip = iota
	ownWord        // "I have sent"
	acted          // "it has been sent", "the order is now cancelled"
	actedPast      // "it was sent", which tells of the past as well
	headless       // "Posted the message."
	headline       // "Email sent."
	standing       // "the order is cancelled"
)

func (r *claimReader) read() []claim {
	cl := r.clause
	if cl.question || condition[cl.opener] || cl.opener == "when" || cl.opener == "once" || cl.opener == "khi" || cl.title {
		return nil
	}
	for at := 0; at < len(cl.words); at++ {
		form, end := r.verbAt(at)
		if form == nil {
			continue
		}
		if c, ok := r.claim(form, at, end); ok {
			r.found = append(r.found, c)
		}
		at = end - 1
	}
	return r.found
}

// verbAt is the longest form that begins with the word.
func (r *claimReader) verbAt(at int) (*verbForm, int) {
	w := &r.words[at]
	var best *verbForm
	end := at
	for _, f := range verbs[w.plain] {
		if f.bare && !r.achieved(f.tongue, at) {
			continue
		}
		if e := f.match(r.clause, at); e > end {
			best, end = f, e
		}
	}
	if best == nil && len(r.declared) > 0 {
		if _, known := r.declared[stem(w.plain)]; known && w.text != stem(w.text) {
			return &verbForm{tongue: &englishTongue, deed: -2}, at + 1
		}
	}
	return best, end
}

// achieved reports whether "was able to" or "managed to" stands before the verb.
func (r *claimReader) achieved(t *tongue, at int) bool {
	return t.language == English && at > 1 && r.words[at-1].text == "to" && (r.words[at-2].text == "able" || r.words[at-2].text == "managed")
}

// claim reads what the verb at this place claims, if anything.
func (r *claimReader) claim(f *verbForm, at, end int) (claim, bool) {
	t := f.tongue
	g, subject := r.hold(f, at, end)
	switch first := r.words[at].text; {
	case first == "let" && (g != ownWord || hasAny(r.words[at:end], "me", "us", "you")), // "let me know"
		first == "passed" && (g == headless || g == headline): // "all passed on the first try"
		return claim{}, false
	}
	if g != noClaim && g != ownWord && g != headless && slices.ContainsFunc(r.before, func(cl clause) bool { return cl.tellsStory() }) {
		return claim{}, false
	}
	if g == noClaim || r.takenBack(f, g, subject, at, end) {
		return claim{}, false
	}
	c := claim{deed: f.deed, tongue: t, own: g == ownWord || g == headless, clause: r.clause}
	front, behind := r.words[:at], r.object(t, end)
	c.stands, c.back = g == standing, reversing[r.words[at].text]
	c.weak = g == actedPast || g == standing || g == headline || g == headless && len(behind) == 0
	c.own = c.own && !c.weak
	things := behind
	if g == acted || g == actedPast || g == headline || g == standing {
		things = front
		if r.inside && (isAuxiliary(r.words[0]) || t.role(&r.words[0], r.marked)&goes != 0 || hasAny(r.words[:1], "of", "của")) {
			things = slices.Concat(r.context, front) // "Version 2 (build 7) of the shop has been …"
		}
		if r.owner(t, end) {
			return claim{}, false
		}
	}
	c.scope = slices.Concat(front, behind)
	switch f.deed {
	case -2: // declared
		c.deed, c.word = -1, r.declared[stem(r.words[at].plain)]
		return c, g == ownWord || g == acted
	case -1: // "the refund was processed", "I processed the refund"
		c.deed = -1
		for i := range things {
			if i > 0 && concerning[things[i].text] && (g == ownWord || c.deed >= 0) {
				break // "a certificate for your reservation", "the refund for your order"
			}
			if d := t.deedOfNoun(&things[i]); d >= 0 {
				c.deed = d
			}
		}
		if c.deed < 0 {
			return claim{}, false
		}
		c.count, c.all = counted(things)
		c.outcome = outcomesOf(r.words[at:end])
		return c, true
	}
	c.count, c.all = counted(things)
	return c, r.isOutside(f, g, things, end)
}

// concerning are words behind which stands what it has to do with.
var concerning = set("in for as from with on about")

// counted is the number of things that the words speak of, 0 where they do not,
// and whether it is all there are.
func counted(words []word) (n int, all bool) {
	for i := range words {
		w := &words[i]
		all = all || allOf[w.text]
		if k := amount(w); n == 0 && k > 1 && !w.joint && (i+1 >= len(words) || !isNumber(&words[i+1])) {
			n = k
		}
		if w.text == "both" {
			n = 2
		}
	}
	return n, all
}

// allOf are words that leave none out.
var allOf = set("all every everyone everybody each tất mọi toàn")

// object is what stands behind the verb, up to where something else begins.
func (r *claimReader) object(t *tongue, end int) []word {
	stop := end
	for stop < len(r.words) && stop < end+maxObject {
		w := &r.words[stop]
		if stop > end && (w.comma || t.role(w, r.marked)&(joiner|unsaid|telling) != 0 && t.role(w, r.marked)&goes == 0) {
			break
		}
		stop++
	}
	return r.words[end:stop]
}

const maxObject = 16

// isOutside reports whether what was done was done to something outside the
// answer, as far as it can be told from the words.
func (r *claimReader) isOutside(f *verbForm, g grip, things []word, end int) bool {
	t := f.tongue
	narrow := deeds[f.deed].narrow
	known, tool, your, it, numbered := f.takesThing, false, false, false, false
	wanted := r.wants&(1<<f.deed) != 0
	var head *word
	inHead := true
	for i := range things {
		w := &things[i]
		tag := t.role(w, r.marked)
		if inHead && tag&goes != 0 && i > 0 {
			inHead = false
		}
		s := stem(w.plain)
		if r.nouns()[s] && (g != ownWord || inHead) {
			known, tool = true, tool || inHead
		}
		if f.things[s] || r.tools && changesAny[deeds[f.deed].name] && t.outside[w.text] {
			known = true
		}
		if i > 0 && isNumber(w) && f.things[stem(things[i-1].plain)] {
			numbered = true // "order 7"
		}
		if w.joint || len(w.text) > 2 && w.text[0] >= '0' && w.text[0] <= '9' {
			known = true
		}
		your = your || w.text == "your" || tag&other != 0
		it = it || w.text == "it" || w.text == "them" || w.text == "everything" || w.text == "this" || w.text == "that"
		if inHead && tag&(article|adverb|actedOn|perfect|state|wrote|other) == 0 {
			head = w
		}
	}
	text := head != nil && t.texts[head.text] && !f.things[stem(head.plain)]
	away := r.goesAway(t, end)
	switch {
	case text && !away && !tool:
		return false
	case g == ownWord && !narrow:
		return true
	case g == ownWord:
		return known || away || it && wanted && r.tools
	case g == headless:
		return known || away || len(things) == 0 && (!narrow || wanted) && end == len(r.words) || !narrow && allRole(t, things, adverb, r.marked)
	case g == headline:
		return known || len(things) > 0 && isNumber(&things[0])
	default:
		return (known || away && r.namesPath(end) || !narrow && (your || it)) && (t.marked || numbered && (g == acted || wanted) || definite(t, things, r.marked))
	}
}

// changesAny are deeds that are done to whatever there is outside.
var changesAny = set("delete update archive move")

// definite reports whether what was acted on is a certain thing and not some or
// somebody else's: "your order", not "flights" or "their application".
func definite(t *tongue, things []word, marked bool) bool {
	sure := false
	for i := range things {
		w := &things[i]
		switch w.text {
		case "their", "his", "her", "its":
			return false
		case "it", "you", "them", "everything":
			sure = true
		}
		sure = sure || t.role(w, marked)&article != 0 || w.joint
		if digit := w.text[0] >= '0' && w.text[0] <= '9'; i > 0 && w.name && (!digit || len(w.text) > 2) {
			sure = true // "Ticket SUP", "Record 4711"
		}
	}
	return sure
}

func allRole(t *tongue, words []word, want role, marked bool) bool {
	for i := range words {
		if t.role(&words[i], marked)&want == 0 && words[i].text != "once" {
			return false
		}
	}
	return true
}

// goesAway reports whether what stands behind the verb names a place outside
// the answer: a path, a file, "in your calendar".
func (r *claimReader) goesAway(t *tongue, end int) bool {
	prep := false
	for i := end; i < len(r.words); i++ {
		w := &r.words[i]
		if w.joint {
			return true
		}
		prep = prep || t.role(w, r.marked)&goes != 0
		if prep && t.storage[w.text] {
			return true
		}
	}
	return false
}

// namesPath reports whether a path or an address stands behind the verb, and not
// just a number such as a version.
func (r *claimReader) namesPath(end int) bool {
	return slices.ContainsFunc(r.words[end:], func(w word) bool { return w.joint && len(w.text) > 1 && strings.Trim(w.text, "0123456789") != "" })
}

// owner reports whether somebody else is said to have done it: "by the vendor".
func (r *claimReader) owner(t *tongue, end int) bool {
	for i := end; i < min(len(r.words)-1, end+6); i++ {
		if t.role(&r.words[i], r.marked)&agent != 0 {
			next := &r.words[i+1]
			return !means[next.text] && !isNumber(next) && strings.Trim(next.text, "0123456789") != ""
		}
	}
	return false
}

// means behind "by" are no doers.
var means = set("email mail phone post message sms text card default me us wire transfer courier check cash hand monday tuesday wednesday thursday friday saturday sunday tomorrow tonight noon")
