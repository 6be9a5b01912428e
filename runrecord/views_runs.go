package runrecord

import (
	"fmt"
	"strconv"
)

// RunsView is the share of runs that ended without one successful call.
type RunsView struct {
	Ended           int // runs that ended for good
	NoSuccess       int // of these, without one successful call
	NoSuccessCalled int // of these, although calls were made
	Open            int // seen and not ended yet, children included
	Forgotten       int // open ones that had to make room; their ends still count
}

// Add counts one run that has ended.
func (v *RunsView) Add(t Tally) {
	v.Ended++
	if t.OK == 0 {
		v.NoSuccess++
		if t.Calls > 0 {
			v.NoSuccessCalled++
		}
	}
}

// Share is NoSuccess of Ended, 0 where no run has ended.
func (v RunsView) Share() float64 { return share(v.NoSuccess, v.Ended) }

// String is a table for a terminal.
func (v RunsView) String() string {
	return table(
		[]string{"runs ended", strconv.Itoa(v.Ended)},
		[]string{"without one successful call", of(v.NoSuccess, v.Ended)},
		[]string{"of these, calls were made", strconv.Itoa(v.NoSuccessCalled)},
		[]string{"still open", strconv.Itoa(v.Open)},
	)
}

// RefusalsView is how runs ended, as the guard decided.
type RefusalsView struct {
	Ended     int // for good
	Answered  int // with the draft as it was
	Disclosed int // with a sentence added
	Refused   int // with a refusal in the place of the draft
	Aborted   int // loop, budget, stuck, error
	Unjudged  int // the guard was not asked
	Reported  int // the guard would have refused, and only reported it
	Failing   int // runs with a call that failed
}

// Add counts one run that has ended, by the event of its end.
func (v *RefusalsView) Add(e *Event, t Tally) {
	v.Ended++
	switch e.State {
	case Answered:
		v.Answered++
	case Disclosed:
		v.Disclosed++
	case Refused:
		v.Refused++
	case Aborted:
		v.Aborted++
	case Unjudged:
		v.Unjudged++
	}
	if e.Reported && e.Decision == decisionRefuse {
		v.Reported++
	}
	if t.Bad > 0 {
		v.Failing++
	}
}

// Share is Refused of Ended, 0 where no run has ended.
func (v RefusalsView) Share() float64 { return share(v.Refused, v.Ended) }

// Warning says what in these figures means that the guard is not wired: runs
// that ended without it, or tools that failed in many runs while nothing was
// refused or disclosed. It is "" where nothing does.
func (v RefusalsView) Warning() string {
	const many = 20
	switch {
	case v.Unjudged > 0:
		return fmt.Sprintf("%d of %d runs ended without asking the guard", v.Unjudged, v.Ended)
	case v.Failing >= many && v.Refused+v.Disclosed+v.Reported == 0:
		return fmt.Sprintf("tools failed in %d runs and no answer was refused or disclosed", v.Failing)
	}
	return ""
}

// String is a table for a terminal.
func (v RefusalsView) String() string {
	rows := [][]string{
		{"runs ended", strconv.Itoa(v.Ended)},
		{"answered", of(v.Answered, v.Ended)},
		{"disclosed", of(v.Disclosed, v.Ended)},
		{"refused", of(v.Refused, v.Ended)},
		{"aborted", of(v.Aborted, v.Ended)},
		{"unjudged", of(v.Unjudged, v.Ended)},
		{"would have been refused", of(v.Reported, v.Ended)},
	}
	if w := v.Warning(); w != "" {
		rows = append(rows, []string{"warning: " + w})
	}
	return table(rows...)
}

// RetriesView is how often attempts were repeated.
type RetriesView struct {
	Runs    int    // ended
	Calls   int    // of all runs
	Retries int    // attempts beyond the first of a call
	Most    int    // in one run
	ByRun   [5]int // runs with 0, 1, 2, 3 to 5, and more retries
}

// Add counts one run that has ended.
func (v *RetriesView) Add(t Tally) {
	v.Runs++
	v.Calls = plus(v.Calls, t.Calls)
	v.Retries = plus(v.Retries, t.Retries)
	v.Most = max(v.Most, t.Retries)
	switch {
	case t.Retries <= 2:
		v.ByRun[t.Retries]++
	case t.Retries <= 5:
		v.ByRun[3]++
	default:
		v.ByRun[4]++
	}
}

// PerRun is the mean number of retries, 0 where no run has ended.
func (v RetriesView) PerRun() float64 { return share(v.Retries, v.Runs) }

// String is a table for a terminal.
func (v RetriesView) String() string {
	rows := [][]string{
		{"runs ended", strconv.Itoa(v.Runs)},
		{"calls", strconv.Itoa(v.Calls)},
		{"retries", strconv.Itoa(v.Retries)},
		{"retries per run", strconv.FormatFloat(v.PerRun(), 'f', 2, 64)},
		{"most in one run", strconv.Itoa(v.Most)},
	}
	for i, name := range [...]string{"no retry", "1 retry", "2 retries", "3 to 5 retries", "more"} {
		rows = append(rows, []string{"runs with " + name, of(v.ByRun[i], v.Runs)})
	}
	return table(rows...)
}
