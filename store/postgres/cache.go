package postgres

import (
	"sync"

	"github.com/failloud/failloud/idempotency"
)

const (
	cachedRows    = 4096
	cachedPayload = 16 << 10 // arguments and result of one row: 64 MiB in all at the most
)

// cache holds open rows as this process last wrote them, so that the end of a call
// need not read what its claim has written. It may be out of date at any time: what
// is made from it is compared with the version in the database when it is written,
// and no answer is given from it alone. Safe for concurrent use.
type cache struct {
	mu   sync.Mutex
	rows map[string]idempotency.Row
}

func (c *cache) get(id string) idempotency.Row {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.rows[id]
}

// put remembers an open row, in the place of any other where there are too many.
func (c *cache) put(row idempotency.Row) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if row.State.Terminal() || len(row.Args)+len(row.Result) > cachedPayload {
		delete(c.rows, row.ID)
		return
	}
	if _, known := c.rows[row.ID]; !known && len(c.rows) >= cachedRows {
		for id := range c.rows {
			delete(c.rows, id)
			break
		}
	}
	c.rows[row.ID] = row
}

// forget drops a row of which it is not known whether it was written.
func (c *cache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.rows, id)
}
