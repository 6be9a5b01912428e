package runrecord_test

import (
	"fmt"
	"math"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

func TestEventsThatCannotBeTrueChangeNothing(t *testing.T) {
	long := strings.Repeat("x", 1<<20)
	ended := func(counts runrecord.Counts) runrecord.Event {
		return runrecord.Event{Type: runrecord.EventRunEnded, Run: "r", State: runrecord.Answered, Counts: &counts}
	}
	for name, e := range map[string]runrecord.Event{
		"fewer than no retries":       ended(runrecord.Counts{Calls: 1, OK: 1, Retries: -1}),
		"fewer than no calls":         ended(runrecord.Counts{Calls: -1, OK: -1}),
		"fewer than no failures":      ended(runrecord.Counts{Calls: 1, Failed: math.MinInt}),
		"more calls than can be":      ended(runrecord.Counts{Calls: math.MaxInt}),
		"more successes than calls":   ended(runrecord.Counts{Calls: 1, OK: 2}),
		"a negative status":           {Type: runrecord.EventCall, Run: "r", Tool: "x", Outcome: fault.KindFailed, Status: -401},
		"more attempts than can be":   {Type: runrecord.EventCall, Run: "r", Tool: "x", Outcome: fault.KindFailed, Attempts: math.MaxInt},
		"a call of no run":            {Type: runrecord.EventCall, Tool: "x", Outcome: fault.KindFailed},
		"its own parent":              {Type: runrecord.EventRunStarted, Run: "r", Parent: "r"},
		"a tool's name of a MiB":      {Type: runrecord.EventCall, Run: "r", Tool: long, Outcome: fault.KindFailed},
		"a run's id of a MiB":         {Type: runrecord.EventRunStarted, Run: long},
		"an outcome that there isn't": {Type: runrecord.EventCall, Run: "r", Tool: "x", Outcome: 200},
	} {
		t.Run(name, func(t *testing.T) {
			v := newViews(t, runrecord.ViewsConfig{})
			e.Schema = runrecord.SchemaVersion
			require.ErrorIs(t, v.Write(e), runrecord.ErrImpossible)
			require.Equal(t, runrecord.RunsView{}, v.Runs())
			require.Equal(t, runrecord.RetriesView{}, v.Retries())
			require.Equal(t, runrecord.FailuresView{}, v.Failures(0))
		})
	}
}

// lines counts a record that did not come from a recorder.
func lines(t *testing.T, v *runrecord.Views, record string) (skipped int) {
	t.Helper()
	done := make(chan int)
	go func() {
		n, err := v.Read(runrecord.ReadJSONLines(strings.NewReader(record)))
		if err != nil {
			n = -1
		}
		done <- n
	}()
	select {
	case n := <-done:
		return n
	case <-time.After(10 * time.Second):
		t.Fatal("the views hang")
		return 0
	}
}

func TestRunsThatAreEachOthersParents(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	skipped := lines(t, v, `{"schema":1,"type":"run_started","run_id":"a","parent_id":"b"}
{"schema":1,"type":"run_started","run_id":"b","parent_id":"c"}
{"schema":1,"type":"run_started","run_id":"c","parent_id":"a"}
{"schema":1,"type":"call","run_id":"a","tool":"x","outcome":"failed","status":401,"attempts":1}
`)
	require.Equal(t, 1, skipped, "the link that closes the circle")
	require.Equal(t, 1, v.Failures(0).Failures)
}

func TestALineageWithoutEnd(t *testing.T) {
	var record strings.Builder
	for i := range 20_000 {
		fmt.Fprintf(&record, `{"schema":1,"type":"call","run_id":"%d","parent_id":"%d","tool":"x","outcome":"ok"}`+"\n", i, i-1)
	}
	v := newViews(t, runrecord.ViewsConfig{OpenRuns: 20_000})
	require.Positive(t, lines(t, v, record.String()))
}

func TestARunEndsOnce(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{OpenRuns: 2})
	end := func(run string) error {
		return v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventRunEnded, Run: run, State: runrecord.Refused, Counts: &runrecord.Counts{Calls: 1, Failed: 1}})
	}
	call := runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: "a", Tool: "x", Outcome: fault.KindFailed, Status: 500}
	require.NoError(t, end("a"))
	require.ErrorIs(t, end("a"), runrecord.ErrRepeated)
	require.ErrorIs(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventRunStarted, Run: "a"}), runrecord.ErrRepeated)
	require.NoError(t, v.Write(call), "a late call is still the tool's failure")
	require.Equal(t, 1, v.Failures(0).Failures)
	require.Equal(t, runrecord.RunsView{Ended: 1, NoSuccess: 1, NoSuccessCalled: 1}, v.Runs(), "and opens no run")
	require.NoError(t, end("b"))
	require.ErrorIs(t, end("a"), runrecord.ErrRepeated)
	require.NoError(t, end("c"))
	require.NoError(t, end("a"), "only the last ones are remembered")
	require.Equal(t, 4, v.Refusals().Refused)
}

func TestSumsDoNotWrapAround(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	for i := range 3 {
		require.NoError(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventRunEnded, Run: fmt.Sprint(i), State: runrecord.Answered,
			Counts: &runrecord.Counts{Calls: math.MaxInt32, Failed: math.MaxInt32, NotRun: math.MaxInt32, Unknown: math.MaxInt32, Retries: math.MaxInt32}}))
	}
	r := v.Retries()
	require.Positive(t, r.Calls)
	require.Positive(t, r.Retries)
	require.Equal(t, 3, v.Refusals().Failing)
}

func TestAWrongClockIsNotTheLatestForEver(t *testing.T) {
	v := newViews(t, runrecord.ViewsConfig{})
	now := time.Now()
	for _, at := range []time.Time{time.Date(9999, 12, 31, 0, 0, 0, 0, time.UTC), now, now.Add(-time.Hour), {}} {
		require.NoError(t, v.Write(runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: "r", Tool: "x", Time: at, Outcome: fault.KindFailed, Status: 500}))
	}
	row := v.Failures(0).Rows[0]
	require.Equal(t, 4, row.Failures)
	require.True(t, row.Last.Equal(now))
}
