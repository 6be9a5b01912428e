package breaker

import (
	"sync/atomic"
	"time"
)

// window counts events over a rolling time without a lock. Each bucket holds
// the number of its turn in the upper half of a word and the count in the lower
// one, so that the first event of a new turn starts the bucket afresh.
type window struct {
	width time.Duration
	words [buckets]atomic.Uint64
}

const countBits = 32

func (w *window) turn(now time.Duration) uint64 { return uint64(now/w.width) + 1 } // 0 is "never"

func (w *window) add(now time.Duration) {
	turn := w.turn(now)
	word := &w.words[turn%buckets]
	for {
		old := word.Load()
		switch seen := old >> countBits; {
		case seen == turn:
			if word.CompareAndSwap(old, old+1) {
				return
			}
		case seen > turn: // a clock reading that is a whole window late
			return
		case word.CompareAndSwap(old, turn<<countBits|1):
			return
		}
	}
}

func (w *window) sum(now time.Duration) int64 {
	turn := w.turn(now)
	var sum int64
	for i := range w.words {
		word := w.words[i].Load()
		if seen := word >> countBits; seen != 0 && seen+buckets > turn {
			sum += int64(word & (1<<countBits - 1))
		}
	}
	return sum
}

func (w *window) clear() {
	for i := range w.words {
		w.words[i].Store(0)
	}
}
