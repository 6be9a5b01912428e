package guard

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// invented is the second half of step 6: attempts and failures that the draft
// tells of and the record does not have.
func (j *judgment) invented(p Policy) {
	if hintsOf(j.draft)&hintTries == 0 {
		return
	}
	clauses := splitDraft(visible(j.draft, nil))
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
	tryVerbs     = set("tried retried attempted thử thu")
	tryNouns     = set("attempts tries retries attempt")
	timesWords   = set("times lần lan approaches")
	triesBetween = set("different separate failed unsuccessful consecutive more full")
	triesUnreal  = set("will would can could should may might if please let to maximum limit allowed user customer sẽ nếu hãy login")
	roughly      = set("about around roughly approximately nearly almost over some khoảng gần hơn")
	countedTimes = map[string]int{"twice": 2, "thrice": 3, "repeatedly": 2}
	vagueCounts  = map[string]int{"several": 2, "multiple": 2, "many": 3, "numerous": 3, "few": 2, "dozen": 12, "dozens": 24, "nhiều": 2, "vài": 2}
	amounts      = map[string]int{"two": 2, "three": 3, "four": 4, "five": 5, "six": 6, "seven": 7, "eight": 8, "nine": 9, "ten": 10, "twenty": 20, "fifty": 50, "hundred": 100, "hai": 2, "ba": 3, "bốn": 4, "năm": 5, "sáu": 6, "bảy": 7, "tám": 8, "chín": 9, "mười": 10}
)

func amount(w *word) int {
	if n := amounts[w.text]; n > 0 {
		return n
	}
	if n, err := strconv.Atoi(w.text); err == nil && n < 10_000 {
		return n
	}
	return 0
}

// outage is a kind of failure that a draft can tell of.
type outage struct {
	words   [][]string // any of them, as words in a row
	reasons []fault.Reason
	from    int // statuses
	to      int
}

var outages = []outage{
	{phrases("timed out", "timing out", "time out", "timeout", "timeouts", "hết thời gian", "quá thời gian"), []fault.Reason{fault.ReasonTimeout, fault.ReasonNetwork, fault.ReasonOverloaded, fault.ReasonUnknownOutcome, fault.ReasonServerError, fault.ReasonBreakerOpen}, 408, 408},
	{phrases("server error", "internal error", "server errors", "lỗi máy chủ", "crashed"), []fault.Reason{fault.ReasonServerError, fault.ReasonOverloaded, fault.ReasonUnknownOutcome, fault.ReasonNetwork, fault.ReasonBreakerOpen, fault.ReasonCommandFailed, fault.ReasonPanic, fault.ReasonSoftError}, 500, 599},
	{phrases("rate limit", "rate limited", "rate limits", "too many requests", "quá nhiều yêu cầu"), []fault.Reason{fault.ReasonRateLimit, fault.ReasonQuota, fault.ReasonOverloaded}, 429, 429},
	{phrases("connection refused", "connection error", "network error", "lỗi mạng"), []fault.Reason{fault.ReasonNetwork, fault.ReasonTimeout, fault.ReasonUnknownOutcome, fault.ReasonServerError, fault.ReasonOverloaded}, 0, 0},
	{phrases("authentication error", "unauthorized", "lỗi xác thực"), []fault.Reason{fault.ReasonAuth, fault.ReasonPermission}, 401, 403},
}

func phrases(all ...string) [][]string {
	words := make([][]string, len(all))
	for i, p := range all {
		words[i] = strings.Fields(p)
	}
	return words
}

// inventedFailure reports whether the clause tells of a failure of the agent's
// own tools and the record has none of the kind.
func (j *judgment) inventedFailure(cl *clause) (Finding, bool) {
	what, status, ok := toldFailure(cl)
	if !ok || j.anyFailureLike(what, status) || j.isSubjectMatter(cl, what, status) {
		return Finding{}, false
	}
	f := Finding{Kind: KindFailure, What: "the draft tells of a failure, and the record has none of the kind"}
	if status > 0 {
		f.What = fmt.Sprintf("the draft tells of a status %d, and the record has none of the kind", status)
	}
	return f, true
}

// toldFailure finds the failure that a clause tells of: an outage, or a status
// beside a word such as "returned" or "error".
func toldFailure(cl *clause) (what *outage, status int, ok bool) {
	if !slices.ContainsFunc(cl.words, func(w word) bool { return ownTools[w.text] || ownTools[w.plain] }) {
		return nil, 0, false
	}
	for i := range cl.words {
		w := &cl.words[i]
		if negators[w.text] || triesUnreal[w.text] || englishTongue.roles[w.text]&unsaid != 0 && !ownTools[w.text] || englishTongue.roles[w.text]&other != 0 {
			return nil, 0, false
		}
		if n, err := strconv.Atoi(w.text); err == nil && n >= 400 && n < 600 && len(w.text) == 3 && hasAny(cl.words[max(0, i-5):min(len(cl.words), i+3)], "returned", "error", "errors", "status", "http", "responded", "code", "got", "received", "lỗi", "trả") {
			status = n
		}
		for o := range outages {
			for _, p := range outages[o].words {
				if startsWith(cl.words[i:], p) {
					what = &outages[o]
				}
			}
		}
	}
	return what, status, what != nil || status > 0
}

func startsWith(words []word, phrase []string) bool {
	if len(words) < len(phrase) {
		return false
	}
	for i, p := range phrase {
		if words[i].text != p {
			return false
		}
	}
	return true
}

// ownTools are words for what the agent works with.
var ownTools = set("i we my our tool tools lookup lookups api apis request requests call calls server service query attempt attempts kept keep tôi mình em lệnh máy")

// anyFailureLike reports whether the record has a failure of the kind, or one of
// which it does not say enough to tell.
func (j *judgment) anyFailureLike(what *outage, status int) bool {
	for _, s := range j.ev.stats {
		if s.DroppedNotOK > 0 {
			return true
		}
	}
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		if c.Attempts > 1 {
			return true // an attempt failed, and the record keeps only the last
		}
		if succeeded(c) && detail(c).FallbackWhy == fault.ReasonNone {
			continue
		}
		if like(c, what, status) {
			return true
		}
	}
	return false
}

func like(c *runrecord.Call, what *outage, status int) bool {
	switch {
	case status > 0 && c.Status > 0:
		return int(c.Status) == status
	case status > 0 && what == nil:
		for o := range outages {
			if status >= outages[o].from && status <= outages[o].to {
				what = &outages[o]
			}
		}
		if what == nil {
			return true
		}
	}
	if c.Reason == fault.ReasonNone || c.Reason == fault.ReasonUnknown || c.Reason == fault.ReasonToolDead || c.Reason == fault.ReasonSoftError {
		return true
	}
	return slices.Contains(what.reasons, c.Reason) || int(c.Status) >= what.from && int(c.Status) <= what.to && c.Status > 0
}

// isSubjectMatter reports whether the user, or what was looked up, speaks of
// such failures: then the draft may speak of those.
func (j *judgment) isSubjectMatter(_ *clause, what *outage, status int) bool {
	tells := func(text string) bool {
		lower := strings.ToLower(text)
		if status > 0 && strings.Contains(lower, strconv.Itoa(status)) && (strings.Contains(lower, "error") || strings.Contains(lower, "status") || strings.Contains(lower, "http") || strings.Contains(lower, "return") || strings.Contains(lower, "lỗi")) {
			return true
		}
		if what == nil {
			return false
		}
		return slices.ContainsFunc(what.words, func(p []string) bool { return strings.Contains(lower, strings.Join(p, " ")) })
	}
	if slices.ContainsFunc(j.run.Heard(), tells) {
		return true
	}
	return slices.ContainsFunc(j.proof(), func(e runrecord.Evidence) bool { return tells(e.Result) })
}
