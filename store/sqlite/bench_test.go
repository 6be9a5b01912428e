package sqlite_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"golang.org/x/sys/unix"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/sqlite"
)

// BenchmarkPairs measures a claim and its end, two durable transactions, with 1, 16
// and 64 clients, against what the disk can do in the same folder in the same run:
//
//	go test -run '^$' -bench Pairs -benchtime 3s ./sqlite
//
// tx/floor is how many transactions come out of one fdatasync.
func BenchmarkPairs(b *testing.B) {
	for _, clients := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			path := fresh(b)
			pairs(b, open(b, path), filepath.Dir(path), clients)
		})
	}
}

// pairs runs b.N pairs and reports their rate, latencies and what they make of the disk.
func pairs(b *testing.B, db *sqlite.DB, folder string, clients int) {
	floor := floorRate(b, folder)
	took := make([][]time.Duration, clients)
	next := make(chan struct{}, b.N)
	for range b.N {
		next <- struct{}{}
	}
	close(next)
	b.ResetTimer()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for range next {
				start := time.Now()
				if err := pair(b.Context(), db); err != nil {
					b.Error(err)
					return
				}
				took[i] = append(took[i], time.Since(start))
			}
		})
	}
	all.Wait()
	b.StopTimer()
	rate := float64(b.N) / b.Elapsed().Seconds()
	floor = (floor + floorRate(b, folder)) / 2
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	p50, p99 := sorted[len(sorted)/2], sorted[len(sorted)*99/100]
	b.ReportMetric(rate, "pairs/s")
	b.ReportMetric(2*rate/floor, "tx/floor")
	b.ReportMetric(floor, "floor/s")
	b.ReportMetric(p50.Seconds()*1e3, "p50-ms")
	b.ReportMetric(p99.Seconds()*1e3, "p99-ms")
	b.ReportMetric(p99.Seconds()/p50.Seconds(), "p99/p50")
}

// text is n random characters as a JSON string.
func text(n int) json.RawMessage {
	raw := make([]byte, n/2-1)
	_, _ = rand.Read(raw)
	return json.RawMessage(`"` + hex.EncodeToString(raw) + `"`)
}

// pair claims work that is new and completes it.
func pair(ctx context.Context, db *sqlite.DB) error {
	key := idempotency.Key{Tool: "pay_invoice", Intent: "key:" + string(text(34))}
	row, err := db.Apply(ctx, key.ID(), idempotency.Acquire{
		Request: idempotency.Request{
			Key: key, Effect: fault.Write, Args: text(300), Fingerprint: string(text(66)), RunID: string(text(36)), TaskName: "invoices",
		},
		Attempt: string(text(36)), Lease: time.Minute, Dispatch: true,
	})
	if err != nil {
		return err
	}
	result := text(600)
	row, err = db.Apply(ctx, row.ID, idempotency.Complete{Epoch: row.Epoch, Result: result, Size: len(result)})
	if err == nil && row.State != idempotency.Succeeded {
		err = fmt.Errorf("the row is %s", row.State)
	}
	return err
}

// floorRate is how often a second the disk writes four kilobytes durably in place,
// as in a write-ahead log that is used again.
func floorRate(b *testing.B, folder string) float64 {
	file, err := os.CreateTemp(folder, "floor-*")
	require.NoError(b, err)
	defer os.Remove(file.Name())
	defer file.Close()
	const size, page = 4 << 20, 4 << 10
	_, err = file.Write(make([]byte, size))
	require.NoError(b, err)
	require.NoError(b, file.Sync())
	block := make([]byte, page)
	n := 0
	start := time.Now()
	for ; time.Since(start) < time.Second; n++ {
		_, err := file.WriteAt(block, int64(n*page%size))
		require.NoError(b, err)
		require.NoError(b, unix.Fdatasync(int(file.Fd())))
	}
	return float64(n) / time.Since(start).Seconds()
}
