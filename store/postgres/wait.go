package postgres

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/jackc/pgx/v5"
)

const (
	// A waiter looks again by itself, in case that a notification was lost with its
	// connection, and often where there is no connection to be notified on.
	lookAnyway   = 5 * time.Second
	lookUnheard  = 200 * time.Millisecond
	listenChecks = 15 * time.Second // how often an idle connection is asked whether it lives
)

// Changed implements [idempotency.Waiter]. Whoever changes the row next, in whatever
// process, tells so, because the row says that somebody waits for it.
func (db *DB) Changed(ctx context.Context, id string, version int64) error {
	woken := db.waits.add(id, db.listen)
	defer db.waits.remove(id, woken)
	for {
		hears := db.waits.settled(ctx) // first listen, then look: what happens between the two is heard
		now, err := db.awaited(ctx, id, version)
		switch {
		case errors.Is(err, pgx.ErrNoRows):
			return nil
		case err != nil:
			return wrap(ctx, "wait", err)
		case now > version:
			return nil
		}
		again := time.NewTimer(lookUnheard)
		if hears {
			again.Reset(lookAnyway)
		}
		select {
		case <-woken:
		case <-again.C:
		case <-ctx.Done():
		case <-db.life.Done():
		}
		again.Stop()
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case db.life.Err() != nil:
			return &Error{Op: "wait", Kind: ErrClosed}
		}
	}
}

// awaited notes in the row that somebody waits, and returns its version. The note
// and a write of another are ordered by the lock of the row: either the writer sees
// the note, or this sees what was written.
func (db *DB) awaited(ctx context.Context, id string, version int64) (now int64, err error) {
	if _, err := db.pool.Exec(ctx, db.say.await, plain(id), version); err != nil {
		return 0, err
	}
	err = db.pool.QueryRow(ctx, db.say.at, plain(id)).Scan(&now)
	return now, err
}

// waits are those who wait for rows, and what is known of the one connection on
// which all of them are told. Safe for concurrent use.
type waits struct {
	mu      sync.Mutex
	byID    map[string]map[chan struct{}]bool
	started bool          // or no longer to be started
	hears   bool          // there is a connection that listens
	known   chan struct{} // closed once it is known whether there is one
	once    sync.Once
	running sync.WaitGroup
}

// add enters somebody who waits; the first one has the listening started.
func (w *waits) add(id string, listen func()) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	woken := make(chan struct{}, 1)
	if w.byID[id] == nil {
		w.byID[id] = map[chan struct{}]bool{}
	}
	w.byID[id][woken] = true
	if !w.started {
		w.started = true
		w.running.Go(listen)
	}
	return woken
}

// close waits until nothing listens any more, and lets nothing start to.
func (w *waits) close() {
	w.mu.Lock()
	started := w.started
	w.started = true
	w.mu.Unlock()
	if !started {
		w.hear(false)
	}
	w.running.Wait()
}

func (w *waits) remove(id string, woken chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if delete(w.byID[id], woken); len(w.byID[id]) == 0 {
		delete(w.byID, id)
	}
}

// settled waits until the first connection listens or has failed to, and reports
// whether one listens now.
func (w *waits) settled(ctx context.Context) bool {
	select {
	case <-w.known:
	case <-ctx.Done():
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.hears
}

// hear says whether there is a connection that listens. Whoever waits looks again:
// what happened before was not heard.
func (w *waits) hear(hears bool) {
	w.mu.Lock()
	w.hears = hears
	for _, waiting := range w.byID {
		for woken := range waiting {
			wake(woken)
		}
	}
	w.mu.Unlock()
	w.once.Do(func() { close(w.known) })
}

// changed wakes those who wait for a row.
func (w *waits) changed(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for woken := range w.byID[id] {
		wake(woken)
	}
}

func wake(woken chan struct{}) {
	select {
	case woken <- struct{}{}:
	default: // it will look anyway
	}
}
