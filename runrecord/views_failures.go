package runrecord

import (
	"cmp"
	"slices"
	"strconv"
	"time"

	"github.com/failloud/failloud/fault"
)

// FailuresView is which tool fails how. A burst of 401 is an expired credential.
type FailuresView struct {
	Rows     []FailureRow // most failures first; after them those that only followed from another failure or a limit
	Calls    int          // calls of all tools
	Failures int          // of all tools, the rows not listed included
	Other    int          // failures beyond the bound of rows that are told apart
}

// FailureRow are the failures of one tool with one status.
type FailureRow struct {
	Tool     string       // "" for names that no tool has
	Status   int          // 0 where the tool gave none: then Reason tells them apart
	Reason   fault.Reason // of the latest failure
	Failures int          // of that tool and status
	Calls    int          // of the tool, with any outcome; 0 where it was not told apart
	Last     time.Time    // of the latest failure
}

// FailureCounter counts calls into a [FailuresView]. The zero value has counted
// nothing and tells 1000 rows apart. Not safe for concurrent use.
type FailureCounter struct {
	// Rows bounds how many tools, and how many rows, are told apart; what comes
	// later is counted together. Default 1000. It is not changed once Add was called.
	Rows int

	view  FailuresView
	rows  map[failureKey]*FailureRow
	calls map[string]int
}

type failureKey struct {
	tool   string
	status int
	reason fault.Reason // none where there is a status
}

// Add counts one event: as a failure, as a call that was not counted before, as
// both. Of the event it looks at the tool, the status, the reason and the time.
func (f *FailureCounter) Add(e *Event, failed, isNew bool) {
	if f.rows == nil {
		f.rows, f.calls = make(map[failureKey]*FailureRow), make(map[string]int)
		if f.Rows == 0 {
			f.Rows = 1000
		}
	}
	if isNew {
		f.view.Calls++
		if _, known := f.calls[e.Tool]; known || len(f.calls) < f.Rows {
			f.calls[e.Tool]++
		}
	}
	if !failed {
		return
	}
	f.view.Failures++
	key := failureKey{tool: e.Tool, status: e.Status}
	if e.Status == 0 {
		key.reason = e.Reason
	}
	row := f.rows[key]
	if row == nil {
		if len(f.rows) >= f.Rows {
			f.view.Other++
			return
		}
		row = &FailureRow{Tool: e.Tool, Status: e.Status}
		f.rows[key] = row
	}
	row.Failures++
	row.Reason = e.Reason
	if e.Time.After(row.Last) && time.Until(e.Time) < clockError {
		row.Last = e.Time
	}
}

// clockError is how far ahead of this clock the time of an event may lie. What
// lies further is the time of a clock that is wrong, and would stay the latest.
const clockError = 24 * time.Hour

// View is what was counted: the n rows with the most failures; n < 1 means all
// that were told apart.
func (f *FailureCounter) View(n int) FailuresView {
	view := f.view
	for _, row := range f.rows {
		r := *row
		r.Calls = f.calls[r.Tool]
		view.Rows = append(view.Rows, r)
	}
	slices.SortFunc(view.Rows, func(a, b FailureRow) int {
		return cmp.Or(cmp.Compare(followed(a.Reason), followed(b.Reason)), cmp.Compare(b.Failures, a.Failures), cmp.Compare(a.Tool, b.Tool),
			cmp.Compare(b.Status, a.Status), cmp.Compare(a.Reason, b.Reason))
	})
	if n > 0 && len(view.Rows) > n {
		view.Rows = view.Rows[:n]
	}
	return view
}

// followed is 1 for calls that were answered without entering the tool because
// of what had happened before: one 401 makes many of them, and they must not
// hide it.
func followed(r fault.Reason) int {
	switch r {
	case fault.ReasonToolDead, fault.ReasonBreakerOpen, fault.ReasonLoop, fault.ReasonBudget:
		return 1
	}
	return 0
}

// String is a table for a terminal.
func (v FailuresView) String() string {
	rows := [][]string{{"tool", "status", "reason", "failures", "calls", "last"}}
	rest := v.Failures
	for _, r := range v.Rows {
		status, calls := "-", "-"
		if r.Status != 0 {
			status = strconv.Itoa(r.Status)
		}
		if r.Calls != 0 {
			calls = strconv.Itoa(r.Calls)
		}
		tool := r.Tool
		if tool == "" {
			tool = "(no such tool)"
		}
		rows = append(rows, []string{tool, status, r.Reason.String(), strconv.Itoa(r.Failures), calls, r.Last.UTC().Format(time.RFC3339)})
		rest -= r.Failures
	}
	if rest > 0 {
		rows = append(rows, []string{"(other)", "", "", strconv.Itoa(rest), "", ""})
	}
	return table(rows...)
}
