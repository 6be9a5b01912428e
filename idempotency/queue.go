package idempotency

import (
	"context"
	"fmt"
	"maps"
	"sync"
	"time"
)

const (
	queuePause    = 100 * time.Millisecond
	queueMaxPause = 5 * time.Second
)

// queue keeps what could not be saved while the store is down, one command a
// row: the end of its last claim. A goroutine exists only while there is
// something to save.
type queue struct {
	apply   func(ctx context.Context, id string, cmd Command) (Row, error)
	size    int
	timeout time.Duration
	ctx     context.Context // ends with the ledger
	stop    context.CancelFunc

	mu      sync.Mutex
	waiting map[string]unsaved
	running bool
	closed  bool
	idle    chan struct{} // closed when the goroutine ends
}

// unsaved is the end of a claim that the store does not know yet.
type unsaved struct {
	cmd Command
	row Row // as it was claimed; its ID alone where the claim was never answered
}

// ends reports whether it is how a claim that was answered has ended.
func (u unsaved) ends() bool {
	_, abandons := u.cmd.(Abandon)
	return !abandons
}

func newQueue(apply func(context.Context, string, Command) (Row, error), size int, timeout time.Duration) *queue {
	q := &queue{apply: apply, size: size, timeout: timeout, waiting: make(map[string]unsaved)}
	q.ctx, q.stop = context.WithCancel(context.Background())
	return q
}

// add reports whether the command was taken.
func (q *queue) add(row Row, cmd Command) bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	before, replaces := q.waiting[row.ID]
	if _, abandons := cmd.(Abandon); replaces && abandons && before.ends() {
		return true // a claim that was never answered has less to say than the end of one
	}
	if q.closed || (!replaces && len(q.waiting) >= q.size) {
		return false
	}
	q.waiting[row.ID] = unsaved{cmd, row}
	if !q.running {
		q.running = true
		q.idle = make(chan struct{})
		go q.run(q.idle)
	}
	return true
}

func (q *queue) get(id string) (unsaved, bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	u, ok := q.waiting[id]
	return u, ok
}

// done forgets a command that was saved, unless a newer one took its place.
func (q *queue) done(id string, cmd Command) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if now, ok := q.waiting[id]; ok && same(now.cmd, cmd) {
		delete(q.waiting, id)
	}
}

// same tells two commands for one row apart; their results are not compared.
func same(a, b Command) bool { return a.Name() == b.Name() && epochOf(a) == epochOf(b) }

func epochOf(cmd Command) any {
	switch c := cmd.(type) {
	case Complete:
		return c.Epoch
	case Release:
		return c.Epoch
	case Postpone:
		return c.Epoch
	case Refuse:
		return c.Epoch
	case Doubt:
		return c.Epoch
	case Abandon:
		return c.Attempt
	}
	return nil
}

func (q *queue) run(idle chan struct{}) {
	defer close(idle)
	for pause := queuePause; ; pause = min(2*pause, queueMaxPause) {
		if sleep(q.ctx, pause) != nil {
			q.end()
			return
		}
		if q.round() {
			pause = queuePause / 2
		}
		if q.end() {
			return
		}
	}
}

// end reports whether the goroutine may end.
func (q *queue) end() bool {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.running = len(q.waiting) > 0 && q.ctx.Err() == nil
	return !q.running
}

// round tries everything that waits, until the store fails again; it reports
// whether anything was saved.
func (q *queue) round() (progress bool) {
	q.mu.Lock()
	batch := maps.Clone(q.waiting)
	q.mu.Unlock()
	for id, u := range batch {
		ctx, cancel := context.WithTimeout(q.ctx, q.timeout)
		_, err := q.apply(ctx, id, u.cmd)
		cancel()
		if err != nil && !refused(err) {
			return progress
		}
		q.done(id, u.cmd)
		progress = true
	}
	return progress
}

func (q *queue) close(ctx context.Context) error {
	q.mu.Lock()
	q.closed = true
	idle := q.idle
	q.mu.Unlock()
	if idle != nil {
		select {
		case <-idle:
		case <-ctx.Done():
		}
	}
	q.stop()
	if idle != nil { // a store that ignores its context is not waited for any longer
		limit := time.NewTimer(q.timeout)
		defer limit.Stop()
		select {
		case <-idle:
		case <-limit.C:
		}
	}
	q.mu.Lock()
	defer q.mu.Unlock()
	if n := len(q.waiting); n > 0 {
		return fmt.Errorf("%w: the end of %d calls was never saved", ErrNotRecorded, n)
	}
	return nil
}
