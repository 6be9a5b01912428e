//go:build linux

package runrecord_test

import (
	"os"
	"os/signal"
	"path/filepath"
	"strings"
	"syscall"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/runrecord"
)

// room lets files of this process grow up to limit bytes, as a disk would.
func room(t *testing.T, limit uint64) {
	t.Helper()
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &syscall.Rlimit{Cur: limit, Max: was.Max}))
}

func TestTwoWritersOnAFullDisk(t *testing.T) {
	signal.Ignore(syscall.SIGXFSZ)
	defer signal.Reset(syscall.SIGXFSZ)
	var was syscall.Rlimit
	require.NoError(t, syscall.Getrlimit(syscall.RLIMIT_FSIZE, &was))
	defer func() { require.NoError(t, syscall.Setrlimit(syscall.RLIMIT_FSIZE, &was)) }()

	path := filepath.Join(t.TempDir(), "runs.jsonl")
	open := func() *runrecord.JSONLines {
		s, err := runrecord.OpenJSONLines(path)
		require.NoError(t, err)
		return s
	}
	a, b, late := open(), open(), open()
	defer func() { require.NoError(t, a.Close()); require.NoError(t, b.Close()); require.NoError(t, late.Close()) }()
	write := func(s *runrecord.JSONLines, run string) error {
		return s.Write(runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: run, Error: strings.Repeat("x", 500)})
	}
	require.NoError(t, write(a, "a"))
	room(t, 1000)
	require.Error(t, write(a, "half"))
	require.Error(t, write(b, "finds no room at all"))
	require.Error(t, write(a, "nor does the first"))
	room(t, was.Cur)
	taken := 1
	for _, s := range []*runrecord.JSONLines{b, a, a, b} {
		require.NoError(t, write(s, "again"))
		taken++
	}
	events, bad := readAll(t, path)
	require.Len(t, events, taken, "what the sink has taken is in the file")
	require.Len(t, bad, 1)
	require.ErrorIs(t, bad[0], runrecord.ErrTorn)
	text, err := os.ReadFile(path)
	require.NoError(t, err)
	require.Len(t, strings.Fields(string(text)), taken+1, "a line each, for readers that know nothing of torn ones")

	room(t, uint64(len(text))+300)
	require.Error(t, write(a, "half"))
	room(t, was.Cur)
	require.NoError(t, write(late, "behind the half")) // has not failed, so it has not looked
	require.NoError(t, write(a, "again"))
	events, bad = readAll(t, path)
	require.Len(t, events, taken+2)
	require.Equal(t, "behind the half", events[taken].Run)
	require.Len(t, bad, 2)
}
