package guard

import (
	"context"
	"errors"

	"github.com/failloud/failloud/runrecord"
)

// Final judges a draft against the run in ctx and records the judgment in the
// run. Call it on every exit that has something to say, also with an empty
// draft at a step limit, and send nothing but [Verdict].Text. It may be called
// again after the model was given another try; the last verdict counts. Without
// a run in ctx there is no record that could support anything: the draft is
// refused.
//
// A stream has to be held back until the verdict is there.
func (g *Guard) Final(ctx context.Context, draft string) Verdict {
	return g.FinalRun(runrecord.FromContext(ctx), draft)
}

// FinalRun is [Guard.Final] for a caller that has the run and no context of it.
func (g *Guard) FinalRun(run *runrecord.Run, draft string) Verdict {
	mode, _, _ := g.currentMode()
	if mode == Disabled {
		return Verdict{Text: draft, Draft: draft}
	}
	j := &judgment{guard: g, draft: draft}
	if run == nil { // nothing is recorded, so nothing that is required was made good
		j.ev = &evidence{}
		if p := g.policies[StepRequired]; p != PolicyOff {
			j.required(p)
		}
		j.note(Finding{Step: StepEvidence, What: "there is no run in this context, so nothing supports the draft", Asks: Refuse})
	} else {
		j.ev = gather(run)
		j.judge()
	}
	v := j.verdict()
	if mode == Reporting {
		if run != nil {
			for _, c := range findLoops(j.ev.calls, g.loopAfter) {
				v.Findings = append(v.Findings, Finding{Tool: toolName(c), Call: c.Seq, What: "loop: " + loopDetail(c)})
			}
		}
		v.Would, v.Decision, v.Reported, v.Text = v.Decision, Answer, true, draft
	}
	if run != nil {
		run.Judged(j.forRecord(v, run))
	}
	return v
}

func gather(run *runrecord.Run) *evidence {
	ev := &evidence{
		calls: run.Calls(),
		stats: run.Stats(),
		tools: run.Tools(),
		now:   run.Elapsed(),
		cases: run.OpenCases(),
	}
	var halted *runrecord.HaltError
	if errors.As(run.Halted(), &halted) && halted.State == runrecord.Aborted {
		ev.halt = halted.Reason
	}
	return ev
}

// forRecord is the judgment as the run keeps it: no text, no value.
func (j *judgment) forRecord(v Verdict, run *runrecord.Run) runrecord.Judgment {
	rec := runrecord.Judgment{
		Decision: v.Would.String(),
		Step:     v.Step,
		State:    v.Decision.state(),
		Reported: v.Reported,
	}
	if run.State() == runrecord.Aborted {
		rec.State = runrecord.Aborted
	}
	for _, u := range v.Unmet {
		rec.Unmet = append(rec.Unmet, u.Requirement)
	}
	for _, f := range v.Findings {
		if len(rec.Findings) == maxRecorded {
			break
		}
		rec.Findings = append(rec.Findings, f.String())
	}
	return rec
}

// maxRecorded bounds the findings a record keeps of one judgment.
const maxRecorded = 32

// judgment is the work of one Final.
type judgment struct {
	guard    *Guard
	draft    string
	ev       *evidence
	findings []Finding
	unmet    []Unmet
	hidden   []*trouble // undisclosed, in order of calls
	troubles []*trouble
	cutShort bool // the run was aborted and the draft does not say so
}

func (j *judgment) note(f Finding) { j.findings = append(j.findings, f) }

// verdict puts the findings together: the strictest decides, and of equal ones
// the earliest step.
func (j *judgment) verdict() Verdict {
	v := Verdict{Draft: j.draft, Findings: j.findings, Unmet: j.unmet}
	if j.ev != nil {
		v.Cases = j.ev.cases
	}
	for _, f := range j.findings {
		if f.Asks > v.Decision || f.Asks == v.Decision && f.Asks != Answer && f.Step < v.Step {
			v.Decision, v.Step = f.Asks, f.Step
		}
	}
	v.Would = v.Decision
	v.Text = j.write(v.Decision)
	return v
}
