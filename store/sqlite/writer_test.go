package sqlite_test

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// stall keeps the writer busy until the returned function is called, so that what
// is asked for meanwhile is one batch.
func stall(t *testing.T, write func(context.Context, func(*sql.Tx) error) error) (release func()) {
	t.Helper()
	held, free, done := make(chan struct{}), make(chan struct{}), make(chan error, 1)
	go func() {
		done <- write(context.Background(), func(*sql.Tx) error {
			close(held)
			<-free
			return nil
		})
	}()
	<-held
	return func() {
		close(free)
		require.NoError(t, <-done)
	}
}

func note(text string) func(tx *sql.Tx) error {
	return func(tx *sql.Tx) error {
		_, err := tx.Exec(`INSERT INTO notes (text) VALUES (?)`, text)
		return err
	}
}

func TestOneBadRequestDoesNotSpoilItsBatch(t *testing.T) {
	t.Parallel()
	db := open(t, fresh(t))
	write := db.Engine().Write
	require.NoError(t, write(t.Context(), func(tx *sql.Tx) error {
		_, err := tx.Exec(`CREATE TABLE notes (text TEXT UNIQUE)`)
		return err
	}))
	mine := errors.New("mine")
	gone, cancel := context.WithCancel(t.Context())
	release := stall(t, write)
	errs := make([]error, 40)
	var all, queued sync.WaitGroup
	ask := func(i int, f func() error) {
		queued.Add(1)
		all.Go(func() {
			queued.Done()
			errs[i] = f()
		})
	}
	for i := range errs {
		switch i {
		case 7:
			ask(i, func() error { // what it wrote before it failed must go
				return write(t.Context(), func(tx *sql.Tx) error { return errors.Join(note("half")(tx), mine) })
			})
		case 8:
			ask(i, func() error { return write(t.Context(), func(*sql.Tx) error { panic("oh no") }) })
		case 9:
			ask(i, func() error { return write(t.Context(), note("twice")) })
			continue
		case 10:
			ask(i, func() error { return write(t.Context(), note("twice")) })
		case 11:
			ask(i, func() error { return write(gone, note("gone")) })
		case 12:
			ask(i, func() error {
				_, err := db.Apply(t.Context(), "nothing", idempotency.Complete{Epoch: 1})
				return err
			})
		default:
			ask(i, func() error {
				c, err := ledger(t, db).Claim(t.Context(), payment(fmt.Sprint(i)))
				if err == nil && c.Answer != idempotency.Execute {
					err = fmt.Errorf("answer %s", c.Answer)
				}
				return err
			})
		}
	}
	queued.Wait()
	cancel()
	release()
	all.Wait()
	for i, err := range errs {
		switch i {
		case 7:
			require.ErrorIs(t, err, mine)
		case 8:
			require.ErrorContains(t, err, "oh no")
		case 9, 10: // one of the two, see below
		case 11:
			require.ErrorIs(t, err, context.Canceled)
		case 12:
			require.ErrorIs(t, err, idempotency.ErrFenced)
		default:
			require.NoError(t, err, i)
		}
	}
	require.NotEqual(t, errs[9] == nil, errs[10] == nil, "one of two equal notes")
	var notes string
	require.NoError(t, db.Engine().Read.QueryRowContext(t.Context(), `SELECT group_concat(text) FROM notes`).Scan(&notes))
	require.Equal(t, "twice", notes)
	rows, err := db.List(t.Context(), idempotency.Query{})
	require.NoError(t, err)
	require.Len(t, rows, len(errs)-6)
	for _, row := range rows { // each with the event of its one write
		events, err := db.Events(t.Context(), row.ID)
		require.NoError(t, err)
		require.Len(t, events, 1)
	}
}

// Whoever gives up waiting is let go at once, and what others asked for is written.
func TestAnEndedContextDoesNotInterruptTheWriter(t *testing.T) {
	t.Parallel()
	db := open(t, fresh(t))
	var entered atomic.Int32
	release := stall(t, db.Engine().Write)
	ctx, cancel := context.WithTimeout(t.Context(), 5*time.Millisecond)
	defer cancel()
	err := db.Engine().Write(ctx, func(*sql.Tx) error { entered.Add(1); return nil })
	require.ErrorIs(t, err, context.DeadlineExceeded)
	claimed := make(chan error, 1)
	go func() {
		_, err := ledger(t, db).Claim(t.Context(), payment("4711"))
		claimed <- err
	}()
	release()
	require.NoError(t, <-claimed)
	require.Zero(t, entered.Load(), "nobody waits for it any more")
}

// Nothing that was answered may be missing after Close, and nothing hangs.
func TestCloseWritesWhatWasHandedOver(t *testing.T) {
	t.Parallel()
	path := fresh(t)
	db := open(t, path)
	release := stall(t, db.Engine().Write)
	var all sync.WaitGroup
	var written atomic.Int32
	for i := range 50 {
		all.Go(func() {
			_, err := db.Apply(t.Context(), payment(fmt.Sprint(i)).Key.ID(), acquire(fmt.Sprint(i)))
			if err == nil {
				written.Add(1)
			}
		})
	}
	closed := make(chan error, 1)
	go func() { closed <- db.Close() }()
	release()
	require.NoError(t, <-closed)
	all.Wait()
	_, err := db.Apply(t.Context(), payment("x").Key.ID(), acquire("x"))
	require.Error(t, err)
	rows, err := open(t, path).List(t.Context(), idempotency.Query{})
	require.NoError(t, err)
	require.Len(t, rows, int(written.Load()))
}

func acquire(invoice string) idempotency.Acquire {
	in := payment(invoice)
	return idempotency.Acquire{
		Request: idempotency.Request{Key: in.Key, Args: in.Args, Fingerprint: invoice, Effect: in.Effect},
		Attempt: "a", Lease: time.Minute, Dispatch: true,
	}
}
