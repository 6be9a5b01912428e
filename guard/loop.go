package guard

import (
	"cmp"
	"hash/maphash"
	"maps"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// defaultLoopAfter is the third equal call: the first may be a mistake, the
// second a check, the third learns nothing.
const defaultLoopAfter = 3

// loopMemory bounds how many different calls of a run are remembered at once.
// At the bound the half not seen for longest is forgotten; a model in a loop
// comes back far sooner.
const loopMemory = 256

// stopLoops returns the watcher of one run. It is the only thing the guard
// holds about a run, and it belongs to the run.
func (g *Guard) stopLoops() func(*runrecord.Run, runrecord.Call) {
	var mu sync.Mutex
	var seen loopDetector
	return func(run *runrecord.Run, c runrecord.Call) {
		mu.Lock()
		times := seen.add(run.ID(), &c)
		mu.Unlock()
		if times < g.loopAfter {
			return
		}
		if mode, _, _ := g.currentMode(); mode == Enforcing {
			run.Abort(fault.ReasonLoop, loopDetail(&c))
		}
	}
}

// findLoops looks for loops in a finished record, for report mode.
func findLoops(calls []runrecord.Call, after int) []*runrecord.Call {
	if after == 0 {
		return nil
	}
	var seen loopDetector
	var found []*runrecord.Call
	for i := range calls {
		if seen.add("", &calls[i]) == after {
			found = append(found, &calls[i])
		}
	}
	return found
}

func loopDetail(c *runrecord.Call) string {
	if c.Reason == fault.ReasonUnknownTool {
		return "tools that do not exist were called again and again"
	}
	return toolName(c) + " was called again with the same arguments and the same result"
}

// loopDetector counts equal calls with equal results, also with others in
// between. A changed result starts the count again, and so does a success of a
// tool that writes, when it was not seen before: the world is another one, and
// the same answer is news. Equal calls of one batch are one, since no result
// came between them.
type loopDetector struct {
	clock uint64
	world uint64 // changes so far
	seen  map[loopKey]loopCount
}

type loopKey struct {
	run  string
	tool *runrecord.ToolInfo // nil for all invented names
	args uint64
}

type loopCount struct {
	result uint64
	last   uint64
	world  uint64
	batch  uint32
	times  int
}

// add reports how often a call like c has come with this result, 0 where it
// does not count.
func (d *loopDetector) add(run string, c *runrecord.Call) int {
	key, result, counts := loopIdentity(run, c)
	if !counts {
		return 0
	}
	if d.seen == nil {
		d.seen = map[loopKey]loopCount{}
	}
	n, known := d.seen[key]
	if !known && len(d.seen) >= loopMemory {
		old := d.clock - loopMemory/2
		maps.DeleteFunc(d.seen, func(_ loopKey, n loopCount) bool { return n.last <= old })
	}
	d.clock++
	seen := known && n.result == result
	if !seen && changes(c) {
		d.world++
	}
	if !seen || n.world != d.world {
		n = loopCount{result: result, world: d.world}
	}
	if n.times == 0 || c.Batch == 0 || c.Batch != n.batch {
		n.times++
	}
	n.last, n.batch = d.clock, c.Batch
	d.seen[key] = n
	return n.times
}

// changes holds for a call after which the same look-up may find something else.
func changes(c *runrecord.Call) bool {
	return c.Kind == fault.KindOK && c.Tool != nil && c.Tool.Effect.Writes()
}

// loopIdentity says what a call is equal to. It is false for calls that are
// never part of a loop: pollers, settlements of earlier calls, and calls of
// which arguments or result are not known.
func loopIdentity(run string, c *runrecord.Call) (key loopKey, result uint64, counts bool) {
	if c.Detail != nil && c.Detail.Settled {
		return loopKey{}, 0, false
	}
	if c.Reason == fault.ReasonUnknownTool {
		return loopKey{run: run}, 0, true // invented names are counted together
	}
	if c.Tool == nil || c.Tool.Poller || c.ArgsHash == 0 {
		return loopKey{}, 0, false
	}
	result = c.ResultHash
	if result == 0 {
		if c.Kind == fault.KindOK {
			return loopKey{}, 0, false
		}
		result = failureHash(c)
	}
	return loopKey{run: run, tool: c.Tool, args: c.ArgsHash}, result, true
}

var failureSeed = maphash.MakeSeed()

// failureHash stands in for the result of a failure that has none.
func failureHash(c *runrecord.Call) uint64 {
	type failure struct {
		kind   fault.Kind
		reason fault.Reason
		status int16
		code   string
	}
	f := failure{kind: c.Kind, reason: c.Reason, status: c.Status}
	if c.Detail != nil {
		f.code = c.Detail.Code
	}
	return cmp.Or(maphash.Comparable(failureSeed, f), 1)
}
