package audit

import "sync"

// maxFlight bounds the bytes of all transcripts that are being judged, or wait
// for it: many are small, and a few of the largest would fill the memory.
const maxFlight = 20 << 20

// flight lets transcripts in as long as there is room.
type flight struct {
	mu    sync.Mutex
	room  sync.Cond
	limit int
	held  int
}

func newFlight(limit int) *flight {
	f := &flight{limit: limit}
	f.room.L = &f.mu
	return f
}

// enter waits until there is room for size bytes, or nothing else is there.
func (f *flight) enter(size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	for f.held > 0 && f.held+size > f.limit {
		f.room.Wait()
	}
	f.held += size
}

// leave makes room.
func (f *flight) leave(size int) {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.held -= size
	f.room.Signal()
}

// open lets everything in.
func (f *flight) open() {
	f.mu.Lock()
	defer f.mu.Unlock()
	f.limit = int(^uint(0) >> 1)
	f.held = 0
	f.room.Broadcast()
}
