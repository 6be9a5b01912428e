package idempotency_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"go.uber.org/goleak"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/idempotency/idempotencytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryStore(t *testing.T) {
	idempotencytest.Run(t, func(*testing.T) idempotency.Store { return idempotency.NewMemory() })
}

// documents is the least a store can be: rows as JSON, compare-and-set on the
// version, no optional ability. Its clock can be moved.
type documents struct {
	shift atomic.Int64

	mu   sync.Mutex
	rows map[string][]byte
}

func (d *documents) Shift(by time.Duration) { d.shift.Add(int64(by)) }

func (d *documents) Load(_ context.Context, id string) (idempotency.Row, error) {
	d.mu.Lock()
	raw := d.rows[id]
	d.mu.Unlock()
	if raw == nil {
		return idempotency.Row{}, idempotency.ErrNotFound
	}
	var row idempotency.Row
	return row, json.Unmarshal(raw, &row)
}

func (d *documents) Apply(ctx context.Context, id string, cmd idempotency.Command) (idempotency.Row, error) {
	for {
		old, err := d.Load(ctx, id)
		if err != nil && !errors.Is(err, idempotency.ErrNotFound) {
			return old, err
		}
		row, event, err := idempotency.Apply(old, cmd, time.Now().Add(time.Duration(d.shift.Load())))
		if err != nil || event.None() {
			return row, err
		}
		raw, err := json.Marshal(row)
		if err != nil {
			return row, err
		}
		if d.swap(id, old.Version, raw) {
			return row, nil
		}
	}
}

func (d *documents) swap(id string, version int64, raw []byte) bool {
	d.mu.Lock()
	defer d.mu.Unlock()
	var now idempotency.Row
	if old := d.rows[id]; old != nil && json.Unmarshal(old, &now) != nil {
		return false
	}
	if now.Version != version {
		return false
	}
	d.rows[id] = raw
	return true
}

func TestStoreOfDocuments(t *testing.T) {
	idempotencytest.Run(t, func(*testing.T) idempotency.Store { return &documents{rows: map[string][]byte{}} })
}
