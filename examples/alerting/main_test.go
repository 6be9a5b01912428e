package main

import (
	"bytes"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/runrecord"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func simulated(t *testing.T) (log, record *bytes.Buffer) {
	t.Helper()
	log, record = &bytes.Buffer{}, &bytes.Buffer{}
	require.NoError(t, simulate(t.Context(), log, record))
	return log, record
}

func TestTheLogTellsWhenTheCredentialExpired(t *testing.T) {
	log, _ := simulated(t)
	windows, skipped, err := readLog(log, 10*time.Minute)
	require.NoError(t, err)
	require.Zero(t, skipped)
	require.Len(t, windows, 4)

	var refusals []int
	var alerts []bool
	for _, w := range windows {
		require.Equal(t, 10, w.ended)
		require.Zero(t, w.unjudged)
		refusals = append(refusals, w.refused)
		alerts = append(alerts, w.alert() != "")
	}
	require.Equal(t, []int{0, 6, 9, 0}, refusals)
	require.Equal(t, []bool{false, true, true, false}, alerts)

	worst, n := windows[1].worst()
	require.Equal(t, failure{"get_order", "401"}, worst)
	require.Equal(t, 6, n, "one request a run reaches the service after the credential has expired")
	require.Contains(t, windows[1].alert(), "60 %")
	require.Contains(t, windows[1].alert(), "credential")
}

func TestTheRecordAndTheLogAgree(t *testing.T) {
	log, record := simulated(t)
	windows, _, err := readLog(log, 24*time.Hour)
	require.NoError(t, err)
	require.Len(t, windows, 1)
	views, err := runrecord.NewViews(runrecord.ViewsConfig{})
	require.NoError(t, err)
	skipped, err := views.Read(runrecord.ReadJSONLines(record))
	require.NoError(t, err)
	require.Zero(t, skipped)

	require.Equal(t, windows[0].ended, views.Refusals().Ended)
	require.Equal(t, windows[0].refused, views.Refusals().Refused)
	require.Equal(t, windows[0].retries, views.Retries().Retries)
	require.Positive(t, views.Retries().Retries)
	found := false
	for _, row := range views.Failures(0).Rows {
		if row.Status != 0 {
			require.Equal(t, windows[0].failures[failure{row.Tool, "401"}]+windows[0].failures[failure{row.Tool, "404"}], row.Failures, row.Tool)
			found = true
		}
	}
	require.True(t, found)
}

func TestALogOfOthersIsRead(t *testing.T) {
	for _, tc := range []struct {
		name, log               string
		ended, refused, skipped int
		alert                   string
	}{
		{"another program's line", "listening on :8080\n{\"msg\":\"hello\"}\n", 0, 0, 2, ""},
		{"a torn line", `{"ts":1764493200,"msg":"run ended","run_id":"a","state":"ref`, 0, 0, 1, ""},
		{"a time in ISO 8601", `{"ts":"2026-11-30T09:00:00.123+0700","msg":"run ended","run_id":"a","state":"refused"}`, 1, 1, 0, ""},
		{"a time in RFC 3339", `{"ts":"2026-11-30T09:00:00Z","msg":"run ended","run_id":"a","state":"answered"}`, 1, 0, 0, ""},
		{"a sub-agent", `{"ts":1,"msg":"run ended","run_id":"b","parent_id":"a","state":"unjudged"}`, 0, 0, 0, ""},
		{"a leg that waits", `{"ts":1,"msg":"run ended","run_id":"a","state":"waiting"}`, 0, 0, 0, ""},
		{"one refusal at night", `{"ts":1,"msg":"run ended","run_id":"a","state":"refused"}`, 1, 1, 0, ""},
		{"no guard", `{"ts":1,"msg":"run ended","run_id":"a","state":"unjudged"}`, 1, 0, 0, "1 of 1 runs ended without the guard"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			windows, skipped, err := readLog(strings.NewReader(tc.log), time.Hour)
			require.NoError(t, err)
			require.Equal(t, tc.skipped, skipped)
			ended, refused, alert := 0, 0, ""
			for _, w := range windows {
				ended, refused, alert = ended+w.ended, refused+w.refused, alert+w.alert()
			}
			require.Equal(t, []int{tc.ended, tc.refused}, []int{ended, refused})
			require.Equal(t, tc.alert != "", alert != "", alert)
			require.Contains(t, alert, tc.alert)
		})
	}
}

func TestTheStoryFitsATerminalAndAlerts(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, run(&out, "", 10*time.Minute))
	require.Equal(t, 2, strings.Count(out.String(), "ALERT"))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, line)
	}
}

func TestAFileIsReadInThePlaceOfTheStory(t *testing.T) {
	log, _ := simulated(t)
	file := filepath.Join(t.TempDir(), "agent.log")
	require.NoError(t, os.WriteFile(file, log.Bytes(), 0o600))
	var out bytes.Buffer
	require.NoError(t, run(&out, file, 10*time.Minute))
	require.Contains(t, out.String(), "ALERT 09:10 60 %")
	require.NotContains(t, out.String(), "From the record")

	require.Error(t, run(&out, file+".missing", time.Minute))
	require.Error(t, run(&out, file, 0))
}
