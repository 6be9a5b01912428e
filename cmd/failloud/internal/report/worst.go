package report

import (
	"cmp"
	"container/heap"
	"slices"

	"github.com/failloud/failloud/cmd/failloud/internal/audit"
)

// WorstConfig of a [Worst].
type WorstConfig struct {
	// Keep is how many runs are kept. Default: 10.
	Keep int
	// Whole also keeps the answer, the question and the calls of each, each
	// bounded. Default: only what a table shows.
	Whole bool
	// Cleaner is applied to every text that is kept.
	Cleaner Cleaner
}

// Worst keeps the runs whose answers are worst: those that should not have left
// before those that miss a sentence, the more serious topic first, then the
// larger number of findings, then the earlier one. Not safe for concurrent use.
type Worst struct {
	cfg     WorstConfig
	flagged int
	kept    ranking
}

// NewWorst returns one that has seen no run.
func NewWorst(cfg WorstConfig) *Worst {
	cfg.Keep = cmp.Or(max(cfg.Keep, 0), 10)
	return &Worst{cfg: cfg}
}

// Add keeps a copy of what is shown of the row if it is among the worst.
func (w *Worst) Add(row *audit.Row) {
	if row.Decision != audit.DecisionRefuse && row.Decision != audit.DecisionDisclose {
		return
	}
	r := rank{badness: badness(row), seen: w.flagged}
	w.flagged++
	if len(w.kept) == w.cfg.Keep {
		if !r.worse(w.kept[0].rank) {
			return
		}
		heap.Pop(&w.kept)
	}
	heap.Push(&w.kept, &ranked{r, newEntry(row, w.cfg)})
}

// Entries are the kept ones, worst first.
func (w *Worst) Entries() []*Entry {
	all := slices.Clone(w.kept)
	slices.SortFunc(all, func(a, b *ranked) int {
		if a.rank.worse(b.rank) {
			return -1
		}
		return 1
	})
	entries := make([]*Entry, len(all))
	for i, r := range all {
		entries[i] = r.entry
	}
	return entries
}

// More is how many runs are wrong besides those that are kept.
func (w *Worst) More() int { return w.flagged - len(w.kept) }

// badness orders rows; more is worse.
func badness(row *audit.Row) int {
	b := min(len(row.Findings), 1<<16-1) | int(worstTopic(row))<<16
	if row.Decision == audit.DecisionRefuse {
		b |= 1 << 24
	}
	return b
}

type rank struct{ badness, seen int }

func (r rank) worse(than rank) bool {
	return r.badness > than.badness || r.badness == than.badness && r.seen < than.seen
}

type ranked struct {
	rank  rank
	entry *Entry
}

// ranking is a heap with the least bad one on top.
type ranking []*ranked

func (r ranking) Len() int           { return len(r) }
func (r ranking) Less(i, j int) bool { return r[j].rank.worse(r[i].rank) }
func (r ranking) Swap(i, j int)      { r[i], r[j] = r[j], r[i] }
func (r *ranking) Push(x any)        { *r = append(*r, x.(*ranked)) }
func (r *ranking) Pop() any {
	last := len(*r) - 1
	x := (*r)[last]
	(*r)[last] = nil
	*r = (*r)[:last]
	return x
}
