package guard

import "slices"

// stance is what a walk left from a verb has come by.
type stance struct {
	seen role // of the words between the verb and what stands before them
	now  bool // one of them makes a state a claim: "it is now cancelled"
	been bool // one of them is "been"
	i    int  // the word before them, -1 for none
}

// hold finds out how the verb words[at:end] stands in its clause, by walking
// left from it to its subject, and where the subject is.
func (r *claimReader) hold(f *verbForm, at, end int) (grip, int) {
	t := f.tongue
	s := stance{i: at - 1}
	if f.bare {
		s.i = at - 3 // "able to"
	}
	comma := at > 0 && r.words[at].comma
	for ; s.i >= 0 && !comma; s.i-- {
		w := &r.words[s.i]
		tag := t.role(w, r.marked)
		if n := r.wentAhead(t, s.i); n > 0 {
			s.i -= n - 1
			continue
		}
		if tag&(adverb|actedOn|state|perfect) == 0 || tag&(wrote|joiner) != 0 && tag&perfect == 0 {
			return r.holdBy(f, s, at, end)
		}
		s.seen |= tag
		s.now = s.now || settled[w.text]
		s.been = s.been || w.text == "been"
		comma = w.comma
	}
	if !comma || s.i < 0 {
		return r.holdBy(f, s, at, end)
	}
	if s.i+1 == at && !slices.ContainsFunc(r.words[:at], func(w word) bool { return !interjections[w.text] }) {
		s.i = -1 // "Done, deleted."
		return r.holdBy(f, s, at, end)
	}
	if s.seen == 0 {
		return r.shared(t, s.i)
	}
	return r.heldBehindComma(t, s)
}

// wentAhead is how many words "went ahead and" takes that ends at words[i], 0
// where it does not stand there.
func (r *claimReader) wentAhead(t *tongue, i int) int {
	if i == 0 || t.role(&r.words[i], r.marked)&joiner == 0 || t.role(&r.words[i-1], r.marked)&ahead == 0 {
		return 0
	}
	n := 2
	for i-n >= 0 && goOn[r.words[i-n].text] {
		n++
	}
	return n
}

// interjections say nothing but that there is something to say.
var interjections = set("done ok okay sure yes great alright all set xong rồi vâng dạ")

// goOn is what may stand before "ahead and".
var goOn = set("went gone go have has just")

// settled words make a state a claim: "it is now cancelled".
var settled = set("now successfully officially all")

// heldBehindComma is for a verb whose auxiliaries follow a comma: "the order,
// as asked, has been cancelled".
func (r *claimReader) heldBehindComma(t *tongue, s stance) (grip, int) {
	switch {
	case t.marked && s.seen&perfect == 0:
		return noClaim, 0
	case t.marked && s.seen&actedOn == 0:
		return ownWord, s.i + 1
	case s.seen&actedOn == 0:
		return noClaim, 0
	case s.been || t.marked:
		return acted, s.i + 1
	}
	return actedPast, s.i + 1
}

// shared is for a verb that "and" or a comma joins to those before.
func (r *claimReader) shared(t *tongue, i int) (grip, int) {
	if n := len(r.found); n > 0 {
		last := &r.found[n-1]
		if last.own {
			return ownWord, 0
		}
		return acted, 0
	}
	for k := i; k >= 0; k-- {
		switch tag := t.role(&r.words[k], r.marked); {
		case tag&wrote != 0:
			if r.words[k].tail == "ll" || r.words[k].tail == "d" {
				return noClaim, 0
			}
			return ownWord, k
		case tag&other != 0:
			return noClaim, 0
		}
	}
	return noClaim, 0
}

// holdBy decides by the word before the verb and its auxiliaries.
func (r *claimReader) holdBy(f *verbForm, s stance, at, end int) (grip, int) {
	t, seen, i := f.tongue, s.seen, s.i
	var tag role
	var w *word
	if i >= 0 {
		w = &r.words[i]
		tag = t.role(w, r.marked)
	}
	if f.bare {
		if tag&wrote == 0 || w.tail == "ll" || w.tail == "d" {
			return noClaim, 0
		}
		return ownWord, i
	}
	if t.marked {
		return r.holdMarked(t, seen, tag, i, end)
	}
	if w != nil && (w.tail == "ll" || w.tail == "d" || tag&unreal != 0) {
		return noClaim, 0
	}
	switch {
	case f.active:
		if w == nil || tag&(wrote|other|joiner|unsaid) != 0 {
			return noClaim, 0
		}
		return acted, 0
	case seen&actedOn != 0:
		if w == nil || relative[w.text] && i > 0 {
			return noClaim, 0
		}
		if s.been {
			return acted, 0
		}
		return actedPast, 0
	case seen&state != 0 || w != nil && (w.tail == "s" || w.tail == "re") && tag&wrote == 0 && s.now:
		switch {
		case w == nil || relative[w.text]:
			return noClaim, 0
		case s.now:
			return acted, 0
		}
		return standing, 0
	case w == nil:
		return r.alone(t, end, headless), 0
	case tag&wrote != 0:
		if relativeBefore(r.clause, i) && seen&perfect == 0 {
			return noClaim, 0 // "the file I created"
		}
		return ownWord, i
	case tag&joiner != 0:
		return r.shared(t, i-1)
	case tag&(other|unsaid|goes|article|telling|agent) != 0 || seen&perfect != 0 && seen&adverb != 0 && hasAny(r.words[i+1:at], "have", "has", "had"):
		return noClaim, 0
	}
	if at > maxHeadline {
		return noClaim, 0
	}
	return r.alone(t, end, headline), 0
}

// maxHeadline is how many words stand before the verb of a headline at most.
const maxHeadline = 7

func hasAny(words []word, these ...string) bool {
	return slices.ContainsFunc(words, func(w word) bool { return slices.Contains(these, w.text) })
}

var relative = set("that which who whom whose mà")

// relativeBefore reports whether a noun stands right before the subject at i, so
// that the clause only says which one is meant.
func relativeBefore(cl *clause, i int) bool {
	if i == 0 || cl.words[i].comma {
		return false
	}
	before := &cl.words[i-1]
	tag := englishTongue.role(before, cl.marked)
	return tag == 0 || relative[before.text]
}

// alone is for a verb without a subject or an auxiliary: a headline counts where
// nothing else in the clause could be its verb.
func (r *claimReader) alone(t *tongue, end int, g grip) grip {
	if r.bullet || r.inside || r.label || r.heading {
		return noClaim
	}
	for i := range r.words {
		if i >= end && t.role(&r.words[i], r.marked)&(state|actedOn|perfect) != 0 || isAuxiliary(r.words[i]) {
			return noClaim
		}
	}
	if end < len(r.words) {
		next := &r.words[end]
		tag := t.role(next, r.marked)
		switch {
		case g == headline && tag&(goes|adverb|joiner) == 0 && !next.comma && next.text != "as":
			return noClaim
		case g == headless && tag&(goes|agent) != 0:
			return noClaim
		}
	}
	return g
}

// holdMarked is for a language in which words around the verb tell that it is
// done.
func (r *claimReader) holdMarked(t *tongue, seen, tag role, i, end int) (grip, int) {
	done := seen&perfect != 0
	for k := end; k < len(r.words) && k < end+maxObject && !done; k++ {
		w := &r.words[k]
		done = t.marksLater[w.text] && (w.plain != "thanh" || k+1 < len(r.words) && r.words[k+1].plain == "cong")
	}
	if !done || tag&unreal != 0 {
		return noClaim, 0
	}
	if seen&actedOn != 0 {
		if i >= 0 && relative[r.words[i].text] {
			return noClaim, 0
		}
		return acted, 0
	}
	if i < 0 {
		return ownWord, 0
	}
	if tag&wrote != 0 && !r.belongs(i) {
		return ownWord, i
	}
	if tag&joiner != 0 {
		return r.shared(t, i-1)
	}
	for k := i; k >= 0 && k > i-3; k-- {
		if t.role(&r.words[k], r.marked)&other != 0 && !r.belongs(k) {
			return noClaim, 0
		}
	}
	if tag&(unsaid|goes|telling) != 0 || r.label {
		return noClaim, 0
	}
	return acted, 0
}

// belongs reports whether the word only says whose something is: "của anh".
func (r *claimReader) belongs(i int) bool {
	for k := i - 1; k >= 0 && k > i-3; k-- {
		if p := r.words[k].plain; p == "cua" || p == "cho" {
			return true
		}
	}
	return false
}
