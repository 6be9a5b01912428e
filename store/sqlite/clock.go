package sqlite

import (
	"sync"
	"time"
)

// clock is the clock of the store. It is the machine's, except that it never runs
// behind a time that was written: set back by an hour, with or without a restart,
// it goes on from where it was, or leases that had ended would hold again. Safe for
// concurrent use.
type clock struct {
	mu   sync.Mutex
	high time.Time // newest time known, and when that was, by the monotonic clock
	at   time.Time
}

// now is the time.
func (c *clock) now() time.Time {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if c.high.IsZero() {
		return now.UTC().Round(0)
	}
	if high := c.high.Add(now.Sub(c.at)); high.After(now) {
		return high
	}
	return now.UTC().Round(0)
}

// saw takes notice of a time that was written, by whomever.
func (c *clock) saw(t time.Time) {
	c.mu.Lock()
	defer c.mu.Unlock()
	now := time.Now()
	if t.After(now) && t.After(c.high.Add(now.Sub(c.at))) {
		c.high, c.at = t.UTC().Round(0), now
	}
}
