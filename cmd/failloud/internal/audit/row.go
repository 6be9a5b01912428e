package audit

import (
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/guard"
)

// The decisions in a [Row].
const (
	DecisionAnswer   = "answer"   // it may leave as it is
	DecisionDisclose = "disclose" // a sentence about what it hides is missing
	DecisionRefuse   = "refuse"   // it should not have left
	DecisionNone     = "none"     // the run gave no answer
)

// Row is what was found about one run, as one line of JSON shows it. It holds on
// to the transcript: who keeps many rows copies what is wanted of them.
type Row struct {
	ID       string    `json:"id"`
	File     string    `json:"file,omitempty"`
	Line     int       `json:"line"`               // where the run begins
	Answer   int       `json:"answer_line"`        // where its answer stands, 0: it has none
	Decision string    `json:"decision"`           // "answer", "disclose", "refuse", "none"
	Recorded bool      `json:"recorded,omitempty"` // the record kept no draft: Decision is what was decided then
	Unjudged bool      `json:"unjudged,omitempty"` // it could not be judged, see Problems
	Partial  bool      `json:"partial,omitempty"`  // something of the run is missing, so its answer was not judged
	Findings []Finding `json:"findings"`           // none: an empty list
	Failed   []string  `json:"failed_calls"`       // ids of the calls that failed
	Open     []string  `json:"unrecovered"`        // those that were never made good
	Told     bool      `json:"disclosed"`          // whether the answer admits each of them; false where there is none
	Problems []string  `json:"problems,omitempty"` // what was wrong with the transcript

	Calls int `json:"-"`

	replay  *replay
	verdict guard.Verdict
}

// Finding is one thing that is wrong with an answer.
type Finding struct {
	Kind     string  `json:"kind"`
	Step     int     `json:"step"`           // of the guard
	What     string  `json:"what"`           // in a few plain words
	Span     *[2]int `json:"span,omitempty"` // bytes of the answer
	Text     string  `json:"text,omitempty"` // of the answer, there
	Call     string  `json:"call,omitempty"` // id of the call
	Tool     string  `json:"tool,omitempty"`
	Line     int     `json:"line,omitempty"`     // where to look: the result of the call, else the answer
	Evidence string  `json:"evidence,omitempty"` // the nearest there is
	Asks     string  `json:"asks"`               // the decision it asks for; "answer" where a policy only wants it reported, or nothing could be checked
}

// repeats reports whether another finding says the same of the same place.
func (f Finding) repeats(other Finding) bool {
	span := func(f Finding) [2]int {
		if f.Span == nil {
			return [2]int{}
		}
		return *f.Span
	}
	return f.Kind == other.Kind && f.Step == other.Step && f.What == other.What && f.Call == other.Call && f.Tool == other.Tool && span(f) == span(other)
}

// Transcript is what the row was made of.
func (row *Row) Transcript() *transcript.Transcript { return row.replay.transcript }

// Notes are what the guard remarked that decides nothing, such as calls that
// failed and were made good.
func (row *Row) Notes() []string {
	var notes []string
	for i := range row.verdict.Findings {
		if f := &row.verdict.Findings[i]; f.Step == 0 && f.Kind != guard.KindUnchecked {
			notes = append(notes, f.String())
		}
	}
	return notes
}
