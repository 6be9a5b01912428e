package guard

import (
	"fmt"
	"strconv"
)

// invented is the second half of step 6: attempts and failures that the draft
// tells of and the record does not have.
func (j *judgment) invented(p Policy) {
	if j.hints()&hintTries == 0 {
		return
	}
	clauses := j.clausesThat(func(h hint) bool { return h&hintTries != 0 }, j.shown())
	find := finder{draft: j.draft}
	for i := range clauses {
		cl := &clauses[i]
		if cl.question || condition[cl.opener] {
			continue
		}
		f, ok := j.inventedAttempts(cl)
		if !ok {
			f, ok = j.inventedFailure(cl)
		}
		if ok {
			f.Step, f.Asks = StepSources, p.decide(Answer)
			f.Start, f.End = find.clause(cl)
			j.unfounded(f)
		}
	}
}

// failureHints are words without which no failure is told of.
var failureHints = set("timed timing timeout timeouts error errors crashed limit limits limited requests refused unauthorized returned responded status code lỗi quá hết thời")

// inventedAttempts compares the number of tries that the clause claims with the
// record. A plan, an offer and what others did are no claims.
func (j *judgment) inventedAttempts(cl *clause) (Finding, bool) {
	claimed, approx := claimedTries(cl)
	if claimed == 0 {
		return Finding{}, false
	}
	recorded := 0
	named := j.toolNamedIn(cl)
	for i := range j.ev.calls {
		if c := &j.ev.calls[i]; named == "" || toolName(c) == named {
			recorded += max(1, int(c.Attempts))
		}
	}
	for name, s := range j.ev.stats {
		if named == "" || name == named {
			recorded += s.Dropped
		}
	}
	if claimed <= recorded || approx && claimed*2 <= recorded*3 {
		return Finding{}, false
	}
	return Finding{Kind: KindAttempts, Tool: named, What: fmt.Sprintf("the draft tells of %d attempts, and the record has %d", claimed, recorded)}, true
}

// toolNamedIn is the one tool of the run whose name the clause has in full.
func (j *judgment) toolNamedIn(cl *clause) string {
	for _, s := range j.subjects() {
		if s.namedInFull(cl.words) {
			return s.tool
		}
	}
	return ""
}

// claimedTries is how many tries the clause claims that were made, 0 for none.
func claimedTries(cl *clause) (n int, approx bool) {
	at, kind := -1, triesNoun
	author, over := false, false
	for i := range cl.words {
		w := &cl.words[i]
		switch {
		case w.tail == "ll" || w.tail == "d" || triesUnreal[w.text] && !(w.text == "to" && i > 0 && cl.words[i-1].text != "up"):
			return 0, false
		case englishTongue.roles[w.text]&wrote != 0 || vietnameseTongue.roles[w.text]&wrote != 0:
			author = true
		case englishTongue.roles[w.text]&other != 0 && !author:
			return 0, false
		case tryVerbs[w.text] || tryVerbs[w.plain] && !cl.marked:
			at, kind = i, triesVerb
		case tryNouns[w.text]:
			if at < 0 {
				at, kind = i, triesNoun
			}
			over = over || hasAny(cl.words[max(0, i-4):i], "after", "despite", "made", "my", "all")
		}
	}
	if at < 0 || kind == triesNoun && !author && !over || kind == triesVerb && !author && at > 1 && !cl.words[max(0, at-1)].comma && cl.words[at-1].plain != "da" {
		return 0, false
	}
	for i := range cl.words {
		w := &cl.words[i]
		rough := i > 0 && roughly[cl.words[i-1].text]
		if times, known := countedTimes[w.text]; known {
			return max(n, times), rough
		}
		if i+1 >= len(cl.words) {
			continue
		}
		k := i + 1
		for k < len(cl.words) && k < i+3 && triesBetween[cl.words[k].text] {
			k++
		}
		unit := k < len(cl.words) && (timesWords[cl.words[k].text] || tryNouns[cl.words[k].text])
		if !unit {
			continue
		}
		if v, known := vagueCounts[w.text]; known {
			return v, true
		}
		if v := amount(w); v > 0 {
			return v, rough
		}
	}
	return 0, false
}

const (
	triesNoun = iota
	triesVerb
)

var (
	tryVerbs      = set("tried retried attempted thử thu")
	tryNouns      = set("attempts tries retries attempt")
	timesWords    = set("times lần lan approaches")
	triesBetween  = set("different separate failed unsuccessful consecutive more full")
	triesUnreal   = set("will would can could should may might if please let to maximum limit allowed user customer sẽ nếu hãy login")
	failureUnreal = set("will would can could should may might if please let sẽ nếu hãy")
	roughly       = set("about around roughly approximately nearly almost over some khoảng gần hơn")
	countedTimes  = map[string]int{"twice": 2, "thrice": 3, "repeatedly": 2}
	vagueCounts   = map[string]int{"several": 2, "multiple": 2, "many": 3, "numerous": 3, "few": 2, "dozen": 12, "dozens": 24, "nhiều": 2, "vài": 2}
	amounts       = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20, "fifty": 50, "hundred": 100, "hai": 2, "ba": 3, "bốn": 4, "năm": 5, "sáu": 6, "bảy": 7, "tám": 8, "chín": 9, "mười": 10}
)

func amount(w *word) int {
	if w.text == "" || !isDigit(w.text[0]) {
		return amounts[w.text]
	}
	if n, err := strconv.Atoi(w.text); err == nil && n < 10_000 {
		return n
	}
	return 0
}
