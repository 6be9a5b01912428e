package cases_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// A model gives each request a new id. That does not make it a new intent.
func callIDsAreNoKeys(t *testing.T, r report) {
	s := newStage(t, r, staging{})
	ctx, run, judge := s.start(t)
	var last toolkit.Response
	for i, c := range r.Input.Calls {
		name := s.stageFor(c)
		responses := s.kit.InvokeAll(ctx, []toolkit.Request{{ID: fmt.Sprint("call_", i), Name: name, Args: c.args(r.Input)}})
		require.Len(t, responses, 1)
		last = responses[0]
		require.Equal(t, fmt.Sprint("call_", i), last.CallID())
		require.Equal(t, fault.KindUnknown, last.Outcome.Kind)
		require.Equal(t, fault.Escalate, last.Outcome.Fault.Action)
	}
	inDoubt(t, s, run, last)
	verdict := judge.Final(ctx, *r.Input.Draft)
	require.Equal(t, guard.Escalate, verdict.Decision)
	require.Equal(t, guard.StepWaiting, verdict.Step)
	run.End()
	require.Equal(t, runrecord.Waiting, run.State())
}

// inDoubt asserts that one piece of work was started once, and that the run
// waits on its one case.
func inDoubt(t *testing.T, s *stage, run *runrecord.Run, last toolkit.Response) {
	t.Helper()
	require.Equal(t, 1, s.entries())
	require.Zero(t, last.Attempts, "the last call was answered from the ledger")
	require.Equal(t, fault.ReasonUnknownOutcome, last.Outcome.Fault.Shown(last.Outcome.Kind))
	open := openCases(t, s)
	require.Len(t, open, 1, "one key, one case")
	require.Len(t, open[0].Attempts, 1)
	require.Equal(t, open[0].ID, last.Outcome.Case)
	require.Equal(t, []string{open[0].ID}, run.OpenCases())
}

// What a model fills in as "a unique key" is not one.
func volatileArgumentsAreNoKeys(t *testing.T, r report) {
	var handed []string
	s := newStage(t, r, staging{adjust: func(b *tool) {
		inner := b.Call
		b.Call = func(ctx context.Context, in map[string]any) (any, error) {
			handed = append(handed, toolkit.IdempotencyKey(ctx))
			return inner(ctx, in)
		}
	}})
	ctx, run, judge := s.start(t)
	var last toolkit.Response
	for _, c := range r.Input.Calls {
		last = s.call(ctx, c)
	}
	require.Equal(t, fault.KindUnknown, last.Outcome.Kind)
	inDoubt(t, s, run, last)
	require.Len(t, handed, 1)
	require.NotEmpty(t, handed[0])
	require.Equal(t, openCases(t, s)[0].RemoteKey, handed[0], "the service was handed the key under which it can be searched")
	for _, c := range r.Input.Calls {
		var args struct {
			Key string `json:"idempotency_key"`
		}
		require.NoError(t, json.Unmarshal(c.args(r.Input), &args))
		require.NotContains(t, handed[0], args.Key)
	}
	require.Equal(t, guard.Escalate, judge.Final(ctx, *r.Input.Draft).Decision)
}

// A person who has said no is not asked again: not in this turn, not after a
// resume, not by the next run of the same task.
func rejectionIsFinal(t *testing.T, r report) {
	asked := 0
	s := newStage(t, r, staging{config: toolkit.Config{
		Notify: escalation.NotifierFunc(func(context.Context, escalation.Case) error { asked++; return nil }),
	}})
	denied := func(ctx context.Context) {
		t.Helper()
		response := s.call(ctx, r.Input.Calls[0])
		require.Equal(t, fault.KindDenied, response.Outcome.Kind, response.String())
		require.Contains(t, response.String(), "TOOL_DENIED")
		require.ErrorIs(t, response.Err(), toolkit.ErrDenied)
		require.Equal(t, 1, s.entries(), "the function that asks a person was entered once")
	}
	ctx, run, judge := s.start(t)
	denied(ctx)
	denied(ctx)
	verdict := judge.Final(ctx, *r.Input.Draft)
	require.Equal(t, guard.Refuse, verdict.Decision)
	require.Equal(t, guard.StepEvidence, verdict.Step)
	require.NotContains(t, verdict.Text, "pending")

	run.Wait("another-case")
	run.End()
	run.Resume("another-case")
	require.Equal(t, 2, run.Leg())
	denied(runrecord.NewContext(t.Context(), run))
	run.End()

	ctx, _, judge = s.start(t) // the task is taken up again
	denied(ctx)
	require.Equal(t, guard.Refuse, judge.Final(ctx, *r.Input.Draft).Decision)
	require.Zero(t, asked)
	require.Empty(t, openCases(t, s))
}
