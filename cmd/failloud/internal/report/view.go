package report

import (
	"fmt"
	"strconv"
)

// views are the four views of the record, in words.
type views struct {
	NoSuccess string
	Failures  []failure
	Others    string // failures that are not listed, "" where there are none
	Calls     int
	Stopped   string
	Retries   string
}

// failure is how often a tool failed in one way.
type failure struct{ Tool, Why, Times, Calls string }

func (r *Report) views() *views {
	runs, failures, retries := r.Views.Runs(), r.Views.Failures(r.top()), r.Views.Retries()
	sum := r.Summary
	v := &views{
		NoSuccess: fmt.Sprintf("%s%s of %s; calls were made in %s of them",
			figure(runs.NoSuccess), share(runs.NoSuccess, runs.Ended), counted(runs.Ended, "run"), figure(runs.NoSuccessCalled)),
		Stopped: fmt.Sprintf("refused %s%s, a sentence added to %s%s, unchanged %s",
			figure(sum.Refuse), share(sum.Refuse, sum.Answers), figure(sum.Disclose), share(sum.Disclose, sum.Answers),
			figure(sum.Answers-sum.Refuse-sum.Disclose)),
		Retries: "none on record; only failloud's own records count attempts",
		Calls:   failures.Calls,
	}
	rest := failures.Failures
	for i := range failures.Rows {
		row := &failures.Rows[i]
		rest -= row.Failures
		why := row.Reason.String()
		if row.Status != 0 {
			why = strconv.Itoa(row.Status) + " " + why
		}
		tool := orElse(Cleaner{}.Line(row.Tool, maxName), "(no such tool)")
		v.Failures = append(v.Failures, failure{tool, why, figure(row.Failures), figure(row.Calls)})
	}
	if rest > 0 {
		v.Others = figure(rest)
	}
	if retries.Retries > 0 {
		v.Retries = fmt.Sprintf("%s in %s, %.2f per run, at most %s in one",
			figure(retries.Retries), counted(retries.Runs, "run"), retries.PerRun(), figure(retries.Most))
	}
	return v
}

// share is n of whole as a percentage in parentheses, "" where there is no whole.
func share(n, whole int) string {
	if whole == 0 {
		return ""
	}
	return fmt.Sprintf(" (%.1f %%)", 100*float64(n)/float64(whole))
}
