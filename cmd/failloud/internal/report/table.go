package report

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/failloud/failloud/runrecord"
)

// width of a table: every terminal has that.
const width = 80

// Table writes the report for a person at a terminal: what was found in words,
// the worst runs, the four views, what was wrong with the input.
func (r *Report) Table(w io.Writer, st Style) error {
	t := &table{Style: st, out: bufio.NewWriter(w), top: r.Top}
	if t.top < 1 {
		t.top = 10
	}
	if r.Input.Interrupted {
		t.words("", st.in(yellow, "Interrupted: this is what was read until then."), "")
	}
	t.words("", r.Summary.Sentence(), bold)
	for _, remark := range r.Summary.Remarks() {
		t.words("", remark, "")
	}
	t.worst(r.Worst)
	if r.Views != nil && r.Summary.Runs > 0 {
		t.views(r)
	}
	t.input(&r.Input)
	return t.out.Flush()
}

type table struct {
	Style
	out *bufio.Writer
	top int
}

// words writes a sentence over as many lines as it needs.
func (t *table) words(indent, s, colour string) {
	for _, line := range wrap(s, width-len(indent)) {
		t.line(indent + t.in(colour, line))
	}
}

func (t *table) line(s string) { t.out.WriteString(strings.TrimRight(s, " ") + "\n") }

func (t *table) heading(s string) {
	t.line("")
	t.line(t.in(bold, s))
}

func (t *table) worst(worst *Worst) {
	entries := worst.Entries()
	if len(entries) == 0 {
		return
	}
	shown := entries[:min(len(entries), t.top)]
	if all := len(entries) + worst.More(); all > len(shown) {
		t.heading(fmt.Sprintf("The worst %s of %s", figure(len(shown)), figure(all)))
	} else {
		t.heading("What is wrong")
	}
	for _, e := range shown {
		t.entry(e)
	}
	t.line("")
	t.line(t.in(dim, "A whole run, step by step: failloud explain ID FILE"))
}

// entry is one run: decision and id, its worst finding, where to look.
func (t *table) entry(e *Entry) {
	const indent = "            "
	t.line("  " + t.decision(e.Decision, len(indent)-2) + fit(e.ID, width-len(indent)))
	where := e.Line
	if len(e.Findings) > 0 {
		f := &e.Findings[0]
		lines := wrap(f.Says, width-len(indent))
		for _, line := range lines[:min(len(lines), 3)] {
			t.line(indent + line)
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

// views are the four views of the record, in words.
func (t *table) views(r *Report) {
	runs, failures := r.Views.Runs(), r.Views.Failures(t.top)
	t.heading("Runs without one successful call")
	t.line(fmt.Sprintf("  %s of %s; calls were made in %s of them", figure(runs.NoSuccess)+share(runs.NoSuccess, runs.Ended), counted(runs.Ended, "run"), figure(runs.NoSuccessCalled)))

	t.heading("Tools that fail")
	t.failures(failures)

	t.heading("Answers the guard would have stopped")
	t.line(fmt.Sprintf("  refused %s, a sentence added to %s, unchanged %s",
		figure(r.Summary.Refuse)+share(r.Summary.Refuse, r.Summary.Answers),
		figure(r.Summary.Disclose)+share(r.Summary.Disclose, r.Summary.Answers),
		figure(r.Summary.Answers-r.Summary.Refuse-r.Summary.Disclose)))

	t.heading("Retries")
	retries := r.Views.Retries()
	if retries.Retries == 0 {
		t.line("  none on record; only failloud's own records count attempts")
		return
	}
	t.line(fmt.Sprintf("  %s in %s, %.2f per run, at most %s in one",
		figure(retries.Retries), counted(retries.Runs, "run"), retries.PerRun(), figure(retries.Most)))
}

func (t *table) failures(v runrecord.FailuresView) {
	if v.Failures == 0 {
		t.line(fmt.Sprintf("  none of %s failed", counted(v.Calls, "call")))
		return
	}
	const tool, reason = 36, 18
	t.line(t.in(dim, fmt.Sprintf("  %s%s%s%s", pad("tool", tool+2), pad("failed with", reason+2), pad("times", 9), "of calls")))
	rest := v.Failures
	for i := range v.Rows {
		row := &v.Rows[i]
		rest -= row.Failures
		why := row.Reason.String()
		if row.Status != 0 {
			why = strconv.Itoa(row.Status) + " " + why
		}
		t.line(fmt.Sprintf("  %s%s%-9s%s", pad(fit(failedTool(row), tool), tool+2), pad(fit(why, reason), reason+2), figure(row.Failures), figure(row.Calls)))
	}
	if rest > 0 {
		t.line(fmt.Sprintf("  %s%s", pad("(others)", tool+reason+4), figure(rest)))
	}
}

// failedTool is the name of the tool of a row.
func failedTool(row *runrecord.FailureRow) string {
	return orElse(Cleaner{}.Line(row.Tool, maxName), "(no such tool)")
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
		lines := wrap(Cleaner{}.Line(what, 200), width-10)
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

// share is n of whole as a percentage in parentheses, "" where there is no whole.
func share(n, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f %%)", 100*float64(n)/float64(whole))
}
