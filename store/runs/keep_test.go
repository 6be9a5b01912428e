package runs_test

import (
	"bytes"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/runs"
)

// told is a run that asked once, and whose answer was refused.
func told(id, task, key string, at time.Time) []runrecord.Event {
	e := runrecord.Event{Run: id, Task: task, Key: key, Leg: 1, Time: at}
	start, call, judged, end := e, e, e, e
	start.Type, start.Question = runrecord.EventRunStarted, "what does "+key+" owe?"
	call.Type, call.Seq, call.Tool, call.Outcome = runrecord.EventCall, 1, "get_invoices", fault.KindFailed
	call.Reason, call.Status, call.Attempts = fault.ReasonAuth, 401, 1
	call.Args, call.Result = `{"customer":"`+key+`"}`, "secret of "+key
	judged.Type, judged.Decision, judged.State, judged.Draft = runrecord.EventJudged, "refuse", runrecord.Refused, key+" owes nothing"
	end.Type, end.State, end.Decision = runrecord.EventRunEnded, runrecord.Refused, "refuse"
	end.Counts = &runrecord.Counts{Calls: 1, Failed: 1, Attempts: 1}
	return []runrecord.Event{start, call, judged, end}
}

func TestRunsAreFoundByWhatTheyAre(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, db engine.Engine) {
		s := open(t, db, runs.Config{})
		write(t, s, told("aaaa-1", "invoices", "C-1", anHour)...)
		write(t, s, told("aaaa-2", "refunds", "C-2", anHour.Add(time.Hour))...)
		for name, q := range map[string]runs.Query{
			"task": {Task: "refunds"}, "key": {Key: "C-2"}, "text": {Text: "-2"}, "since": {Since: anHour.Add(time.Minute)},
			"refused, after the other": {Refused: true, Tool: "get_invoices", After: "aaaa-2"},
		} {
			found, err := s.List(t.Context(), q)
			require.NoError(t, err, name)
			require.Len(t, found, 1, name)
		}
		found, err := s.List(t.Context(), runs.Query{Tool: "pay"})
		require.NoError(t, err)
		require.Empty(t, found)

		r, err := s.Find(t.Context(), "aaaa-1")
		require.NoError(t, err)
		require.Equal(t, runrecord.Refused, r.State)
		require.True(t, r.Refused())
		require.Equal(t, 1, r.Counts.Failed)
		for _, id := range []string{"aaaa", "aaab-1"} {
			_, err = s.Find(t.Context(), id)
			require.ErrorIs(t, err, runs.ErrNoRun)
			require.ErrorContains(t, err, "aaaa-1", "it names what may be meant")
		}
	})
}

func TestErasingLeavesTheStates(t *testing.T) {
	t.Parallel()
	key := bytes.Repeat([]byte{7}, 32)
	onEach(t, func(t *testing.T, db engine.Engine) {
		s := open(t, db, runs.Config{})
		write(t, s, told("r-1", "invoices", "C-1", anHour)...)
		write(t, s, told("r-2", "invoices", "C-2", anHour)...)
		before, err := s.Views(t.Context(), runrecord.Filter{})
		require.NoError(t, err)
		require.NoError(t, s.Erase(t.Context(), "r-1"))
		require.NoError(t, s.Erase(t.Context(), "r-1"), "once more changes nothing")
		require.ErrorIs(t, s.Erase(t.Context(), "r-"), runs.ErrNoRun, "a part of an id is not enough")

		var out bytes.Buffer
		require.NoError(t, s.Export(t.Context(), &out, runs.Query{}))
		require.NotContains(t, out.String(), "C-1 owes")
		require.NotContains(t, out.String(), "secret of C-1")
		require.Contains(t, out.String(), "secret of C-2")
		events, err := s.Events(t.Context(), "r-1")
		require.NoError(t, err)
		require.Len(t, events, 5)
		require.Equal(t, runs.EventErased, events[4].Type)
		require.Equal(t, 401, events[1].Status)
		after, err := s.Views(t.Context(), runrecord.Filter{})
		require.NoError(t, err)
		require.Equal(t, before, after)

		late := told("r-1", "invoices", "C-1", anHour)[1]
		late.Seq = 2
		write(t, s, late)
		events, err = s.Events(t.Context(), "r-1")
		require.NoError(t, err)
		require.Empty(t, events[5].Result, "what comes later is not kept")
	}, key)
}

// Whoever reads the files without the key sees that calls failed, and nothing else.
func TestPayloadsAreSealed(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, db engine.Engine) {
		s := open(t, db, runs.Config{})
		write(t, s, told("r-1", "invoices", "C-1", anHour)...)
		var kept []byte
		require.NoError(t, db.Read.QueryRowContext(t.Context(), `SELECT result FROM failloud_run_events WHERE result IS NOT NULL`).Scan(&kept))
		require.NotContains(t, string(kept), "secret")
		events, err := s.Events(t.Context(), "r-1")
		require.NoError(t, err)
		require.Equal(t, "secret of C-1", events[1].Result)

		db.Seal = nil
		blind := open(t, db, runs.Config{})
		events, err = blind.Events(t.Context(), "r-1")
		require.ErrorIs(t, err, runs.ErrSealed)
		require.Len(t, events, 4, "what can be read is there")
		require.Equal(t, 401, events[1].Status)
	}, bytes.Repeat([]byte{7}, 32))
}

func TestPruningForgetsWholeRuns(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, db engine.Engine) {
		s := open(t, db, runs.Config{})
		write(t, s, told("old", "invoices", "C-1", time.Now().Add(-48*time.Hour))...)
		write(t, s, told("new", "invoices", "C-2", time.Now())...)
		_, err := s.Prune(t.Context(), 0)
		require.ErrorIs(t, err, runs.ErrQuery)
		n, err := s.Prune(t.Context(), 24*time.Hour)
		require.NoError(t, err)
		require.Equal(t, 1, n)
		_, err = s.Find(t.Context(), "old")
		require.ErrorIs(t, err, runs.ErrNoRun)
		views, err := s.Views(t.Context(), runrecord.Filter{})
		require.NoError(t, err)
		require.Equal(t, 1, views.Runs.Ended)
		events, err := s.Events(t.Context(), "new")
		require.NoError(t, err)
		require.Len(t, events, 4)
	})
}

// What was taken before is kept, and nothing is taken after.
func TestAClosedStoreRefuses(t *testing.T) {
	t.Parallel()
	onEach(t, func(t *testing.T, db engine.Engine) {
		s, err := runs.New(db, runs.Config{})
		require.NoError(t, err)
		require.NoError(t, s.Write(runrecord.Event{Schema: 1, Run: "r-1", Type: runrecord.EventRunStarted, Leg: 1}))
		require.NoError(t, s.Close())
		require.Error(t, s.Write(runrecord.Event{Schema: 1, Run: "r-1", Type: runrecord.EventRunEnded, Leg: 1}))
		again := open(t, db, runs.Config{})
		events, err := again.Events(t.Context(), "r-1")
		require.NoError(t, err)
		require.Len(t, events, 1)
	})
	_, err := runs.New(engine.Engine{}, runs.Config{Batch: 1 << 17})
	require.ErrorContains(t, err, "Config.Batch")
}
