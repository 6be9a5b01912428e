package crash_test

import (
	"context"
	"math/rand/v2"
	"os"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// death is when a process dies, over one row.
type death struct {
	at  point
	row string
	// stubborn: its function goes on whatever it hears of its claim.
	stubborn bool

	recovering atomic.Bool  // it is in Recover
	writes     atomic.Int64 // of the recovery
	last       int64        // the one during which it dies
}

func newDeath(at point, row string) *death {
	return &death{at: at, row: row, last: 1 + rand.Int64N(2)}
}

// reached ends the process where its time has come.
func (d *death) reached(p point) {
	if d.at == p {
		die()
	}
}

// within does something, and where its time has come ends the process at some moment
// of that or right after it: a commit takes about a millisecond.
func (d *death) within(p point, do func()) {
	if d.at != p {
		do()
		return
	}
	time.AfterFunc(rand.N(2*time.Millisecond), die)
	do()
	select {} // nobody hears of it any more
}

// die is the end of this process, at once: nothing is deferred, flushed or closed.
func die() {
	kill(os.Getpid())
	select {}
}

// mortal is a store in a process that dies.
type mortal struct {
	store
	death atomic.Pointer[death]
}

func (m *mortal) Apply(ctx context.Context, id string, cmd idempotency.Command) (row idempotency.Row, err error) {
	d := m.death.Load()
	apply := func() { row, err = m.store.Apply(ctx, id, cmd) }
	if d == nil || d.row != id {
		apply()
		return row, err
	}
	if d.at == duringRecovery && d.recovering.Load() && d.writes.Add(1) == d.last {
		d.within(duringRecovery, apply)
		return row, err
	}
	switch c := cmd.(type) {
	case idempotency.Acquire:
		d.reached(beforeClaim)
		apply()
		if err == nil && row.State == idempotency.Running && row.Attempt == c.Attempt {
			d.reached(afterClaim)
		}
	case idempotency.Complete:
		d.within(duringSave, apply)
	case idempotency.Decide:
		d.within(duringResolve, apply)
	default:
		apply()
	}
	return row, err
}
