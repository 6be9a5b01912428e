package guard

import (
	"slices"

	"github.com/failloud/failloud/fault"
)

// soften takes back the refusal of step 3 where the draft stands on nothing and
// does not pretend otherwise: it admits what failed, asks, offers, instructs or
// declines, and states no fact. Then the reader is told what failed, where the
// draft does not, and nothing more is asked for. Where the text that code writes
// has more to say, that the run was ended or when to come back, the refusal stays.
func (j *judgment) soften(at int) {
	f := &j.findings[at]
	if j.guard.policies[StepEvidence] == PolicyRefuse || f.Asks != Refuse || j.ev.halt != fault.ReasonNone ||
		slices.ContainsFunc(j.troubles, func(t *trouble) bool { return t.wait > 0 }) || j.needsTools || slices.ContainsFunc(j.findings[at+1:], func(f Finding) bool {
		return f.Kind == KindClaim || f.Kind == KindUnsupported || f.Kind == KindContradicted || f.Kind == KindAttempts || f.Kind == KindOwnKnowledge
	}) {
		return
	}
	d := j.read()
	asks := Answer
	admits := map[int]bool{} // the sentences that do
	for _, t := range j.troubles {
		hidden := true
		d.admissions(t, func(s *statement) bool {
			hidden, admits[s.sentence] = false, true
			return true
		})
		if hidden {
			asks = Disclose
		}
	}
	if !d.statesNothing(admits) {
		return
	}
	f.What += ", and the draft states nothing"
	if f.Asks = asks; asks == Disclose && d.handsBack() {
		f.Asks, j.hidden = Answer, nil
		for i := range j.findings {
			if h := &j.findings[i]; h.Kind == KindHidden {
				h.Asks = Answer
			}
		}
	}
	j.statesNothing = f.Asks == Answer
}

// handsBack reports whether the draft tells the reader to do the work by hand,
// which says that it was not done.
func (d *reading) handsBack() bool {
	return slices.ContainsFunc(d.clauses, func(cl clause) bool { return cl.hasClass(byHand, isByHand) })
}

const isByHand class = 1

var byHand = indexCues(compileClass([]string{"manually", "by hand", "yourself", "on your own", "thủ công", "tự mình", "bằng tay", "bạn|anh|chị tự"}, isByHand))

// statesNothing reports whether no sentence of the draft states a fact, but for
// those that admit what failed.
func (d *reading) statesNothing(admits map[int]bool) bool {
	if len(d.clauses) == 0 {
		return false
	}
	for from := 0; from < len(d.clauses); {
		to := from + 1
		for to < len(d.clauses) && d.clauses[to].sentence == d.clauses[from].sentence {
			to++
		}
		if !admits[d.clauses[from].sentence] && isFact(d.clauses[from:to]) {
			return false
		}
		from = to
	}
	return true
}

// isFact reports whether a sentence states something that has to stand on
// evidence.
func isFact(sentence []clause) bool {
	first := &sentence[0]
	if len(sentence) == 1 && !slices.ContainsFunc(first.words, func(w word) bool { return !isNumber(&w) }) {
		return false // of a list
	}
	if first.question || first.title || first.heading || first.opener == "if" || first.opener == "nếu" {
		return false
	}
	spoken := false
	for i := range sentence {
		cl := &sentence[i]
		switch how := cl.speech(); {
		case how == states:
			return true
		case how != nothingSaid:
			spoken = true
		case !spoken:
			return true // it begins like a statement
		}
	}
	return !spoken
}

// speech is what a clause does besides stating a fact.
type speech uint8

const (
	nothingSaid speech = iota // it cannot be told
	states                    // it passes a fact on: "I can confirm that …"
	directs                   // it tells the reader what to do
	offers                    // it says what may be done, or asks for something
	declines                  // it does not do what was asked for
	greets
)

func (cl *clause) speech() speech {
	words := cl.words
	for len(words) > 1 && (leadIn[words[0].text] || addressees[words[0].text] && directions[words[1].text]) {
		words = words[1:]
	}
	first := &words[0]
	switch {
	case directions[first.text] && isDirection(words):
		return directs
	case greetings[first.text] || len(words) > 1 && greetings[words[1].text] && speakers[first.text]:
		return greets
	case len(words) < 3 || !speakers[first.text] && !addressees[first.text]:
		return nothingSaid
	}
	for i := 1; i < min(len(words)-1, 4); i++ {
		if !modals[words[i].text] {
			continue
		}
		rest := words[i+1:]
		switch {
		case slices.ContainsFunc(rest, func(w word) bool { return passesOn[w.text] }):
			return states
		case !negators[rest[0].text] && !negators[words[i].text]:
			return offers
		case slices.ContainsFunc(rest, func(w word) bool { return declined[w.text] }) && ofItsOwn(rest):
			return declines
		}
		return nothingSaid
	}
	return nothingSaid
}

// isDirection tells "open the order page" from "open issues" and "set up done":
// it has something that only stands beside a verb, and no other verb.
func isDirection(words []word) bool {
	beside := words[0].text != words[0].plain // a Vietnamese verb is no noun
	for i := range words[1:] {
		w := &words[i+1]
		if isAuxiliary(*w) || finishedWords[w.text] {
			return false
		}
		beside = beside || besideVerb[w.text]
	}
	return beside
}

// ofItsOwn reports whether what is declined is named, and no cause is given,
// which would be a fact.
func ofItsOwn(words []word) bool {
	named := false
	for i := range words {
		w := &words[i]
		if reasons[w.text] {
			return false
		}
		named = named || len(w.text) > 3 && !declined[w.text] && !pronouns[w.text]
	}
	return named
}

var (
	speakers   = set("i we tôi mình em chúng")
	addressees = set("you bạn anh chị quý")
	leadIn     = set("please then next first second third finally now also and or so but kindly alternatively otherwise instead just to")
	directions = set("tự go open enter use visit click select choose type check try identify look note download run search find see contact call email ask provide send share let tell give make follow sign log navigate copy paste filter press add install set reply verify repeat confirm wait hãy vui bấm chọn nhập mở truy kiểm thử cung gửi liên đợi vào nhấn cho xin")
	besideVerb = set("lòng the a an your this these me us it them to into on down again back for with if of")

	finishedWords = set("done complete completed finished passed returned found succeeded successful ok empty ready clean healthy shows xong đạt")

	greetings = set("hello hi hey sorry apologize apologise apologies thanks thank welcome sure unfortunately understood goodbye feel happy glad dạ chào cảm rất tiếc")
	modals    = set("can could will would may might should must need not cannot won unable able sẽ có thể cần nên không chưa muốn")
	passesOn  = set("confirm report say see tell inform assure conclude that show find know khẳng xác báo thấy rằng")
	declined  = set("share provide disclose discuss reveal give help assist answer advise hand chia tiết lộ cung cấp giúp trả lời")
	reasons   = set("because since reasons reason due owing as vì do lý")
)
