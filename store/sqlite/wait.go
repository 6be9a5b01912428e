package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"sync"
	"time"
)

// lookEvery is how often it is looked whether another process has written, while
// somebody waits.
const lookEvery = 10 * time.Millisecond

// Changed implements [idempotency.Waiter]. A change by this process wakes at once,
// one by another process within about ten milliseconds.
func (db *DB) Changed(ctx context.Context, id string, version int64) error {
	woken := db.waits.add(id)
	defer db.waits.remove(id, woken)
	for {
		if err := ctx.Err(); err != nil {
			return err
		}
		var now int64
		err := db.version.QueryRowContext(context.WithoutCancel(ctx), id).Scan(&now)
		switch {
		case errors.Is(err, sql.ErrNoRows):
			return nil
		case err != nil:
			return db.wrap("wait", err)
		case now > version:
			return nil
		}
		select {
		case <-woken:
		case <-ctx.Done():
			return ctx.Err()
		case <-db.life.Done():
			return &Error{Op: "wait", Path: db.path, Kind: ErrClosed}
		}
	}
}

// waits are those who wait for rows. While there is one, a goroutine looks out for
// other processes. Safe for concurrent use.
type waits struct {
	mu      sync.Mutex
	byID    map[string]map[chan struct{}]bool
	count   int
	looking bool   // or not to be started any more
	look    func() // looks until keep says no
	running sync.WaitGroup
}

func (w *waits) add(id string) chan struct{} {
	w.mu.Lock()
	defer w.mu.Unlock()
	woken := make(chan struct{}, 1)
	if w.byID[id] == nil {
		w.byID[id] = map[chan struct{}]bool{}
	}
	w.byID[id][woken] = true
	w.count++
	if !w.looking {
		w.looking = true
		w.running.Go(w.look)
	}
	return woken
}

func (w *waits) remove(id string, woken chan struct{}) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if delete(w.byID[id], woken); len(w.byID[id]) == 0 {
		delete(w.byID, id)
	}
	w.count--
}

// keep reports whether somebody still waits; where nobody does, the next one
// starts the goroutine again.
func (w *waits) keep() bool {
	w.mu.Lock()
	defer w.mu.Unlock()
	w.looking = w.count > 0
	return w.looking
}

// close lets nobody look any more, and waits for the one who does.
func (w *waits) close() {
	w.mu.Lock()
	w.looking = true
	w.mu.Unlock()
	w.running.Wait()
}

// changed wakes those who wait for a row.
func (w *waits) changed(id string) {
	w.mu.Lock()
	defer w.mu.Unlock()
	for woken := range w.byID[id] {
		wake(woken)
	}
}

// all wakes everybody: some row may have changed.
func (w *waits) all() {
	w.mu.Lock()
	defer w.mu.Unlock()
	for _, waiting := range w.byID {
		for woken := range waiting {
			wake(woken)
		}
	}
}

func wake(woken chan struct{}) {
	select {
	case woken <- struct{}{}:
	default: // it will look anyway
	}
}

// lookOut wakes everybody when another connection has written, whichever process it
// belongs to. What the database says about that is said to one connection.
func (db *DB) lookOut() {
	ctx := context.Background()
	tick := time.NewTicker(lookEvery)
	defer tick.Stop()
	var conn *sql.Conn
	defer func() {
		if conn != nil {
			_ = conn.Close()
		}
	}()
	var last int64
	for db.waits.keep() {
		select {
		case <-tick.C:
		case <-db.life.Done(): // those who wait leave by themselves
			return
		}
		if conn == nil {
			var err error
			if conn, err = db.read.Conn(ctx); err != nil {
				db.waits.all() // they find out what is wrong
				continue
			}
		}
		var now int64
		if err := conn.QueryRowContext(ctx, `PRAGMA data_version`).Scan(&now); err != nil {
			_ = conn.Close()
			conn = nil
		}
		if conn == nil || now != last {
			last = now
			db.waits.all()
		}
	}
}
