package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

// Text writes the story for a person at a terminal.
func (s *Story) Text(w io.Writer, st Style) error {
	t := &table{Style: st, out: bufio.NewWriter(w)}
	t.line(st.in(bold, "Run "+s.ID) + st.in(dim, "  "+s.File+":"+strconv.Itoa(s.Line)+"  ("+s.Format+")"))
	if s.Task != "" {
		t.line("Task " + s.Task)
	}
	if !s.Time.IsZero() {
		t.line("At   " + s.Time.Format(time.RFC3339))
	}
	if s.Question != "" {
		t.heading("The question")
		t.block(s.Question)
	}
	t.heading("What happened")
	if len(s.Steps) == 0 {
		t.line("  nothing: no tool was called")
	}
	number := 0
	for i := range s.Steps {
		m := &s.Steps[i]
		if m.Kind != transcript.Call.String() {
			t.words("       ", m.Kind+": "+m.Text, dim)
			continue
		}
		number++
		t.call(number, m)
	}
	if s.Answer != "" {
		t.heading(fmt.Sprintf("The answer (line %d)", s.AnswerLine))
		t.block(s.marked())
	}
	t.heading("What the guard found")
	if len(s.Findings) == 0 {
		t.line("  nothing")
	}
	for i := range s.Findings {
		f := &s.Findings[i]
		place := ""
		switch {
		case f.Call != "":
			place = " (call " + f.Call + ", line " + strconv.Itoa(f.Line) + ")"
		case f.Line > 0:
			place = " (line " + strconv.Itoa(f.Line) + ")"
		}
		t.item(strconv.Itoa(i+1), topicOf(f.Step).Short()+": "+f.Says+place)
	}
	for _, n := range s.Notes {
		t.item("-", n)
	}
	t.heading("Why: " + t.decision(s.Decision, 0))
	for _, line := range s.Why {
		t.words("  ", line, "")
	}
	if len(s.Problems) > 0 {
		t.heading("Problems of the transcript")
		for _, p := range s.Problems {
			t.words("  ", p, "")
		}
	}
	return t.out.Flush()
}

// block writes a text with its line breaks.
func (t *table) block(s string) {
	for line := range strings.SplitSeq(s, "\n") {
		if strings.TrimSpace(line) == "" {
			t.line("")
			continue
		}
		t.words("  ", line, "")
	}
}

// item writes a numbered text.
func (t *table) item(number, s string) {
	head := fmt.Sprintf("  %3s  ", number)
	for i, line := range wrap(s, width-len(head)) {
		if i > 0 {
			head = strings.Repeat(" ", len(head))
		}
		t.line(head + line)
	}
}

// call writes a call: what was asked for, how it ended, what came back.
func (t *table) call(number int, m *Moment) {
	clock := ""
	if !m.Time.IsZero() {
		clock = m.Time.Format(time.TimeOnly) + "  "
	}
	t.item(strconv.Itoa(number), clock+t.in(bold, m.Tool)+" "+m.Args)
	const indent = "       "
	colour := green
	switch {
	case m.Unrecovered && !m.Disclosed:
		colour = red
	case m.Reason != "":
		colour = yellow
	}
	t.words(indent, m.ended(), colour)
	if m.Error != "" {
		t.words(indent, "error: "+m.Error, dim)
	}
	if m.Result != "" {
		t.words(indent, fmt.Sprintf("line %d: %s", m.ResultLine, m.Result), dim)
	}
}

// ended says how a call ended, in plain words.
func (m *Moment) ended() string {
	said := m.Outcome
	if m.Status != 0 {
		said += " " + strconv.Itoa(m.Status)
	}
	if m.Reason != "" {
		said += " (" + m.Reason + ")"
	}
	parts := []string{said}
	add := func(s string) { parts = append(parts, s) }
	if m.Qualifiers != "" {
		add(m.Qualifiers)
	}
	switch m.Action {
	case "retry":
		add("worth another try")
	case "fail_fast":
		add("another try would not help")
	case "escalate":
		add("it may have happened, a person has to look")
	}
	if m.Attempts > 1 {
		add(fmt.Sprintf("%d attempts, %.1f s between them", m.Attempts, m.Waited))
	}
	if m.Was != "" {
		add("settled later, was " + m.Was)
	}
	if m.Outcome == "unknown" && m.ResultLine == 0 {
		add("no result is known")
	}
	switch {
	case m.Unrecovered && m.Disclosed:
		add("never made good, the answer says so")
	case m.Unrecovered:
		add("never made good, the answer does not say so")
	case m.Reason != "":
		add("made good later")
	}
	if m.Rule != "" {
		add("by rule " + m.Rule)
	}
	return strings.Join(parts, "; ")
}

// marked is the answer with the places of the findings.
func (s *Story) marked() string {
	var b strings.Builder
	for _, p := range s.draft {
		if p.Gap {
			b.WriteString("\n[…]\n")
		}
		if len(p.Notes) == 0 {
			b.WriteString(p.Text)
			continue
		}
		b.WriteString(mark(p))
	}
	return b.String()
}

// mark is a piece with the numbers of its findings.
func mark(p Piece) string {
	numbers := make([]string, len(p.Notes))
	for i, n := range p.Notes {
		numbers[i] = strconv.Itoa(n)
	}
	return "[" + strings.Join(numbers, ",") + ": " + p.Text + "]"
}
