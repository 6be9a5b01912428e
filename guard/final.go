package guard

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/grounding"
	"github.com/failloud/failloud/runrecord"
)

// Final judges a draft against the run in ctx and records the judgment in the
// run. Call it on every exit that has something to say, also with an empty
// draft at a step limit, and send nothing but [Verdict].Text. It may be called
// again after the model was given another try; the last verdict counts. Without
// a run in ctx there is no record that could support anything: the draft is
// refused, and a finding says so. What else the run's own judge requires, where
// that is another guard, is judged as well.
//
// An empty draft is judged like any other. Where nothing is wrong it leaves as it
// is, with a finding: whether silence is an answer only the caller knows.
//
// A stream has to be held back until the verdict is there.
func (g *Guard) Final(ctx context.Context, draft string) Verdict {
	run := runrecord.FromContext(ctx)
	return g.final(run, draft, runrecord.InCall(ctx, run))
}

// FinalRun is [Guard.Final] for a caller that has the run and no context of it.
func (g *Guard) FinalRun(run *runrecord.Run, draft string) Verdict {
	return g.final(run, draft, false)
}

// final also knows whether it is asked within a call of the run, which then is
// the one call that cannot have come back. It does not panic.
func (g *Guard) final(run *runrecord.Run, draft string, inCall bool) (v Verdict) {
	if g == nil {
		g = unmade
	}
	mode, _, _ := g.currentMode()
	defer func() {
		if recover() != nil {
			v = g.mistaken(mode, run, draft, brokeAt())
		}
	}()
	if mode == Disabled {
		run.Judged(runrecord.Judgment{}) // what was judged before is no longer what leaves
		return Verdict{Text: draft, Draft: draft}
	}
	j := &judgment{guard: g, draft: draft, owed: []debt{{g.requirements, g.policies[StepRequired]}}, needsTools: g.needsTools}
	if run == nil { // nothing is recorded, so nothing that is required was made good
		j.ev = &evidence{}
		j.required()
		j.note(Finding{Step: StepEvidence, Kind: KindNoEvidence, What: "there is no run in this context, so nothing supports the draft: pass the context that Start returned", Asks: Refuse})
	} else {
		j.run, j.ev = run, gather(run)
		if g.alike != nil {
			j.ev.alike = func(failed, later *runrecord.Call) bool {
				return g.asks(func() bool { return g.alike(run, failed, later) })
			}
		}
		if g.concerns != nil {
			j.ev.concerns = func(call uint32, words []string) bool {
				return g.asks(func() bool { return g.concerns(run, call, words) })
			}
		}
		if inCall && j.ev.inFlight > 0 {
			j.ev.inFlight--
		}
		j.askJudge(run.Task().Judge)
		j.judge()
	}
	j.noteCircumstances()
	v = j.verdict()
	if mode == Reporting {
		if run != nil {
			for _, c := range findLoops(j.ev.calls, g.loopAfter) {
				v.Findings = append(v.Findings, Finding{Kind: KindLoop, Tool: toolName(c), Call: c.Seq, What: "loop: " + loopDetail(c)})
			}
		}
		v.Would, v.Decision, v.Reported, v.Text = v.Decision, Answer, true, draft
	}
	if run != nil {
		run.Judged(j.forRecord(v, run))
	}
	return v
}

// unmade stands in for a nil guard.
var unmade = &Guard{err: &SettingError{Option: "Guard", Why: "it is nil, make one with guard.New"}}

// debt is what one guard requires.
type debt struct {
	requirements []Requirement
	policy       Policy
}

// askJudge takes in what the judge of the run requires, where that is not this
// guard. A judge that only reports only reports here as well.
func (j *judgment) askJudge(judge runrecord.Judge) {
	if judge == nil {
		j.note(Finding{Kind: KindNote, What: "the task of the run has no Judge: no loop was stopped and no argument was kept"})
		return
	}
	other, ok := judge.(*Guard)
	if !ok || other == nil || other == j.guard {
		return
	}
	mode, _, _ := other.currentMode()
	if mode == Disabled {
		return
	}
	d := debt{other.requirements, other.policies[StepRequired]}
	if mode == Reporting && d.policy != PolicyOff {
		d.policy = PolicyReport
	}
	j.owed = append(j.owed, d)
	j.needsTools = j.needsTools || other.needsTools && mode == Enforcing
	j.note(Finding{Kind: KindNote, What: "another guard is the judge of this run, what it requires was judged as well"})
}

// noteCircumstances keeps what changes no decision and explains it.
func (j *judgment) noteCircumstances() {
	unsupported := func(f Finding) bool { return f.Kind == KindUnsupported }
	if j.run != nil && slices.ContainsFunc(j.findings, unsupported) && len(j.run.Heard()) == 0 {
		j.note(Finding{Kind: KindNote, What: "the task of the run has no Question: a figure that the draft repeats from the user counts as one without a source"})
	}
	if strings.TrimSpace(j.draft) == "" {
		j.note(Finding{Kind: KindNote, What: "the draft is empty"})
	}
	if j.guard.modePanicked.Load() {
		j.note(Finding{Kind: KindNote, What: "the function of ModeFrom has panicked, the guard enforces"})
	}
	if j.guard.callbackPanicked.Load() {
		j.note(Finding{Kind: KindNote, What: "the function of Resembles or Concerns has panicked, which counts as no"})
	}
}

func gather(run *runrecord.Run) *evidence {
	ev := &evidence{
		inFlight: run.InFlight(), // before the calls: what ends in between is in them

		calls: run.Calls(),
		stats: run.Stats(),
		tools: run.Tools(),
		now:   run.Elapsed(),
		cases: run.OpenCases(),
		halt:  run.CutShort(),
	}
	return ev
}

// forRecord is the judgment as the run keeps it: no text, no value. The draft is
// for sinks alone, where it is captured.
func (j *judgment) forRecord(v Verdict, run *runrecord.Run) runrecord.Judgment {
	rec := runrecord.Judgment{
		Decision: v.Would.String(),
		Step:     v.Step,
		State:    v.Decision.state(),
		Reported: v.Reported,
		Draft:    j.draft,
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
	run      *runrecord.Run // nil where there is none
	draft    string
	owed     []debt
	ev       *evidence
	findings []Finding
	surplus  []surplus
	unmet    []Unmet
	hidden   []*trouble // undisclosed, in order of calls
	troubles []*trouble
	waits    Decision // what step 1 found, whatever its policy makes of it
	cutShort bool     // the run was aborted and the draft does not say so
	early    bool     // calls are still running and the draft does not say so
	undone   []claim  // what the draft says was done and nothing did, each deed once
	unsure   []string // spans of the draft that nothing supports
	admitted []uint32 // calls in trouble that the draft admits

	needsTools bool

	statesNothing bool // see [Verdict.StatesNothing]

	// Made when first asked for.
	reading *reading
	hinted  hint
	split   []clause
	visible string
	from    traces // of visible
	seen    bool
	able    []ability
	things  map[string]bool // see [judgment.thingsOfTools]
	kept    *valueIndex
	proven  []runrecord.Evidence
	proved  bool

	attempted []runrecord.Evidence
	asked     bool
	alone     map[uint32][]string // see [judgment.askedAlone]
	figures   []grounding.Result  // of the draft, where step 6 is on
}

// note keeps a finding. Of one kind a reader needs no more than some: the rest
// are counted, and ask for what the strictest of them does.
func (j *judgment) note(f Finding) (kept bool) {
	most, n := maxOfKind, 0
	if f.Step == StepSources {
		most = maxUnfounded
	}
	for i := range j.findings {
		if j.findings[i].Kind == f.Kind {
			n++
		}
	}
	if n < most {
		j.findings = append(j.findings, f)
		return true
	}
	at := slices.IndexFunc(j.surplus, func(s surplus) bool { return s.kind == f.Kind })
	if at < 0 {
		at = len(j.surplus)
		j.surplus = append(j.surplus, surplus{step: f.Step, kind: f.Kind})
	}
	s := &j.surplus[at]
	s.n, s.asks = s.n+1, max(s.asks, f.Asks)
	return false
}

// maxOfKind bounds the findings of one kind; of step 6 they are fewer.
const maxOfKind = 64

// surplus are the findings of a kind beyond those that are kept.
type surplus struct {
	step int
	kind Kind
	n    int
	asks Decision
}

// account fills in which calls failed, which of them were never made good and
// which of those the draft admits.
func (j *judgment) account(v *Verdict) {
	if j.ev == nil {
		return
	}
	for i := range j.ev.calls {
		if c := &j.ev.calls[i]; !succeeded(c) && c.Kind != fault.KindPending {
			v.Failed = append(v.Failed, c.Seq)
		}
	}
	if v.Failed == nil {
		return
	}
	good := j.ev.good()
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		if succeeded(c) || c.Kind == fault.KindPending || good.madeGood(i) {
			continue
		}
		v.Unrecovered = append(v.Unrecovered, c.Seq)
		if slices.Contains(j.admitted, c.Seq) {
			v.Disclosed = append(v.Disclosed, c.Seq)
		}
	}
}

// verdict puts the findings together: the strictest decides, and of equal ones
// the earliest step.
func (j *judgment) verdict() Verdict {
	for _, s := range j.surplus {
		j.findings = append(j.findings, Finding{Step: s.step, Kind: s.kind, What: fmt.Sprintf("and %d more findings of this kind", s.n), Asks: s.asks})
	}
	v := Verdict{Draft: j.draft, Findings: j.findings, Unmet: j.unmet, StatesNothing: j.statesNothing}
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
	j.account(&v)
	return v
}
