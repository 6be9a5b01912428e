package guard

import (
	"fmt"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
)

// wording is everything the guard says in one language, as data.
type wording struct {
	refused, refusedNoCall                    string // how a refusal begins
	refusedUndone, refusedUnsourced           string // how one begins that is about the draft's own words
	refusedPartly                             string // refusedUndone, where something else was done
	undone, unsourced                         string // that nothing confirms, with the verbs or the words
	undoneElse                                string // undone, where something else was done
	done                                      string // that something was done, before a refusal's advice
	recheckPartly                             string // recheck, where something was done
	or                                        string
	recheck                                   string // what to do where nothing is known to be wrong
	waiting, deferred                         string // the whole of it
	unreached                                 string // before the list of what went wrong
	note                                      string // before a disclosure
	unsupported                               string // a disclosure that has no item
	oneRunning, running                       string // a disclosure of look-ups that had not ended, with their number
	open                                      string // a disclosure of a step that waits for a person
	unfinished                                string // a disclosure of a step that is not done
	listJoin                                  string
	lookup, step                              string // what a call to a tool is called, with its name
	invented                                  string // a call of a name that no tool has
	oneMore                                   string // one further item
	more                                      string // further items, with their number
	values                                    string // missing values
	some                                      string // failed of all calls
	whole                                     string // the rest of a sentence about a failure: what it means for the answer
	trouble                                   [lastTrouble + 1]string
	age                                       string
	cutShort                                  string // with the reason
	cutReasons                                map[fault.Reason]string
	cutOther                                  string
	reasons                                   map[fault.Reason]string
	otherReason                               string
	unkeyed                                   string // a reason
	retryIn, retryLater                       string // what the user can do
	fix, askAccess, check, rephrase, declined string
	settle                                    string // not to repeat it
	second, minute, hour, day                 string
	plural                                    string
}

var wordings = map[Language]*wording{English: &english, Vietnamese: &vietnameseWording}

// write says a notice in this language.
func (w *wording) write(n Notice) string {
	switch n.Decision {
	case Escalate:
		return w.waiting
	case Defer:
		return w.deferred
	case Disclose:
		return w.disclosure(n)
	}
	return w.refusal(n)
}

func (w *wording) refusal(n Notice) string {
	if len(n.Items) == 0 && n.Waits != Answer {
		return w.write(Notice{Decision: n.Waits})
	}
	var b strings.Builder
	switch {
	case len(n.Undone) > 0 && len(n.Done) > 0:
		b.WriteString(w.refusedPartly + " " + capital(w.confirms(n)) + ".")
	case len(n.Undone) > 0:
		b.WriteString(w.refusedUndone + " " + capital(w.confirms(n)) + ".")
	case len(n.Unsourced) > 0 && len(n.Items) == 0:
		b.WriteString(w.refusedUnsourced + " " + capital(w.doubts(n)) + ".")
	case n.NoCall:
		b.WriteString(w.refusedNoCall)
	default:
		b.WriteString(w.refused)
	}
	if len(n.Items) > 0 {
		parts := make([]string, 0, len(n.Items)+1)
		for _, it := range n.Items {
			parts = append(parts, w.item(it))
		}
		if n.More > 0 {
			parts = append(parts, w.others(n.More))
		}
		b.WriteString(" " + w.unreached + strings.Join(parts, w.listJoin) + ".")
	}
	if n.CutShort != fault.ReasonNone {
		b.WriteString(" " + w.cut(n.CutShort))
	}
	if len(n.Done) > 0 {
		steps := make([]string, len(n.Done))
		for i, name := range n.Done {
			steps[i] = fmt.Sprintf(w.step, name)
		}
		b.WriteString(" " + fmt.Sprintf(w.done, strings.Join(steps, ", ")))
	}
	b.WriteString(" " + w.advice(n))
	return b.String()
}

// confirms says that nothing, or nothing else, was done of what the draft says.
func (w *wording) confirms(n Notice) string {
	if len(n.Done) > 0 {
		return fmt.Sprintf(w.undoneElse, strings.Join(n.Undone, w.or))
	}
	return fmt.Sprintf(w.undone, strings.Join(n.Undone, w.or))
}

// doubts names the words of the draft that nothing supports.
func (w *wording) doubts(n Notice) string {
	return fmt.Sprintf(w.unsourced, "“"+strings.Join(n.Unsourced, "”, “")+"”")
}

func capital(s string) string {
	r, size := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[size:]
}

func (w *wording) disclosure(n Notice) string {
	var sentences []string
	if n.CutShort != fault.ReasonNone {
		sentences = append(sentences, w.cut(n.CutShort))
	}
	for _, it := range n.Items {
		s := w.item(it)
		if rank(it.Trouble) == 1 {
			s += w.whole
		}
		sentences = append(sentences, w.note+s+".")
	}
	if n.More > 0 {
		sentences = append(sentences, w.note+w.others(n.More)+".")
	}
	if len(n.Undone) > 0 {
		sentences = append(sentences, w.note+w.confirms(n)+".")
	}
	if len(n.Unsourced) > 0 {
		sentences = append(sentences, w.note+w.doubts(n)+".")
	}
	if n.Running == 1 {
		sentences = append(sentences, w.note+w.oneRunning)
	} else if n.Running > 1 {
		sentences = append(sentences, w.note+fmt.Sprintf(w.running, n.Running))
	}
	switch {
	case n.Waits == Escalate:
		sentences = append(sentences, w.note+w.open)
	case n.Waits == Defer && len(sentences) == 0:
		sentences = append(sentences, w.note+w.unfinished)
	case len(sentences) == 0:
		sentences = append(sentences, w.unsupported)
	}
	if n.RetryIn > 0 {
		sentences = append(sentences, w.advice(n))
	}
	return strings.Join(sentences, "\n")
}

func (w *wording) others(n int) string {
	if n == 1 {
		return w.oneMore
	}
	return fmt.Sprintf(w.more, n)
}

// item says what is wrong with one tool, as part of a sentence.
func (w *wording) item(it Item) string {
	what := fmt.Sprintf(w.lookup, it.Name)
	if it.Effect.Writes() {
		what = fmt.Sprintf(w.step, it.Name)
	}
	if it.Tool == "" {
		return w.invented
	}
	if len(it.Values) > 0 {
		what += fmt.Sprintf(w.values, strings.Join(it.Values, ", "))
	}
	s := what + " " + w.trouble[it.Trouble]
	var why []string
	if it.Trouble == TroubleFailed && it.Calls > 1 && it.Failed < it.Calls {
		why = append(why, fmt.Sprintf(w.some, it.Failed, it.Calls))
	}
	if it.Trouble == TroubleStale && it.Age > 0 {
		why = append(why, fmt.Sprintf(w.age, w.duration(it.Age)))
	}
	if it.Trouble == TroubleFailed && it.Unkeyed {
		why = append(why, w.unkeyed)
	} else if it.Trouble == TroubleFailed {
		why = append(why, w.reason(it.Reason))
	}
	if len(why) > 0 {
		s += " (" + strings.Join(why, "; ") + ")"
	}
	return s
}

func (w *wording) reason(r fault.Reason) string {
	if s, ok := w.reasons[r]; ok {
		return s
	}
	return w.otherReason
}

func (w *wording) cut(r fault.Reason) string {
	if s, ok := w.cutReasons[r]; ok {
		return fmt.Sprintf(w.cutShort, s)
	}
	return fmt.Sprintf(w.cutShort, w.cutOther)
}

// advice says what the user can do. Where something was done, asking again for all
// of it would do that twice.
func (w *wording) advice(n Notice) string {
	help := w.help(n)
	switch help {
	case w.settle, w.fix, w.askAccess, w.declined:
		return help
	}
	if n.Decision == Refuse && len(n.Done) > 0 {
		return w.recheckPartly
	}
	return help
}

// help says to wait where waiting helps, and how long where that is known, else
// who can help.
func (w *wording) help(n Notice) string {
	if n.Waits == Escalate {
		return w.settle
	}
	if n.RetryIn > 0 {
		return fmt.Sprintf(w.retryIn, w.duration(n.RetryIn))
	}
	if len(n.Items) == 0 {
		if len(n.Undone)+len(n.Unsourced) > 0 {
			return w.recheck
		}
		if n.NoCall {
			return w.rephrase
		}
		return w.retryLater
	}
	switch n.Items[0].Trouble {
	case TroubleDenied:
		return w.declined
	case TroubleStale, TroubleSubstitute:
		return w.retryLater
	}
	switch n.Items[0].Reason {
	case fault.ReasonRateLimit, fault.ReasonOverloaded, fault.ReasonTimeout, fault.ReasonNetwork, fault.ReasonServerError,
		fault.ReasonMalformedResponse, fault.ReasonBreakerOpen, fault.ReasonCancelled:
		return w.retryLater
	case fault.ReasonPermission:
		return w.askAccess
	case fault.ReasonNotFound, fault.ReasonInvalidArgs, fault.ReasonConflict, fault.ReasonCommandFailed, fault.ReasonPayloadTooLarge:
		return w.check
	case fault.ReasonNone, fault.ReasonUnknownTool:
		return w.rephrase
	}
	return w.fix
}

// duration rounds up, so that nobody comes back too early.
func (w *wording) duration(d time.Duration) string {
	unit, name := time.Second, w.second
	switch {
	case d > 48*time.Hour:
		unit, name = 24*time.Hour, w.day
	case d > 90*time.Minute:
		unit, name = time.Hour, w.hour
	case d > 90*time.Second:
		unit, name = time.Minute, w.minute
	}
	n := int64(d / unit)
	if d%unit > 0 {
		n++
	}
	s := fmt.Sprintf("%d %s", n, name)
	if n != 1 {
		s += w.plural
	}
	return s
}
