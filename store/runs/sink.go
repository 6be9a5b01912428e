package runs

import (
	"context"
	"fmt"
	"time"

	"github.com/failloud/failloud/runrecord"
)

// Write takes an event, to be written with others. It refuses one of a schema that
// it does not know ([runrecord.ErrNewerSchema]), one that cannot be kept
// ([ErrUnusable]), one for which there is no room within Config.Patience ([ErrFull])
// and one that comes after Close ([runrecord.ErrSinkClosed]).
func (s *Store) Write(e runrecord.Event) error {
	n, err := newEntry(e)
	if err != nil {
		return err
	}
	var patience <-chan time.Time
	for {
		room, err := s.take(n)
		if room == nil {
			return err
		}
		if patience == nil {
			timer := time.NewTimer(s.cfg.Patience)
			defer timer.Stop()
			patience = timer.C
		}
		select {
		case <-room:
		case <-patience:
			return s.refuse()
		}
	}
}

// take puts the entry behind those that wait. Where there is no room, the channel
// is closed when there may be.
func (s *Store) take(n *entry) (room <-chan struct{}, err error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	switch {
	case s.closed:
		return nil, fmt.Errorf("runs: %w", runrecord.ErrSinkClosed)
	case len(s.waiting) < s.cfg.Buffer && (s.bytes == 0 || s.bytes+n.size <= bufferBytes):
	case s.stuck:
		s.lost++
		return nil, s.full()
	default:
		s.hurry = true
		s.wakeUp()
		return s.progress, nil
	}
	s.waiting = append(s.waiting, n)
	s.bytes += n.size
	s.taken++
	if !s.started {
		s.started = true
		go s.write()
	}
	if len(s.waiting) == 1 || len(s.waiting) >= s.cfg.Batch {
		s.wakeUp()
	}
	return nil, nil
}

func (s *Store) wakeUp() {
	select {
	case s.wake <- struct{}{}:
	default:
	}
}

func (s *Store) refuse() error {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.stuck = true
	s.lost++
	return s.full()
}

func (s *Store) full() error {
	if s.failing != nil {
		return fmt.Errorf("runs: %w: %w", ErrFull, s.failing)
	}
	return fmt.Errorf("runs: %w", ErrFull)
}

// Lost is how many events were refused for want of room, or given up by Close.
func (s *Store) Lost() uint64 {
	s.mu.Lock()
	defer s.mu.Unlock()
	return s.lost
}

// Flush returns when every event that was taken before is durable, or with the
// error of an attempt to write them, which are then tried again.
func (s *Store) Flush(ctx context.Context) error {
	s.mu.Lock()
	target := s.taken
	for s.written < target {
		s.hurry = true
		s.wakeUp()
		progress := s.progress
		s.mu.Unlock()
		select {
		case <-progress:
		case <-ctx.Done():
			return ctx.Err()
		}
		s.mu.Lock()
		if s.failing != nil && s.written < target {
			defer s.mu.Unlock()
			return fmt.Errorf("runs: flush: %w", s.failing)
		}
	}
	s.mu.Unlock()
	return nil
}

// Close writes every event that was taken, and takes no more. It tries for
// Config.Closing; what could not be written by then is lost ([*LostError]). The
// database stays open, and what was written can still be read. A second Close does
// nothing more.
func (s *Store) Close() error {
	s.mu.Lock()
	started := s.started
	if !s.closed {
		s.closed = true
		close(s.closing)
	}
	s.mu.Unlock()
	if !started {
		return nil
	}
	<-s.ended
	s.mu.Lock()
	defer s.mu.Unlock()
	if n := len(s.waiting); n > 0 {
		return &LostError{Events: n, Err: s.failing}
	}
	return nil
}
