package toolkit

import (
	"context"
	"slices"
	"sort"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// A tool that is asked for anew does new work each time: the same command run
// twice is run twice. Its pieces of work are counted as occurrences of one key.
// While an occurrence is running or in doubt, a further call shares it and starts
// nothing; how it ended is told to one call that comes after, so that an answer
// by a Check or a person arrives; the call after that is the next occurrence.

// newEachTime reports whether two calls with the same arguments are two pieces of
// work: it was declared, or the tool changes nothing, or nothing more, by a second
// call and has no business key.
func (c *core) newEachTime() bool { return c.anew || !c.effect().Writes() && c.keyOf == nil }

// anew knows the next occurrence of each such key. What it does not know it
// reads from the ledger, so that a restart finds what a crash has left open.
type anew struct {
	mu   sync.Mutex
	next map[string]int // by the id of the key without the occurrence
}

// maxAnew bounds how many keys are remembered. Beyond it they are read again.
const maxAnew = 1 << 14

// maxOccurrence is beyond what one task can ask for.
const maxOccurrence = 1 << 30

// occurrence is the one that a call with this key belongs to.
func (k *Kit) occurrence(ctx context.Context, key idempotency.Key) int {
	id := key.ID()
	k.anew.mu.Lock()
	n, known := k.anew.next[id]
	k.anew.mu.Unlock()
	if known {
		return n
	}
	last, row, ok := k.lastOccurrence(ctx, key)
	if ok && told(&row) {
		last++
	}
	return last
}

// lastOccurrence finds the last one that the ledger has; ok is false where it has
// none, or does not answer: the claim will say so.
func (k *Kit) lastOccurrence(ctx context.Context, key idempotency.Key) (n int, last idempotency.Row, ok bool) {
	base := key.Occurrence
	at := func(n int) (idempotency.Row, bool) {
		key.Occurrence = base + n
		row, err := k.ledger.Row(ctx, key.ID())
		return row, err == nil
	}
	if last, ok = at(0); !ok {
		return 0, last, false
	}
	n = sort.Search(maxOccurrence, func(n int) bool { _, found := at(n + 1); return !found })
	row, ok := at(n)
	return n, row, ok
}

// told reports whether whoever asked for the work knows how it ended: it was its
// own attempt that said so.
func told(row *idempotency.Row) bool {
	if !row.State.Terminal() || len(row.Attempts) == 0 {
		return lastTrouble(row).final()
	}
	if allowed(row) || slices.ContainsFunc(row.Attempts, postponed) {
		return false // it may have been made when nobody was waiting
	}
	ended := row.Attempts[len(row.Attempts)-1].Ended
	return ended == idempotency.Complete{}.Name() || ended == idempotency.Refuse{}.Name()
}

// allowed reports whether a person has decided that the work be run.
func allowed(row *idempotency.Row) bool {
	return row.Decision != nil && (row.Approved || row.Decision.Choice == idempotency.RunAgain)
}

func postponed(a idempotency.Attempt) bool { return a.Ended == idempotency.Postpone{}.Name() }

// knows reports whether the outcome of a claim is how its work ended for good.
func (ex *execution) knows(o fault.Outcome) bool {
	f := o.Fault
	switch o.Kind {
	case fault.KindOK:
		return true
	case fault.KindDenied:
		return !ex.doubt
	case fault.KindFailed:
		return f.Ran == fault.RanNo && !ex.doubt || trouble{Ran: f.Ran, Action: f.Action}.final()
	case fault.KindUnknown:
		return f.Rule == ruleAborted
	}
	return false
}

// share is the part of a call in work that is new each time.
type share struct {
	anew       bool
	base       string // id of the key without the occurrence
	occurrence int
}

// ended says that the occurrence came to an end which a call was told of.
func (k *Kit) ended(s share) {
	if !s.anew {
		return
	}
	k.anew.mu.Lock()
	defer k.anew.mu.Unlock()
	if k.anew.next == nil || len(k.anew.next) >= maxAnew {
		k.anew.next = make(map[string]int)
	}
	k.anew.next[s.base] = max(k.anew.next[s.base], s.occurrence+1)
}

// scope stands in for the key of a task where there is none: work that is new
// each time can be told apart without one.
func (ex *execution) scope() string {
	if ex.run == nil {
		return "no run"
	}
	return "run " + ex.run.ID()
}

// claimFor says which piece of work the call belongs to.
func (ex *execution) claimFor(ctx context.Context) (*claimed, error) {
	intent, err := ex.intent(ctx)
	if err != nil {
		return nil, err
	}
	c := &claimed{intent: intent}
	if ex.tool.newEachTime() {
		c.anew, c.base = true, intent.Key.ID()
		c.occurrence = ex.tool.kit.occurrence(ctx, intent.Key)
		c.intent.Key.Occurrence += c.occurrence
	}
	return c, nil
}
