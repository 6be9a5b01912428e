package runrecord_test

import (
	"context"
	"errors"
	"math"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func requireBudget(t *testing.T, err error, limit string, of *runrecord.Run) {
	t.Helper()
	var budget *runrecord.BudgetError
	require.ErrorAs(t, err, &budget)
	require.Equal(t, limit, budget.Limit)
	require.Equal(t, of.ID(), budget.Run)
	require.ErrorIs(t, err, runrecord.ErrBudget)
	require.Equal(t, runrecord.Aborted, of.State(), "a limit that was reached aborts the run")
	var halt *runrecord.HaltError
	require.ErrorAs(t, of.Halted(), &halt)
	require.Equal(t, fault.ReasonBudget, halt.Reason)
}

func TestABatchIsAdmittedWholeOrNotAtAll(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 5}})
	first, err := run.Admit(3)
	require.NoError(t, err)
	require.EqualValues(t, 1, first)
	nothing, err := run.Admit(0)
	require.NoError(t, err)
	require.Zero(t, nothing)
	_, err = run.Admit(3)
	requireBudget(t, err, "calls", run)
}

func TestAllCallsOfALimitCanBeMade(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 5}})
	_, err := run.Admit(3)
	require.NoError(t, err)
	first, err := run.Admit(2)
	require.NoError(t, err)
	require.EqualValues(t, 4, first)
	require.Equal(t, runrecord.Running, run.State())
	_, err = run.Admit(math.MaxInt)
	requireBudget(t, err, "calls", run)
}

func TestTheDeadlineIsTheNearestLimitOfTimeAndMovesWithAPause(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		rec := newRecorder(t, runrecord.Config{})
		_, unlimited := start(t, rec, t.Context(), runrecord.Task{})
		_, limited := unlimited.Deadline()
		require.False(t, limited)
		require.NoError(t, unlimited.TimeUp())

		ctx, parent := start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Time: time.Minute}})
		_, child := start(t, rec, ctx, runrecord.Task{Limits: runrecord.Limits{Time: time.Hour}})
		at, limited := child.Deadline()
		require.True(t, limited)
		require.Equal(t, time.Minute, time.Until(at))

		parent.Wait("case-1")
		parent.End()
		<-time.After(30 * time.Second)
		parent.Resume("case-1")
		at, _ = child.Deadline()
		require.Equal(t, time.Minute, time.Until(at), "the pause does not count")

		<-time.After(time.Minute - 1)
		require.NoError(t, child.TimeUp())
		<-time.After(1)
		requireBudget(t, child.TimeUp(), "time", parent)
		child.End()
		parent.End()
	})
}

// A loop asks for a turn before it calls the model; after a cancellation there
// is nobody to answer.
func TestNoTurnIsTakenOnceTheContextHasEnded(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, cancel := context.WithCancelCause(t.Context())
	_, run := start(t, rec, ctx, runrecord.Task{})
	require.NoError(t, run.Turn())
	gone := errors.New("the user has gone")
	cancel(gone)
	err := run.Turn()
	require.ErrorIs(t, err, gone)
	require.ErrorIs(t, err, runrecord.ErrHalted)
	var halt *runrecord.HaltError
	require.ErrorAs(t, run.Turn(), &halt, "and again")
	require.Equal(t, fault.ReasonCancelled, halt.Reason)
	run.End()
	require.Equal(t, runrecord.Aborted, run.State())

	ctx, cancelTime := context.WithTimeout(t.Context(), 0)
	defer cancelTime()
	_, _, err = rec.Start(ctx, runrecord.Task{}, nil)
	require.ErrorIs(t, err, context.DeadlineExceeded)
}

func TestTurns(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Limits: runrecord.Limits{Turns: 2}})
	require.NoError(t, run.Turn())
	require.NoError(t, run.Turn())
	requireBudget(t, run.Turn(), "turns", run)
}

func TestTokensAndMoney(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	limits := runrecord.Limits{Tokens: 100, Money: 1.5}

	_, run := start(t, rec, t.Context(), runrecord.Task{Limits: limits})
	require.NoError(t, run.Spend(60, 0.5))
	requireBudget(t, run.Spend(41, 0), "tokens", run)

	_, run = start(t, rec, t.Context(), runrecord.Task{Limits: limits})
	requireBudget(t, run.Spend(1, 1.51), "money", run)

	_, run = start(t, rec, t.Context(), runrecord.Task{Limits: limits})
	require.NoError(t, run.Spend(100, 0), "a budget may be used to its end")
	requireBudget(t, run.Turn(), "tokens", run)

	_, run = start(t, rec, t.Context(), runrecord.Task{Limits: limits})
	require.Error(t, run.Spend(-1, 0))
	require.Error(t, run.Spend(0, math.NaN()))
	require.Error(t, run.Spend(0, math.Inf(1)))
	require.NoError(t, run.Turn())

	_, run = start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Tokens: math.MaxInt64}})
	require.NoError(t, run.Spend(math.MaxInt64-1, 0))
	require.NoError(t, run.Spend(math.MaxInt64, 0), "counts stop at the end of their range instead of turning negative")
	requireBudget(t, run.Turn(), "tokens", run)
}

func TestTimeLimitLeavesOutThePausesBetweenLegs(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Limits: runrecord.Limits{Time: time.Minute}})
		time.Sleep(40 * time.Second)
		run.Wait("case-1")
		run.End()
		time.Sleep(48 * time.Hour) // somebody was away for the weekend
		run.Resume("case-1")
		_, err := run.Admit(1)
		require.NoError(t, err)
		time.Sleep(20 * time.Second)
		_, err = run.Admit(1)
		requireBudget(t, err, "time", run)
	})
}

func TestAChildDrawsOnItsParentsBudgets(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 3, Turns: 3, Tokens: 100}})
	childCtx, child := start(t, rec, ctx, runrecord.Task{Limits: runrecord.Limits{Calls: 10, Turns: 1}})
	_, grandchild := start(t, rec, childCtx, runrecord.Task{})

	require.NoError(t, grandchild.Turn())
	requireBudget(t, grandchild.Turn(), "turns", child)
	require.Equal(t, runrecord.Running, parent.State(), "a child's own limit leaves its parent running")

	_, second := start(t, rec, ctx, runrecord.Task{Limits: runrecord.Limits{Calls: 10}})
	_, err := second.Admit(3)
	require.NoError(t, err)
	_, err = second.Admit(1)
	requireBudget(t, err, "calls", parent)
	requireBudget(t, second.Spend(101, 0), "tokens", parent)
}

func TestARefusedBatchReservesNothing(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 4}})
	_, child := start(t, rec, ctx, runrecord.Task{Limits: runrecord.Limits{Calls: 2}})
	_, err := child.Admit(3)
	requireBudget(t, err, "calls", child)
	first, err := parent.Admit(4)
	require.NoError(t, err, "what the child was refused is not taken from its parent")
	require.EqualValues(t, 1, first)
}

func TestCallsInFlightAreKnownToTheRunAndItsParents(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
	own, err := parent.Admit(1)
	require.NoError(t, err)
	_, child := start(t, rec, ctx, runrecord.Task{})
	first, err := child.Admit(2)
	require.NoError(t, err)
	require.Equal(t, 3, parent.InFlight())
	require.Equal(t, 2, child.InFlight(), "the call that started the child is not the child's")
	child.Finish(runrecord.Call{Seq: first, Tool: lookup, Kind: fault.KindOK})
	child.Finish(runrecord.Call{Tool: lookup, Kind: fault.KindNotRun}) // was never admitted
	child.Finish(runrecord.Call{Seq: first + 1, Tool: lookup, Kind: fault.KindFailed})
	require.Equal(t, 1, parent.InFlight())
	require.Zero(t, child.InFlight())
	parent.Finish(runrecord.Call{Seq: own, Tool: lookup, Kind: fault.KindOK})
	require.Zero(t, parent.InFlight())
}

func TestAParentKnowsThatAChildWasCutShort(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, parent := start(t, rec, t.Context(), runrecord.Task{})
	_, cancelled := start(t, rec, ctx, runrecord.Task{})
	cancelled.Abort(fault.ReasonCancelled, "the other one was faster")
	require.Equal(t, fault.ReasonCancelled, cancelled.CutShort())
	require.Equal(t, fault.ReasonNone, parent.CutShort(), "whoever cancels it knows")
	_, child := start(t, rec, ctx, runrecord.Task{Limits: runrecord.Limits{Calls: 1}})
	_, err := child.Admit(2)
	require.ErrorIs(t, err, runrecord.ErrBudget)
	child.End()
	require.Equal(t, fault.ReasonBudget, parent.CutShort())
	require.Equal(t, runrecord.Running, parent.State())
	require.NoError(t, parent.Halted())
	parent.Abort(fault.ReasonLoop, "")
	require.Equal(t, fault.ReasonLoop, parent.CutShort())
}
