package guard

import (
	"slices"
	"strings"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// told is what a text says of deeds.
type told struct {
	done deedSet // it says that they were done
	back deedSet // it says that the reverse was done: "unblocked", "rejected"
	not  deedSet // it says that they were not
	// ended are the deeds whose noun it says is at an end, by the outcome:
	// "delivered" in what was asked about an order.
	ended [maxOutcomes]deedSet
}

// anyThing is in [told.ended] where a text does not say of what it speaks.
const anyThing deedSet = 1 << 63

func (t *told) add(o *told) {
	t.done |= o.done
	t.back |= o.back
	t.not |= o.not
	for i := range t.ended {
		t.ended[i] |= o.ended[i]
	}
}

// supports reports whether the claim may only hand on what the text says.
func (t *told) supports(c *claim) bool {
	switch {
	case c.back:
		return t.back&(1<<c.deed) != 0
	case t.done&(1<<c.deed) != 0:
		return true
	}
	if c.outcome == 0 {
		return false
	}
	for i := range t.ended {
		if c.outcome&(1<<i) != 0 && t.ended[i]&(1<<c.deed|anyThing) != 0 {
			return true
		}
	}
	return false
}

// book keeps what the results of a run tell, so that each is read once however
// many claims and drafts there are.
type book struct {
	mu      sync.Mutex
	results map[page]*told
	heard   []heard // by what the user said, in order
	short   map[page]shortness
}

// heard is what one text of the user tells.
type heard struct {
	told
	wants         deedSet // what it asks to be done
	poem, letter  bool    // what it asks to be written
	saysSomething bool
}

// page is one result. A call that is settled later gets another.
type page struct {
	call uint32
	size int
}

type bookKey struct{}

// record is what the run tells, as far as it is known.
type record struct {
	results func() (all, writes *told) // see [judgment.record]

	wants  deedSet // what the user has asked to be done
	heard  bool    // it is known what the user said
	wanted bool    // the user has asked for a poem or a story
	drafts bool    // the user has asked for a letter or the like
	looked bool    // some call has succeeded
}

func (j *judgment) book() *book {
	return j.run.Local(bookKey{}, func() any {
		return &book{results: map[page]*told{}, short: map[page]shortness{}}
	}).(*book)
}

func (j *judgment) record() *record {
	b := j.book()
	b.mu.Lock()
	defer b.mu.Unlock()
	r := &record{looked: j.anySuccess()}
	said := j.run.Heard()
	for _, s := range said[min(len(b.heard), len(said)):] {
		h := heard{told: readProse(s, true), wants: requests(s), saysSomething: strings.TrimSpace(s) != ""}
		h.poem, h.letter = asksForText(s)
		b.heard = append(b.heard, h)
	}
	for i := range said {
		h := &b.heard[i]
		r.heard = r.heard || h.saysSomething
		r.wants |= h.wants
		r.wanted, r.drafts = r.wanted || h.poem, r.drafts || h.letter
	}
	r.results = sync.OnceValues(func() (all, writes *told) { return b.tell(j.proof(), len(said)) })
	return r
}

// tell is what all results and the first texts of the user tell, and what the
// results of calls that may have changed something do. Most drafts claim nothing
// that has to be held against it.
func (b *book) tell(proof []runrecord.Evidence, texts int) (all, writes *told) {
	b.mu.Lock()
	defer b.mu.Unlock()
	all, writes = new(told), new(told)
	for _, e := range proof {
		at := page{e.Call, len(e.Result)}
		if b.results[at] == nil {
			b.results[at] = readResult(e)
		}
		all.add(b.results[at])
		if e.Tool != nil && e.Tool.Effect != fault.Read {
			writes.add(b.results[at])
		}
	}
	for i := range b.heard[:texts] {
		all.add(&b.heard[i].told)
	}
	return all, writes
}

// denies reports whether a result says that it was not done.
func (r *record) denies(c *claim) bool {
	if c.deed < 0 {
		return false
	}
	all, _ := r.results()
	return all.not&(1<<c.deed) != 0
}

// reported reports whether the claim may only hand on what a look-up, or the
// user, said. What the author says of himself stands on what a write returned.
func (j *judgment) reported(c *claim, r *record) bool {
	switch {
	case c.deed < 0:
		return false
	case c.own:
		_, writes := r.results()
		return writes.supports(c)
	}
	all, _ := r.results()
	return !j.proofIsWhole() || all.supports(c)
}

func (j *judgment) anySuccess() bool {
	for _, s := range j.ev.stats {
		if s.OK > 0 {
			return true
		}
	}
	return false
}

// isAboutLookedUp reports whether something that was looked up has to do with
// what the claim is about: it is named in the name of a tool, or in a result.
func (j *judgment) isAboutLookedUp(c *claim) bool {
	things := contentWords(c.scope)
	for i := range j.abilities() {
		a := &j.able[i]
		if a.ok && slices.ContainsFunc(nameWords(a.tool), func(n word) bool {
			return slices.ContainsFunc(things, func(w word) bool { return stem(w.plain) == stem(n.plain) })
		}) {
			return true
		}
	}
	left := maxAbout
	for _, e := range j.proof() {
		if left -= len(e.Result); left < 0 {
			return true
		}
		if slices.ContainsFunc(things, func(w word) bool { return len(w.text) > 2 && containsFold(e.Result, w.text) }) {
			return true
		}
	}
	return !j.proofIsWhole()
}

// maxAbout bounds the results that are searched for what a claim is about; in
// more than that it is taken for found.
const maxAbout = 256 << 10

// containsFold is [strings.Contains] for a word in lower case and a text in any.
func containsFold(text, word string) bool {
	return strings.Contains(text, word) || strings.Contains(strings.ToLower(text), word)
}

func readResult(e runrecord.Evidence) *told {
	var t told
	text := strings.TrimSpace(e.Result)
	subject := deedSet(0)
	if e.Tool != nil {
		subject = nounDeedsIn(e.Tool.Name)
	}
	if text != "" && (text[0] == '{' || text[0] == '[') {
		r := fieldReader{text: text, subject: subject}
		r.read()
		return &r.told
	}
	if len(text) <= maxStatus {
		t.status(text, subject, true)
	}
	prose := readProse(text, false)
	t.add(&prose)
	return &t
}

// nounDeedsIn are the deeds that a name has a noun for: "get_refund".
func nounDeedsIn(name string) deedSet {
	var d deedSet
	for _, w := range nameWords(name) {
		for _, t := range tongues {
			if n, known := t.nounDeeds[stem(w.text)]; known {
				d |= 1 << n
			}
		}
	}
	return d
}
