package transcript_test

import (
	"bytes"
	"context"
	"flag"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

var update = flag.Bool("update", false, "write the golden files")

// readAll returns all that Read hands on, with the problems of no transcript.
func readAll(t testing.TB, in io.Reader, o transcript.Options) ([]*transcript.Transcript, []transcript.Problem, transcript.Stats, error) {
	t.Helper()
	var all []*transcript.Transcript
	var loose []transcript.Problem
	o.OnProblem = func(p transcript.Problem) { loose = append(loose, p) }
	stats, err := transcript.Read(context.Background(), in, o, func(tr *transcript.Transcript) error {
		all = append(all, tr)
		return nil
	})
	return all, loose, stats, err
}

// outline writes a transcript so that a person can compare it with its source.
func outline(w io.Writer, t *transcript.Transcript) {
	fmt.Fprintf(w, "%s %q line %d", t.Format, t.ID, t.Line)
	if t.Task != "" {
		fmt.Fprintf(w, " task %q", t.Task)
	}
	if !t.Time.IsZero() {
		fmt.Fprint(w, " ", t.Time.UTC().Format(time.RFC3339))
	}
	if t.Tools != nil {
		fmt.Fprintf(w, " tools %q", t.Tools)
	}
	fmt.Fprintln(w)
	if t.System != "" {
		fmt.Fprintf(w, "  system %q\n", t.System)
	}
	for _, e := range t.Evidence {
		fmt.Fprintf(w, "  evidence %q\n", e)
	}
	for _, e := range t.Events {
		fmt.Fprintf(w, "  %d %s", e.Line, e.Kind)
		if e.Kind == transcript.Call || e.Kind == transcript.Result {
			fmt.Fprintf(w, " %s %q batch %d", e.Tool, e.ID, e.Batch)
		}
		if e.Sub {
			fmt.Fprint(w, " sub")
		}
		if e.Orphan {
			fmt.Fprint(w, " orphan")
		}
		if e.IsError != nil {
			fmt.Fprintf(w, " error=%v", *e.IsError)
		}
		if e.ExitCode != nil {
			fmt.Fprintf(w, " exit=%d", *e.ExitCode)
		}
		if e.Status != nil {
			fmt.Fprintf(w, " status=%d", *e.Status)
		}
		if e.Outcome != nil {
			fmt.Fprintf(w, " outcome=%s", e.Outcome.Outcome)
		}
		fmt.Fprintf(w, " %q", e.Text)
		if e.Extra != nil {
			fmt.Fprintf(w, " extra %q", e.Extra)
		}
		fmt.Fprintln(w)
	}
	if t.Record {
		fmt.Fprintf(w, "  decision %q %q\n", t.Decision, t.Findings)
	}
	if t.HasFinal {
		fmt.Fprintf(w, "  final line %d %q\n", t.FinalLine, t.Final)
	}
	for _, p := range t.Problems {
		fmt.Fprintf(w, "  problem %s\n", p)
	}
}

// Each file of testdata is read and compared with its outline beside it.
func TestFormats(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("testdata/*.json*")
	require.NoError(t, err)
	require.Len(t, files, 8)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			t.Parallel()
			data, err := os.ReadFile(path)
			require.NoError(t, err)
			all, loose, stats, err := readAll(t, bytes.NewReader(data), transcript.Options{})
			require.NoError(t, err)
			var got strings.Builder
			for _, tr := range all {
				outline(&got, tr)
			}
			for _, p := range loose {
				fmt.Fprintln(&got, "loose", p)
			}
			fmt.Fprintf(&got, "taken %d unknown %d broken %d transcripts %d problems %d\n",
				stats.Taken, stats.Unknown, stats.Broken, stats.Transcripts, stats.Problems)
			golden := strings.Replace(path, ".json", "-json", 1) + ".outline"
			if *update {
				require.NoError(t, os.WriteFile(golden, []byte(got.String()), 0o600))
			}
			want, err := os.ReadFile(golden)
			require.NoError(t, err)
			require.Equal(t, string(want), got.String())
		})
	}
}
