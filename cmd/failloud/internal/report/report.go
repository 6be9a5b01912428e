package report

import (
	"cmp"
	"slices"

	"github.com/failloud/failloud/runrecord"
)

// Report is what an audit found, to be written in one of the formats.
type Report struct {
	Summary *Summary
	Worst   *Worst
	Views   *runrecord.Views
	Input   Input
	Top     int // runs that a table shows, and tools; below 1: 10
}

func (r *Report) top() int {
	if r.Top < 1 {
		return 10
	}
	return r.Top
}

// Input is what was read.
type Input struct {
	Files       int // that were read
	Unread      int // that were not, or not to their end
	Lines       int
	Unreadable  int // values that are no JSON, of no known shape, or could not be judged
	Old         int // transcripts that were left out by their time
	Troubles    []Trouble
	Interrupted bool // not everything was read
}

// Trouble is one kind of problem of the input.
type Trouble struct {
	What  string // an example
	Where string // of the first one, "file:line"
	Count int
}

// worstTroubles puts the most frequent kinds first, fit to be shown.
func worstTroubles(all []Trouble) []Trouble {
	sorted := slices.Clone(all)
	for i := range sorted {
		t := &sorted[i]
		t.What, t.Where = Cleaner{}.Line(t.What, maxQuestion), Cleaner{}.Line(t.Where, 4096)
	}
	slices.SortStableFunc(sorted, func(a, b Trouble) int { return cmp.Compare(b.Count, a.Count) })
	return sorted
}
