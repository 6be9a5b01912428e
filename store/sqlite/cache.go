package sqlite

import (
	"sync"

	"github.com/failloud/failloud/idempotency"
)

const (
	cachedRows    = 4096
	cachedPayload = 64 << 10
)

// stored is a row and where it lies. The zero value is a row that does not exist.
type stored struct {
	n     int64 // rowid
	blobs blobs
	row   idempotency.Row
}

// cache holds open rows as this process last wrote them, so that the end of a call
// need not read what its claim has written. It may be out of date at any time: what
// is made from it is compared with the version in the database when it is written,
// and no answer is given from it alone. Safe for concurrent use.
type cache struct {
	mu   sync.Mutex
	rows map[string]stored
}

func (c *cache) get(id string) (stored, bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, ok := c.rows[id]
	return at, ok
}

// put remembers an open row, in the place of any other where there are too many.
func (c *cache) put(at stored) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if at.row.State.Terminal() || len(at.row.Args)+len(at.row.Result) > cachedPayload {
		delete(c.rows, at.row.ID)
		return
	}
	if _, known := c.rows[at.row.ID]; !known && len(c.rows) >= cachedRows {
		for id := range c.rows {
			delete(c.rows, id)
			break
		}
	}
	c.rows[at.row.ID] = at
}

// forget drops a row of which it is not known whether it was written.
func (c *cache) forget(id string) {
	c.mu.Lock()
	defer c.mu.Unlock()
	delete(c.rows, id)
}
