package report

import (
	"fmt"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
)

// Story is one run step by step, cleaned, as JSON shows it.
type Story struct {
	ID       string    `json:"id"`
	Format   string    `json:"format"`
	File     string    `json:"file,omitempty"`
	Line     int       `json:"line"`
	Task     string    `json:"task,omitempty"`
	Time     time.Time `json:"time,omitzero"`
	Question string    `json:"question,omitempty"`
	Steps    []Moment  `json:"steps"`

	Answer     string      `json:"answer,omitempty"`
	AnswerLine int         `json:"answer_line,omitempty"`
	Decision   string      `json:"decision"`
	Recorded   bool        `json:"recorded,omitempty"` // Decision is the one in the record
	Why        []string    `json:"why"`
	Findings   []Discovery `json:"findings"`
	Notes      []string    `json:"notes,omitempty"`
	Problems   []string    `json:"problems,omitempty"`

	draft []Piece
}

// Moment is one step of a run.
type Moment struct {
	Kind string    `json:"kind"` // "user", "assistant" or "call"
	Line int       `json:"line"`
	Time time.Time `json:"time,omitzero"`
	Text string    `json:"text,omitempty"` // of a message

	Call        string  `json:"call,omitempty"`
	Tool        string  `json:"tool,omitempty"`
	Args        string  `json:"args,omitempty"`
	Result      string  `json:"result,omitempty"`
	ResultLine  int     `json:"result_line,omitempty"`
	Outcome     string  `json:"outcome,omitempty"`
	Was         string  `json:"was,omitempty"` // the outcome before the settlement
	Qualifiers  string  `json:"qualifiers,omitempty"`
	Reason      string  `json:"reason,omitempty"`
	Action      string  `json:"action,omitempty"`
	Ran         string  `json:"ran,omitempty"`
	Rule        string  `json:"rule,omitempty"` // of the classification, the one that decided
	Status      int     `json:"status,omitempty"`
	Error       string  `json:"error,omitempty"`
	Attempts    int     `json:"attempts,omitempty"`
	Took        float64 `json:"took_s,omitempty"`
	Waited      float64 `json:"waited_s,omitempty"`
	Unrecovered bool    `json:"unrecovered,omitempty"`
	Disclosed   bool    `json:"disclosed,omitempty"`
}

// Discovery is a finding.
type Discovery struct {
	audit.Finding
	Says string `json:"says"` // in plain words
}

// Bounds of the texts of a story, in bytes, where it is not asked for in full.
const (
	storyArgs    = 240
	storyResult  = 320
	storyMessage = 240
	storyAnswer  = 8000
	unbounded    = 64 << 20
)

// NewStory tells the run of a row. full leaves texts as long as they are.
func NewStory(row *audit.Row, c Cleaner, full bool) *Story {
	t := row.Transcript()
	bound := func(n int) int {
		if full {
			return unbounded
		}
		return n
	}
	s := &Story{
		ID: c.Line(row.ID, maxID), Format: t.Format, File: c.Line(row.File, 4096), Line: row.Line,
		Task: c.Line(t.Task, maxID), Time: t.Time, Decision: row.Decision, Recorded: row.Recorded,
		Answer: c.Block(t.Final, bound(storyAnswer)), AnswerLine: row.Answer,
		Steps: []Moment{}, Findings: []Discovery{},
	}
	var notes []Note
	for i := range row.Findings {
		f := row.Findings[i]
		notes = append(notes, newNote(c, row, &f))
		f.Text, f.Evidence, f.Tool, f.Call = c.Line(c.Quoted(row, &f), bound(2*maxQuote)), c.Line(f.Evidence, bound(2*maxQuote)), c.Line(f.Tool, maxName), c.Line(f.Call, maxName)
		s.Findings = append(s.Findings, Discovery{f, notes[i].sentence()})
	}
	s.draft = pieces(c, t.Final, notes)
	if !row.Recorded { // else they are about an answer that is not there
		for _, n := range row.Notes() {
			s.Notes = append(s.Notes, c.Line(n, maxQuestion))
		}
	}
	for _, p := range row.Problems {
		s.Problems = append(s.Problems, c.Line(p, maxQuestion))
	}
	steps := row.Timeline()
	for i := range steps {
		step := &steps[i]
		m := Moment{Kind: step.Kind.String(), Line: step.Line, Time: step.Time}
		switch {
		case step.Kind == transcript.Call:
			m.tell(step, c, bound)
		case step.Kind == transcript.User && s.Question == "":
			s.Question = c.Block(step.Text, bound(maxQuestion))
			continue
		case step.Kind == transcript.Assistant && i == len(steps)-1 && step.Text == t.Final:
			continue
		default:
			m.Text = c.Line(step.Text, bound(storyMessage))
		}
		s.Steps = append(s.Steps, m)
	}
	s.Why = why(row)
	return s
}

// tell describes a call.
func (m *Moment) tell(step *audit.Step, c Cleaner, bound func(int) int) {
	m.Call, m.Tool = c.Line(step.Call, maxName), c.Line(step.Tool, maxName)
	m.Args, m.Result = c.Line(step.Text, bound(storyArgs)), c.Line(step.Result, bound(storyResult))
	m.ResultLine, m.Status = step.ResultLine, step.Status
	o := &step.Outcome
	m.Outcome, m.Qualifiers = o.Kind.String(), o.Qualifiers.String()
	if f := o.Fault; f != nil {
		m.Reason, m.Action, m.Ran, m.Rule = f.Shown(o.Kind).String(), f.Action.String(), f.Ran.String(), c.Line(f.Rule, maxName)
	}
	if step.Was != fault.KindNone {
		m.Was = step.Was.String()
	}
	m.Error = c.Line(step.Error, bound(storyResult))
	m.Attempts, m.Took, m.Waited = step.Attempts, step.Took.Seconds(), step.Waited.Seconds()
	m.Unrecovered, m.Disclosed = step.Open, step.Told
}

// why is the reason of a decision in plain words.
func why(row *audit.Row) []string {
	if row.Recorded {
		return []string{"The record holds no answer, so it was not judged again. This is what the guard decided when the run ended."}
	}
	if row.Partial {
		return []string{"Only a part of the run is known, see the problems, so its answer was not judged."}
	}
	if row.Unjudged {
		return []string{"It could not be judged, see the problems."}
	}
	asks := map[string][]string{}
	counts := map[Topic]int{}
	for i := range row.Findings {
		f := &row.Findings[i]
		topic := topicOf(f.Step)
		if counts[topic]++; counts[topic] == 1 {
			asks[f.Asks] = append(asks[f.Asks], topic.Short())
		}
	}
	var said []string
	switch row.Decision {
	case audit.DecisionNone:
		return []string{"The run gave no answer, so there is nothing to judge: it ends with a call, or with words that are followed by one."}
	case audit.DecisionRefuse:
		said = append(said, "It should not have left as it was: no sentence added to it would make it true.")
	case audit.DecisionDisclose:
		said = append(said, "It may leave, with a sentence that says what it hides.")
	default:
		said = append(said, "It may leave as it is. "+calm(row))
	}
	for _, decision := range []string{audit.DecisionRefuse, audit.DecisionDisclose, audit.DecisionAnswer} {
		for _, topic := range asks[decision] {
			said = append(said, fmt.Sprintf("%s: asks for %s", topic, decision))
		}
	}
	if len(asks) > 1 {
		said = append(said, "Of these the strictest wins.")
	}
	return said
}

// calm says why nothing is wrong.
func calm(row *audit.Row) string {
	switch {
	case row.Calls == 0:
		return "No tool was called, and nothing in it needs one."
	case len(row.Failed) == 0:
		return "No call failed, and nothing in it contradicts what the calls returned."
	case len(row.Open) == 0:
		return counted(len(row.Failed), "call") + " failed and later calls made up for it."
	default:
		return counted(len(row.Open), "call") + " failed for good, and the answer says so."
	}
}
