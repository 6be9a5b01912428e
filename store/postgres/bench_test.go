package postgres_test

import (
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
)

// BenchmarkPair is a claim and its end: two transactions, each flushed to the disk
// before it is answered. tx/floor compares them with how often the same disk can
// flush 4 KiB, measured before and after: figures of different runs, or of different
// disks, compare by that only.
func BenchmarkPair(b *testing.B) {
	url := pgtest.URL(b)
	for _, clients := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			db := open(b, postgres.Config{URL: url, Schema: fmt.Sprintf("bench_%d", clients)})
			pairs(b, clients, func(id string, claim, end idempotency.Command) error {
				if _, err := db.Apply(b.Context(), id, claim); err != nil {
					return err
				}
				row, err := db.Apply(b.Context(), id, end)
				if err == nil && row.State != idempotency.Succeeded {
					err = fmt.Errorf("ended %s", row.State)
				}
				return err
			})
		})
	}
}

// pairs runs b.N claims and ends on so many goroutines.
func pairs(b *testing.B, clients int, run func(id string, claim, end idempotency.Command) error) {
	args, result := document(b, 300), document(b, 600)
	before := floor(b)
	var next atomic.Int64
	took := make([][]time.Duration, clients)
	done := make(chan error, clients)
	b.ResetTimer()
	for c := range clients {
		go func() {
			for next.Add(1) <= int64(b.N) {
				key := idempotency.Key{Tool: "pay_invoice", Intent: "key:" + random(16)}
				start := time.Now()
				err := run(key.ID(),
					idempotency.Acquire{Attempt: random(16), Lease: 30 * time.Second, Dispatch: true, Request: idempotency.Request{
						Key: key, Effect: fault.Write, Args: args, Fingerprint: "f", TaskName: "invoices", TaskKey: "t", RunID: "r",
					}},
					idempotency.Complete{Epoch: 1, Result: result, Size: len(result)})
				if err != nil {
					done <- err
					return
				}
				took[c] = append(took[c], time.Since(start))
			}
			done <- nil
		}()
	}
	for range clients {
		require.NoError(b, <-done)
	}
	b.StopTimer()
	rate := float64(b.N) / b.Elapsed().Seconds()
	all := slices.Concat(took...)
	slices.Sort(all)
	b.ReportMetric(rate, "pairs/s")
	b.ReportMetric(2*rate/((before+floor(b))/2), "tx/floor")
	b.ReportMetric(float64(all[len(all)/2].Microseconds())/1000, "p50-ms")
	b.ReportMetric(float64(all[len(all)*99/100].Microseconds())/1000, "p99-ms")
}

// floor is how often a second this disk flushes 4 KiB that are written in place.
func floor(b *testing.B) float64 {
	b.Helper()
	file, err := os.Create(filepath.Join(b.TempDir(), "floor"))
	require.NoError(b, err)
	defer file.Close()
	_, err = file.Write(make([]byte, 4<<20))
	require.NoError(b, err)
	require.NoError(b, file.Sync())
	page := make([]byte, 4096)
	start, n := time.Now(), 0
	for ; time.Since(start) < time.Second; n++ {
		_, err := file.WriteAt(page, int64(n%1024)*4096)
		require.NoError(b, err)
		require.NoError(b, datasync(file))
	}
	return float64(n) / time.Since(start).Seconds()
}

func document(b *testing.B, size int) json.RawMessage {
	b.Helper()
	doc, err := json.Marshal(map[string]string{"text": random(size/2 - 6)})
	require.NoError(b, err)
	return doc
}

func random(bytes int) string {
	p := make([]byte, bytes)
	_, _ = rand.Read(p)
	return hex.EncodeToString(p)
}
