package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/redact"
)

// width of a table: every terminal has that.
const width = 80

// Table writes the report for a person at a terminal: what was found in words,
// the worst runs, the four views, what was wrong with the input.
func (r *Report) Table(w io.Writer, st Style) error {
	t := &table{Style: st, out: bufio.NewWriter(w)}
	if r.Input.Interrupted {
		t.words("", st.in(yellow, "Interrupted: this is what was read until then."), "")
	}
	t.words("", r.Summary.Sentence(), bold)
	for _, remark := range r.Summary.Remarks() {
		t.words("", remark, "")
	}
	t.worst(r.Worst, r.top())
	if r.Views != nil && r.Summary.Runs > 0 {
		t.views(r.views())
	}
	t.input(&r.Input)
	return t.out.Flush()
}

type table struct {
	Style
	out *bufio.Writer
}

// words writes a sentence over as many lines as it needs.
func (t *table) words(indent, s, colour string) {
	for _, line := range wrap(s, width-len(indent)) {
		t.line(indent + t.in(colour, line))
	}
}

func (t *table) line(s string) { fmt.Fprintln(t.out, strings.TrimRight(s, " ")) }

func (t *table) heading(s string) {
	t.line("")
	t.line(t.in(bold, s))
}

func (t *table) worst(worst *Worst, top int) {
	entries := worst.Entries()
	if len(entries) == 0 {
		return
	}
	shown := entries[:min(len(entries), top)]
	t.heading(worstHeading(len(shown), len(entries)+worst.More()))
	for _, e := range shown {
		t.entry(e)
	}
	t.line("")
	t.line(t.in(dim, "A whole run, step by step: failloud explain ID FILE"))
}

// worstHeading says how many of the wrong answers follow.
func worstHeading(shown, all int) string {
	if all > shown {
		return "The worst " + figure(shown) + " of " + counted(all, "answer") + " to look at"
	}
	return counted(all, "answer") + " to look at"
}

// entry is one run: decision and id, its worst finding, where to look.
func (t *table) entry(e *Entry) {
	const indent = "            "
	t.line("  " + t.decision(e.Decision, len(indent)-2) + fit(e.ID, width-len(indent)))
	where := e.Line
	if len(e.Findings) > 0 {
		f := &e.Findings[0]
		lines := wrap(f.sentence(), width-len(indent))
		for _, line := range lines[:min(len(lines), 3)] {
			t.line(indent + line)
		}
		if f.Topic == Dead && e.Answer != "" {
			t.line(indent + fit("it says “"+e.Answer+"”", width-len(indent)))
		}
		if f.Line > 0 {
			where = f.Line
		}
	}
	place := ":" + strconv.Itoa(where)
	if more := len(e.Findings) - 1 + e.MoreSaid; more > 0 {
		place += fmt.Sprintf("  (and %s)", counted(more, "more finding"))
	}
	t.line(indent + t.in(dim, fitEnd(e.File, width-len(indent)-len(place))+place))
}

// views are the four views of the record.
func (t *table) views(v *views) {
	t.heading("Runs without one successful call")
	t.words("  ", v.NoSuccess, "")
	t.heading("Tools that fail")
	t.failures(v)
	t.heading("Answers the guard would have stopped")
	t.words("  ", v.Stopped, "")
	t.heading("Retries")
	t.words("  ", v.Retries, "")
}

func (t *table) failures(v *views) {
	if len(v.Failures) == 0 {
		t.line("  none of " + counted(v.Calls, "call") + " failed")
		return
	}
	const tool, why, times = 38, 20, 9
	row := func(a, b, c, d string) string {
		return "  " + pad(fit(a, tool-2), tool) + pad(fit(b, why-2), why) + pad(c, times) + d
	}
	t.line(t.in(dim, row("tool", "failed with", "times", "of calls")))
	for _, f := range v.Failures {
		t.line(row(f.Tool, f.Why, f.Times, f.Calls))
	}
	if v.Others != "" {
		t.line(row("(others)", "", v.Others, ""))
	}
}

// input tells what could not be read; what was read needs no words.
func (t *table) input(in *Input) {
	total := 0
	for _, p := range in.Troubles {
		total += p.Count
	}
	if total == 0 && in.Old == 0 {
		return
	}
	t.heading("The input")
	if in.Old > 0 {
		t.line("  " + counted(in.Old, "run") + " left out, older than asked for")
	}
	const kinds = 8
	troubles := worstTroubles(in.Troubles)
	for _, p := range troubles[:min(len(troubles), kinds)] {
		count := pad(figure(p.Count), 8)
		what, _, _ := strings.Cut(p.What, "; ")
		lines := wrap(redact.Cut(what, 200), width-10)
		for i, line := range lines {
			if i > 0 {
				count = pad("", 8)
			}
			t.line("  " + count + line)
		}
		t.line("          " + t.in(dim, "first at "+fitEnd(p.Where, width-19)))
	}
	if more := len(troubles) - kinds; more > 0 {
		t.line("  and " + counted(more, "other kind") + " of problem")
	}
}
