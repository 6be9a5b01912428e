package audit

import (
	"slices"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
)

// Step is one thing that happened in a run: a message, or a call with what it
// returned.
type Step struct {
	Kind transcript.EventKind // User, Assistant or Call
	Text string               // the message, or the arguments of the call
	Line int                  // where it stands, from 1
	Time time.Time            // zero where the source does not say

	// Of a call.

	Call    string // its id
	Tool    string
	Outcome fault.Outcome
	Status  int // HTTP, 0: none
	// Result is what came back, ResultLine where; 0: nothing did.
	Result     string
	ResultLine int
	Open       bool // it failed and was never made good
	Told       bool // and the answer says so

	// Of a call that failloud itself has recorded; else zero.

	Attempts int           // executions of the tool
	Took     time.Duration // from the start of the call to its end or settlement
	Waited   time.Duration // slept between attempts
	Was      fault.Kind    // the outcome before the settlement
	Error    string        // redacted, as it was recorded
}

// Failed reports whether the step is a call that did not do what was asked.
func (s *Step) Failed() bool { return s.Kind == transcript.Call && failed(s.Outcome.Kind) }

// Timeline is what happened in the run, in order.
func (row *Row) Timeline() []Step {
	r, t := row.replay, row.replay.transcript
	results := make(map[string]*transcript.Event)
	for i := range t.Events {
		if e := &t.Events[i]; e.Kind == transcript.Result && !e.Orphan {
			results[e.ID] = e
		}
	}
	if row.Unjudged {
		return nil // how far it came nobody knows
	}
	var steps []Step
	next := 0 // of r.calls
	for _, text := range t.Evidence {
		steps = append(steps, Step{
			Kind: transcript.Call, Line: t.Line, Call: r.calls[next].id, Tool: evidenceTool,
			Outcome: r.calls[next].outcome, Result: text, ResultLine: t.Line,
		})
		next++
	}
	for i := range t.Events {
		e := &t.Events[i]
		s := Step{Kind: e.Kind, Text: e.Text, Line: e.Line, Time: e.Time}
		switch e.Kind {
		case transcript.Result:
			continue
		case transcript.Call:
			r.describe(&s, next, results[e.ID], row)
			next++
		}
		steps = append(steps, s)
	}
	return steps
}

// describe adds to a step what became of the call.
func (r *replay) describe(s *Step, at int, result *transcript.Event, row *Row) {
	c := &r.calls[at]
	s.Call, s.Tool, s.Outcome = c.id, c.tool, c.outcome
	s.Open = slices.Contains(row.Open, c.id)
	s.Told = slices.Contains(row.verdict.Disclosed, uint32(at+1))
	if f := c.outcome.Fault; f != nil {
		s.Status = f.Status
	}
	if result == nil {
		return
	}
	s.Result, s.ResultLine = result.Text, result.Line
	if result.Status != nil {
		s.Status = *result.Status
	}
	if e := result.Outcome; e != nil {
		s.Attempts, s.Took, s.Waited, s.Was, s.Error = e.Attempts, e.Duration, e.Waited, e.Was, e.Error
	}
}
