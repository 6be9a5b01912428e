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
	wanted                  // a success that a judge has asked to keep, and the latest of its kind
	open                    // anything a judge may still have to hold against the answer
	unresolved              // pending or unknown: Settle must find it
	dropped
)

// makeRoom drops a quarter of the calls, so that its cost is spread over as
// many calls as it makes room for: the oldest plain ones first, then what a
// judge wants, then what was not made good, last what is not resolved.
func (f *family) makeRoom() {
	n := max(1, int(f.keep)/4)
	if f.allPlain(n) { // the usual case
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

// allPlain reports whether the n oldest calls are good, and nobody wants them.
func (f *family) allPlain(n int) bool {
	for i := range n {
		if h := f.held.at(i); !h.call.good() || h.run.wants(h.call.ToolName()) {
			return false
		}
	}
	return true
}

// work is what was done and what came of it: a second time adds nothing.
type work struct {
	tool         *ToolInfo
	args, result uint64
}

// worth sorts the held calls into classes.
func (f *family) worth() []uint8 {
	worth := make([]uint8, f.held.len())
	failed, mended := false, false
	seen := make(map[work]bool) // of what is wanted, going back
	for i := len(worth) - 1; i >= 0; i-- {
		h := f.held.at(i)
		w := work{h.call.Tool, h.call.ArgsHash, h.call.ResultHash}
		if h.call.good() && h.run.wants(h.call.ToolName()) && !seen[w] {
			worth[i], seen[w] = wanted, true
		}
	}
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
	Calls, OK, Failed, Denied, NotRun, Pending, Unknown int // all calls, and by how they ended
	Attempts, Retries                                   int // retries: attempts after the first of each call
	Dropped                                             int // details no longer held
	DroppedNotOK                                        int // of these, the ones that were not made good when dropped
	DroppedDegraded                                     int // of these, successes that were partial, cut or old

	DroppedUnresolved int             // of DroppedNotOK, pending or of unknown outcome
	DroppedQualifiers fault.Qualifier // of DroppedDegraded, all together
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
	s.DroppedDegraded += o.DroppedDegraded
	s.DroppedUnresolved += o.DroppedUnresolved
	s.DroppedQualifiers |= o.DroppedQualifiers
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

// countLost counts a call that a judge may have held against the answer.
func (s *ToolStats) countLost(c *Call) {
	s.DroppedNotOK++
	switch {
	case c.Unresolved():
		s.DroppedUnresolved++
	case c.Kind == fault.KindOK:
		s.DroppedDegraded++
		s.DroppedQualifiers |= c.Qualifiers & (fault.Partial | fault.Truncated | fault.Stale)
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
			if class > wanted {
				s.countLost(&h.call)
			}
			if from++; from == to {
				break
			}
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
// included, as copies. Start is since the start of this run, also of a child's.
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
			if h.run != r {
				calls[len(calls)-1].Start += h.run.start.Sub(r.start)
			}
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
