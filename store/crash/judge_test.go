package crash_test

import (
	"fmt"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// judge holds what agents report against what the service knows. Safe for concurrent
// use.
type judge struct {
	mu    sync.Mutex
	kills map[cell]int

	begun      int      // tasks
	tasks      int      // that came to their end
	doubled    []string // a write that was done twice
	falsely    []string // told or recorded as failed although it had happened
	lost       []string // neither done nor going to be, or said to be done and not
	unsettled  []string // a doubt that ended without proof and without a person
	checked    int      // doubts that a look-up has ended
	cases      int      // doubts that a person has ended
	repeated   int      // doubts that a repetition has ended which changes nothing more
	duplicates int      // called possible duplicates
}

// cell is one of the grid.
type cell struct {
	store string
	at    point
	of    effect
}

// killed counts a process that died in a cell.
func (j *judge) killed(c cell) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.kills == nil {
		j.kills = map[cell]int{}
	}
	j.kills[c]++
}

// begins counts a task.
func (j *judge) begins() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.begun++
}

// ended judges a task that an agent has brought to its end after all deaths.
func (j *judge) ended(t task, r report) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.tasks++
	if len(r.Told) == 0 {
		j.lost = append(j.lost, fmt.Sprintf("%s: it was told nothing", t))
		return
	}
	for _, said := range r.Told {
		j.heard(t, said)
	}
	last := r.Told[len(r.Told)-1]
	saw := fmt.Sprintf("%s: told %s, done %d times, row %s after %d claims", t, last.Kind, last.Truth.Effects, r.State, r.Epoch)
	if t.Effect.writes() && last.Truth.Effects > 1 {
		j.doubled = append(j.doubled, saw)
	}
	if r.Failed && last.Truth.Effects > 0 {
		j.falsely = append(j.falsely, saw)
	}
	switch {
	case last.Kind != fault.KindOK, t.Effect != read && last.Truth.Effects == 0, last.Receipt != last.Truth.Receipt,
		r.Recorded && r.State != idempotency.Succeeded:
		j.lost = append(j.lost, saw+": "+last.Line)
	}
	if r.Duplicate {
		j.duplicates++
	}
	provable := t.Effect == checked || t.Effect == bare // the others may be repeated instead
	switch {
	case r.Cases > 0:
		j.cases++
	case r.Checks > 0:
		j.checked++
	case provable && t.Deaths[0].doubtful():
		j.unsettled = append(j.unsettled, saw)
	case r.Epoch > 1:
		j.repeated++
	}
}

// heard judges what one call was told.
func (j *judge) heard(t task, said told) {
	saw := fmt.Sprintf("%s: told %s %q, done %d times", t, said.Kind, said.Line, said.Truth.Effects)
	switch {
	case unmade(said.Kind) && said.Truth.Effects > 0:
		j.falsely = append(j.falsely, saw)
	case said.Kind != fault.KindOK && said.Case == "": // it works, and nobody is asked
		j.lost = append(j.lost, saw)
	}
}

// unmade is the kind of a call that did nothing and says so.
func unmade(k fault.Kind) bool {
	return k == fault.KindFailed || k == fault.KindNotRun || k == fault.KindDenied
}

// broken lists every way in which the promise was broken.
func (j *judge) broken() []string {
	j.mu.Lock()
	defer j.mu.Unlock()
	var all []string
	if j.begun != j.tasks {
		all = append(all, fmt.Sprintf("%d tasks begun, %d ended", j.begun, j.tasks))
	}
	for what, which := range map[string][]string{
		"done twice": j.doubled, "called failed": j.falsely, "lost": j.lost, "in doubt no more, without proof": j.unsettled,
	} {
		for _, w := range which {
			all = append(all, what+": "+w)
		}
	}
	return all
}

func (j *judge) String() string {
	j.mu.Lock()
	defer j.mu.Unlock()
	total, atPoints, ofEffects, inStores := 0, map[point]bool{}, map[effect]bool{}, map[string]bool{}
	for c, n := range j.kills {
		total += n
		atPoints[c.at], ofEffects[c.of], inStores[c.store] = true, true, true
	}
	return fmt.Sprintf("crash: %d kills, %d points × %d effects × %d stores: %d doubled, %d false failures, %d lost, %d without proof; "+
		"%d tasks: %d checked, %d cases, %d repeated",
		total, len(atPoints), len(ofEffects), len(inStores), len(j.doubled), len(j.falsely), len(j.lost), len(j.unsettled),
		j.tasks, j.checked, j.cases, j.repeated)
}
