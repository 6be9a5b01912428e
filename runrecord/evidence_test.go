package runrecord_test

import (
	"context"
	"runtime"
	"strings"
	"sync"
	"testing"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// keeping is a judge that asks for evidence.
func keeping(limit int) runrecord.Judge {
	return runrecord.JudgeFunc(func(_ context.Context, run *runrecord.Run) error { run.KeepEvidence(limit); return nil })
}

// shows makes a successful call that has shown a result.
func shows(t testing.TB, run *runrecord.Run, result string) uint32 {
	t.Helper()
	return finishes(t, run, fault.KindOK, runrecord.Payload{Args: "{}", Result: result})
}

func finishes(t testing.TB, run *runrecord.Run, kind fault.Kind, p runrecord.Payload) uint32 {
	t.Helper()
	seq, err := run.Admit(1)
	require.NoError(t, err)
	run.FinishWith(runrecord.Call{Seq: seq, Tool: lookup, Kind: kind, Attempts: 1}, p)
	return seq
}

func results(run *runrecord.Run) (all []string) {
	for _, e := range run.Evidence() {
		all = append(all, e.Result)
	}
	return all
}

func TestOnlySuccessesAreEvidence(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Judge: keeping(0)})
	require.True(t, run.KeepsEvidence())
	for kind := fault.KindOK; kind <= fault.KindUnknown; kind++ {
		require.True(t, run.WantsPayload(kind), kind)
		finishes(t, run, kind, runrecord.Payload{Args: `{"id":7}`, Result: kind.String()})
	}
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK}) // nobody had a payload
	require.Equal(t, []runrecord.Evidence{
		{Call: 1, Tool: lookup, Payload: runrecord.Payload{Args: `{"id":7}`, Result: "ok"}},
	}, run.Evidence())
}

// An answer may name what it could not get, so what was asked for is kept.
func TestWhatFailedCallsAskedForIsKept(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(1)})
	_, child := start(t, rec, ctx, runrecord.Task{})
	finishes(t, run, fault.KindFailed, runrecord.Payload{Args: `{"to":"a"}`, Result: "no such address"})
	finishes(t, child, fault.KindDenied, runrecord.Payload{Args: `{"b":1}`})
	finishes(t, run, fault.KindNotRun, runrecord.Payload{Args: strings.Repeat("c", 17<<10)}) // too long to name a thing
	finishes(t, run, fault.KindUnknown, runrecord.Payload{Result: "nobody knows"})
	require.Equal(t, []runrecord.Evidence{
		{Call: 1, Tool: lookup, Payload: runrecord.Payload{Args: `{"to":"a"}`}},
		{Call: 2, Tool: lookup, Payload: runrecord.Payload{Args: `{"b":1}`}},
	}, run.Tried())
	require.Len(t, child.Tried(), 1)
	require.Empty(t, run.Evidence())
	require.Zero(t, run.EvidenceDropped(), "no evidence is missing")
	run.End()
	child.End()
	require.Empty(t, run.Tried())
}

// What failed must not blind the judge for what succeeds.
func TestFailedCallsTakeNoRoomFromEvidence(t *testing.T) {
	for _, size := range []int{100, 5000, 500_000} {
		_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Judge: keeping(4 << 20)})
		for range 1000 {
			finishes(t, run, fault.KindFailed, runrecord.Payload{Args: strings.Repeat("x", size)})
		}
		shows(t, run, strings.Repeat("y", 4<<20-2))
		require.Zero(t, run.EvidenceDropped())
		require.Len(t, run.Evidence(), 1)
		held := 0
		for _, e := range run.Tried() {
			held += len(e.Args)
		}
		require.LessOrEqual(t, held, 64<<10)
		require.Equal(t, size < 16<<10, held > 0)
	}
}

func TestEvidenceThatNobodyAskedForIsNotKept(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Question: "how many?"})
	require.False(t, run.KeepsEvidence())
	require.False(t, run.WantsPayload(fault.KindOK))
	shows(t, run, "12")
	require.Empty(t, run.Evidence())
	require.Zero(t, run.EvidenceDropped(), "what nobody asked for is not missing")
}

// A sub-agent's results are what its parent's answer stands on, too.
func TestEvidenceOfChildrenIsTheirParents(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(0)})
	childCtx, child := start(t, rec, ctx, runrecord.Task{})
	_, grandchild := start(t, rec, childCtx, runrecord.Task{Judge: keeping(0)})
	_, sibling := start(t, rec, ctx, runrecord.Task{})
	shows(t, run, "a")
	shows(t, grandchild, "b")
	shows(t, child, "c")
	shows(t, sibling, "d")

	require.True(t, child.KeepsEvidence(), "its parent asked")
	require.Equal(t, []string{"a", "b", "c", "d"}, results(run))
	require.Equal(t, []string{"b", "c"}, results(child))
	require.Equal(t, []string{"b"}, results(grandchild))

	grandchild.End()
	child.End()
	require.Equal(t, []string{"a", "b", "c", "d"}, results(run), "the parent's until it has ended")
	run.End()
	require.Empty(t, run.Evidence())
	require.Empty(t, sibling.Evidence())
	require.False(t, sibling.KeepsEvidence())
}

func TestEvidenceIsKeptWholeOrCounted(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(12)})
	_, child := start(t, rec, ctx, runrecord.Task{Judge: keeping(1000)})
	shows(t, child, "12345")   // 7 bytes with its arguments
	shows(t, child, "1234567") // 9 more do not fit any more
	shows(t, run, "123")       // 5 do
	shows(t, run, "")
	require.Equal(t, []string{"12345", "123"}, results(run))
	require.Equal(t, 9+2, run.EvidenceDropped())
	require.Equal(t, []string{"12345", "1234567"}, results(child), "each judge has a limit of its own")
	require.Zero(t, child.EvidenceDropped())
	run.KeepEvidence(5)
	shows(t, run, "")
	require.Equal(t, 9+2+2, run.EvidenceDropped(), "the larger limit counts, and it is full")
}

func TestEvidenceStaysWithinItsLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		limit := rapid.IntRange(1, 200).Draw(rt, "limit")
		_, run, err := newRecorder(t, runrecord.Config{}).Start(context.Background(), runrecord.Task{Judge: keeping(limit)}, nil)
		require.NoError(rt, err)
		defer run.End()
		total := 0
		for range rapid.IntRange(0, 20).Draw(rt, "calls") {
			p := runrecord.Payload{Args: "{}", Result: strings.Repeat("x", rapid.IntRange(0, 100).Draw(rt, "size"))}
			run.FinishWith(runrecord.Call{Tool: lookup, Kind: fault.KindOK}, p)
			total += len(p.Args) + len(p.Result)
		}
		held := 0
		for _, e := range run.Evidence() {
			held += len(e.Args) + len(e.Result)
		}
		if held > limit || held+run.EvidenceDropped() != total {
			rt.Fatalf("%d held of %d, %d dropped of %d", held, limit, run.EvidenceDropped(), total)
		}
	})
}

func TestASettlementBringsItsEvidence(t *testing.T) {
	_, run := start(t, newRecorder(t, runrecord.Config{}), t.Context(), runrecord.Task{Judge: keeping(0)})
	paid := finishes(t, run, fault.KindPending, runrecord.Payload{})
	lost := finishes(t, run, fault.KindUnknown, runrecord.Payload{})
	shows(t, run, "b")
	require.True(t, run.SettleWith(paid, fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Replayed}, runrecord.Payload{Args: "{}", Result: "a"}))
	require.True(t, run.SettleWith(lost, fault.Outcome{Kind: fault.KindFailed}, runrecord.Payload{Args: "{}", Result: "an error"}))
	require.False(t, run.SettleWith(paid, fault.Outcome{Kind: fault.KindOK}, runrecord.Payload{Result: "once more"}))
	require.Equal(t, []string{"b", "a"}, results(run), "in the order of the ends")
	require.True(t, run.Evidence()[1].Qualifiers.Has(fault.Replayed))
}

func TestWhatIsFoundOutLaterIsInTheEvidence(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(0)})
	_, child := start(t, rec, ctx, runrecord.Task{})
	whole, cut := shows(t, child, "a"), shows(t, child, "b")
	before := run.Evidence()
	require.True(t, child.Qualify(cut, fault.Truncated))
	require.Equal(t, []fault.Qualifier{0, fault.Truncated}, []fault.Qualifier{run.Evidence()[0].Qualifiers, run.Evidence()[1].Qualifiers}, whole)
	require.Zero(t, before[1].Qualifiers, "what was handed out stays as it was")
}

func TestEvidenceOfManyGoroutines(t *testing.T) {
	rec := newRecorder(t, runrecord.Config{})
	ctx, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(0)})
	var all sync.WaitGroup
	for range 8 {
		all.Go(func() {
			_, child, err := rec.Start(ctx, runrecord.Task{}, nil)
			if err != nil {
				t.Error(err)
				return
			}
			for range 50 {
				child.FinishWith(runrecord.Call{Tool: lookup, Kind: fault.KindOK}, runrecord.Payload{Result: "x"})
				run.Evidence()
				run.Hear("more")
			}
			child.End()
		})
	}
	all.Wait()
	require.Len(t, run.Evidence(), 400)
	require.Len(t, run.Heard(), 400)
}

// What a run holds for its judge may be large, and a service keeps finished runs.
func TestAnEndedRunLetsGoOfWhatItHeldForItsJudge(t *testing.T) {
	const size = 8 << 20
	rec := newRecorder(t, runrecord.Config{})
	before := heap()
	_, run := start(t, rec, t.Context(), runrecord.Task{Judge: keeping(4 * size), Question: strings.Repeat("q", size)})
	shows(t, run, strings.Repeat("e", size))
	run.Local("index", func() any { return make([]byte, size) })
	require.Greater(t, heap()-before, int64(2*size-1))
	require.Len(t, run.Task().Question, 256<<10-16)
	run.End()
	require.Less(t, heap()-before, int64(size/8))
	require.Empty(t, run.Task().Question)
	require.False(t, run.KeepsEvidence())

	shows := run.FinishWith(runrecord.Call{Tool: lookup, Kind: fault.KindOK}, runrecord.Payload{Result: strings.Repeat("l", size)})
	require.NotZero(t, shows, "a result that did arrive is recorded")
	run.KeepEvidence(size)
	run.Hear(strings.Repeat("h", size/100))
	require.Less(t, heap()-before, int64(size/8))
	runtime.KeepAlive(run)
}
