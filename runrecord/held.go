package runrecord

import (
	"slices"
	"sync"

	"github.com/failloud/failloud/fault"
)

const (
	defaultKeepCalls = 1024
	firstChunk       = 8    // calls that fit into the first allocation; most runs make fewer
	maxStatTools     = 1024 // tools whose dropped calls are counted by name; the rest are counted under ""
)

// family is what a run shares with its children: one lock, one numbering, one
// bounded list of calls. A child's evidence counts to its parent, so keeping
// it once, with the run that made it, is both exact and bounded however many
// children an endless parent starts. Runs of different families share nothing.
type family struct {
	mu    sync.Mutex
	seq   uint32
	keep  uint32
	held  ring
	cases []openCase
}

type held struct {
	call Call
	run  *Run
}

type openCase struct {
	id  string
	run *Run
}

// add keeps one call, making room first. The lock is held.
func (f *family) add(r *Run, c *Call) {
	if f.held.slots == nil {
		f.held.slots = make([]held, 0, min(firstChunk, f.keep))
	}
	if f.held.len() >= int(f.keep) {
		f.makeRoom()
	}
	slot := f.held.push()
	slot.call, slot.run = *c, r
}

// How willingly a call is dropped.
const (
	plain      uint8 = iota // a plain success, or a failure that a later success made good
	open                    // anything a judge may still have to hold against the answer
	unresolved              // pending or unknown: Settle must find it
	dropped
)

// makeRoom drops a quarter of the calls, so that its cost is spread over as
// many calls as it makes room for: the oldest plain ones first, then what was
// not made good, last what is not resolved.
func (f *family) makeRoom() {
	n := max(1, int(f.keep)/4)
	if f.allGood(n) { // the usual case
		f.countDropped(0, n, plain)
		f.held.drop(n)
		return
	}
	worth := f.worth()
	last := 0 // the youngest call that is dropped
	for class, left := plain, n; class <= unresolved && left > 0; class++ {
		for i := 0; i < len(worth) && left > 0; i++ {
			if worth[i] == class {
				f.countDropped(i, i+1, class)
				worth[i] = dropped
				last = max(last, i)
				left--
			}
		}
	}
	if last < n { // they are the oldest
		f.held.drop(n)
		return
	}
	f.held.filter(func(i int) bool { return worth[i] != dropped })
}

// good reports whether the call is a success that nobody holds against anything.
func (c *Call) good() bool { return c.Kind == fault.KindOK && !c.Qualifiers.Degraded() }

// allGood reports whether the n oldest calls are good.
func (f *family) allGood(n int) bool {
	for i := range n {
		if !f.held.at(i).call.good() {
			return false
		}
	}
	return true
}

// worth sorts the held calls into classes.
func (f *family) worth() []uint8 {
	worth := make([]uint8, f.held.len())
	failed, mended := false, false
	for i := range worth {
		c := &f.held.at(i).call
		switch {
		case c.Unresolved():
			worth[i] = unresolved
		case c.good():
			mended = mended || failed
		default:
			worth[i] = open
			failed = true
		}
	}
	if mended {
		f.forgive(worth)
	}
	return worth
}

// forgive makes plain what was made good. A failure is so only by a later,
// undegraded success of the same tool with the same arguments: the narrowest
// reading, so that no judge loses a failure it would have counted.
func (f *family) forgive(worth []uint8) {
	type subject struct {
		tool *ToolInfo
		args uint64
	}
	done := make(map[subject]uint32) // of what failed, the last success
	for i := range worth {
		c := &f.held.at(i).call
		s := subject{c.Tool, c.ArgsHash}
		last, failed := done[s]
		switch {
		case c.good() && failed:
			done[s] = max(last, c.Seq)
		case worth[i] == open && !failed && c.ArgsHash != 0:
			done[s] = 0
		}
	}
	for i := range worth {
		if c := &f.held.at(i).call; worth[i] == open && done[subject{c.Tool, c.ArgsHash}] > c.Seq {
			worth[i] = plain
		}
	}
}

// find returns the held call with this number of r or one of its children.
func (f *family) find(r *Run, seq uint32) *held {
	for i := f.held.len() - 1; i >= 0; i-- {
		if h := f.held.at(i); h.call.Seq == seq && h.run.within(r) {
			return h
		}
	}
	return nil
}

// ToolStats are exact counts of one tool in one run and its children.
type ToolStats struct {
	Calls, OK, Failed, Denied, NotRun, Pending, Unknown int
	Attempts, Retries                                   int // retries: attempts after the first of each call
	Dropped                                             int // details no longer held
	DroppedNotOK                                        int // of these, the ones that were not made good when dropped
}

func (s *ToolStats) add(o *ToolStats) {
	s.Calls += o.Calls
	s.OK += o.OK
	s.Failed += o.Failed
	s.Denied += o.Denied
	s.NotRun += o.NotRun
	s.Pending += o.Pending
	s.Unknown += o.Unknown
	s.Attempts += o.Attempts
	s.Retries += o.Retries
	s.Dropped += o.Dropped
	s.DroppedNotOK += o.DroppedNotOK
}

func (s *ToolStats) count(c *Call) {
	s.Calls++
	s.Attempts += int(c.Attempts)
	s.Retries += max(0, int(c.Attempts)-1)
	switch c.Kind {
	case fault.KindOK:
		s.OK++
	case fault.KindFailed:
		s.Failed++
	case fault.KindDenied:
		s.Denied++
	case fault.KindNotRun:
		s.NotRun++
	case fault.KindPending:
		s.Pending++
	case fault.KindUnknown:
		s.Unknown++
	}
}

// countDropped counts the calls from one to before another, which are about to
// be dropped, for their runs and all runs above. Those that follow each other
// with one tool are counted in one step.
func (f *family) countDropped(from, to int, class uint8) {
	for from < to {
		first := f.held.at(from)
		var s ToolStats
		for h := first; h.run == first.run && h.call.Tool == first.call.Tool; h = f.held.at(from) {
			s.count(&h.call)
			s.Dropped++
			if from++; from == to {
				break
			}
		}
		if class != plain {
			s.DroppedNotOK = s.Dropped
		}
		for r := first.run; r != nil; r = r.parent {
			r.droppedOf(first.call.ToolName()).add(&s)
		}
	}
}

// droppedOf is where the dropped calls of a tool are counted.
func (r *Run) droppedOf(name string) *ToolStats {
	s := r.dropped[name]
	if s == nil {
		if len(r.dropped) >= maxStatTools {
			name = ""
			s = r.dropped[name]
		}
		if s == nil {
			s = new(ToolStats)
			if r.dropped == nil {
				r.dropped = make(map[string]*ToolStats)
			}
			r.dropped[name] = s
		}
	}
	return s
}

// within reports whether r is of or one of its descendants.
func (r *Run) within(of *Run) bool {
	for ; r != nil; r = r.parent {
		if r == of {
			return true
		}
	}
	return false
}

// Calls returns the calls still held, in the order of their numbers, children
// included, as copies.
func (r *Run) Calls() []Call {
	if r == nil {
		return nil
	}
	f := r.family
	f.mu.Lock()
	calls := make([]Call, 0, f.held.len())
	for i := range f.held.len() {
		if h := f.held.at(i); h.run.within(r) {
			calls = append(calls, h.call)
		}
	}
	f.mu.Unlock()
	slices.SortStableFunc(calls, func(a, b Call) int { return int(int64(a.Seq) - int64(b.Seq)) })
	return calls
}

// Stats returns exact counts per tool, children included. Calls of names that
// no tool has are counted together under "".
func (r *Run) Stats() map[string]ToolStats {
	if r == nil {
		return nil
	}
	f := r.family
	f.mu.Lock()
	defer f.mu.Unlock()
	return r.stats()
}

func (r *Run) stats() map[string]ToolStats {
	stats := make(map[string]ToolStats, len(r.dropped)+4)
	for name, s := range r.dropped {
		stats[name] = *s
	}
	for i := range r.family.held.len() {
		h := r.family.held.at(i)
		if !h.run.within(r) {
			continue
		}
		s := stats[h.call.ToolName()]
		s.count(&h.call)
		stats[h.call.ToolName()] = s
	}
	return stats
}
