package audit

import (
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/internal/redact"
)

// earlier is what the answers of a conversation before the last one said.
type earlier struct {
	findings []Finding
	asks     guard.Decision  // the strictest that a finding asks for
	told     map[uint32]bool // failed calls that they admitted
	calls    int             // made before the last of them
	work     int
	left     int // answers that were not judged
}

// maxEarlier bounds the calls that are looked at for all earlier answers of one
// conversation together: each answer is judged against every call before it.
const maxEarlier = 1 << 20

// answered judges an earlier answer of a conversation by what had been done by
// then: what it claims to be done has to be, and what it admits the user knows.
func (r *replay) answered(e *transcript.Event) {
	before := &r.earlier
	before.calls = len(r.calls)
	if r.transcript.Partial {
		return // what was done for it may be missing
	}
	if before.work += 64 + len(r.calls); before.work > maxEarlier {
		before.left++
		return
	}
	v := r.auditor.judgesOf(r.transcript.Task).earlier.FinalRun(r.run, redact.Cut(e.Text, maxDraft))
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Kind == guard.KindClaim && f.Asks != guard.Answer {
			found := r.finding(f, e.Text, e.Line)
			found.Span = nil // it is none of the last answer
			before.findings = append(before.findings, found)
			before.asks = stricter(before.asks, f.Asks)
		}
	}
	if before.told == nil && len(v.Disclosed) > 0 {
		before.told = map[uint32]bool{}
	}
	for _, seq := range v.Disclosed {
		before.told[seq] = true
	}
}

// knownBefore reports whether the user knew before the last answer that nothing
// had succeeded, and it is about something else: nothing was called for it,
// nothing in it needs a source, and what the calls were about returns neither
// in it nor in what it answers.
func (r *replay) knownBefore(v *guard.Verdict) bool {
	if len(r.earlier.told) == 0 || r.earlier.calls < len(r.calls) {
		return false
	}
	for i := range v.Findings {
		if f := &v.Findings[i]; f.Step >= guard.StepClaims && f.Asks != guard.Answer {
			return false
		}
	}
	exchange := strings.ToLower(r.lastQuestion() + "\n" + r.transcript.Final)
	for _, seq := range v.Unrecovered {
		if !r.earlier.told[seq] {
			return false
		}
		for _, w := range r.subject(&r.calls[seq-1]).words {
			if strings.Contains(exchange, w) {
				return false
			}
		}
	}
	return true
}

// lastQuestion is what the user said last.
func (r *replay) lastQuestion() string {
	events := r.transcript.Events
	for i := len(events) - 1; i >= 0; i-- {
		if e := &events[i]; e.Kind == transcript.User && !e.Sub {
			return e.Text
		}
	}
	return ""
}
