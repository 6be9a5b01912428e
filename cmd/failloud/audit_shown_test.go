package main_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestSecretsInIdsAndNamesAreHiddenInJSON(t *testing.T) {
	t.Parallel()
	const key = "sk-proj-abcdEFGH1234ijklMNOP5678qrstUVWX"
	run := fmt.Sprintf(`{"id":%q,"events":[{"type":"call","id":%[1]q,"tool":%[1]q,"args":{}},{"type":"result","id":%[1]q,"content":"401 Unauthorized","is_error":true}],"final":"It is 17.25 EUR."}`, key)
	got := failloud(t, strings.NewReader(run), "audit", "--format", "json")
	require.NotContains(t, got.stdout, key)
	require.Contains(t, got.stdout, "[REDACTED]")
	got = failloud(t, strings.NewReader(run), "audit", "--format", "json", "--show-secrets")
	require.Contains(t, got.stdout, key)
}

func TestNothingOfFileNamesAndFlagsReachesTheTerminal(t *testing.T) {
	t.Parallel()
	if os.PathSeparator == '\\' {
		t.Skip("files there have no such names")
	}
	const escape = "\x1b[31m"
	name := filepath.Join(t.TempDir(), "esc"+escape+"\n.jsonl")
	require.NoError(t, os.WriteFile(name, []byte(oneRun(t, "weather")+"{\"torn"), 0o644))
	for _, format := range []string{"table", "html", "json"} {
		got := failloud(t, nil, "audit", "--format", format, "--require", "a"+escape, name)
		require.NotContains(t, got.stdout+got.stderr, escape, format)
		require.Contains(t, got.stdout, "esc", format)
	}
	got := failloud(t, nil, "audit", "--policy", "no"+escape, name)
	require.NotContains(t, got.stderr, escape)
	got = failloud(t, nil, "audit", "--since", escape, name)
	require.NotContains(t, got.stderr, escape)
}

func TestAnEmptyWindowIsNoPass(t *testing.T) {
	t.Parallel()
	const old = `{"id":"r","time":"2020-01-01T00:00:00Z","events":[{"type":"user","text":"q"}],"final":"a"}`
	got := failloud(t, strings.NewReader(old), "audit", "--since", "7d", "--fail-on", "refuse")
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, "older than --since")
	got = failloud(t, strings.NewReader(old), "audit", "--since", "7d")
	require.Zero(t, got.code, "who only looks may look at nothing")
}

func TestWhatAKnownFormatMissesIsSaidShortly(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"prompt":"p","answer":"a"}`:      `it looks like evidence, but "evidence" is missing`,
		`{"evidence":["e"],"prompt":"p"}`:  `it looks like evidence, but "answer" is missing`,
		`{"events":{},"final":"f"}`:        `it looks like events, but "events" is no array`,
		`{"messages":{"role":"user"}}`:     `it looks like openai, but "messages" is no array`,
		`{"role":"user","text":"content"}`: `it looks like messages, but "content" is missing`,
	} {
		got := failloud(t, strings.NewReader(in), "audit")
		require.Equal(t, 2, got.code)
		require.Contains(t, got.stderr, want)
		require.Less(t, len(got.stderr), 200, got.stderr)
	}
}
