//go:build unix

package tools_test

import (
	"context"
	"errors"
	"os"
	"os/exec"
	"path/filepath"
	"strconv"
	"strings"
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit/tools"
)

func argv(words ...string) tools.RunCommandIn { return tools.RunCommandIn{Argv: words} }

func line(s string) tools.RunCommandIn { return tools.RunCommandIn{Command: s} }

func TestRunCommand(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "a.txt"), "one\ntwo\n")
	put(t, filepath.Join(dir, "b.txt"), "one\n2\n")
	put(t, filepath.Join(dir, "sub", "c.txt"), "below\n")
	run := tools.RunCommand(tools.CommandConfig{Dir: dir, Shell: true})
	for _, tc := range []struct {
		name  string
		in    tools.RunCommandIn
		exit  int
		shown string
	}{
		{"output", argv("cat", "a.txt"), 0, "one\ntwo"},
		{"no output says so", argv("true"), 0, "[no output]"},
		{"both streams in order", line("echo out; echo err >&2; echo out"), 0, "out\nerr\nout"},
		{"below the directory", tools.RunCommandIn{Argv: []string{"cat", "c.txt"}, Dir: "sub"}, 0, "below"},
		{"no shell around arguments", argv("echo", "$HOME; ls"), 0, "$HOME; ls"},
		{"no match is an answer", argv("grep", "three", "a.txt"), 1, "[no output; exit code 1]"},
		{"a difference is an answer", argv("cmp", "a.txt", "b.txt"), 1, "a.txt b.txt differ: char 5, line 2\n[exit code 1]"},
		{"no match at the end of a pipe", line("cat a.txt | grep three"), 1, "[no output; exit code 1]"},
		{"standard input is empty", argv("cat"), 0, "[no output]"},
	} {
		t.Run(tc.name, func(t *testing.T) {
			t.Parallel()
			out, err := run.Call(t.Context(), tc.in)
			require.NoError(t, err)
			require.Equal(t, tc.exit, out.ExitCode)
			require.Equal(t, tc.shown, strings.Replace(out.ModelText(), "byte 5", "char 5", 1))
		})
	}
}

func TestRunCommandExitCodeIsAFailureWithItsOutput(t *testing.T) {
	t.Parallel()
	run := tools.RunCommand(tools.CommandConfig{Shell: true, NoMatch: map[string][]int{"sh": {3}, "grep": {}}})
	_, err := run.Call(t.Context(), line("echo broken >&2; exit 2"))
	var failed *tools.CommandError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, 2, failed.ExitCode())
	require.Equal(t, "broken\n", failed.Output)
	require.NotContains(t, err.Error(), "broken", "the output is shown only where it is redacted")
	var exit *exec.ExitError
	require.ErrorAs(t, err, &exit)

	_, err = run.Call(t.Context(), line("true && exit 1"))
	require.ErrorAs(t, err, &failed, "nobody can tell whose exit code this is")

	out, err := run.Call(t.Context(), argv("sh", "-c", "exit 3"))
	require.NoError(t, err, "declared")
	require.Equal(t, 3, out.ExitCode)
	_, err = run.Call(t.Context(), argv("grep", "x", "/dev/null"))
	require.ErrorAs(t, err, &failed, "the declaration replaces the default")
}

func TestRunCommandThatCannotStartDidNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, filepath.Join(dir, "data"), "not a program")
	run := tools.RunCommand(tools.CommandConfig{Dir: dir})
	for _, tc := range []struct {
		in   tools.RunCommandIn
		want string
	}{
		{argv("no-such-program-here"), "no_such_command"},
		{argv("./missing"), "no_such_file"},
		{tools.RunCommandIn{Argv: []string{"true"}, Dir: "missing"}, "no_such_file"},
		{tools.RunCommandIn{Argv: []string{"true"}, Dir: "../.."}, "outside_root"},
		{argv(), "no_command"},
		{argv(""), "no_command"},
		{line("true"), "argv_only"},
		{tools.RunCommandIn{Argv: []string{"true"}, Command: "true"}, "argv_and_command"},
	} {
		_, err := run.Call(t.Context(), tc.in)
		require.Equal(t, tc.want, code(err), "%+v: %v", tc.in, err)
		f, _ := fault.As(err)
		require.Equal(t, fault.RanNo, f.Ran)
	}
	_, err := run.Call(t.Context(), argv("./data"))
	require.ErrorIs(t, err, os.ErrPermission)
	ended, cancel := context.WithCancel(t.Context())
	cancel()
	_, err = run.Call(ended, argv("touch", "late"))
	require.ErrorIs(t, err, context.Canceled)
	require.NoFileExists(t, filepath.Join(dir, "late"))
}

// At the end of its time a command is ended with everything it has started,
// also what does not listen.
func TestRunCommandTimeoutEndsTheWholeGroup(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := tools.RunCommand(tools.CommandConfig{Dir: dir, Shell: true})
	require.NoError(t, syscall.Mkfifo(filepath.Join(dir, "pid"), 0o600))
	ctx, cancel := context.WithCancel(t.Context())
	child := make(chan string, 1)
	go func() {
		pid, _ := os.ReadFile(filepath.Join(dir, "pid")) // waits for the command to write it
		child <- string(pid)
		cancel()
	}()
	began := time.Now()
	_, err := run.Call(ctx, line(`trap '' TERM; (trap '' TERM; sleep 60) & echo before; echo $! > pid; wait; sleep 60`))
	require.Less(t, time.Since(began), 20*time.Second)
	require.ErrorIs(t, err, context.Canceled)
	var failed *tools.CommandError
	require.ErrorAs(t, err, &failed)
	require.Equal(t, "before\n", failed.Output, "what it had said is kept")
	require.Equal(t, "command was killed", failed.Error())

	pid, err := strconv.Atoi(strings.TrimSpace(<-child))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return gone(pid) }, 5*time.Second, 5*time.Millisecond, "its child is still there")
}

// gone reports whether a process has ended; one that waits to be reaped has.
func gone(pid int) bool {
	if errors.Is(syscall.Kill(pid, 0), syscall.ESRCH) {
		return true
	}
	stat, err := os.ReadFile("/proc/" + strconv.Itoa(pid) + "/stat")
	return err == nil && strings.Contains(string(stat), ") Z ")
}

// A process in the background must not keep the call waiting for its output.
func TestRunCommandDoesNotWaitForWhatItLeftBehind(t *testing.T) {
	t.Parallel()
	run := tools.RunCommand(tools.CommandConfig{Shell: true})
	began := time.Now()
	out, err := run.Call(t.Context(), line("sleep 60 & echo started $!"))
	require.NoError(t, err)
	require.Less(t, time.Since(began), 20*time.Second)
	require.True(t, out.Left)
	require.Contains(t, out.ModelText(), "[processes left in the background were ended]")
	pid, err := strconv.Atoi(strings.TrimSpace(strings.TrimPrefix(out.Output, "started ")))
	require.NoError(t, err)
	require.Eventually(t, func() bool { return gone(pid) }, 5*time.Second, 5*time.Millisecond)
}

func TestRunCommandBoundsItsOutput(t *testing.T) {
	t.Parallel()
	run := tools.RunCommand(tools.CommandConfig{MaxOutput: 1000})
	out, err := run.Call(t.Context(), argv("seq", "1", "100000"))
	require.ErrorContains(t, err, "truncated")
	require.True(t, strings.HasPrefix(out.Output, "1\n2\n"))
	require.True(t, strings.HasSuffix(out.Output, "99999\n100000\n"))
	require.Contains(t, out.Output, "bytes left out …]")
	require.Less(t, len(out.Output), 1100)
}

func TestRunCommandPassesOnOnlyDeclaredVariables(t *testing.T) {
	t.Setenv("SECRET_TOKEN", "hunter2")
	t.Setenv("PASSED_ON", "yes")
	out, err := tools.RunCommand(tools.CommandConfig{Env: []string{"PASSED_ON", "SET=here", "NOT_SET_ANYWHERE"}}).Call(t.Context(), argv("env"))
	require.NoError(t, err)
	require.NotContains(t, out.Output, "hunter2")
	require.Contains(t, out.Output, "PASSED_ON=yes\n")
	require.Contains(t, out.Output, "SET=here\n")
	require.Contains(t, out.Output, "PATH=")
	require.NotContains(t, out.Output, "NOT_SET_ANYWHERE")
}

func TestRunCommandReadOnly(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	run := tools.RunCommand(tools.CommandConfig{Name: "inspect", Dir: dir, Shell: true, ReadOnly: []string{"echo", "git log"}})
	require.Equal(t, "inspect", run.Name)
	require.Equal(t, fault.Read, run.Effect)
	require.NotContains(t, string(run.Schema), `"command"`, "a line for a shell is not even offered")
	out, err := run.Call(t.Context(), argv("echo", "hello"))
	require.NoError(t, err)
	require.Equal(t, "hello", out.ModelText())
	for _, in := range []tools.RunCommandIn{argv("touch", "x"), argv("./echo"), argv("git"), argv("git", "push"), argv("/bin/echo")} {
		_, err := run.Call(t.Context(), in)
		require.Equal(t, "command_not_allowed", code(err), "%v", in.Argv)
	}
	_, err = run.Call(t.Context(), line("echo x"))
	require.Equal(t, "argv_only", code(err))
	require.Equal(t, fault.Write, tools.RunCommand(tools.CommandConfig{}).Effect)
}

// Running the tests, repairing something, and running them again is two pieces
// of work; a command of which nobody knows whether it ran stays one.
func TestOnlyACommandInDoubtIsNotRunAgain(t *testing.T) {
	t.Parallel()
	for _, ended := range []tools.RunCommandIn{argv("true"), argv("false"), argv("no-such-program-here")} {
		tool, entered := counted(tools.RunCommand(tools.CommandConfig{Shell: true}))
		run := wrapped(t, tool)
		run(ended)
		run(ended)
		require.EqualValues(t, 2, entered.Load(), "%v", ended.Argv)
	}
	for _, doubtful := range []tools.RunCommandIn{line("kill -9 $$"), line("exit 137"), line("exit 124")} {
		tool, entered := counted(tools.RunCommand(tools.CommandConfig{Shell: true}))
		run := wrapped(t, tool)
		run(doubtful)
		require.Equal(t, fault.KindUnknown, run(doubtful).Outcome.Kind)
		require.EqualValues(t, 1, entered.Load(), "%v", doubtful.Command)
	}
}
