package idempotency

import (
	"container/list"
	"sync"
	"time"
)

const (
	// cacheFor is how long a row is answered from memory before the store is asked
	// again: what another process erases is not replayed here for longer.
	cacheFor = time.Minute
	// cacheBytes bounds the arguments and results that are kept, and cacheRow those
	// of one row: a large result is read from the store each time.
	cacheBytes = 64 << 20
	cacheRow   = 64 << 10
)

// cache remembers terminal rows, the least recently used goes first. A terminal
// state has no exit, so what it says of the work stays true wherever else the row
// is written: another process can only erase its payloads, prune it, or add
// evidence of a late success to it. The first two make the cache answer what
// the store no longer would, the last leaves the evidence out, all for [cacheFor]
// at most.
type cache struct {
	size int // rows; 0: it keeps nothing

	mu    sync.Mutex
	rows  map[string]*list.Element // of cached
	order *list.List               // the most recently used first
	bytes int
}

type cached struct {
	row   Row
	bytes int
	until time.Time
}

func newCache(size int) *cache {
	return &cache{size: max(size, 0), rows: make(map[string]*list.Element), order: list.New()}
}

// get returns a terminal row that was stored within the last minute.
func (c *cache) get(id string) (Row, bool) {
	if c.size == 0 {
		return Row{}, false
	}
	c.mu.Lock()
	defer c.mu.Unlock()
	e, ok := c.rows[id]
	if !ok {
		return Row{}, false
	}
	at := e.Value.(*cached)
	if !time.Now().Before(at.until) {
		c.remove(e)
		return Row{}, false
	}
	c.order.MoveToFront(e)
	return at.row, true
}

// put remembers what the store has said of a row, unless something newer is known.
func (c *cache) put(row Row) {
	if c.size == 0 || !row.State.Terminal() {
		return
	}
	bytes := len(row.Args) + len(row.Result)
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.rows[row.ID]; ok {
		if e.Value.(*cached).row.Version > row.Version {
			return
		}
		c.remove(e)
	}
	if bytes > cacheRow {
		return
	}
	c.rows[row.ID] = c.order.PushFront(&cached{row: row, bytes: bytes, until: time.Now().Add(cacheFor)})
	c.bytes += bytes
	for len(c.rows) > c.size || c.bytes > cacheBytes {
		c.remove(c.order.Back())
	}
}

// drop forgets a row.
func (c *cache) drop(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if e, ok := c.rows[id]; ok {
		c.remove(e)
	}
}

// clear forgets all rows.
func (c *cache) clear() {
	c.mu.Lock()
	defer c.mu.Unlock()
	clear(c.rows)
	c.order.Init()
	c.bytes = 0
}

func (c *cache) remove(e *list.Element) {
	at := c.order.Remove(e).(*cached)
	delete(c.rows, at.row.ID)
	c.bytes -= at.bytes
}
