package runs

import (
	"context"
	"database/sql"
	"time"
)

const (
	firstPause = 100 * time.Millisecond // after an attempt that failed
	longPause  = 5 * time.Second
)

// backoff is how long to wait after so many failures in a row.
func backoff(failures int) time.Duration {
	return min(firstPause<<min(failures-1, 10), longPause)
}

// write is the goroutine that writes batches until the store is closed and nothing
// waits any more, or until there is no time left for it.
func (s *Store) write() {
	defer close(s.ended)
	ctx, cancel := context.WithCancel(context.Background())
	defer cancel()
	failures, open := 0, true
	for {
		if open {
			open = s.pause(failures)
			if !open { // what is left has to be written by then
				failures = 0
				timer := time.AfterFunc(s.cfg.Closing, cancel)
				defer timer.Stop()
			}
		}
		switch n, err := s.writeBatch(ctx); {
		case err != nil:
			failures++
			if failures == 1 && s.cfg.ErrorHandler != nil {
				s.cfg.ErrorHandler(err)
			}
			if !open && !sleep(ctx, backoff(failures)) {
				s.giveUp()
				return
			}
		case n == 0 && !open:
			return
		default:
			failures = 0
		}
	}
}

// pause waits until there is something to write, and for others to join it, or as
// long as a failure demands. It reports whether the store is open.
func (s *Store) pause(failures int) bool {
	wait := s.cfg.Interval
	if failures > 0 {
		wait = backoff(failures)
	} else if s.left() == 0 {
		select {
		case <-s.wake:
		case <-s.closing:
			return false
		}
	}
	timer := time.NewTimer(wait)
	defer timer.Stop()
	for failures > 0 || !s.due() {
		select {
		case <-s.wake: // more has come: look again
		case <-timer.C:
			return true
		case <-s.closing:
			return false
		}
	}
	return true
}

func (s *Store) left() int {
	s.mu.Lock()
	defer s.mu.Unlock()
	return len(s.waiting)
}

// due reports whether a batch is to be written without waiting longer.
func (s *Store) due() bool {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.hurry || len(s.waiting) >= s.cfg.Batch
}

// sleep reports whether the context still lives afterwards.
func sleep(ctx context.Context, d time.Duration) bool {
	timer := time.NewTimer(d)
	defer timer.Stop()
	select {
	case <-timer.C:
		return true
	case <-ctx.Done():
		return false
	}
}

const batchBytes = 4 << 20

// writeBatch writes what waits first, and tells everybody who waits for it.
func (s *Store) writeBatch(ctx context.Context) (n int, err error) {
	s.mu.Lock()
	size := 0
	for n < len(s.waiting) && n < s.cfg.Batch && (n == 0 || size+s.waiting[n].size <= batchBytes) {
		size += s.waiting[n].size
		n++
	}
	batch := s.waiting[:n:n]
	s.mu.Unlock()
	if n == 0 {
		return 0, nil
	}
	var tail block
	err = s.db.Write(ctx, func(tx *sql.Tx) error {
		tail = s.tail // do may run more than once
		return s.append(ctx, tx, batch, &tail)
	})
	s.mu.Lock()
	defer s.mu.Unlock()
	s.failing = err
	if err == nil {
		s.tail = tail
		clear(batch) // lets go of what was written
		s.waiting = s.waiting[n:]
		s.bytes -= size
		s.written += uint64(n)
		s.stuck = false
		s.hurry = s.hurry && len(s.waiting) > 0
	}
	close(s.progress)
	s.progress = make(chan struct{})
	return n, err
}

// giveUp counts what could not be written before the end.
func (s *Store) giveUp() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.lost += uint64(len(s.waiting))
}
