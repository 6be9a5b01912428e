package runrecord_test

import (
	"bytes"
	"errors"
	"io"
	"runtime"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/runrecord"
)

func TestLinesThatCannotBeUsed(t *testing.T) {
	const good = `{"schema":1,"type":"call","time":"2026-03-01T12:00:00Z","run_id":"r","leg":1,"seq":7}`
	for _, tt := range []struct {
		name, line string
		want       error
	}{
		{"an event", good, nil},
		{"of an unknown type and with unknown fields", `{"schema":1,"type":"resumed_by","colour":"blue","qualifiers":["shiny"]}`, nil},
		{"with spaces around it", "  " + good + "\t\r", nil},
		{"torn in a name", `{"schema":1,"ty`, runrecord.ErrTorn},
		{"torn behind a value", `{"schema":1,"type":"call"`, runrecord.ErrTorn},
		{"torn in a string", good[:40], runrecord.ErrTorn},
		{"of another program", `level=info msg="started"`, runrecord.ErrForeign},
		{"other JSON", `{"level":"info","msg":"started"}`, runrecord.ErrForeign},
		{"no object", `[1,2]`, runrecord.ErrForeign},
		{"a number", `17`, runrecord.ErrForeign},
		{"two in one line", good + good, nil},
		{"torn, with an event behind it", good[:40] + good, runrecord.ErrTorn},
		{"of another program, with an event behind it", `level=info msg="started` + good, runrecord.ErrForeign},
		{"an event, with another's beginning behind it", good + good[:40], runrecord.ErrTorn},
		{"the beginning of an event inside of a text", `{"schema":1,"type":"call","seq":7,"error":"{\"schema\":1,` + "x", runrecord.ErrTorn},
		{"a field of the wrong type", `{"schema":1,"type":"call","seq":"seven"}`, runrecord.ErrForeign},
		{"an unknown outcome", `{"schema":1,"type":"call","outcome":"glorious"}`, runrecord.ErrForeign},
		{"a schema of the wrong type", `{"schema":"1","type":"call"}`, runrecord.ErrForeign},
		{"zeros of a lost block", strings.Repeat("\x00", 64), runrecord.ErrForeign},
		{"a newer schema that would not parse", `{"schema":2,"type":"call","seq":"seven"}`, runrecord.ErrNewerSchema},
		{"too long", `{"schema":1,"type":"call","error":"` + strings.Repeat("x", 4<<20) + `"}`, runrecord.ErrTooLong},
	} {
		t.Run(tt.name, func(t *testing.T) {
			var got []runrecord.Event
			var bad []error
			for e, err := range runrecord.ReadJSONLines(strings.NewReader("\n" + tt.line + "\n" + good)) {
				if err != nil {
					bad = append(bad, err)
				} else {
					got = append(got, e)
				}
			}
			require.NotEmpty(t, got)
			require.EqualValues(t, 7, got[len(got)-1].Seq, "reading goes on behind it, to a last line without a newline")
			if tt.want == nil {
				require.Empty(t, bad)
				return
			}
			require.Len(t, bad, 1)
			require.ErrorIs(t, bad[0], tt.want)
			var line *runrecord.LineError
			require.ErrorAs(t, bad[0], &line)
			require.Equal(t, 2, line.Line)
			require.NotContains(t, bad[0].Error(), "started", "an error quotes nothing of the line")
		})
	}
}

func TestReadingStopsWithTheReadersError(t *testing.T) {
	broken := errors.New("network share is gone")
	in := io.MultiReader(strings.NewReader(`{"schema":1,"type":"call"}`+"\n"), iotest.ErrReader(broken))
	var errs []error
	for _, err := range runrecord.ReadJSONLines(in) {
		errs = append(errs, err)
	}
	require.Len(t, errs, 2)
	require.NoError(t, errs[0])
	require.ErrorIs(t, errs[1], broken)
	for range runrecord.ReadJSONLines(strings.NewReader("{}\n{}\n")) {
		break // a reader may stop early
	}
}

// endless is a line that never ends, up to n bytes.
type endless struct{ n int }

func (r *endless) Read(p []byte) (int, error) {
	if r.n <= 0 {
		return 0, io.EOF
	}
	n := min(len(p), r.n)
	for i := range p[:n] {
		p[i] = 'x'
	}
	r.n -= n
	return n, nil
}

func TestAnEndlessLineIsReadInConstantMemory(t *testing.T) {
	var before, after runtime.MemStats
	runtime.ReadMemStats(&before)
	for _, err := range runrecord.ReadJSONLines(&endless{96 << 20}) {
		require.ErrorIs(t, err, runrecord.ErrTooLong)
	}
	runtime.ReadMemStats(&after)
	require.Less(t, after.TotalAlloc-before.TotalAlloc, uint64(32<<20))
}

func FuzzReadJSONLines(f *testing.F) {
	f.Add([]byte(`{"schema":1,"type":"call","run_id":"r","outcome":"ok","qualifiers":["stale"],"counts":{"calls":1}}` + "\n{"))
	f.Add([]byte(`{"schema":1,"type":"run_started","run_id":"a","parent_id":"b"}` + "\n" + `{"schema":1,"type":"run_started","run_id":"b","parent_id":"a"}` +
		"\n" + `{"schema":1,"type":"run_ended","run_id":"a","state":"answered","counts":{"calls":9,"retries":-1}}`))
	f.Add([]byte("\n\n[]\n{\"schema\":2,\"type\":\"x\"}\n\x00"))
	f.Fuzz(func(t *testing.T, data []byte) {
		lines := bytes.Count(data, []byte("\n")) + 1
		events := lines + bytes.Count(data, []byte(`{"schema":`))
		n := 0
		views, err := runrecord.NewViews(runrecord.ViewsConfig{OpenRuns: 2, Rows: 2})
		require.NoError(t, err)
		for e, err := range runrecord.ReadJSONLines(bytes.NewReader(data)) {
			n++
			if err != nil {
				var line *runrecord.LineError
				if !errors.As(err, &line) || line.Line > lines {
					t.Fatalf("unexpected %v", err)
				}
				continue
			}
			if err := views.Write(e); err != nil && !errors.Is(err, runrecord.ErrImpossible) && !errors.Is(err, runrecord.ErrRepeated) {
				t.Fatal(err)
			}
			// What was read can be written and is read as the same again.
			again, err := e.MarshalJSON()
			if err != nil {
				continue // a year that JSON cannot hold
			}
			var back runrecord.Event
			if err := back.UnmarshalJSON(again); err != nil {
				t.Fatalf("%s: %v", again, err)
			}
		}
		if n > events {
			t.Fatalf("%d results from %d lines", n, lines)
		}
		_, _, _, _ = views.Runs().String(), views.Failures(0).String(), views.Refusals().String(), views.Retries().String()
	})
}
