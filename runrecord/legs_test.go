package runrecord_test

import (
	"context"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// ends lists the ends of legs as "leg state".
func ends(mem *runrecord.Memory, run *runrecord.Run) (all []string) {
	for _, e := range mem.Events() {
		if e.Type == runrecord.EventRunEnded && e.Run == run.ID() {
			all = append(all, string(rune('0'+e.Leg))+" "+e.State.String())
		}
	}
	return all
}

func TestAWaitingRunResumesAsANewLeg(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	one(t, run, runrecord.Call{Tool: pay, Kind: fault.KindUnknown})
	run.Wait("case-1")
	run.Wait("case-1")
	run.Wait("case-2")
	require.Equal(t, runrecord.Waiting, run.State())
	require.Equal(t, []string{"case-1", "case-2"}, run.OpenCases())
	_, err := run.Admit(1)
	require.NoError(t, err, "other work may go on while the leg lasts")

	run.End()
	_, err = run.Admit(1)
	var halt *runrecord.HaltError
	require.ErrorAs(t, err, &halt)
	require.Equal(t, runrecord.Waiting, halt.State)

	run.Resume("case-9")
	run.Resume("case-1")
	require.Equal(t, 1, run.Leg(), "one case is still open")
	run.Resume("case-2")
	require.Equal(t, 2, run.Leg())
	require.Equal(t, runrecord.Running, run.State())
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK})
	require.EqualValues(t, 2, run.Calls()[1].Leg)

	run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
	run.End()
	run.Resume("case-1")
	require.Equal(t, runrecord.Answered, run.State(), "an end has no exit")
	require.Equal(t, []string{"1 waiting", "2 answered"}, ends(mem, run))
}

func TestACaseSettledWithinTheLegEndsThatLeg(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	run.Wait("case-1")
	run.Resume("case-1")
	require.Equal(t, 2, run.Leg())
	require.Equal(t, runrecord.Running, run.State())
	run.End()
	require.Equal(t, []string{"1 waiting", "2 unjudged"}, ends(mem, run))
}

func TestADeferredRunResumesWithoutACase(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	run.Resume("")
	require.Equal(t, 1, run.Leg(), "a running run has nothing to resume from")
	run.Judged(runrecord.Judgment{Decision: "defer", State: runrecord.Deferred})
	run.End()
	run.Resume("")
	require.Equal(t, 2, run.Leg())
	run.End()
	require.Equal(t, []string{"1 deferred", "2 unjudged"}, ends(mem, run), "the judgment of one leg does not decide the next")
}

func TestAChildsCaseKeepsItsParentWaiting(t *testing.T) {
	mem := runrecord.NewMemory(0)
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
	_, child := start(t, rec, ctx, runrecord.Task{})
	child.Wait("case-1")
	child.End()
	require.Equal(t, []string{"case-1"}, parent.OpenCases())
	require.Equal(t, runrecord.Waiting, parent.State())
	parent.End()
	require.Equal(t, runrecord.Waiting, parent.State())

	parent.Resume("case-1")
	require.Equal(t, 2, child.Leg())
	require.Equal(t, 2, parent.Leg())
	require.NoError(t, child.Halted())
	child.End()
	parent.End()
	require.Equal(t, []string{"1 waiting", "2 unjudged"}, ends(mem, child))
	require.Equal(t, []string{"1 waiting", "2 unjudged"}, ends(mem, parent))
}

func TestAbortingAPausedRunEndsItForGood(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	run.Wait("case-1")
	run.End()
	run.Abort(fault.ReasonCancelled, "given up by the operator")
	require.Equal(t, runrecord.Aborted, run.State())
	require.Empty(t, run.OpenCases())
	run.Resume("case-1")
	run.End()
	require.Equal(t, []string{"1 waiting", "2 aborted"}, ends(mem, run))
}

func TestAResumedLegIsNotBoundToTheContextOfTheStart(t *testing.T) {
	ctx, cancel := context.WithCancel(t.Context())
	_, run := start(t, newRecorder(t, runrecord.Config{}), ctx, runrecord.Task{})
	run.Wait("case-1")
	run.End()
	cancel() // the request that asked has long been answered
	run.Resume("case-1")
	run.End()
	require.Equal(t, runrecord.Unjudged, run.State())
}

// What a judge said counts only as long as it is what leaves.
func TestAJudgmentCanBeTakenBack(t *testing.T) {
	mem := runrecord.NewMemory(0)
	_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
	run.Judged(runrecord.Judgment{Decision: "refuse", State: runrecord.Refused})
	run.Judged(runrecord.Judgment{})
	run.End()
	require.Equal(t, runrecord.Unjudged, run.State())
	require.Len(t, mem.Events(), 3, "started, judged, ended")
}

// The run waits because nobody knew whether a call had happened; the call is
// settled, the answer leaves: that is the end of the run.
func TestAnAnswerAfterAPauseEndsTheRun(t *testing.T) {
	for _, paused := range []runrecord.State{runrecord.Waiting, runrecord.Deferred} {
		mem := runrecord.NewMemory(0)
		_, run := start(t, newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{mem}}), t.Context(), runrecord.Task{})
		run.Judged(runrecord.Judgment{Decision: "escalate", State: paused})
		run.End()
		require.Equal(t, paused, run.State())
		run.Judged(runrecord.Judgment{Decision: "escalate", State: paused})
		require.Equal(t, paused, run.State())
		run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
		require.Equal(t, runrecord.Answered, run.State())
		require.Equal(t, 2, run.Leg())
		last := mem.Events()[len(mem.Events())-1]
		require.Equal(t, runrecord.EventRunEnded, last.Type)
		require.Equal(t, runrecord.Answered, last.State)
		run.End()
		require.Equal(t, last, mem.Events()[len(mem.Events())-1], "and it ends once")
	}
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{})
	run.Wait("case-1")
	run.End()
	run.Judged(runrecord.Judgment{Decision: "answer", State: runrecord.Answered})
	require.Equal(t, runrecord.Waiting, run.State(), "a case is still open")
}
