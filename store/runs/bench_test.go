package runs_test

import (
	"fmt"
	"os"
	"strconv"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/runs"
)

// BenchmarkViews counts the four views over runs of five calls each; how many calls
// says FAILLOUD_BENCH_CALLS, by default 100,000:
//
//	FAILLOUD_BENCH_CALLS=1000000 go test -run '^$' -bench Views -benchtime 10x ./runs
//
// The rate at which they were written, by one writer, is reported as events/s.
func BenchmarkViews(b *testing.B) {
	calls := 100_000
	if text := os.Getenv("FAILLOUD_BENCH_CALLS"); text != "" {
		var err error
		calls, err = strconv.Atoi(text)
		require.NoError(b, err)
	}
	for _, d := range databases {
		b.Run(d.name, func(b *testing.B) {
			s, err := runs.New(d.open(b), runs.Config{Patience: time.Minute})
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, s.Close()) })
			begin, events := time.Now(), 0
			for run := range calls / 5 {
				for _, e := range aRun(run) {
					require.NoError(b, s.Write(e))
					events++
				}
			}
			require.NoError(b, s.Flush(b.Context()))
			rate := float64(events) / time.Since(begin).Seconds()
			for name, f := range map[string]runrecord.Filter{
				"all": {}, "task": {Task: "task-3"}, "tool and status": {Tool: "tool-2", Status: 401},
				"a part of the time": {Since: anHour.Add(7 * time.Minute), Until: anHour.Add(3*time.Hour + 17*time.Second)},
			} {
				b.Run(name, func(b *testing.B) {
					for b.Loop() {
						v, err := s.Views(b.Context(), f)
						require.NoError(b, err)
						require.Positive(b, v.Runs.Ended)
					}
					b.ReportMetric(rate, "events/s")
				})
			}
		})
	}
}

// aRun is a run of five calls, of which some fail.
func aRun(n int) []runrecord.Event {
	e := runrecord.Event{
		Schema: runrecord.SchemaVersion, Run: fmt.Sprintf("01a22ff7-a1fd-7a77-b165-%012d", n), Leg: 1,
		Task: fmt.Sprint("task-", n%7), Tenant: fmt.Sprint("tenant-", n%3), Time: anHour.Add(time.Duration(n) * 100 * time.Millisecond),
	}
	start := e
	start.Type = runrecord.EventRunStarted
	all := []runrecord.Event{start}
	counts := runrecord.Counts{Calls: 5, Attempts: 5}
	for i := range 5 {
		call := e
		call.Type, call.Seq, call.Tool, call.Attempts = runrecord.EventCall, uint32(i+1), fmt.Sprint("tool-", (n+i)%11), 1
		if call.Outcome = fault.KindOK; (n+i)%9 == 0 {
			call.Outcome, call.Reason, call.Status = fault.KindFailed, fault.ReasonAuth, 401
			counts.Failed++
		} else {
			counts.OK++
		}
		all = append(all, call)
	}
	end := e
	end.Type, end.State, end.Decision, end.Counts = runrecord.EventRunEnded, runrecord.Answered, "answer", &counts
	return append(all, end)
}
