package transcript_test

import (
	"bytes"
	"errors"
	"io"
	"os"
	"path/filepath"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
	"github.com/failloud/failloud/runrecord"
)

// FuzzRead holds what everyone who gets a transcript relies on: whatever the
// input, each value is accounted for, and what is handed on is well-formed.
func FuzzRead(f *testing.F) {
	files, err := filepath.Glob("testdata/*.json*")
	require.NoError(f, err)
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(f, err)
		f.Add(data)
		for line := range bytes.Lines(data) {
			f.Add(line)
		}
	}
	f.Add(record(f,
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r", Question: "q"},
		runrecord.Event{Type: runrecord.EventCall, Run: "s", Parent: "r", Seq: 3, Tool: "t"},
		runrecord.Event{Type: runrecord.EventSettled, Run: "s", Parent: "r", Seq: 3},
		runrecord.Event{Type: runrecord.EventJudged, Run: "r", Draft: "d"},
	).Bytes())
	f.Add([]byte(zipped(`{"evidence":[1],"answer":"x"}`)))
	f.Fuzz(func(t *testing.T, data []byte) {
		all, loose, stats, err := readAll(t, bytes.NewReader(data), transcript.Options{MaxOpen: 3, MaxHeld: 4 << 10, MaxLine: 16 << 10})
		if err != nil {
			return // gzip or UTF-16 of the fuzzer's making
		}
		problems := len(loose)
		for _, tr := range all {
			wellFormed(t, tr)
			problems += len(tr.Problems)
		}
		require.Len(t, all, stats.Transcripts)
		require.LessOrEqual(t, problems, stats.Problems)
		if !bytes.HasPrefix(data, []byte{0x1f, 0x8b}) {
			values, broken := count(data)
			require.Equal(t, values, stats.Taken+stats.Unknown)
			require.Equal(t, broken, stats.Broken)
		}
	})
}

// count counts the values of the input on its own.
func count(data []byte) (values, broken int) {
	data = bytes.TrimPrefix(data, []byte("\xef\xbb\xbf"))
	r := rawjson.NewReader(bytes.NewReader(data), rawjson.Config{MaxValue: 16 << 10, Mark: `{"schema":`})
	for {
		_, err := r.Next()
		switch _, bad := errors.AsType[*rawjson.ValueError](err); {
		case bad:
			broken++
		case errors.Is(err, io.EOF):
			return values, broken
		default:
			values++
		}
	}
}

// wellFormed checks what the comments of Transcript and Event promise.
func wellFormed(t *testing.T, tr *transcript.Transcript) {
	t.Helper()
	require.NotEmpty(t, tr.ID)
	require.NotEmpty(t, tr.Format)
	require.Positive(t, tr.Line)
	require.LessOrEqual(t, len(tr.Problems), 32)
	calls, results := map[string]bool{}, map[string]bool{}
	for _, e := range tr.Events {
		require.Positive(t, e.Line)
		require.True(t, utf8.ValidString(e.Text), "%q", e.Text)
		switch e.Kind {
		case transcript.User, transcript.Assistant:
			require.NotEmpty(t, e.Text)
		case transcript.Call:
			require.False(t, calls[e.ID], "the id %q is there twice", e.ID)
			require.Positive(t, e.Batch)
			calls[e.ID] = true
		case transcript.Result:
			if e.Orphan {
				continue
			}
			require.True(t, calls[e.ID], "the result %q has no call", e.ID)
			require.False(t, results[e.ID], "the call %q was answered twice", e.ID)
			results[e.ID] = true
		default:
			require.Fail(t, "an event of no kind")
		}
	}
	require.Equal(t, tr.HasFinal, tr.Final != "")
	require.Equal(t, tr.HasFinal, tr.FinalLine > 0)
	for _, p := range tr.Problems {
		printable(t, p)
	}
}

func printable(t *testing.T, p transcript.Problem) {
	t.Helper()
	require.Less(t, len(p.What), 1<<11)
	for _, r := range p.What {
		require.True(t, r >= ' ' && r != 0x7f, "%q", p.What)
	}
}
