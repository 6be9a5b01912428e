package transcript_test

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// record writes events the way programs do.
func record(t testing.TB, events ...runrecord.Event) *bytes.Buffer {
	t.Helper()
	var out bytes.Buffer
	sink := runrecord.NewJSONLines(&out)
	for i, e := range events {
		e.Schema, e.Leg = runrecord.SchemaVersion, max(e.Leg, 1)
		e.Time = time.Date(2026, 3, 1, 9, 0, i, 0, time.UTC)
		require.NoError(t, sink.Write(e))
	}
	return &out
}

func TestRecordsOfSeveralRunsAreTakenApart(t *testing.T) {
	t.Parallel()
	in := record(t,
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r1", Task: "invoices", Question: "Who owes?"},
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r2", Task: "other"},
		runrecord.Event{Type: runrecord.EventRetry, Run: "r1", Seq: 1, Tool: "get"},
		runrecord.Event{Type: runrecord.EventCall, Run: "r1", Seq: 1, CallID: "call_0", Tool: "get", Outcome: fault.KindOK, Status: 200, Attempts: 2, Args: `{"a":1}`, Result: `[5]`},
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r1.a", Parent: "r1", Question: "sub question"},
		runrecord.Event{Type: runrecord.EventCall, Run: "r2", Seq: 1, Tool: "get", Outcome: fault.KindFailed, Status: 401},
		runrecord.Event{Type: runrecord.EventCall, Run: "r1.a", Parent: "r1", Seq: 2, CallID: "call_0", Tool: "pay", Outcome: fault.KindPending},
		runrecord.Event{Type: runrecord.EventRunEnded, Run: "r1.a", Parent: "r1", State: runrecord.Answered},
		runrecord.Event{Type: runrecord.EventRunEnded, Run: "r1", State: runrecord.Waiting},
		runrecord.Event{Type: runrecord.EventSettled, Run: "r1.a", Parent: "r1", Seq: 2, Tool: "pay", Outcome: fault.KindOK, Was: fault.KindPending, Result: "paid"},
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r1", Leg: 2, Task: "invoices"},
		runrecord.Event{Type: runrecord.EventJudged, Run: "r1", Leg: 2, Decision: "answer", Draft: "It is paid."},
		runrecord.Event{Type: runrecord.EventJudged, Run: "r2", Decision: "refuse", Step: 3, Findings: []string{"no call succeeded"}},
		runrecord.Event{Type: runrecord.EventRunEnded, Run: "r1", Leg: 2, State: runrecord.Answered},
	)
	all, loose, stats, err := readAll(t, in, transcript.Options{File: "log"})
	require.NoError(t, err)
	require.Empty(t, loose)
	require.Equal(t, 14, stats.Taken)
	require.Len(t, all, 2)
	var got strings.Builder
	for _, tr := range all {
		outline(&got, tr)
	}
	require.Equal(t, `failloud "r2" line 2 task "other" 2026-03-01T09:00:01Z
  6 call get "#1" batch 1 ""
  6 result get "#1" batch 1 status=401 outcome=failed ""
  decision "refuse" ["no call succeeded"]
  problem log:2: the run has no end
failloud "r1" line 1 task "invoices" 2026-03-01T09:00:00Z
  1 user "Who owes?"
  4 call get "call_0" batch 1 "{\"a\":1}"
  4 result get "call_0" batch 1 status=200 outcome=ok "[5]"
  5 user sub "sub question"
  7 call pay "#2" batch 2 sub ""
  7 result pay "#2" batch 2 sub outcome=ok "paid"
  12 assistant "It is paid."
  decision "answer" []
  final line 12 "It is paid."
`, got.String())
	settled := all[1].Events[5].Outcome
	require.Equal(t, fault.KindPending, settled.Was, "what it was before is kept")
	require.Equal(t, 2, all[1].Events[2].Outcome.Attempts)
}

func TestRecordWithoutADraftHandsOnWhatWasDecided(t *testing.T) {
	t.Parallel()
	all, _, _, err := readAll(t, record(t,
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r"},
		runrecord.Event{Type: runrecord.EventJudged, Run: "r", Decision: "disclose", Findings: []string{"step 4"}},
		runrecord.Event{Type: runrecord.EventRunEnded, Run: "r", State: runrecord.Disclosed},
	), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.True(t, all[0].Record)
	require.False(t, all[0].HasFinal)
	require.Equal(t, "disclose", all[0].Decision)
	require.Equal(t, []string{"step 4"}, all[0].Findings)
	require.Empty(t, all[0].Problems)
}

func TestRecordTornAndContinuedInOneLine(t *testing.T) {
	t.Parallel()
	text := record(t,
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r"},
		runrecord.Event{Type: runrecord.EventCall, Run: "r", Seq: 1, Tool: "get", Outcome: fault.KindOK},
		runrecord.Event{Type: runrecord.EventRunEnded, Run: "r", State: runrecord.Unjudged},
	).String()
	lines := strings.SplitAfter(text, "\n")
	torn := lines[0] + lines[1][:40] + lines[1] + lines[2]
	all, loose, stats, err := readAll(t, strings.NewReader(torn), transcript.Options{})
	require.NoError(t, err)
	require.Equal(t, 1, stats.Broken)
	require.Len(t, loose, 1)
	require.Equal(t, 2, loose[0].Line)
	require.Len(t, all, 1)
	require.Len(t, all[0].Events, 2, "the event behind the torn one is read")
}

func TestRecordOfANewerSchemaIsReported(t *testing.T) {
	t.Parallel()
	all, _, _, err := readAll(t, strings.NewReader(`{"schema":99,"type":"call","run_id":"r","outcome":[]}`), transcript.Options{})
	require.NoError(t, err)
	require.Len(t, all, 1)
	require.Contains(t, all[0].Problems[0].What, "newer schema")
}
