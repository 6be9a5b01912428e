package fault

import "time"

// Caution is the short mark that is put after the result of a success which
// needs a word: an empty, partial, truncated, stale, replayed or substituted
// one. It is "" for a plain success. An empty result is always put in words,
// and a program that printed nothing ([LineInput].Printed) in other words than
// a search that found nothing: silence is not an answer about what exists. For
// [NoValue] there is one sentence in the place of those for [Truncated] and
// [Replayed].
//
// Like [Line] it is one line of ASCII of at most 300 bytes.
func Caution(in LineInput) string {
	o := in.Outcome
	if o.Kind != KindOK || o.Qualifiers == 0 {
		return ""
	}
	l := line{in: &in, f: &noFault}
	l.str("TOOL_NOTE: ").tool().str(" worked.")
	said := o.Qualifiers
	if said.Has(NoValue) {
		said &^= Empty | Truncated | Replayed
	}
	for q := Empty; q <= NoValue; q <<= 1 {
		if start := l.n; said.Has(q) {
			if l.caution(q); l.n > maxLine {
				l.n = start
			}
		}
	}
	return l.text()
}

// caution appends the sentence for one qualifier.
func (l *line) caution(q Qualifier) {
	switch q {
	case Empty:
		switch {
		case l.in.Printed:
			l.str(" It printed nothing, which does not show that there is nothing.")
		case l.in.Effect == Read:
			l.str(" It found nothing: zero results. Do not make any up.")
		default:
			l.str(" It returned no content.")
		}
	case Partial:
		l.str(" This is only a part; say so.")
	case Truncated:
		l.str(" It is cut off: there is more.")
	case Stale:
		l.str(" It is old")
		if l.in.Outcome.Age > 0 {
			l.str(": ").span(l.in.Outcome.Age)
		}
		l.str("; say so.")
	case Replayed:
		l.str(" This is the stored result; it was not done again.")
	case Fallback:
		l.str(" It stands in for ").name(l.in.Outcome.FallbackOf, maxName).str(".")
	case NoValue:
		if l.in.Outcome.Qualifiers.Has(Replayed) {
			l.str(" It was done before and was not done again; what it returned was not kept. Do not make it up.")
		} else {
			l.str(" It was done; what it returned was not kept. Do not make it up.")
		}
	}
}

// span appends a duration in one unit, rounded up: a wait must not get
// shorter, an age not younger.
func (l *line) span(d time.Duration) {
	secs := int64(d / time.Second)
	if d%time.Second > 0 {
		secs++
	}
	switch {
	case secs < 120:
		l.num(int(secs)).str(" s")
	case secs < 2*3600:
		l.num(int((secs + 59) / 60)).str(" min")
	default:
		l.num(int((secs + 3599) / 3600)).str(" h")
	}
}
