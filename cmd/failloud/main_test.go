package main_test

import (
	"bytes"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

var update = flag.Bool("update", false, "rewrite the golden files from what the command prints now")

var binary string

// TestMain builds the command once: the tests run what a user runs.
func TestMain(m *testing.M) {
	flag.Parse()
	os.Exit(buildAndRun(m))
}

func buildAndRun(m *testing.M) int {
	dir, err := os.MkdirTemp("", "failloud")
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		return 1
	}
	defer os.RemoveAll(dir)
	binary = filepath.Join(dir, "failloud.exe")
	if out, err := exec.Command("go", "build", "-o", binary, ".").CombinedOutput(); err != nil {
		fmt.Fprintf(os.Stderr, "go build: %v\n%s", err, out)
		return 1
	}
	return m.Run()
}

type result struct {
	code           int
	stdout, stderr string
}

func failloud(t *testing.T, stdin io.Reader, args ...string) result {
	t.Helper()
	return run(t, exec.CommandContext(t.Context(), binary, args...), stdin)
}

// failloudIn runs the command with variables of its own and nothing to read.
func failloudIn(t *testing.T, env []string, args ...string) result {
	t.Helper()
	cmd := exec.CommandContext(t.Context(), binary, args...)
	cmd.Env = append(os.Environ(), env...)
	return run(t, cmd, nil)
}

func run(t *testing.T, cmd *exec.Cmd, stdin io.Reader) result {
	t.Helper()
	var stdout, stderr bytes.Buffer
	cmd.Stdin, cmd.Stdout, cmd.Stderr = stdin, &stdout, &stderr
	err := cmd.Run()
	if exit, ok := errors.AsType[*exec.ExitError](err); ok {
		return result{exit.ExitCode(), stdout.String(), stderr.String()}
	}
	require.NoError(t, err)
	return result{0, stdout.String(), stderr.String()}
}

// verdict is what a script reads from one line of output.
type verdict struct {
	ID         string   `json:"id"`
	Outcome    string   `json:"outcome"`
	IsFailure  bool     `json:"is_failure"`
	Reason     string   `json:"reason"`
	Action     string   `json:"action"`
	Ran        string   `json:"ran"`
	RetryAfter *float64 `json:"retry_after_s"`
	Rule       string   `json:"rule"`
	Line       string   `json:"line"`
}

func verdicts(t *testing.T, stdout string) []verdict {
	t.Helper()
	var all []verdict
	for line := range strings.Lines(stdout) {
		var v verdict
		dec := json.NewDecoder(strings.NewReader(line))
		require.NoError(t, dec.Decode(&v), line)
		all = append(all, v)
	}
	return all
}

func one(t *testing.T, stdout string) verdict {
	t.Helper()
	all := verdicts(t, stdout)
	require.Len(t, all, 1, stdout)
	return all[0]
}
