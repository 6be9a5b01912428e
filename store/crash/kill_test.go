package crash_test

import (
	"context"
	"errors"
	"fmt"
	"os"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
)

const (
	killsVar     = "CRASH_KILLS"
	defaultKills = 180 // two of every cell of the grid
)

// kills is how many are asked for.
func kills(t testing.TB) int {
	t.Helper()
	asked := os.Getenv(killsVar)
	if asked == "" {
		return defaultKills
	}
	n, err := strconv.Atoi(asked)
	require.NoError(t, err, killsVar)
	return n
}

// shop is a store with its workers, each of which is one process at a time.
type shop struct {
	name    string // of the kind of store
	store   storeConfig
	workers int
	fault   mutation
}

// A process that works alone on its store may have a short lease: whoever waits for its
// end knows that the one before is dead. Where several share a store, a lease that is
// shorter than the machine may stall would be a worker that is taken for dead, which
// is a trouble of its own, see TestAWorkerThatWasStopped.
const (
	aloneLease  = 40 * time.Millisecond
	sharedLease = 2 * time.Second
)

// shops are the stores of one kind: some with a worker of their own, one for many.
func shops(t testing.TB, kind string) (all []shop) {
	t.Helper()
	home := newStore(t, kind)
	for i := range 5 {
		s := shop{name: kind, workers: 1, store: home.beside(i)}
		s.store.Lease, s.store.Settle = aloneLease, 5*time.Millisecond
		if i == 0 {
			s.workers = 6
			s.store.Lease, s.store.Settle = sharedLease, 100*time.Millisecond
		}
		all = append(all, s)
	}
	return all
}

func TestKill(t *testing.T) {
	total := kills(t)
	j := &judge{}
	for i, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			began := time.Now()
			crash(t, j, shops(t, kind), grid(), (total+i)/2)
			t.Logf("%d kills a second", int(float64(total/2)/time.Since(began).Seconds()))
			require.Empty(t, j.broken())
		})
	}
	t.Log(j.duplicates, "called possible duplicates")
	summary = j.String()
}

// grid lists every point of every effect.
func grid() (cells []cell) {
	for _, at := range points {
		for _, of := range effects {
			cells = append(cells, cell{at: at, of: of})
		}
	}
	return cells
}

// crash runs all workers of all shops until that many processes were killed, one cell
// of the grid after the other.
func crash(t testing.TB, j *judge, all []shop, cells []cell, kills int) {
	t.Helper()
	service := newService(t)
	ctx, cancel := context.WithCancel(t.Context())
	defer cancel()
	var next, left atomic.Int64
	left.Store(int64(kills))
	var running sync.WaitGroup
	for _, s := range all {
		for range s.workers {
			running.Go(func() {
				w := worker{shop: s, service: service, judge: j, left: &left, next: func() (cell, string) {
					n := next.Add(1)
					return cells[int(n)%len(cells)], fmt.Sprintf("%s-%d", s.name, n)
				}}
				if err := w.work(ctx); err != nil && !errors.Is(err, context.Canceled) {
					t.Errorf("%s: %v", s.name, err)
					cancel()
				}
			})
		}
	}
	running.Wait()
}

// worker is a chain of processes, each of which finishes what the one before it has
// died of, and dies of the next.
type worker struct {
	shop
	service string
	judge   *judge
	left    *atomic.Int64
	next    func() (cell, string)
}

func (w *worker) work(ctx context.Context) error {
	var open []step // what the last process has died of, to be finished by the next
	for ctx.Err() == nil {
		dying, more := w.begin()
		if !more {
			break
		}
		var died bool
		var err error
		for _, at := range dying.Deaths {
			if died, err = w.run(ctx, append(open, step{dying, at})...); err != nil {
				return err
			}
			if open = nil; !died { // a neighbour was faster, or there was nothing left to die of
				break
			}
		}
		if died {
			open = []step{{Task: dying}}
		}
	}
	if len(open) > 0 {
		_, err := w.run(ctx, open...)
		return err
	}
	return ctx.Err()
}

// begin is the next task to die of, none where enough have died.
func (w *worker) begin() (t task, more bool) {
	if w.left.Load() <= 0 {
		return t, false
	}
	c, item := w.next()
	w.judge.begins()
	return newTask(item, c.at, c.of), true
}

// run is one process, which must live through all steps but the last.
func (w *worker) run(ctx context.Context, steps ...step) (died bool, err error) {
	reports, died, err := run(ctx, order{Store: w.store, Service: w.service, Fault: w.fault, Steps: steps})
	if err != nil {
		return died, err
	}
	last := steps[len(steps)-1]
	lived := len(steps)
	if died {
		w.left.Add(-1)
		w.judge.killed(cell{w.name, last.Die, last.Task.Effect})
		lived--
	}
	switch {
	case len(reports) != lived:
		return died, fmt.Errorf("%s: a process lived through %d of %d steps", last.Task, len(reports), len(steps))
	case died || last.Die == alive:
	case last.Die == duringRecovery: // it may have been over sooner
	case last.Task.Job.Ask && w.workers > 1: // once allowed, a neighbour may have made the call
	default:
		return died, fmt.Errorf("%s: it outlived %q", last.Task, last.Die)
	}
	for i, r := range reports {
		w.judge.ended(steps[i].Task, r)
	}
	return died, nil
}
