package runrecord

import (
	"errors"
	"fmt"
	"hash/maphash"
	"math"

	"github.com/failloud/failloud/fault"
)

// Why [Views] may refuse an event, for errors.Is.
var (
	// ErrImpossible is an event that no run can have sent: without a run, with a
	// figure that is negative or beyond every bound, with a name longer than 1 KiB,
	// or of a run that descends from itself or from more than 64 others.
	ErrImpossible = errors.New("the event cannot be true")
	// ErrRepeated is the start or end of a run that has ended before, as where a
	// file is read twice.
	ErrRepeated = errors.New("the run has ended before")
)

const (
	maxFigure = math.MaxInt32 // of one event; sums are larger and stop at the largest int
	maxDepth  = 64            // of runs within runs; calls count for as many ancestors
)

// Plausible returns [ErrImpossible] for an event that cannot be counted. Of a type
// that views pass over, every event can.
func (e *Event) Plausible() error {
	switch e.Type {
	case EventRunStarted, EventCall, EventReplaced, EventSettled, EventRunEnded:
	default:
		return nil // it is passed over
	}
	figures := [...]int{e.Status, e.Attempts, 0, 0, 0, 0, 0, 0, 0, 0}
	if n := e.Counts; n != nil {
		copy(figures[2:], []int{n.Calls, n.OK, n.Failed, n.NotRun, n.Unknown, n.Denied, n.Pending, n.Retries})
		if n.OK > n.Calls {
			return fmt.Errorf("%w: more successes than calls", ErrImpossible)
		}
	}
	for _, n := range figures {
		if n < 0 || n > maxFigure {
			return fmt.Errorf("%w: a figure is out of bounds", ErrImpossible)
		}
	}
	switch {
	case e.Run == "":
		return fmt.Errorf("%w: it names no run", ErrImpossible)
	case e.Run == e.Parent:
		return fmt.Errorf("%w: the run is its own parent", ErrImpossible)
	case max(len(e.Run), len(e.Parent), len(e.Tool)) > maxText:
		return fmt.Errorf("%w: a name is too long", ErrImpossible)
	case e.Outcome > fault.KindUnknown || e.State > Unjudged:
		return fmt.Errorf("%w: an unknown outcome or state", ErrImpossible)
	}
	return nil
}

// descends reports whether run is among the open ancestors that begin with
// parent, or there are too many of them to tell.
func (v *Views) descends(run, parent string) bool {
	for range maxDepth {
		el := v.open[parent]
		if parent == run || el == nil {
			return parent == run
		}
		parent = el.Value.(*openRun).parent
	}
	return true
}

// plus adds without wrapping around.
func plus(a, b int) int {
	if a > math.MaxInt-b {
		return math.MaxInt
	}
	return a + b
}

// endedRuns remembers the last runs that have ended, by a hash of their ids.
type endedRuns struct {
	seed maphash.Seed
	ring []uint64
	next int
	has  map[uint64]struct{}
}

func newEndedRuns() endedRuns {
	return endedRuns{seed: maphash.MakeSeed(), has: make(map[uint64]struct{})}
}

func (r *endedRuns) contains(run string) bool {
	_, ok := r.has[maphash.String(r.seed, run)]
	return ok
}

// add remembers the run and forgets the oldest beyond limit.
func (r *endedRuns) add(run string, limit int) {
	h := maphash.String(r.seed, run)
	r.has[h] = struct{}{}
	if len(r.ring) < limit {
		r.ring = append(r.ring, h)
		return
	}
	delete(r.has, r.ring[r.next])
	r.ring[r.next] = h
	r.next = (r.next + 1) % limit
}
