package audit

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/internal/redact"
	"github.com/failloud/failloud/runrecord"
)

// replay is one transcript on its way through the record.
type replay struct {
	auditor    *Auditor
	transcript *transcript.Transcript
	run        *runrecord.Run
	tools      map[string]*tool
	calls      []call         // in order of their sequence numbers, the first is 1
	open       map[string]int // by id: index in calls of those without a result yet
	earlier    earlier        // the answers before the last
}

// call is one call of the transcript and what became of it.
type call struct {
	id, tool, args string
	line           int // of the result, of the call where it has none
	batch          int
	first          int // index of the first call of the batch
	done           bool
	outcome        fault.Outcome
	returned       string   // the text of its result
	about          *subject // what it was about, once it was asked for
	many           *bool    // whether it is one of many, once that was asked for
}

// evidenceTool is what an answer that comes from no agent stood on.
const evidenceTool = "evidence"

// bound are the tools of the run.
func (r *replay) bound() []*runrecord.ToolInfo {
	t := r.transcript
	r.tools = map[string]*tool{}
	var order []string
	add := func(name string) {
		if name != "" && r.tools[name] == nil {
			r.tools[name] = r.auditor.tools.named(name)
			order = append(order, name)
		}
	}
	for _, name := range t.Tools {
		add(name)
	}
	for i := range t.Events {
		add(t.Events[i].Tool)
	}
	r.auditor.seen.run(t.Task, order)
	for _, name := range r.auditor.cfg.Require {
		add(name)
	}
	if t.Evidence != nil {
		add(evidenceTool)
	}
	substitutes(r.tools)
	infos := make([]*runrecord.ToolInfo, len(order))
	for i, name := range order {
		infos[i] = r.tools[name].info
	}
	return infos
}

// tool is the tool of that name.
func (r *replay) tool(name string) *tool {
	if t := r.tools[name]; t != nil {
		return t
	}
	return r.auditor.tools.named(name)
}

// question is what the user asked first.
func (r *replay) question() string {
	for i := range r.transcript.Events {
		if e := &r.transcript.Events[i]; e.Kind == transcript.User {
			return e.Text
		}
	}
	return ""
}

// play feeds the events of the transcript to the run.
func (r *replay) play() {
	t := r.transcript
	r.open = map[string]int{}
	r.run.Hear(t.System)
	for _, text := range t.Evidence {
		r.ask(&transcript.Event{Tool: evidenceTool, Line: t.Line})
		r.finish(len(r.calls)-1, &transcript.Event{Text: text, Line: t.Line})
	}
	first := true
	var said *transcript.Event // what the user has read last
	for i := range t.Events {
		switch e := &t.Events[i]; {
		case e.Sub && e.Kind <= transcript.Assistant:
		case e.Kind == transcript.User:
			if !first {
				r.run.Hear(e.Text)
			}
			if said != nil {
				r.answered(said)
			}
			first, said = false, nil
		case e.Kind == transcript.Assistant:
			said = e
		case e.Kind == transcript.Call:
			r.ask(e)
			said = nil // what was said beside a call is no answer yet
		case e.Kind == transcript.Result:
			if at, ok := r.open[e.ID]; ok && !e.Orphan {
				delete(r.open, e.ID)
				r.finish(at, e)
			}
		}
	}
	for i := range r.calls {
		if !r.calls[i].done {
			r.lose(i)
		}
	}
	if n := len(r.calls) - keepCalls; n > 0 {
		r.problem(fmt.Sprintf("%d of %d calls were only counted: there are too many to judge each by itself", n, len(r.calls)))
	}
	if len(t.Final) > maxDraft {
		r.problem(fmt.Sprintf("only the first %d bytes of the answer were judged", len(r.draft())))
	}
	if n := r.earlier.left; n > 0 {
		r.problem(fmt.Sprintf("%d earlier answers were not judged: the conversation is too long", n))
	}
}

// draft is the answer, as far as it is judged.
func (r *replay) draft() string { return redact.Cut(r.transcript.Final, maxDraft) }

// problem adds to what was wrong with the transcript.
func (r *replay) problem(what string) {
	t := r.transcript
	t.Problems = append(t.Problems, transcript.Problem{File: t.File, Line: t.Line, What: what})
}

// ask admits a call.
func (r *replay) ask(e *transcript.Event) {
	at := len(r.calls)
	first := at
	if at > 0 && e.Batch != 0 && r.calls[at-1].batch == e.Batch {
		first = r.calls[at-1].first
	}
	r.open[e.ID] = at
	r.calls = append(r.calls, call{id: e.ID, tool: e.Tool, args: e.Text, line: e.Line, batch: e.Batch, first: first})
	_, _ = r.run.Admit(1) // a replayed run has no limit and is never halted
}

// finish records what a call returned.
func (r *replay) finish(at int, e *transcript.Event) {
	c := &r.calls[at]
	c.line, c.done = e.Line, true
	c.outcome = classify(r.tool(c.tool), c.args, e)
	rc := r.record(at)
	if s := e.Status; s != nil && *s >= 100 && *s < 600 {
		rc.Status = int16(*s)
	}
	p := runrecord.Payload{Args: c.args}
	c.returned = e.Text
	if c.outcome.OK() {
		p.Result = e.Text
		if len(e.Extra) > 0 {
			p.Result += "\n" + strings.Join(e.Extra, "\n")
		}
		if e.Cut > 0 { // the model saw it whole: the evidence is short, not the call
			p.Result += fmt.Sprintf("\n…[cut %d bytes]…", e.Cut)
		}
	}
	r.run.FinishWith(rc, p)
}

// lose records a call of which no result is known: it may have run.
func (r *replay) lose(at int) {
	c := &r.calls[at]
	c.outcome = fault.Outcome{Kind: fault.KindUnknown, Fault: &fault.Fault{Reason: fault.ReasonUnknown, Ran: fault.RanUnknown}}
	r.run.FinishWith(r.record(at), runrecord.Payload{Args: c.args})
}

// record is the call as the record holds it.
func (r *replay) record(at int) runrecord.Call {
	c := &r.calls[at]
	t := r.tool(c.tool)
	rc := runrecord.Call{
		Tool: t.info, Seq: uint32(at + 1), Batch: r.batch(at),
		ArgsHash: t.hashArgs(c.args), Attempts: 1,
		Kind: c.outcome.Kind, Qualifiers: c.outcome.Qualifiers, Ran: fault.RanYes,
		Detail: &runrecord.Detail{CallID: c.id},
	}
	if f := c.outcome.Fault; f != nil {
		rc.Reason, rc.Action, rc.Ran, rc.Status = f.Reason, f.Action, f.Ran, int16(f.Status)
		rc.Detail.Code, rc.Detail.Rule, rc.Detail.Wait = f.Code, f.Rule, f.Wait
		rc.Detail.Fields, rc.Detail.Correctable = f.Fields, f.Correctable
	}
	return rc
}

// batch is the number of the first call that was asked for together with this
// one, 0 where it was asked for alone.
func (r *replay) batch(at int) uint32 {
	c := &r.calls[at]
	alone := c.first == at && (at+1 == len(r.calls) || r.calls[at+1].batch != c.batch)
	if c.batch == 0 || alone {
		return 0
	}
	return uint32(c.first + 1)
}

// judge enters the verdict into the row, but for what the user knew before.
func (r *replay) judge(row *Row, v guard.Verdict) {
	t := r.transcript
	decision := guard.Answer
	known := r.knownBefore(&v)
	for i := range v.Findings {
		f := &v.Findings[i]
		step, unchecked := f.Step, f.Kind == guard.KindUnchecked
		if unchecked {
			step = guard.StepSources
		}
		// What a policy only wants reported, and what could not be checked, is told.
		idle := f.Asks == guard.Answer && r.auditor.cfg.Policy == nil && !unchecked
		if step == 0 || idle || v.StatesNothing && (step == guard.StepEvidence || step == guard.StepHidden) || f.Kind == guard.KindHidden && r.earlier.told[f.Call] || f.Kind == guard.KindNoEvidence && known {
			continue
		}
		decision = stricter(decision, f.Asks)
		if found := r.finding(f, t.Final, t.FinalLine); !slices.ContainsFunc(row.Findings, found.repeats) {
			row.Findings = append(row.Findings, found)
		}
	}
	row.Findings = append(row.Findings, r.earlier.findings...)
	decision = stricter(decision, r.earlier.asks)
	row.Decision = decisionName(decision)
}

// finding is a finding of the guard about an answer that stands at a line.
func (r *replay) finding(f *guard.Finding, answer string, line int) Finding {
	found := Finding{
		Kind: string(f.Kind), Step: f.Step, What: f.What, Tool: f.Tool, Evidence: f.Evidence,
		Asks: decisionName(f.Asks), Line: line,
	}
	if f.End > f.Start && f.End <= len(answer) {
		found.Span = &[2]int{f.Start, f.End}
		found.Text = strings.ToValidUTF8(answer[f.Start:f.End], string(utf8.RuneError))
	}
	if f.Call > 0 && int(f.Call) <= len(r.calls) {
		found.Call, found.Line = r.calls[f.Call-1].id, r.calls[f.Call-1].line
	}
	return found
}

// stricter is the one of two decisions that lets less leave.
func stricter(a, b guard.Decision) guard.Decision {
	rank := func(d guard.Decision) int {
		switch decisionName(d) {
		case DecisionAnswer:
			return 0
		case DecisionDisclose:
			return 1
		}
		return 2
	}
	if rank(b) > rank(a) {
		return b
	}
	return a
}

// standing enters which failures were never made good, also where no answer
// could have told of them.
func (r *replay) standing(row *Row, v guard.Verdict) {
	for _, seq := range v.Unrecovered {
		row.Open = append(row.Open, r.calls[seq-1].id)
	}
	row.Told = r.transcript.HasFinal && len(v.Unrecovered) > 0 && len(v.Disclosed) == len(v.Unrecovered)
}

// row is what is known before an answer is judged.
func (r *replay) row() *Row {
	t := r.transcript
	row := &Row{
		ID: t.ID, File: t.File, Line: t.Line, Answer: t.FinalLine, Calls: len(r.calls), replay: r,
		Findings: []Finding{}, Failed: []string{}, Open: []string{},
	}
	for i := range r.calls {
		if failed(r.calls[i].outcome.Kind) {
			row.Failed = append(row.Failed, r.calls[i].id)
		}
	}
	for _, p := range t.Problems {
		row.Problems = append(row.Problems, p.String())
	}
	return row
}
