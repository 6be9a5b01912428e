package idempotency

import (
	"context"
	"slices"
	"sync"
	"time"
)

const (
	// MemoryRetention is how long [Memory] keeps a closed row: as long as Stripe
	// keeps its keys.
	MemoryRetention = 24 * time.Hour
	// MemoryClosed is how many closed rows [Memory] keeps: at a few kilobytes each,
	// some hundred megabytes at the most.
	MemoryClosed = 1 << 16
	// memoryEvents is how many events of a row are kept.
	memoryEvents = 64
	// pruneEvery is after how many new rows the closed ones are looked through,
	// so that the cost of forgetting is spread.
	pruneEvery = 1024
)

// Memory is a store in the memory of this process: it protects against a
// repetition by an agent, a retry or a second goroutine, not against a crash.
// It has all optional abilities. It forgets closed rows, the oldest first, by age
// and number, and never one that may have happened. Safe for concurrent use.
type Memory struct {
	cfg MemoryConfig

	mu      sync.Mutex
	rows    map[string]*memoryRow
	created int // since the last pruning
}

type memoryRow struct {
	row     Row
	events  []Event
	changed chan struct{} // closed at the next change; nil while nobody waits
	taken   int64         // version that a Take has returned
	held    time.Time     // until then no other Take returns that version
}

// MemoryConfig bounds what a [Memory] remembers of work that has ended. Both bounds
// are looked at after every 1,024 new rows. Work that was forgotten is not
// recognised when it is asked for again.
type MemoryConfig struct {
	// Retention is how long a closed row is kept. Default [MemoryRetention].
	Retention time.Duration
	// Closed is how many closed rows are kept. Default [MemoryClosed].
	Closed int
}

// NewMemory returns an empty store with the default bounds.
func NewMemory() *Memory { return NewMemoryOf(MemoryConfig{}) }

// NewMemoryOf returns an empty store. A bound that is not positive is the default.
func NewMemoryOf(cfg MemoryConfig) *Memory {
	if cfg.Retention <= 0 {
		cfg.Retention = MemoryRetention
	}
	if cfg.Closed <= 0 {
		cfg.Closed = MemoryClosed
	}
	return &Memory{cfg: cfg, rows: make(map[string]*memoryRow)}
}

// Apply implements [Store].
func (m *Memory) Apply(ctx context.Context, id string, cmd Command) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	at, known := m.rows[id]
	if !known {
		at = &memoryRow{}
	}
	row, event, err := Apply(at.row, cmd, now)
	if err != nil || event.None() {
		return row, err
	}
	if !known {
		m.rows[id] = at
		if m.created++; m.created >= pruneEvery {
			m.created = 0
			m.prune(now, m.cfg.Retention)
			m.shed()
		}
	}
	at.row = row
	if len(at.events) >= memoryEvents {
		at.events = slices.Delete(at.events, 0, len(at.events)-memoryEvents+1)
	}
	at.events = append(at.events, event)
	if at.changed != nil {
		close(at.changed)
		at.changed = nil
	}
	return row, nil
}

// Load implements [Store].
func (m *Memory) Load(ctx context.Context, id string) (Row, error) {
	if err := ctx.Err(); err != nil {
		return Row{}, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.rows[id]
	if !ok {
		return Row{}, ErrNotFound
	}
	return at.row, nil
}

// List implements [Lister].
func (m *Memory) List(ctx context.Context, q Query) ([]Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.find(q, time.Now(), nil), nil
}

// Take implements [Taker].
func (m *Memory) Take(ctx context.Context, q Query, hold time.Duration) ([]Row, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	now := time.Now()
	found := m.find(q, now, func(at *memoryRow) bool {
		return at.taken != at.row.Version || !now.Before(at.held)
	})
	for i := range found {
		at := m.rows[found[i].ID]
		at.taken, at.held = at.row.Version, now.Add(hold)
	}
	return found, nil
}

// find returns the rows that match and that free, unless it is nil, lets through.
func (m *Memory) find(q Query, now time.Time, free func(*memoryRow) bool) []Row {
	var found []Row
	for _, at := range m.rows {
		if q.Page(&at.row) && q.Match(&at.row, now) && (free == nil || free(at)) {
			found = append(found, at.row)
		}
	}
	slices.SortFunc(found, func(a, b Row) int { return q.Compare(&a, &b) })
	return found[:min(q.Size(), len(found))]
}

// MaxResult implements [Keeper]: 64 KiB.
func (m *Memory) MaxResult() int { return defaultMaxResult }

// Events implements [Lister]. The last 64 of a row are kept.
func (m *Memory) Events(ctx context.Context, id string) ([]Event, error) {
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	at, ok := m.rows[id]
	if !ok {
		return nil, ErrNotFound
	}
	return slices.Clone(at.events), nil
}

// Changed implements [Waiter].
func (m *Memory) Changed(ctx context.Context, id string, version int64) error {
	m.mu.Lock()
	at, ok := m.rows[id]
	if !ok || at.row.Version > version {
		m.mu.Unlock()
		return ctx.Err()
	}
	if at.changed == nil {
		at.changed = make(chan struct{})
	}
	changed := at.changed
	m.mu.Unlock()
	select {
	case <-changed:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Prune implements [Pruner].
func (m *Memory) Prune(ctx context.Context, age time.Duration) (int, error) {
	if err := ctx.Err(); err != nil {
		return 0, err
	}
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.prune(time.Now(), age), nil
}

func (m *Memory) prune(now time.Time, age time.Duration) int {
	before := len(m.rows)
	for id, at := range m.rows {
		if at.row.State.Terminal() && now.Sub(at.row.Updated) > age {
			delete(m.rows, id)
		}
	}
	return before - len(m.rows)
}

// shed forgets the closed rows that were not changed for longest beyond the bound,
// and a sixteenth of it more, so that it has nothing to do for a while.
func (m *Memory) shed() {
	var closed []*Row
	for _, at := range m.rows {
		if at.row.State.Terminal() {
			closed = append(closed, &at.row)
		}
	}
	if len(closed) <= m.cfg.Closed {
		return
	}
	slices.SortFunc(closed, func(a, b *Row) int { return a.Updated.Compare(b.Updated) })
	for _, row := range closed[:len(closed)-m.cfg.Closed+m.cfg.Closed/16] {
		delete(m.rows, row.ID)
	}
}
