package main_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"unicode"

	"github.com/stretchr/testify/require"
)

const ownRecord = "testdata/audit/record.jsonl"

func TestExplainTellsARunStepByStep(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "explain", "flights", pastRuns)
	require.Zero(t, got.code, got.stderr)
	golden := filepath.Join("testdata", "audit", "explain.golden")
	if *update {
		require.NoError(t, os.WriteFile(golden, []byte(got.stdout), 0o644))
	}
	want, err := os.ReadFile(golden)
	require.NoError(t, err)
	require.Equal(t, string(want), got.stdout)
	for line := range strings.Lines(got.stdout) {
		require.LessOrEqual(t, len([]rune(strings.TrimSuffix(line, "\n"))), 80, line)
	}
}

func TestExplainFindsARunByWhatItIsCalled(t *testing.T) {
	t.Parallel()
	for which, want := range map[string]string{
		"invoices": "invoices", "inv": "invoices", "w": "weather", pastRuns + ":3": "mail", "runs.jsonl:4": "rate",
	} {
		got := failloud(t, nil, "explain", "--format", "json", which, pastRuns)
		require.Zero(t, got.code, got.stderr)
		var story struct{ ID string }
		require.NoError(t, json.Unmarshal([]byte(got.stdout), &story))
		require.Equal(t, want, story.ID, which)
	}
	got := failloud(t, nil, "explain", pastRuns+":5")
	require.Zero(t, got.code, "the file of FILE:LINE is read where no other is named: %s", got.stderr)
	require.Contains(t, got.stdout, "Run weather")
}

func TestExplainSaysWhichRunsMayBeMeant(t *testing.T) {
	t.Parallel()
	for which, says := range map[string]string{
		"invoicse":        "did you mean invoices?",
		"nothing-like-it": "the first are flights, invoices",
		"":                "may be any of 6 runs",
		pastRuns + ":99":  "no run",
	} {
		got := failloud(t, nil, "explain", which, pastRuns)
		require.Equal(t, 1, got.code, which)
		require.Empty(t, got.stdout)
		require.Contains(t, got.stderr, says)
	}
	got := failloud(t, nil, "explain", "mail", pastRuns, pastRuns)
	require.Equal(t, 1, got.code)
	require.Contains(t, got.stderr, "may be any of 2 runs: mail ("+pastRuns+":3)")
}

func TestExplainShowsWhatOnlyOurOwnRecordKnows(t *testing.T) {
	t.Parallel()
	got := failloud(t, nil, "explain", "0196a1b2", ownRecord)
	require.Zero(t, got.code, got.stderr)
	for _, says := range []string{
		"Task invoice-question", "2 attempts, 1.0 s between them",
		"failed 402 (billing)", "settled later, was unknown",
		"Why: refuse", "decided when the run ended", "the draft says that something was paid",
	} {
		require.Contains(t, strings.Join(strings.Fields(got.stdout), " "), says)
	}
	row := audited(t, failloud(t, nil, "audit", "--format", "json", ownRecord).stdout)["0196a1b2-0000-7000-8000-000000000001"]
	require.Equal(t, "refuse", row.Decision, "what was decided then")
	require.Equal(t, "claim_not_done", row.Findings[0].Kind)
}

func TestExplainHidesSecretsUnlessTold(t *testing.T) {
	t.Parallel()
	run := `{"id":"s","events":[{"type":"call","id":"c","tool":"login","args":{"password":"hunter2hunter2"}},{"type":"result","id":"c","content":"{\"ok\":true}"}],"final":"Logged in."}`
	got := failloud(t, strings.NewReader(run), "explain", "s")
	require.Zero(t, got.code, got.stderr)
	require.NotContains(t, got.stdout, "hunter2")
	got = failloud(t, strings.NewReader(run), "explain", "--show-secrets", "s")
	require.Contains(t, got.stdout, "hunter2hunter2")
}

func TestExplainShowsLongTextsOnlyInFull(t *testing.T) {
	t.Parallel()
	long := strings.Repeat("word ", 2000)
	run := `{"id":"l","events":[{"type":"call","id":"c","tool":"read","args":{}},{"type":"result","id":"c","content":"` + long + `end"}],"final":"Read."}`
	short := failloud(t, strings.NewReader(run), "explain", "l")
	require.Less(t, len(short.stdout), 2000)
	full := failloud(t, strings.NewReader(run), "explain", "--full", "l")
	require.Equal(t, 2000, strings.Count(full.stdout, "word"))
}

func TestExplainNeverPrintsControlCharacters(t *testing.T) {
	t.Parallel()
	for _, format := range []string{"text", "json"} {
		got := failloud(t, hostile(), "explain", "--format", format, "esc")
		require.Equal(t, 2, got.code, got.stderr)
		for _, r := range got.stdout + got.stderr {
			require.True(t, r == '\n' || unicode.IsPrint(r), "%U", r)
		}
		require.Contains(t, got.stdout, "alert(3)")
	}
	for _, which := range []string{"", "nothing"} {
		got := failloud(t, hostile(), "explain", which)
		require.Equal(t, 1, got.code)
		for _, r := range got.stderr {
			require.True(t, r == '\n' || unicode.IsPrint(r), "%U", r)
		}
		require.Contains(t, got.stderr, "esc")
	}
}
