package toolkit

import (
	"math/rand/v2"
	"sync/atomic"
	"time"
)

// cooling is the pause that an upstream asked for with a 429. Every goroutine
// keeps it, not only the one that was told.
type cooling struct {
	until atomic.Pointer[time.Time] // nil: no pause has been asked for yet
}

// releaseSpread is the share of the pause over which the waiters are let go, so
// that they do not all come back in the same instant and earn the next 429.
const releaseSpread = 0.1

// ask begins a pause, or lengthens it. It is never shortened.
func (c *cooling) ask(pause time.Duration) {
	until := time.Now().Add(pause)
	for {
		old := c.until.Load()
		if old != nil && !old.Before(until) || c.until.CompareAndSwap(old, &until) {
			return
		}
	}
}

func (c *cooling) active() bool { return c.left() > 0 }

func (c *cooling) left() time.Duration {
	until := c.until.Load()
	if until == nil {
		return 0
	}
	return max(time.Until(*until), 0)
}

// wait is how long this caller should stay away.
func (c *cooling) wait() time.Duration {
	left := c.left()
	if left == 0 {
		if c.until.Load() != nil {
			c.forget()
		}
		return 0
	}
	return left + time.Duration(rand.Float64()*releaseSpread*float64(left))
}

// forget drops a pause that is over, so that later calls need not read the clock.
func (c *cooling) forget() {
	if old := c.until.Load(); old != nil && !time.Now().Before(*old) {
		c.until.CompareAndSwap(old, nil)
	}
}
