package runrecord_test

import (
	"context"
	"errors"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestAJudgeHearsTheUser(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	asked := time.Date(2026, 3, 2, 9, 0, 0, 0, time.UTC)
	var heard []string
	ctx, run := start(t, rec, t.Context(), runrecord.Task{
		Question: "What do I owe ACME?", Asked: asked,
		Judge: runrecord.JudgeFunc(func(_ context.Context, run *runrecord.Run) error { heard = run.Heard(); return nil }),
	})
	require.Equal(t, []string{"What do I owe ACME?"}, heard, "from the start")
	run.Hear("In euros, please.")
	run.Hear("")
	require.Equal(t, []string{"What do I owe ACME?", "In euros, please."}, run.Heard())
	require.Equal(t, "What do I owe ACME?", run.Task().Question)
	require.Equal(t, asked, run.Task().Asked)

	_, child := start(t, rec, ctx, runrecord.Task{})
	require.Empty(t, child.Heard(), "a sub-agent is not talked to")
	require.Equal(t, asked, child.Task().Asked, "but works on what was asked then")
	run.End()
	require.Empty(t, run.Heard())
}

func TestAQuestionIsAskedWhenTheRunStartsUnlessSaid(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Question: "?"})
		time.Sleep(time.Hour)
		require.Equal(t, run.Started(), run.Task().Asked)
	})
}

func TestWhatARunHearsIsBounded(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Question: strings.Repeat("ế", 200<<10/3)})
	for range 100 {
		run.Hear(strings.Repeat("ế", 7001))
	}
	for range 1 << 17 {
		run.Hear("x")
	}
	total := 0
	for _, text := range run.Heard() {
		require.True(t, utf8.ValidString(text), "cut at a rune")
		total += len(text)
	}
	require.InDelta(t, 256<<10, total, 1000)
	require.Less(t, len(run.Heard()), 20)
}

func TestALocalValueIsMadeOnceARun(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{})
	type key struct{}
	var made atomic.Int32
	index := func() any { run.Calls(); made.Add(1); return new(int) } // no lock of the run is held
	var all sync.WaitGroup
	var got [16]any
	for i := range got {
		all.Go(func() { got[i] = run.Local(key{}, index) })
	}
	all.Wait()
	require.EqualValues(t, 1, made.Load())
	for _, v := range got {
		require.Same(t, got[0], v)
	}
	_, child := start(t, rec, ctx, runrecord.Task{})
	require.NotSame(t, got[0], child.Local(key{}, index))
	require.NotSame(t, got[0], run.Local("other", index))
	run.End()
	require.NotSame(t, run.Local(key{}, index), run.Local(key{}, index), "an ended run keeps nothing")
	require.Equal(t, 7, (*runrecord.Run)(nil).Local(key{}, func() any { return 7 }))
}

func TestARunThatDidNotStartHoldsNothing(t *testing.T) {
	var kept *runrecord.Run
	_, run, err := newRecorder(t, runrecord.Config{}).Start(t.Context(), runrecord.Task{
		Question: "?",
		Judge: runrecord.JudgeFunc(func(_ context.Context, run *runrecord.Run) error {
			run.KeepEvidence(0)
			kept = run
			return errors.New("a required tool is not bound")
		}),
	}, nil)
	require.Error(t, err)
	require.False(t, kept.KeepsEvidence())
	require.Empty(t, kept.Heard())
	run.Hear("x")
	run.KeepEvidence(1)
	require.Nil(t, run.Heard())
	require.Nil(t, run.Evidence())
	require.Zero(t, run.EvidenceDropped())
	require.False(t, run.KeepsEvidence())
	require.False(t, run.WantsPayload(fault.KindOK))
	require.Zero(t, run.FinishWith(runrecord.Call{}, runrecord.Payload{}))
	require.False(t, run.SettleWith(1, fault.Outcome{Kind: fault.KindOK}, runrecord.Payload{}))
}
