package transcript_test

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// BenchmarkRead reads each format: runs of eight calls with results of 2 KB as
// JSON and as lines, and the files of testdata, which are all structure.
func BenchmarkRead(b *testing.B) {
	inputs := map[string][]byte{"runs": runs(2 << 10), "record": record(b,
		runrecord.Event{Type: runrecord.EventRunStarted, Run: "r"},
		runrecord.Event{Type: runrecord.EventCall, Run: "r", Seq: 1, CallID: "call_0123456789", Tool: "get_invoices", Outcome: fault.KindFailed, Status: 401, Attempts: 1, Error: "token expired", ArgsHash: "0123456789abcdef"},
		runrecord.Event{Type: runrecord.EventJudged, Run: "r", Decision: "refuse", Findings: []string{"no call succeeded"}},
	).Bytes()}
	files, err := filepath.Glob("testdata/*.jsonl")
	require.NoError(b, err)
	for _, path := range files {
		data, err := os.ReadFile(path)
		require.NoError(b, err)
		inputs[filepath.Base(path)] = data
	}
	for name, one := range inputs {
		data := bytes.Repeat(one, 1+(4<<20)/len(one))
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(data)))
			b.ReportAllocs()
			for b.Loop() {
				n := 0
				_, err := transcript.Read(b.Context(), bytes.NewReader(data), transcript.Options{}, func(*transcript.Transcript) error {
					n++
					return nil
				})
				if err != nil || n == 0 {
					b.Fatal(err)
				}
			}
		})
	}
}

// runs is a line of the format events.
func runs(result int) []byte {
	var out strings.Builder
	out.WriteString(`{"id":"r","events":[{"type":"user","text":"What do they owe?"}`)
	for i := range 8 {
		body := strings.Repeat(`{\"invoice\": 4711, \"amount\": 1250.50, \"currency\": \"EUR\"},\n`, result/60)
		if i%2 == 1 {
			body = strings.Repeat(`Invoice 4711 of 2026-03-01 over 1,250.50 EUR was paid.\n`, result/55)
		}
		fmt.Fprintf(&out, `,{"type":"call","id":"c%d","tool":"get","args":{"customer":%d}},{"type":"result","id":"c%d","content":"%s"}`, i, i, i, body)
	}
	out.WriteString("],\"final\":\"1,250.50 EUR\",\"final_available\":true}\n")
	return []byte(out.String())
}
