package main_test

import (
	"bytes"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"
)

// put writes a file with one run of that id.
func put(t *testing.T, id string, path ...string) string {
	t.Helper()
	name := filepath.Join(path...)
	require.NoError(t, os.MkdirAll(filepath.Dir(name), 0o755))
	require.NoError(t, os.WriteFile(name, []byte(oneRun(t, id)), 0o644))
	return name
}

func link(t *testing.T, target string, path ...string) {
	t.Helper()
	if runtime.GOOS == "windows" {
		t.Skip("links need a privilege there")
	}
	require.NoError(t, os.Symlink(target, filepath.Join(path...)))
}

func TestWhatCannotBeReadInAFolderKeepsTheRestFromNothing(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	put(t, "weather", dir, "a.jsonl")
	link(t, filepath.Join(dir, "gone.jsonl"), dir, "b.jsonl")
	got := failloud(t, nil, "audit", "--format", "json", dir, filepath.Join(dir, "absent.jsonl"))
	require.Equal(t, 2, got.code, got.stderr)
	require.Contains(t, audited(t, got.stdout), "weather")
	require.Contains(t, got.stderr, "b.jsonl")
	require.Contains(t, got.stderr, "absent.jsonl")

	locked := filepath.Join(dir, "locked")
	put(t, "weather", locked, "a.jsonl")
	require.NoError(t, os.Chmod(locked, 0))
	t.Cleanup(func() { _ = os.Chmod(locked, 0o755) })
	if _, err := os.ReadDir(locked); err == nil {
		t.Skip("nothing is locked to this user")
	}
	got = failloud(t, nil, "audit", "--format", "json", dir)
	require.Equal(t, 2, got.code, got.stderr)
	require.Contains(t, audited(t, got.stdout), "weather")
	require.Contains(t, got.stderr, "locked")
}

func TestLinksAreFollowedToFilesAndOnlyOnce(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	real := filepath.Join(dir, "real")
	put(t, "weather", real, "a.jsonl")
	put(t, "flights", dir, "elsewhere", "f.txt")
	put(t, "mail", dir, "other", "m.jsonl")
	link(t, "a.jsonl", real, "again.jsonl")
	link(t, filepath.Join(dir, "elsewhere", "f.txt"), real, "f.jsonl")
	link(t, real, real, "loop")
	link(t, real, dir, "root")
	got := failloud(t, nil, "audit", "--format", "json", filepath.Join(dir, "root"))
	require.Zero(t, got.code, got.stderr)
	rows := audited(t, got.stdout)
	require.Len(t, rows, 2)
	require.Equal(t, filepath.Join(dir, "root", "f.jsonl"), rows["flights"].File)

	link(t, filepath.Join(dir, "other"), real, "other")
	got = failloud(t, nil, "audit", "--format", "json", real)
	require.Equal(t, 2, got.code)
	require.Contains(t, got.stderr, "a link to a folder, which is not followed")
	require.NotContains(t, audited(t, got.stdout), "mail")
}

func TestADeviceIsNoTerminal(t *testing.T) {
	t.Parallel()
	null, err := os.OpenFile(os.DevNull, os.O_RDWR, 0)
	require.NoError(t, err)
	defer null.Close()
	cmd := exec.CommandContext(t.Context(), binary, "audit", "--format", "html", pastRuns)
	cmd.Stdout = null
	require.NoError(t, cmd.Run())
	var stderr bytes.Buffer
	cmd = exec.CommandContext(t.Context(), binary, "audit")
	cmd.Stdin, cmd.Stderr = null, &stderr
	require.Error(t, cmd.Run())
	require.Equal(t, 2, cmd.ProcessState.ExitCode())
	require.NotContains(t, stderr.String(), "terminal")
}
