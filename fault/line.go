package fault

import "strconv"

// maxLine bounds every text of this file in bytes; maxName the names in it, as
// model APIs bound the names of tools.
const (
	maxLine    = 300
	maxName    = 64
	maxNearest = 5
)

// LineInput is what [Line], [Caution] and [Twin] are made from. The zero value
// of each field leaves out what it would say.
type LineInput struct {
	Tool     string   // name of the tool, or the name the model used for a tool that is not there
	Effect   Effect   // what the tool does: decides between "lookup" and "action"
	Outcome  Outcome  // how the call ended
	Attempts int      // how often the tool's function was entered
	Nearest  []string // for an unknown name: tools of similar name, at most five are shown
	Printed  bool     // the result is what a program printed or a file holds: its being empty is not "no results"
}

// Line is what the model sees of a call that is not a success: what happened,
// whether it may have run, and what to do now. It is one line of ASCII, at most
// 300 bytes, made from enumerations, the tool's own name and names from the
// tool's own schema. No byte of an answer, an error or an argument is in it, so
// it cannot leak, flood or inject. For a success it is [Caution].
func Line(in LineInput) string {
	o := in.Outcome
	if o.Kind == KindOK || o.Kind == KindNone {
		return Caution(in)
	}
	f := o.Fault
	if f == nil {
		f = &noFault
	}
	l := line{in: &in, f: f}
	switch o.Kind {
	case KindPending:
		l.pending()
	case KindDenied:
		l.str("TOOL_DENIED: ").tool().str(" was denied by a person or a policy and did not run.")
		l.str(" Do not ask for it again and do not work around it. Tell the user that it was denied.")
	case KindUnknown:
		l.str("TOOL_UNKNOWN: ").tool().happened().str("; may have run: ").str(mayHaveRun(f.Ran)).str(".")
		l.str(" Do not repeat it. Do not say that it was done or that it failed.")
		if o.Case != "" {
			l.str(" Tell the user that a person is checking it.")
		} else {
			l.str(" Tell the user that it is not certain.")
		}
	case KindNotRun:
		l.notRun()
	default:
		l.failed()
	}
	return l.text()
}

// pending says of what is not done yet who or what it waits for.
func (l *line) pending() {
	o := l.in.Outcome
	switch l.str("TOOL_PENDING: ").tool(); {
	case o.Case != "":
		l.str(" waits for a person to allow it and has not run.")
		l.str(" Do not call it again and do not say that it is done. Tell the user that a person has to decide.")
	case o.Fault != nil: // put off, see the rule of the fault
		l.str(" has not run: its service is down. It is kept and will be made later.")
		l.str(" Do not say that it is done. Tell the user that it was put off.")
	default:
		l.str(" was accepted and is not done yet.")
		l.str(" Do not say that it is done. Tell the user that it is still in progress.")
	}
}

var noFault Fault // stands in where an outcome carries none

// line builds one text in a buffer of its own, so that only the finished text
// is allocated. What does not fit is dropped. Its methods return it, so that a
// sentence reads as one. Every form with names of full length ends before
// maxLine, so that the instruction at its end is never cut.
type line struct {
	b  [maxLine + 2*maxName]byte
	n  int
	in *LineInput
	f  *Fault
}

func (l *line) str(s string) *line {
	l.n += copy(l.b[l.n:], s)
	return l
}

func (l *line) num(n int) *line {
	var digits [20]byte
	l.n += copy(l.b[l.n:], strconv.AppendInt(digits[:0], int64(n), 10))
	return l
}

func (l *line) name(s string, limit int) *line {
	l.n += len(appendName(l.b[l.n:l.n], s, min(limit, len(l.b)-l.n)))
	return l
}

func (l *line) text() string { return string(l.b[:min(l.n, maxLine)]) }

func (l *line) tool() *line {
	if l.in.Tool == "" {
		return l.str("the tool")
	}
	return l.name(l.in.Tool, maxName)
}

// reason appends " (reason)", as people and models see it.
func (l *line) reason() *line {
	return l.str(" (").str(l.f.Shown(l.in.Outcome.Kind).String()).str(")")
}

// happened appends how the last attempt ended and how many there were.
func (l *line) happened() *line {
	switch s := l.f.Status; {
	case s >= 300 && s <= 999:
		l.str(" returned ").num(s)
	case s >= 100 && s < 300:
		l.str(" returned ").num(s).str(" but ").str(how(l.f.Reason))
	default:
		l.str(" ").str(how(l.f.Reason))
	}
	l.reason()
	switch {
	case l.in.Attempts == 1:
		l.str(" after 1 attempt")
	case l.in.Attempts > 1:
		l.str(" after ").num(min(l.in.Attempts, 9999)).str(" attempts")
	}
	return l
}

// how says in words how a call without a telling status ended.
func how(r Reason) string {
	switch r {
	case ReasonTimeout, ReasonNetwork, ReasonNone:
		return "got no answer"
	case ReasonAuth, ReasonPermission, ReasonBilling, ReasonQuota, ReasonPaymentRequired,
		ReasonRateLimit, ReasonContentPolicy, ReasonConflict, ReasonInvalidArgs:
		return "was refused"
	case ReasonMalformedResponse:
		return "gave an unreadable answer"
	case ReasonPartial:
		return "did only a part"
	case ReasonCommandFailed:
		return "ended with an error"
	case ReasonPanic:
		return "crashed"
	case ReasonCancelled:
		return "was cancelled"
	case ReasonNotFound:
		return "did not find it"
	}
	return "failed"
}

func (l *line) failed() {
	l.str("TOOL_FAILED: ").tool().happened()
	reading := l.in.Effect == Read
	if !reading {
		l.str("; may have run: ").str(mayHaveRun(l.f.Ran))
	}
	if l.f.Correctable {
		change, end := correction(l.f.Reason), " Do not guess. Otherwise tell the user this action failed."
		if reading {
			end = " Do not guess. Otherwise tell the user this lookup failed."
		}
		l.str(".").fields(maxLine - len(change) - len(end))
		l.str(change).str(end)
		return
	}
	l.comeBack(". It can be tried again in ")
	l.str(".")
	switch {
	case reading:
		l.str(" Do not guess. Tell the user this lookup failed.")
	case l.f.Reason == ReasonPartial:
		l.str(" Do not repeat it. Tell the user that only a part of it was done.")
	case l.f.Ran == RanNo:
		l.str(" Do not say that it was done. Tell the user this action failed.")
	default:
		l.str(" Do not repeat it or say that it was done. Tell the user it did not end well.")
	}
}

// correction says what change of the call may help.
func correction(r Reason) string {
	switch r {
	case ReasonInvalidArgs, ReasonNotFound:
		return " Correct the arguments; do not repeat this call."
	case ReasonConflict:
		return " Read the current state, then change the call."
	case ReasonCommandFailed:
		return " Change the command; do not repeat it as it is."
	case ReasonPayloadTooLarge:
		return " Make the request smaller; do not repeat it."
	}
	return " Only a changed call may work."
}

func (l *line) notRun() {
	l.str("TOOL_FAILED: ")
	if l.f.Reason == ReasonUnknownTool {
		const end = " Use only the tools you were given. Do not guess."
		l.str("there is no tool ").tool().reason().str(".")
		l.nearest(maxLine - len(end))
		l.str(end)
		return
	}
	l.tool()
	switch l.f.Reason {
	case ReasonToolDead:
		l.str(" is out of order").reason().str(".")
		l.str(" Do not call it again in this task. Do not guess.")
	case ReasonBreakerOpen:
		l.str(" keeps failing and is closed for now").reason()
		l.comeBack("; it opens again in ")
		l.str(". Do not guess.")
	case ReasonLoop:
		l.str(" was called again and again to the same end").reason().str(".")
		l.str(" This task is stopped: call no more tools. Do not guess.")
	case ReasonBudget:
		l.str(" was not called: the budget of this task is used up").reason().str(".")
		l.str(" Call no more tools. Do not guess.")
	case ReasonInvalidArgs:
		const end = " Correct the arguments and call it again. Do not guess."
		l.str(" was not called").reason().str(".")
		l.fields(maxLine - len(end))
		l.str(end)
		return
	case ReasonConflict:
		l.str(" was asked for this same work before, with other arguments").reason()
		l.str(". The first call stands; this one was not run. Do not ask for it again. Do not guess.")
		l.str(" Tell the user that this change was not made.")
		return
	case ReasonCancelled:
		l.str(" was not called: this task has ended").reason().str(". Call no more tools. Do not guess.")
	default:
		l.str(" was not called").reason()
		l.comeBack("; it can be tried again in ")
		l.str(". Do not guess.")
	}
	if l.in.Effect == Read {
		l.str(" Tell the user this lookup was not made.")
	} else {
		l.str(" Tell the user this action was not done.")
	}
}

// comeBack appends the time after which another try makes sense, where it is known.
func (l *line) comeBack(before string) {
	if l.f.Wait > 0 {
		l.str(before).span(l.f.Wait)
	}
}

// fields appends which field broke which rule, as many as fit below room.
func (l *line) fields(room int) {
	const limit = 48
	shown := l.list(room, " ", "; ", len(l.f.Fields), func(i int) {
		e := l.f.Fields[i]
		if e.Field == "" {
			l.str("arguments")
		} else {
			l.name(e.Field, limit)
		}
		l.str(": ").name(e.Rule, limit/2)
		if e.Want != "" {
			l.str(" ").name(e.Want, limit/2)
		}
	})
	if shown > 0 {
		l.str(".")
	}
}

// nearest appends the tools of similar name, as many as fit below room.
func (l *line) nearest(room int) {
	shown := l.list(room, " Similar: ", ", ", min(len(l.in.Nearest), maxNearest), func(i int) {
		l.name(l.in.Nearest[i], maxName)
	})
	if shown > 0 {
		l.str(".")
	}
}

// list appends n items while they and a full stop fit below room, and returns
// how many did.
func (l *line) list(room int, before, between string, n int, item func(i int)) int {
	for i := range n {
		start := l.n
		if i == 0 {
			l.str(before)
		} else {
			l.str(between)
		}
		item(i)
		if l.n >= room {
			l.n = start
			return i
		}
	}
	return n
}

// mayHaveRun answers the question in the three words of the line.
func mayHaveRun(r Ran) string {
	switch r {
	case RanNo:
		return "no"
	case RanYes:
		return "yes"
	}
	return "unknown"
}

// appendName appends s reduced to the letters, digits and marks that names of
// tools and fields are made of; every run of anything else becomes one "_".
func appendName(b []byte, s string, limit int) []byte {
	end := len(b) + limit
	replaced := false
	for i := 0; i < len(s) && len(b) < end; i++ {
		c := s[i]
		if 'a' <= c && c <= 'z' || 'A' <= c && c <= 'Z' || '0' <= c && c <= '9' ||
			c == '_' || c == '-' || c == '.' || c == ':' || c == '/' {
			b, replaced = append(b, c), false
		} else if !replaced {
			b, replaced = append(b, '_'), true
		}
	}
	return b
}
