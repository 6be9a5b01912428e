package toolkit_test

import (
	"context"
	"encoding/json"
	"runtime"
	"strconv"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// behaviours is a kit of tools that end in every way, and how each ends.
func behaviours() (*toolkit.Kit, map[string]fault.Kind) {
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1, Batch: 4})
	say := func(name string, effect fault.Effect, call func(context.Context, query) (invoice, error)) {
		toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: name, Effect: effect, Call: call})
	}
	say("works", fault.Read, lookUp)
	say("fails", fault.Read, ending(refusedBy(fault.ReasonNotFound, 404)).call)
	say("panics", fault.Read, func(context.Context, query) (invoice, error) { panic("boom") })
	say("leaves", fault.Read, func(context.Context, query) (invoice, error) { runtime.Goexit(); return invoice{}, nil })
	say("denied", fault.Read, ending(fault.Denied("no")).call)
	say("waits", fault.Read, func(context.Context, query) (invoice, error) { return invoice{}, toolkit.Pending("job-1") })
	say("panics_writing", fault.Write, func(context.Context, query) (invoice, error) { panic("boom") })
	return kit, map[string]fault.Kind{
		"works": fault.KindOK, "fails": fault.KindFailed, "panics": fault.KindFailed, "leaves": fault.KindFailed,
		"denied": fault.KindDenied, "waits": fault.KindPending, "panics_writing": fault.KindUnknown, "absent": fault.KindNotRun,
	}
}

func TestABatchHasExactlyOneResultForEachCall(t *testing.T) {
	t.Parallel()
	names := []string{"works", "fails", "panics", "leaves", "denied", "waits", "panics_writing", "absent"}
	rapid.Check(t, func(rt *rapid.T) {
		kit, ends := behaviours()
		ctx, run, err := kit.Start(t.Context(), runrecord.Task{Key: "ticket-1"})
		require.NoError(rt, err)
		defer run.End()
		var calls []toolkit.Request
		for i, name := range rapid.SliceOfN(rapid.SampledFrom(names), 0, 12).Draw(rt, "calls") {
			calls = append(calls, toolkit.Request{ID: "call-" + strconv.Itoa(i), Name: name,
				Args: json.RawMessage(`{"customer":"ACME","year":` + strconv.Itoa(i) + `}`)})
		}
		responses := kit.InvokeAll(ctx, calls)
		require.Len(rt, responses, len(calls))
		recorded := map[string]fault.Kind{}
		for _, c := range run.Calls() {
			recorded[c.Detail.CallID] = c.Kind
		}
		require.Len(rt, recorded, len(calls))
		for i, res := range responses {
			// A breaker that has opened by now refuses the rest.
			if res.Outcome.Reason() != fault.ReasonBreakerOpen {
				require.Equal(rt, ends[calls[i].Name], res.Outcome.Kind, calls[i].Name)
			}
			require.Equal(rt, calls[i].ID, res.CallID())
			require.Equal(rt, calls[i].Name, res.Name)
			require.NotEmpty(rt, res.String())
			require.Equal(rt, res.Outcome.Kind, recorded[calls[i].ID])
		}
	})
}

func TestABatchRunsSideBySideAndBounded(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var now, most atomic.Int32
		kit := toolkit.New(toolkit.Config{Batch: 4})
		read(kit, "slow", func(context.Context, query) (invoice, error) {
			most.Store(max(most.Load(), now.Add(1)))
			time.Sleep(time.Second)
			now.Add(-1)
			return invoice{}, nil
		})
		ctx, _ := start(t, kit, runrecord.Task{})
		began := time.Now()
		kit.InvokeAll(ctx, make12("slow"))
		require.Equal(t, 3*time.Second, time.Since(began))
		require.EqualValues(t, 4, most.Load())
	})
}

func make12(name string) []toolkit.Request {
	calls := make([]toolkit.Request, 12)
	for i := range calls {
		calls[i] = toolkit.Request{Name: name, Args: json.RawMessage(`{"customer":"ACME","year":` + strconv.Itoa(i) + `}`)}
	}
	return calls
}

func TestABatchThatDoesNotFitTheBudgetDoesNotStart(t *testing.T) {
	t.Parallel()
	tool := ending(nil)
	kit := toolkit.New(toolkit.Config{})
	read(kit, "get", tool.call)
	ctx, run := start(t, kit, runrecord.Task{Limits: runrecord.Limits{Calls: 10}})
	responses := kit.InvokeAll(ctx, append(make12("get"), toolkit.Request{Name: "absent"}))
	require.Zero(t, tool.entered.Load())
	for _, res := range responses {
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.Equal(t, fault.ReasonBudget, res.Outcome.Reason())
		require.Contains(t, res.String(), "budget")
	}
	require.Len(t, run.Calls(), 13)
}

func TestABatchThatIsCancelledAnswersTheRest(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{Batch: 4, MaxAttempts: 1})
		read(kit, "get", patient)
		ctx, _ := start(t, kit, runrecord.Task{})
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(time.Second, cancel)
		responses := kit.InvokeAll(ctx, make12("get"))
		entered := 0
		for _, res := range responses {
			require.Equal(t, fault.ReasonCancelled, res.Outcome.Reason())
			entered += res.Attempts
		}
		require.Equal(t, 4, entered)
	})
}

// A judge must be able to tell a correction, which was asked for when a failure
// was known, from a sibling of the failed call.
func TestTheRecordSaysWhichCallsWereABatch(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	get := read(kit, "get", ending(nil).call)
	ctx, run := start(t, kit, runrecord.Task{})
	get.Invoke(ctx, acme)
	kit.InvokeAll(ctx, append(make12("get")[:2], toolkit.Request{Name: "absent"}))
	kit.InvokeAll(ctx, make12("get")[:1])
	var batches []uint32
	for _, c := range run.Calls() {
		batches = append(batches, c.Batch)
	}
	require.Equal(t, []uint32{0, 2, 2, 2, 5}, batches)
}
