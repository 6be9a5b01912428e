package runrecord_test

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

const writeForeverEnv = "RUNRECORD_WRITE_FOREVER"

// writeForever is the process that is killed: it reports each event only after
// the sink has taken it.
func writeForever(path string) {
	sink, err := runrecord.OpenJSONLines(path)
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	for i := uint32(1); ; i++ {
		if err := sink.Write(runrecord.Event{Schema: runrecord.SchemaVersion, Type: runrecord.EventCall, Run: fmt.Sprint(os.Getpid()),
			Seq: i, Error: strings.Repeat("x", int(i%1024))}); err != nil {
			fmt.Fprintln(os.Stderr, err)
			os.Exit(1)
		}
		fmt.Println(i)
	}
}

func readAll(t testing.TB, path string) (events []runrecord.Event, bad []error) {
	t.Helper()
	file, err := os.Open(path)
	require.NoError(t, err)
	defer file.Close()
	for e, err := range runrecord.ReadJSONLines(file) {
		if err != nil {
			bad = append(bad, err)
		} else {
			events = append(events, e)
		}
	}
	return events, bad
}

func TestKilledInTheMiddleOfWriting(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	taken := map[string]uint32{}
	const kills = 5
	for range kills {
		cmd := exec.Command(os.Args[0])
		cmd.Env = append(os.Environ(), writeForeverEnv+"="+path)
		cmd.Stderr = os.Stderr
		out, err := cmd.StdoutPipe()
		require.NoError(t, err)
		require.NoError(t, cmd.Start())
		var last uint32
		lines := bufio.NewScanner(out)
		for lines.Scan() && last < 500 {
			fmt.Sscan(lines.Text(), &last)
		}
		require.NoError(t, cmd.Process.Kill())
		_, _ = io.Copy(io.Discard, out)
		_ = cmd.Wait()
		require.GreaterOrEqual(t, last, uint32(500))
		taken[fmt.Sprint(cmd.Process.Pid)] = last
	}
	events, bad := readAll(t, path)
	require.LessOrEqual(t, len(bad), kills, "at most one torn line a kill")
	seen := map[string]uint32{}
	for _, e := range events {
		require.Equal(t, seen[e.Run]+1, e.Seq)
		seen[e.Run] = e.Seq
	}
	for pid, last := range taken {
		require.GreaterOrEqual(t, seen[pid], last, "what the sink has taken is in the file")
	}
}

func TestATornLastLineDoesNotSwallowTheNext(t *testing.T) {
	path := filepath.Join(t.TempDir(), "runs.jsonl")
	write := func(run string) {
		s, err := runrecord.OpenJSONLines(path)
		require.NoError(t, err)
		require.NoError(t, s.Write(runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: run}))
		require.NoError(t, s.Close())
		require.NoError(t, s.Close())
		require.ErrorIs(t, s.Write(runrecord.Event{}), runrecord.ErrSinkClosed)
	}
	write("before")
	whole, err := os.ReadFile(path)
	require.NoError(t, err)
	require.NoError(t, os.WriteFile(path, append(whole, whole[:len(whole)/2]...), 0o600))
	write("after")

	events, bad := readAll(t, path)
	require.Len(t, events, 2)
	require.Equal(t, "after", events[1].Run)
	require.Len(t, bad, 1)
	var line *runrecord.LineError
	require.ErrorAs(t, bad[0], &line)
	require.Equal(t, 2, line.Line)
	require.ErrorIs(t, bad[0], runrecord.ErrTorn)

	info, err := os.Stat(path)
	require.NoError(t, err)
	if runtime.GOOS == "windows" {
		return // permissions are not in the mode there
	}
	require.Equal(t, os.FileMode(0o600), info.Mode().Perm(), "a record is its owner's")
}

// choking writes half of a line and fails, once.
type choking struct {
	bytes.Buffer
	choke  bool
	writes int
}

func (w *choking) Write(p []byte) (int, error) {
	w.writes++
	if w.choke {
		w.choke = false
		n, _ := w.Buffer.Write(p[:len(p)/2])
		return n, errors.New("no space left")
	}
	return w.Buffer.Write(p)
}

func TestAWriteThatFailedHalfWayLosesOneEvent(t *testing.T) {
	w := new(choking)
	s := runrecord.NewJSONLines(w)
	e := runrecord.Event{Schema: 1, Type: runrecord.EventCall, Run: "r", Error: "a\nb"}
	require.NoError(t, s.Write(e))
	w.choke = true
	require.Error(t, s.Write(e))
	require.NoError(t, s.Write(e))
	require.NoError(t, s.Write(e))
	require.Equal(t, 4, w.writes, "one write an event")
	good, bad := 0, 0
	for _, err := range runrecord.ReadJSONLines(&w.Buffer) {
		if err != nil {
			bad++
		} else {
			good++
		}
	}
	require.Equal(t, 3, good)
	require.Equal(t, 1, bad)
	require.NoError(t, s.Close())
}

func TestOpenJSONLinesNamesTheFile(t *testing.T) {
	_, err := runrecord.OpenJSONLines(filepath.Join(t.TempDir(), "missing", "runs.jsonl"))
	require.ErrorIs(t, err, os.ErrNotExist)
	require.ErrorContains(t, err, "runs.jsonl")
}

func TestTheLinesOfARunAsOthersReadThem(t *testing.T) {
	var out bytes.Buffer
	rec := newRecorder(t, runrecord.Config{Sinks: []runrecord.Sink{runrecord.NewJSONLines(&out)}})
	_, run := start(t, rec, context.Background(), runrecord.Task{Name: "invoice-question"})
	one(t, run, runrecord.Call{Tool: lookup, Kind: fault.KindOK, Qualifiers: fault.Stale | fault.Empty})
	run.End()
	lines := strings.Split(strings.TrimSuffix(out.String(), "\n"), "\n")
	require.Len(t, lines, 3)
	require.Contains(t, lines[1], `"schema":1,"type":"call"`)
	require.Contains(t, lines[1], `"tool":"get_invoices","upstream":"billing","effect":"read","outcome":"ok"`)
	require.Contains(t, lines[1], `"qualifiers":["empty","stale"]`)
	require.Contains(t, lines[2], `"state":"unjudged"`)
	require.Contains(t, lines[2], `"counts":{"calls":1,"ok":1,"attempts":1}`)
}
