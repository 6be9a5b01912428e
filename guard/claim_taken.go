package guard

import "slices"

// takenBack reports whether the words around the verb make it something else
// than a statement that it was done.
func (r *claimReader) takenBack(f *verbForm, g grip, subject, at, end int) bool {
	t := f.tongue
	if r.next == "since" || r.next == "unless" || r.next == "if" {
		return true
	}
	if hasAny(r.words[:at], "scenario", "experiment", "exercise", "hypothetical", "hypothetically") {
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
		case w.text == "to" && k > 0 && t.deedOfNoun(&r.words[k-1]) >= 0:
			// "the transfer to Mia"
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
	return r.isPast(t) || g == actedPast && r.isBygone(t) || g == headline && r.dated(t) || g == actedPast && (r.dated(t) || f.deed == -1 && !hasAny(r.words[:at], "successfully", "now"))
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
		if tag&announces != 0 && author {
			for from = k + 1; from < at && (t.role(&r.words[from], r.marked)&(announces|other|telling) != 0 || r.words[from].text == "to"); from++ {
			}
			return from
		}
	}
	return from
}

// opening words begin a message of the author's without naming him.
var opening = set("note happy glad pleased")

// tellsStory reports whether the clause, which claims nothing, makes what follows
// in its sentence a history or an instruction: "delivered on 3 May and …", "make
// sure the plugin is installed and …".
func (cl *clause) tellsStory() bool {
	r := &claimReader{clause: cl}
	for _, t := range tongues {
		told := r.isPast(t) || r.dated(t) && r.isDone(t)
		t.storyCues.each(r.clause, func(*cue, int, int) bool {
			told = true
			return false
		})
		if told {
			return true
		}
	}
	return false
}

// isDone reports whether the clause tells of something that is over.
func (r *claimReader) isDone(t *tongue) bool {
	return slices.ContainsFunc(r.words, func(w word) bool { return t.role(&w, r.marked)&(actedOn|perfect) != 0 })
}

// isPast reports whether the clause puts it before this run.
func (r *claimReader) isPast(t *tongue) bool {
	for at := range r.words {
		if at > 0 && r.words[at-1].text == "in" && isYear(&r.words[at]) {
			return true
		}
	}
	past := false
	t.pastCues.each(r.clause, func(*cue, int, int) bool {
		past = true
		return false
	})
	return past
}

// isBygone reports whether the clause puts what "was" done to a time of today
// that is over.
func (r *claimReader) isBygone(t *tongue) bool {
	bygone := false
	t.todayCues.each(r.clause, func(*cue, int, int) bool {
		bygone = true
		return false
	})
	return bygone
}

// dated reports whether the clause has a day or a year of its own.
func (r *claimReader) dated(t *tongue) bool {
	for i := range r.words {
		w := &r.words[i]
		if i > 0 && onwards[r.words[i-1].text] {
			continue // "booked for Friday"
		}
		beside := i > 0 && isNumber(&r.words[i-1]) || i+1 < len(r.words) && isNumber(&r.words[i+1])
		if t.months[w.text] || w.text == "may" && beside || isYear(w) {
			return true
		}
	}
	return false
}

func isYear(w *word) bool {
	return len(w.text) == 4 && (w.text[:2] == "19" || w.text[:2] == "20") && isNumber(w)
}

// onwards are prepositions that put a day into the future.
var onwards = set("for to until till from by")
