package durable_test

import (
	"os"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

// measure runs b.N calls from a number of clients, and reports their rate, their
// latencies and what they make of the disk that the folder is on. Each call is
// given a number of its own.
func measure(b *testing.B, folder string, clients, transactions int, call func(n int) error) {
	before := floorRate(b, folder)
	took := make([][]time.Duration, clients)
	next := make(chan int, b.N)
	for n := range b.N {
		next <- n
	}
	close(next)
	b.ResetTimer()
	var all sync.WaitGroup
	for i := range clients {
		all.Go(func() {
			for n := range next {
				start := time.Now()
				if err := call(n); err != nil {
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
	floor := (before + floorRate(b, folder)) / 2
	sorted := slices.Sorted(slices.Values(slices.Concat(took...)))
	if len(sorted) == 0 {
		return
	}
	p50, p99 := sorted[len(sorted)/2], sorted[len(sorted)*99/100]
	b.ReportMetric(rate, "calls/s")
	b.ReportMetric(float64(transactions)*rate/floor, "tx/floor")
	b.ReportMetric(floor, "floor/s")
	b.ReportMetric(p50.Seconds()*1e3, "p50-ms")
	b.ReportMetric(p99.Seconds()/p50.Seconds(), "p99/p50")
	b.ReportMetric(0, "ns/op") // the rate says it, whatever the number of clients
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
