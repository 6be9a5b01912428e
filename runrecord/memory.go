package runrecord

import "sync"

// Memory is a [Sink] that holds the last events, for tests and for views over
// what has just happened. Safe for concurrent use.
type Memory struct {
	mu      sync.Mutex
	ring    []Event
	limit   int
	next    int // where the oldest is, once the ring is full
	dropped uint64
}

// NewMemory returns a sink that holds the last n events; n < 1 means 4096.
func NewMemory(n int) *Memory {
	if n < 1 {
		n = 4096
	}
	return &Memory{limit: n}
}

// Write keeps the event and lets go of the oldest where there is no room. It
// never fails.
func (m *Memory) Write(e Event) error {
	m.mu.Lock()
	defer m.mu.Unlock()
	if len(m.ring) < m.limit {
		m.ring = append(m.ring, e)
		return nil
	}
	m.ring[m.next] = e
	m.next = (m.next + 1) % m.limit
	m.dropped++
	return nil
}

// Events returns the events held, oldest first, as a copy.
func (m *Memory) Events() []Event {
	m.mu.Lock()
	defer m.mu.Unlock()
	return append(append(make([]Event, 0, len(m.ring)), m.ring[m.next:]...), m.ring[:m.next]...)
}

// Dropped is how many events have made room for later ones.
func (m *Memory) Dropped() uint64 {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.dropped
}
