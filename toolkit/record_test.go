package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestEveryCallIsRecordedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		core, logs := observer.New(zap.DebugLevel)
		kit := toolkit.New(toolkit.Config{Logger: zap.New(core)})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read,
			KeyOf: func(q query) string { return q.Customer },
			Call:  ending(overloaded(), nil, refusedBy(fault.ReasonAuth, 401)).call})
		ctx, run := start(t, kit, runrecord.Task{Name: "question"})
		time.Sleep(time.Minute)
		get.Invoke(ctx, acme)
		require.Empty(t, logs.FilterMessage("tool call failed").All())
		require.Len(t, logs.FilterMessage("tool retry").All(), 1)
		logs.TakeAll()
		kit.Invoke(ctx, "get_invoice", json.RawMessage(`{"customer":"ACME","year":2026}`))

		calls := run.Calls()
		require.Len(t, calls, 2)
		ok, failed := calls[0], calls[1]
		require.Equal(t, time.Minute, ok.Start)
		require.Equal(t, ok.Waited, ok.Duration)
		require.EqualValues(t, 2, ok.Attempts)
		require.Equal(t, fault.RanYes, ok.Ran)
		require.Nil(t, ok.Detail, "a plain success has no details")
		require.NotZero(t, ok.ResultHash)
		require.Equal(t, fault.ReasonAuth, failed.Reason)
		require.EqualValues(t, 401, failed.Status)
		require.Equal(t, "ACME", failed.Detail.Key)
		require.Zero(t, failed.ResultHash)

		line := logs.FilterMessage("tool call failed").All()
		require.Len(t, line, 1)
		fields := line[0].ContextMap()
		require.Equal(t, "get_invoice", fields["tool"])
		require.Equal(t, "auth", fields["reason"])
		require.EqualValues(t, 401, fields["status"])
	})
}

func TestACallLastsUntilAllOfItIsOver(t *testing.T) {
	t.Parallel()
	pause := func(d time.Duration, end error) func(context.Context, query) (invoice, error) {
		return func(context.Context, query) (invoice, error) { time.Sleep(d); return invoice{}, end }
	}
	for name, tool := range map[string]toolkit.Tool[query, invoice]{
		"the function":         {Call: pause(4*time.Second, nil)},
		"a failure":            {Call: pause(4*time.Second, refusedBy(fault.ReasonAuth, 401))},
		"and its substitute":   {Call: pause(time.Second, refusedBy(fault.ReasonAuth, 401)), Fallback: toolkit.FallbackTo("spare")},
		"and what it waits on": {Call: pause(time.Second, toolkit.Pending("job")), Await: func(context.Context, query, invoice) (invoice, error) { return invoice{}, nil }},
	} {
		synctest.Test(t, func(t *testing.T) {
			kit := toolkit.New(toolkit.Config{})
			tool.Name, tool.Effect = "get_invoice", fault.Read
			get := toolkit.Wrap(kit, tool)
			toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "spare", Effect: fault.Read, Call: pause(3*time.Second, nil)})
			ctx, run := start(t, kit, runrecord.Task{})
			began := time.Now()
			get.Invoke(ctx, acme)
			require.Equal(t, time.Since(began), run.Calls()[0].Duration, name)
		})
	}
}

func TestAJudgeGetsTheArgumentsItAskedFor(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	type nested struct {
		Customer struct {
			ID int64 `json:"id"`
		} `json:"customer"`
		Note string `json:"note"`
	}
	get := toolkit.Wrap(kit, toolkit.Tool[nested, invoice]{Name: "get", Effect: fault.Read,
		Call: func(context.Context, nested) (invoice, error) { return invoice{}, nil }})
	ctx, run := start(t, kit, runrecord.Task{Judge: runrecord.JudgeFunc(func(_ context.Context, run *runrecord.Run) error {
		run.Keep("get", "customer.id", "note", "absent")
		return nil
	})})
	var in nested
	in.Customer.ID, in.Note = 9007199254740993, "urgent"
	get.Invoke(ctx, in)
	require.Equal(t, map[string]string{"customer.id": "9007199254740993", "note": "urgent"}, run.Calls()[0].Detail.Args)
}

func TestACallOutsideARunHasTheSameCare(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{})
		get := read(kit, "get", ending(overloaded(), nil).call)
		res := get.Invoke(t.Context(), acme)
		require.True(t, res.Outcome.OK())
		require.Equal(t, 2, res.Attempts)
		require.Empty(t, res.CallID())
		require.Zero(t, res.Seq())
	})
}

func TestARunThatHasEndedStartsNothing(t *testing.T) {
	t.Parallel()
	tool := ending(nil)
	kit := toolkit.New(toolkit.Config{})
	get := read(kit, "get", tool.call)
	ctx, run, err := kit.Start(t.Context(), runrecord.Task{Limits: runrecord.Limits{Calls: 2}})
	require.NoError(t, err)
	get.Invoke(ctx, acme)
	get.Invoke(ctx, acme)
	res := get.Invoke(ctx, acme)
	require.Equal(t, fault.ReasonBudget, res.Outcome.Reason())
	require.ErrorIs(t, res.Err(), runrecord.ErrBudget)
	run.End()
	res = get.Invoke(ctx, acme)
	require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
	require.Contains(t, res.String(), "Call no more tools")
	require.EqualValues(t, 2, tool.entered.Load())
}

func TestAFailureThatTheModelCanReadIsToldApart(t *testing.T) {
	t.Parallel()
	for _, detail := range []bool{true, false} {
		kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
		run1 := ending(errors.New("exit 1: line 3"), errors.New("exit 1: line 9"), errors.New("exit 1: line 9"))
		build := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "build", Effect: fault.Read, Detail: detail, Call: run1.call})
		ctx, run := start(t, kit, runrecord.Task{})
		for range 3 {
			build.Invoke(ctx, acme)
		}
		calls := run.Calls()
		require.Equal(t, detail, calls[0].ResultHash != calls[1].ResultHash)
		require.Equal(t, calls[1].ResultHash, calls[2].ResultHash)
	}
}

func TestAJudgeGetsTheArgumentsOfASubstitute(t *testing.T) {
	t.Parallel()
	kit, search, _ := files(fault.Read, refusedBy(fault.ReasonServerError, 500), nil)
	ctx, run := start(t, kit, runrecord.Task{Judge: runrecord.JudgeFunc(func(_ context.Context, run *runrecord.Run) error {
		run.Keep("search_files", "customer")
		run.Keep("list_directory", "folder")
		return nil
	})})
	search.Invoke(ctx, acme)
	require.Equal(t, map[string]string{"customer": "ACME", "folder": "ACME"}, run.Calls()[0].Detail.Args)
}
