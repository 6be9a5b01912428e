package audit

import (
	"context"
	"fmt"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/policy"
	"github.com/failloud/failloud/runrecord"
)

// Config of an [Auditor]. The zero value judges what nobody declared anything
// about.
type Config struct {
	// Require are tools that every run has to have called successfully, besides
	// those of the policy.
	Require []string
	// Policy says what tools do, what tasks require and what the steps of the
	// guard ask for. Default: nil, which takes effects from the names of tools,
	// requires nothing and lets figures without a source ask for a disclosure.
	// A transcript without the name of a task has what is said for every task.
	Policy *policy.Policy
	// Sink gets the events of the replayed runs, for views. Default: none.
	Sink runrecord.Sink
}

// Auditor judges transcripts, each by itself. Safe for concurrent use.
type Auditor struct {
	cfg    Config
	rec    *runrecord.Recorder
	judges map[string]judges // by task, "" for every other one
	tools  tools
	seen   seen
}

// judges judge the answers of one task.
type judges struct {
	last    *guard.Guard // the last of a conversation
	earlier *guard.Guard // those before it: what they claim to be done, and what they admit
}

// New returns an auditor. The error names the setting that is wrong.
func New(cfg Config) (*Auditor, error) {
	a := &Auditor{cfg: cfg, tools: tools{policy: cfg.Policy}, judges: map[string]judges{}}
	var sinks []runrecord.Sink
	if cfg.Sink != nil {
		sinks = []runrecord.Sink{cfg.Sink}
	}
	var err error
	if a.rec, err = runrecord.NewRecorder(runrecord.Config{Sinks: sinks, KeepCalls: keepCalls}); err != nil {
		return nil, err
	}
	earlier := append(a.options(),
		guard.OnStep(guard.StepRequired, guard.PolicyOff), guard.OnStep(guard.StepEvidence, guard.PolicyOff),
		guard.OnStep(guard.StepHidden, guard.PolicyReport), guard.OnStep(guard.StepSources, guard.PolicyOff))
	for _, task := range append(cfg.Policy.Tasks(), "") {
		a.judges[task] = judges{last: cfg.Policy.Guard(task, a.options()...), earlier: cfg.Policy.Guard(task, earlier...)}
	}
	return a, nil
}

// options are what makes a guard look back. They hold over the policy.
func (a *Auditor) options() []guard.Option {
	options := []guard.Option{
		// No loop is stopped any more, and no run is kept from starting for want
		// of a tool: a transcript may list only those that were called.
		guard.ModeFrom(func() guard.Mode { return guard.Reporting }),
		// What waited then waits no more.
		guard.OnStep(guard.StepWaiting, guard.PolicyOff),
		guard.Resembles(resembles), guard.Concerns(concerns),
	}
	if a.cfg.Policy == nil {
		options = append(options, guard.OnStep(guard.StepSources, guard.PolicyDisclose))
	}
	for _, tool := range a.cfg.Require {
		options = append(options, guard.Require(tool))
	}
	return options
}

// judgesOf returns those of a task.
func (a *Auditor) judgesOf(task string) judges {
	if j, ok := a.judges[task]; ok {
		return j
	}
	return a.judges[""]
}

// keepCalls is how many calls of one run are judged one by one; of the others,
// successes first, it is only counted how they ended. Some findings compare the
// calls with each other, so the work grows with the square of their number.
const keepCalls = 2048

// maxDraft bounds how much of an answer is judged, in bytes.
const maxDraft = 1 << 20

// Judge replays a transcript and judges its answer. A mistake of ours about it
// is a row that says so, not a panic.
func (a *Auditor) Judge(ctx context.Context, t *transcript.Transcript) (*Row, error) {
	return safely(t, func() (*Row, error) { return a.judge(ctx, t) })
}

func (a *Auditor) judge(ctx context.Context, t *transcript.Transcript) (*Row, error) {
	r := &replay{auditor: a, transcript: t}
	judge := a.judgesOf(t.Task).last
	bound := r.bound()
	task := runrecord.Task{Name: t.Task, Key: t.ID, Judge: judge, Asked: t.Time, Question: r.question()}
	_, run, err := a.rec.Start(ctx, task, bound)
	if err != nil {
		return nil, fmt.Errorf("%s: %w", t.ID, err)
	}
	r.run = run
	run.Local(replayKey{}, func() any { return r })
	defer run.End()
	r.play()
	row := r.row()
	if t.Partial {
		run.Judged(runrecord.Judgment{})
		r.recorded(row)
		return row, nil
	}
	row.verdict = judge.FinalRun(run, r.draft())
	r.standing(row, row.verdict)
	if !t.HasFinal {
		run.Judged(runrecord.Judgment{}) // there was nothing to judge
		r.recorded(row)
		return row, nil
	}
	r.judge(row, row.verdict)
	return row, nil
}

// decisionName is how a decision is written in a row. What a person should have
// been asked, or was not done yet, is no answer that should have left as it is.
func decisionName(d guard.Decision) string {
	switch d {
	case guard.Answer:
		return DecisionAnswer
	case guard.Disclose, guard.Defer:
		return DecisionDisclose
	default:
		return DecisionRefuse
	}
}

// failed reports whether a call of this end did not do what was asked.
func failed(k fault.Kind) bool {
	return k == fault.KindFailed || k == fault.KindNotRun || k == fault.KindDenied || k == fault.KindUnknown
}
