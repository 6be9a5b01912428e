package guard

import "slices"

// hold finds out how the verb words[at:end] stands in its clause, by walking
// left from it to its subject, and where the subject is.
func (r *claimReader) hold(f *verbForm, at, end int) (grip, int) {
	t := f.tongue
	i := at - 1
	if f.bare {
		i = at - 3
	}
	var seen role
	now, been, cut := false, false, at > 0 && r.words[at].comma
	for ; i >= 0 && !cut; i-- {
		w := &r.words[i]
		tag := t.role(w, r.marked)
		switch {
		case tag&joiner != 0 && i > 0 && t.role(&r.words[i-1], r.marked)&ahead != 0:
			i -= 1
			for i > 0 && goOn[r.words[i-1].text] {
				i--
			}
			continue
		case tag&(adverb|passive|state|perfect) == 0 || tag&(wrote|joiner) != 0 && tag&perfect == 0:
			cut = true
		}
		if cut {
			break
		}
		seen |= tag
		now = now || settled[w.text]
		been = been || w.text == "been" || t.language != English
		if w.comma {
			i--
			cut = true
			return r.heldBehindComma(f, seen, now, been, i)
		}
	}
	if cut && at > 0 && r.words[at].comma {
		return r.shared(t, i)
	}
	return r.holdBy(f, seen, now, been, i, at, end)
}

// goOn is what may stand before "ahead and".
var goOn = set("went gone go have has just")

// settled words make a state a claim: "it is now cancelled".
var settled = set("now successfully officially all")

// heldBehindComma is for a verb whose auxiliaries follow a comma: "the order,
// as asked, has been cancelled".
func (r *claimReader) heldBehindComma(f *verbForm, seen role, now, been bool, i int) (grip, int) {
	if f.tongue.marked {
		if seen&perfect == 0 {
			return noClaim, 0
		}
		if seen&passive == 0 {
			return ownWord, i + 1
		}
		return acted, i + 1
	}
	switch {
	case seen&passive != 0 && been:
		return acted, i + 1
	case seen&passive != 0:
		return actedPast, i + 1
	}
	return noClaim, 0
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

func (r *claimReader) holdBy(f *verbForm, seen role, now, been bool, i, at, end int) (grip, int) {
	t := f.tongue
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
	case seen&passive != 0:
		if w == nil || relative[w.text] && i > 0 {
			return noClaim, 0
		}
		if been {
			return acted, 0
		}
		return actedPast, 0
	case seen&state != 0 || w != nil && (w.tail == "s" || w.tail == "re") && tag&(wrote) == 0 && now:
		if now && w != nil && !relative[w.text] {
			return acted, 0
		}
		return noClaim, 0
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
		if i >= end && t.role(&r.words[i], r.marked)&(state|passive|perfect) != 0 || isAuxiliary(r.words[i]) {
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
	if seen&passive != 0 {
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

// takenBack reports whether the words around the verb make it something else
// than a statement that it was done.
func (r *claimReader) takenBack(f *verbForm, g grip, subject, at, end int) bool {
	t := f.tongue
	if r.next == "since" || r.next == "unless" || r.next == "if" {
		return true
	}
	from := 0
	if g == ownWord {
		for k := subject; k > 0; k-- {
			if r.words[k].comma || t.role(&r.words[k-1], r.marked)&joiner != 0 {
				from = k
				break
			}
		}
	}
	from = r.behindPassing(t, from, at)
	if f.bare {
		at -= 2 // "able to" is no plan
	}
	for k := from; k < at; k++ {
		w := &r.words[k]
		tag := t.role(w, r.marked)
		noun := k > 0 && t.role(&r.words[k-1], r.marked)&article != 0
		switch {
		case t.negative[w.text] || !r.marked && t.marked && t.negative[w.plain]:
			return true
		case w.tail == "ll":
			return true
		case tag&unreal != 0 && tag&adverb == 0 && !noun && !(t.marked && g == ownWord && k < subject):
			return true
		case tag&unsaid != 0 && tag&(adverb|perfect) == 0 && !noun:
			return true
		case t.already != "" && w.text == t.already && g != ownWord:
			return true
		}
	}
	for k := end; k < len(r.words); k++ {
		w := &r.words[k]
		tag := t.role(w, r.marked)
		switch {
		case tag&shown != 0 && g != acted:
			return true
		case tag&hedge != 0:
			return true
		case k < end+3 && f.besides[w.text] && !hasAny(r.words[end:k], "your"):
			return true
		}
	}
	return r.isPast(t) || g == actedPast && (r.dated(t) || f.deed == -1 && !hasAny(r.words[:at], "successfully", "now"))
}

// behindPassing is where the statement begins that the author passes on: "I can
// confirm that …" takes nothing back.
func (r *claimReader) behindPassing(t *tongue, from, at int) int {
	author := false
	for k := from; k < at-1; k++ {
		w := &r.words[k]
		tag := t.role(w, r.marked)
		author = author || tag&wrote != 0 || opening[w.text]
		if tag&(other|unsaid) != 0 || t.negative[w.text] {
			return from
		}
		if tag&passing != 0 && author {
			for from = k + 1; from < at && (t.role(&r.words[from], r.marked)&(passing|other|telling) != 0 || r.words[from].text == "to"); from++ {
			}
			return from
		}
	}
	return from
}

// opening words begin a message of the author's without naming him.
var opening = set("note happy glad pleased")

// isPast reports whether the clause puts it before this run.
func (r *claimReader) isPast(t *tongue) bool {
	for at := range r.words {
		for i := range t.pastCues {
			if t.pastCues[i].match(r.clause, at) > at {
				return true
			}
		}
	}
	return false
}

// dated reports whether the clause has a day or a year of its own.
func (r *claimReader) dated(t *tongue) bool {
	for i := range r.words {
		w := &r.words[i]
		beside := i > 0 && isNumber(&r.words[i-1]) || i+1 < len(r.words) && isNumber(&r.words[i+1])
		if t.months[w.text] || w.text == "may" && beside || len(w.text) == 4 && (w.text[:2] == "19" || w.text[:2] == "20") && isNumber(w) {
			return true
		}
	}
	return false
}
