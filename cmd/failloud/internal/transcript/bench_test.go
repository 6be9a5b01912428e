package transcript_test

import (
	"bytes"
	"context"
	"os"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
)

func BenchmarkReadDev(b *testing.B) {
	data, err := os.ReadFile("/tmp/dev_cases/runs.jsonl")
	require.NoError(b, err)
	data = bytes.Repeat(data, 8)
	b.SetBytes(int64(len(data)))
	b.ReportAllocs()
	for b.Loop() {
		n := 0
		s, err := transcript.Read(context.Background(), bytes.NewReader(data), transcript.Options{}, func(t *transcript.Transcript) error {
			n += len(t.Events)
			return nil
		})
		if err != nil {
			b.Fatal(err)
		}
		if s.Transcripts != 196*8 || s.Problems > 0 {
			b.Fatal(s)
		}
	}
}
