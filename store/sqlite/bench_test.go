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
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

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
		require.NoError(b, datasync(file))
	}
	return float64(n) / time.Since(start).Seconds()
}

// BenchmarkReplay measures how fast a claim of work that is done is answered from the
// database, through the connections that read.
func BenchmarkReplay(b *testing.B) {
	db := open(b, fresh(b))
	const keys = 20_000
	cmds := make([]idempotency.Acquire, keys)
	var all sync.WaitGroup
	for worker := range 64 {
		all.Go(func() {
			for i := worker; i < keys; i += 64 {
				cmd := claimOf(i)
				cmds[i] = cmd
				row, err := db.Apply(b.Context(), cmd.Request.Key.ID(), cmd)
				if err == nil {
					_, err = db.Apply(b.Context(), row.ID, idempotency.Complete{Epoch: row.Epoch, Result: text(600), Size: 600})
				}
				if err != nil {
					b.Error(err)
					return
				}
			}
		})
	}
	all.Wait()
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			var n atomic.Int64
			var all sync.WaitGroup
			for range clients {
				all.Go(func() {
					for i := n.Add(1); i <= int64(b.N); i = n.Add(1) {
						cmd := cmds[i*7919%keys]
						row, err := db.Apply(b.Context(), cmd.Request.Key.ID(), cmd)
						if err != nil || row.State != idempotency.Succeeded {
							b.Errorf("%s: %v", row.State, err)
							return
						}
					}
				})
			}
			all.Wait()
			b.ReportMetric(float64(b.N)/b.Elapsed().Seconds(), "replays/s")
		})
	}
}

func claimOf(i int) idempotency.Acquire {
	cmd := acquire(fmt.Sprint("replay-", i))
	cmd.Request.Args = text(300)
	return cmd
}

// BenchmarkGrowth measures pairs with as many rows in the database as it says.
func BenchmarkGrowth(b *testing.B) {
	for _, rows := range []int{0, 1_000_000} {
		b.Run(fmt.Sprintf("rows=%d", rows), func(b *testing.B) {
			path := fresh(b)
			db := open(b, path)
			if rows > 0 {
				grow(b, path, rows)
			}
			b.ResetTimer()
			pairs(b, db, filepath.Dir(path), 16)
		})
	}
}

// grow puts rows of work that is done into the database, without waiting for the disk.
func grow(b *testing.B, path string, rows int) {
	pool := raw(b, path, "_pragma=synchronous(OFF)&_pragma=wal_autocheckpoint(100000)")
	_, err := pool.ExecContext(b.Context(), `INSERT INTO failloud_calls
		(id, tool, state, version, created, updated, blobs, body, args, result)
		WITH RECURSIVE c (i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM c WHERE i < ?)
		SELECT lower(hex(randomblob(16))), 'pay_invoice', 'succeeded', 2, i, i, 0, printf('%500s', ''), zeroblob(300), zeroblob(600) FROM c`, rows)
	require.NoError(b, err)
	_, err = pool.ExecContext(b.Context(), `PRAGMA wal_checkpoint(TRUNCATE)`)
	require.NoError(b, err)
	require.NoError(b, pool.Close())
}
