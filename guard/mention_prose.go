package guard

import "slices"

// maxSentences bounds what is read of one text for what it says was done.
// Beyond it the text is taken to say anything.
const maxSentences = 400

// readProse reads what a text says was done, by whomever. What the user says
// may also be a wish.
func readProse(text string, heard bool) told {
	var t told
	n := 0
	for rest := text; rest != ""; {
		end := sentenceEnd(rest)
		sentence := rest[:end]
		rest = rest[end:]
		if !hintsOf(sentence).saysDone() {
			continue
		}
		if n++; n > maxSentences {
			t.done = ^anyThing
			return t
		}
		clauses := splitDraft(sentence)
		for i := range clauses {
			t.clause(&clauses[i], heard)
		}
	}
	return t
}

// sentenceEnd is where the first sentence of a text ends, at most a few lines
// further.
func sentenceEnd(text string) int {
	for i := 0; i < len(text) && i < maxSentence; i++ {
		switch text[i] {
		case '\n':
			return i + 1
		case '.', '!', '?':
			if endsSentence(text[i+1:]) {
				return i + 1
			}
		}
	}
	return cutAt(text, maxSentence)
}

const maxSentence = 1000

// cutAt is the largest place up to n that parts no letter.
func cutAt(text string, n int) int {
	if len(text) <= n {
		return len(text)
	}
	for n > 1 && text[n]&0xC0 == 0x80 {
		n--
	}
	return n
}

// clause takes in what one clause says.
func (t *told) clause(cl *clause, heard bool) {
	r := &claimReader{clause: cl}
	if condition[cl.opener] || cl.opener == "when" || cl.opener == "once" || cl.opener == "khi" || cl.question && !presupposes(cl.words) {
		return
	}
	for at := 0; at < len(cl.words); at++ {
		f, end := r.verbAt(at)
		if f == nil {
			continue
		}
		t.verb(r, f, at, end, heard)
		at = end - 1
	}
}

// presupposes reports whether a question takes for granted what it tells: "why
// was it cancelled?".
func presupposes(words []word) bool {
	return slices.ContainsFunc(words, func(w word) bool { return grantedBehind[w.text] || grantedBehind[w.plain] && len(w.plain) > 2 })
}

var grantedBehind = set("why sao since")

func (t *told) verb(r *claimReader, f *verbForm, at, end int, heard bool) {
	if f.bare || f.deed == -2 {
		return
	}
	front := r.words[:at]
	if heard && len(front) == 0 && !f.tongue.marked && isAlsoBare(r.words[0].plain, f) {
		return // "Reset my password"
	}
	if heard && len(front) > 0 && getsDone[front[0].text] {
		return // "get it cancelled"
	}
	if f.tongue.marked && !r.isMarked(f.tongue, front, end) {
		return
	}
	d := deedSet(0)
	if f.deed >= 0 {
		d = 1 << f.deed
	} else {
		for i := range r.words {
			if n := f.tongue.deedOfNoun(&r.words[i]); n >= 0 {
				d |= 1 << n
			}
		}
	}
	denies := func(w word) bool {
		return f.tongue.negative[w.text] || !r.marked && f.tongue.marked && f.tongue.negative[w.plain]
	}
	if slices.ContainsFunc(front, denies) {
		t.not |= d
		return
	}
	for k := range front {
		w := &front[k]
		tag := f.tongue.role(w, r.marked)
		noun := k > 0 && f.tongue.role(&front[k-1], r.marked)&article != 0
		if tag&unreal != 0 && tag&adverb == 0 && !noun && w.plain != "bi" {
			return
		}
	}
	if reversing[r.words[at].text] {
		t.back |= d
		return
	}
	t.done |= d
	for n := range outcomes {
		if outcomesOf(r.words[at:end])&(1<<n) != 0 {
			t.ended[n] |= d
			if d == 0 {
				t.ended[n] |= anyThing
			}
		}
	}
}

// getsDone begin a wish: "have it sent back".
var getsDone = set("get have make")

func isAlsoBare(first string, done *verbForm) bool {
	return slices.ContainsFunc(verbs[first], func(f *verbForm) bool { return f.bare && f.deed == done.deed })
}

// isMarked reports whether a word around the verb says that it is done.
func (r *claimReader) isMarked(t *tongue, front []word, end int) bool {
	return slices.ContainsFunc(front, func(w word) bool {
		return t.role(&w, r.marked)&perfect != 0 || w.text == "bị" || !r.marked && w.plain == "bi"
	}) ||
		slices.ContainsFunc(r.words[end:], func(w word) bool { return t.marksLater[w.text] })
}

// requests are the deeds that the user asks for.
func requests(text string) (wants deedSet) {
	text = text[:cutAt(text, maxRequest)]
	clauses := splitDraft(text)
	for i := range clauses {
		cl := &clauses[i]
		r := &claimReader{clause: cl}
		for at := range cl.words {
			w := &cl.words[at]
			front := cl.words[:at]
			for k := range front {
				if joining[cl.words[k].text] {
					front = cl.words[k+1 : at]
				}
			}
			if len(front) > 0 && !asksFor(front) {
				continue
			}
			for _, f := range verbs[w.plain] {
				if f.deed < 0 || f.match(cl, at) < 0 || !f.tongue.marked && !f.bare && !isAlsoBare(w.plain, f) && !wishes(front) {
					continue
				}
				if f.tongue.marked && (r.isMarked(f.tongue, cl.words[:at], at+1) || cl.marked && w.text == w.plain && w.text != f.parts[0][0][0].text) {
					continue
				}
				wants |= 1 << f.deed
			}
			for _, t := range tongues {
				if d := t.deedOfNoun(w); d >= 0 && !t.marked && wishes(front) {
					wants |= 1 << d
				}
			}
		}
	}
	return wants
}

const maxRequest = 4 << 10

// asksFor reports whether the words before a verb make it a request: "could you
// please", "anh muốn".
func asksFor(front []word) bool {
	if slices.ContainsFunc(front, func(w word) bool { return englishTongue.negative[w.text] || vietnameseTongue.negative[w.text] }) {
		return false
	}
	return wishes(front) || !slices.ContainsFunc(front, func(w word) bool { return !askingWords[w.text] && !askingWords[w.plain] })
}

func wishes(front []word) bool {
	return slices.ContainsFunc(front, func(w word) bool { return wishing[w.text] })
}

var (
	wishing     = set("want need like please wish get have vui hãy giúp nhờ muốn cần hộ")
	askingWords = set("please can could would will you i we kindly just now and then also go ahead hey hi hello ok okay yes first next let us me so to do it help em anh chi ban minh toi oi a nhe cho roi xin lam on hay ho gium dum shop")
)

// asksForDeed reports whether the user asked for what the claim says.
func (r *record) asksForDeed(c *claim) bool { return c.deed >= 0 && r.wants&(1<<c.deed) != 0 }
