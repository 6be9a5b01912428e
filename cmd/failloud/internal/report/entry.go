package report

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// Entry is what is shown of one run, cleaned and bounded.
type Entry struct {
	ID, Task string
	File     string
	Line     int // where the run begins
	Decision string
	Recorded bool
	Topic    Topic
	Findings []Note
	MoreSaid int    // findings beyond those
	Answer   string // how it begins

	// Of a whole one.

	Question  string
	Draft     []Piece
	Calls     []Call
	MoreCalls int
}

// Note is a finding in plain words.
type Note struct {
	Topic     Topic
	Says      string
	Tool      string
	Call      string
	Line      int // where to look
	Quote     string
	Evidence  string
	Noticed   bool // the policy only reports it
	inDraft   [2]int
	hasPlaces bool
}

// sentence is the note with the nearest evidence.
func (n *Note) sentence() string {
	if n.Evidence == "" {
		return n.Says
	}
	return n.Says + "; the nearest is “" + n.Evidence + "”"
}

// Piece is a part of an answer.
type Piece struct {
	Text  string
	Notes []int // numbers of the notes about it, from 1
	Gap   bool  // something between this piece and the one before is not shown
}

// Call is a call of a run.
type Call struct {
	ID, Tool, Args, Result string
	Line                   int
	Outcome                string
	Failed, Open, Told     bool
}

// The bounds of what is kept of a run.
const (
	maxID       = 120
	maxNotes    = 20
	maxQuestion = 600
	maxDraft    = 6000 // bytes of an answer that is shown whole
	aroundNote  = 300  // bytes around a finding, of a longer one
	maxRead     = 64 << 10
	maxCalls    = 60
	maxArgs     = 300
	maxResult   = 600
)

func newEntry(row *audit.Row, cfg WorstConfig) *Entry {
	c := cfg.Cleaner
	e := &Entry{
		ID: c.Line(row.ID, maxID), File: c.Line(row.File, 4096), Line: row.Line,
		Decision: row.Decision, Recorded: row.Recorded, Topic: worstTopic(row),
		Answer: c.Line(row.Transcript().Final, 2*maxQuote),
	}
	findings := slices.Clone(row.Findings)
	slices.SortStableFunc(findings, func(a, b audit.Finding) int { return int(weight(&b)) - int(weight(&a)) })
	e.MoreSaid = max(0, len(findings)-maxNotes)
	for i := range findings[:len(findings)-e.MoreSaid] {
		e.Findings = append(e.Findings, newNote(c, row, &findings[i]))
	}
	if cfg.Whole {
		e.add(row, cfg)
	}
	return e
}

// weight puts what decides in front of what is only noticed.
func weight(f *audit.Finding) Topic {
	if !decides(f) {
		return NoTopic
	}
	return topicOf(f.Step)
}

func newNote(c Cleaner, row *audit.Row, f *audit.Finding) Note {
	n := Note{
		Topic: topicOf(f.Step), Says: say(c, row, f), Tool: c.Line(f.Tool, maxName), Call: c.Line(f.Call, maxName), Line: f.Line,
		Quote: c.Line(c.Quoted(row, f), 2*maxQuote), Evidence: c.Line(f.Evidence, 2*maxQuote), Noticed: !decides(f),
	}
	if f.Span != nil {
		n.inDraft, n.hasPlaces = *f.Span, true
	}
	return n
}

// add keeps the answer, the question and the calls.
func (e *Entry) add(row *audit.Row, cfg WorstConfig) {
	c := cfg.Cleaner
	t := row.Transcript()
	e.Task = c.Line(t.Task, maxID)
	e.Draft = pieces(c, t.Final, e.Findings)
	for _, s := range row.Timeline() {
		switch s.Kind {
		case transcript.User:
			if e.Question == "" {
				e.Question = c.Line(s.Text, maxQuestion)
			}
		case transcript.Call:
			if len(e.Calls) == maxCalls && !s.Failed() {
				e.MoreCalls++
				continue
			}
			if len(e.Calls) >= 2*maxCalls {
				e.MoreCalls++
				continue
			}
			e.Calls = append(e.Calls, Call{
				ID: c.Line(s.Call, maxName), Tool: c.Line(s.Tool, maxName), Line: max(s.ResultLine, s.Line),
				Args: c.Line(s.Text, maxArgs), Result: c.Line(s.Result, maxResult),
				Outcome: outcome(&s), Failed: s.Failed(), Open: s.Open, Told: s.Told,
			})
		}
	}
}

// outcome is how a call ended, in a few words.
func outcome(s *audit.Step) string {
	o := &s.Outcome
	said := []string{o.Kind.String()}
	if f := o.Fault; f != nil {
		said = append(said, f.Shown(o.Kind).String())
	}
	if q := o.Qualifiers.String(); q != "" {
		said = append(said, q)
	}
	return strings.Join(said, ", ")
}
