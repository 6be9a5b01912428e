package main_test

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"os"
	"os/exec"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

func TestAuditShowsWhatItKnowsWhenInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process there cannot be sent an interrupt")
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary, "audit", "--fail-on", "refuse")
	var stdout, stderr bytes.Buffer
	cmd.Stdout, cmd.Stderr = &stdout, &stderr
	in, _ := openInput(t, cmd)
	require.NoError(t, cmd.Start())
	data, err := os.ReadFile(pastRuns)
	require.NoError(t, err)
	// Far more than a pipe and its reader hold, so some of it was read.
	for range 400 {
		_, err = in.Write(data)
		require.NoError(t, err)
	}
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	require.True(t, ok)
	require.Equal(t, 130, exit.ExitCode(), stderr.String())
	require.True(t, strings.HasPrefix(stdout.String(), "Interrupted: this is what was read until then.\n"), stdout.String())
	require.Regexp(t, `[1-9][\d,]* runs, [1-9][\d,]* answers: [1-9]`, stdout.String())
}

func TestAuditAnswersWhileTheInputIsStillOpenAndCanBeInterrupted(t *testing.T) {
	if runtime.GOOS == "windows" {
		t.Skip("a process there cannot be sent an interrupt")
	}
	t.Parallel()
	cmd := exec.CommandContext(t.Context(), binary, "audit", "--format", "json")
	in, out := openInput(t, cmd)
	require.NoError(t, cmd.Start())
	_, err := io.WriteString(in, oneRun(t, "weather"))
	require.NoError(t, err)
	rows := bufio.NewScanner(out)
	require.True(t, rows.Scan(), "a row before the next line is written")
	require.Contains(t, rows.Text(), `"id":"weather"`)
	require.NoError(t, cmd.Process.Signal(os.Interrupt))
	require.False(t, rows.Scan(), "the end of the output")
	exit, ok := errors.AsType[*exec.ExitError](cmd.Wait())
	require.True(t, ok)
	require.Equal(t, 130, exit.ExitCode())
}

// openInput gives the command a standard input that stays open until the test
// has ended.
func openInput(t *testing.T, cmd *exec.Cmd) (in io.Writer, out io.Reader) {
	t.Helper()
	r, w, err := os.Pipe()
	require.NoError(t, err)
	t.Cleanup(func() {
		_, _ = r.Close(), w.Close()
	})
	cmd.Stdin = r
	if cmd.Stdout == nil {
		out, err = cmd.StdoutPipe()
		require.NoError(t, err)
	}
	return w, out
}
