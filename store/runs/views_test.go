package runs_test

import (
	"bytes"
	"context"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/runs"
)

var anHour = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

// anEvent draws an event of one of a few runs, which may be each other's children,
// in any order: starts are lost, ends come twice, figures are impossible.
func anEvent(t *rapid.T) runrecord.Event {
	run := rapid.IntRange(0, 7).Draw(t, "run")
	e := runrecord.Event{
		Schema: 1, Run: fmt.Sprint("run-", run), Leg: rapid.IntRange(1, 3).Draw(t, "leg"),
		Time: anHour.Add(time.Duration(rapid.IntRange(-5000, 5000).Draw(t, "time")) * 1234567 * time.Nanosecond * 3),
		Task: rapid.SampledFrom([]string{"", "invoices", "pay\xffments"}).Draw(t, "task"), Tenant: rapid.SampledFrom([]string{"", "a", "b"}).Draw(t, "tenant"),
	}
	// Mostly the parent that the run has, sometimes another one, even itself.
	if parent := []int{-1, -1, -1, 0, 3, 9, 4, 7}[run]; parent >= 0 {
		e.Parent = fmt.Sprint("run-", parent)
	}
	if rapid.IntRange(0, 5).Draw(t, "odd") == 0 {
		e.Parent = fmt.Sprint("run-", rapid.IntRange(0, 8).Draw(t, "parent"))
	}
	e.Type = rapid.SampledFrom([]runrecord.EventType{
		runrecord.EventRunStarted, runrecord.EventCall, runrecord.EventCall, runrecord.EventCall, runrecord.EventSettled, runrecord.EventReplaced,
		runrecord.EventRetry, runrecord.EventJudged, runrecord.EventHeard, runrecord.EventRunEnded, "of a later version",
	}).Draw(t, "type")
	switch e.Type {
	case runrecord.EventCall, runrecord.EventSettled, runrecord.EventReplaced, runrecord.EventRetry:
		e.Tool = rapid.SampledFrom([]string{"", "get", "pay"}).Draw(t, "tool")
		e.Status = rapid.SampledFrom([]int{0, 0, 200, 401, 500, -1}).Draw(t, "status")
		e.Outcome = fault.Kind(rapid.IntRange(0, int(fault.KindUnknown)).Draw(t, "outcome"))
		e.Was = fault.Kind(rapid.SampledFrom([]int{0, int(fault.KindPending), int(fault.KindUnknown)}).Draw(t, "was"))
		e.Reason = fault.Reason(rapid.IntRange(0, 12).Draw(t, "reason"))
		e.Attempts = rapid.IntRange(0, 9).Draw(t, "attempts")
	case runrecord.EventRunEnded:
		e.State = runrecord.State(rapid.IntRange(0, int(runrecord.Unjudged)).Draw(t, "state"))
		e.Decision = rapid.SampledFrom([]string{"", "answer", "refuse"}).Draw(t, "decision")
		e.Reported = rapid.Bool().Draw(t, "reported")
		if rapid.Bool().Draw(t, "counted") {
			calls := rapid.IntRange(0, 9).Draw(t, "calls")
			e.Counts = &runrecord.Counts{Calls: calls, OK: rapid.IntRange(0, calls+1).Draw(t, "ok"), Failed: calls / 2, NotRun: calls / 3, Retries: calls}
		}
	}
	return e
}

func aFilter(t *rapid.T) runrecord.Filter {
	f := runrecord.Filter{
		Task: rapid.SampledFrom([]string{"", "", "invoices", "nothing"}).Draw(t, "of task"), Tenant: rapid.SampledFrom([]string{"", "", "a"}).Draw(t, "of tenant"),
		Tool: rapid.SampledFrom([]string{"", "", "get", "pay"}).Draw(t, "of tool"), Status: rapid.SampledFrom([]int{0, 0, 401, 500}).Draw(t, "of status"),
	}
	bound := func(name string) time.Time {
		if rapid.Bool().Draw(t, name+" set") {
			return time.Time{}
		}
		return anHour.Add(time.Duration(rapid.IntRange(-5000, 5000).Draw(t, name)) * 1234567 * time.Nanosecond * 3)
	}
	f.Since, f.Until = bound("since"), bound("until")
	return f
}

// counted is what the views of the record make of what was exported.
func counted(t require.TestingT, exported []byte, f runrecord.Filter) *runs.Views {
	v, err := runrecord.NewViews(runrecord.ViewsConfig{Filter: f})
	require.NoError(t, err)
	_, err = v.Read(runrecord.ReadJSONLines(bytes.NewReader(exported)))
	require.NoError(t, err)
	return &runs.Views{Runs: v.Runs(), Failures: v.Failures(0), Refusals: v.Refusals(), Retries: v.Retries()}
}

func sameInstants(v *runs.Views) *runs.Views {
	for i := range v.Failures.Rows {
		v.Failures.Rows[i].Last = v.Failures.Rows[i].Last.UTC()
	}
	return v
}

// The views of the store are those that the record's own views count of what the
// store exports, whatever happened in the runs and whatever is asked for, also after
// a part of it was pruned.
func TestViewsAreThoseOfTheRecord(t *testing.T) {
	onEach(t, func(t *testing.T, db engine.Engine) {
		rapid.Check(t, func(rt *rapid.T) {
			empty(rt, db)
			s, err := runs.New(db, runs.Config{Batch: rapid.IntRange(1, 40).Draw(rt, "batch")})
			require.NoError(rt, err)
			defer s.Close()
			for range rapid.IntRange(0, 80).Draw(rt, "events") {
				require.NoError(rt, s.Write(anEvent(rt)))
			}
			var exported bytes.Buffer
			require.NoError(rt, s.Export(context.Background(), &exported, runs.Query{Children: true}))
			for range 4 {
				f := aFilter(rt)
				got, err := s.Views(context.Background(), f)
				require.NoError(rt, err)
				require.Equal(rt, sameInstants(counted(rt, exported.Bytes(), f)), sameInstants(got), "%+v", f)
			}
		})
	})
}

func empty(t require.TestingT, db engine.Engine) {
	for _, table := range runs.Tables {
		exec(t, db, `DELETE FROM `+table)
	}
}
