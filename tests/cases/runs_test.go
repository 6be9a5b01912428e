package cases_test

import (
	"encoding/json"
	"maps"
	"os"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// pastRun is what the reader of a run thinks is right.
type pastRun struct {
	ID        string   `json:"id"`
	Available bool     `json:"final_available"`
	Reward    *float64 `json:"reward"`
	Checked   bool     `json:"checked"`
	Label     struct {
		Failed []string `json:"failed_calls"`
		Open   []string `json:"unrecovered"`
		Gold   string   `json:"guard_gold"`
		Why    string   `json:"why"`
	} `json:"label"`
}

// runScores are the figures of a set of runs.
type runScores struct {
	refuse, caveat count // flagged, of those that should be
	ok             count // not flagged, of those that are right
	okRefused      int
	rewarded       count // not flagged, of the rewarded without a failed call
	failed, open   overlap
}

// overlap compares a set of calls with the labelled one.
type overlap struct{ precision, recall count }

func (o *overlap) add(want, got []string) {
	for _, id := range got {
		o.precision.add(slices.Contains(want, id))
	}
	for _, id := range want {
		o.recall.add(slices.Contains(got, id))
	}
}

func (s *runScores) add(r *pastRun, j *judged) {
	s.failed.add(r.Label.Failed, j.Failed)
	s.open.add(r.Label.Open, j.Open)
	if !r.Available {
		return
	}
	if r.Reward != nil && *r.Reward == 1 && len(r.Label.Failed) == 0 {
		s.rewarded.add(!j.flagged())
	}
	if !r.Checked {
		return
	}
	switch r.Label.Gold {
	case "should_refuse":
		s.refuse.add(j.flagged())
	case "should_caveat":
		s.caveat.add(j.flagged())
	case "answer_ok":
		s.ok.add(!j.flagged())
		if j.Decision == "refuse" {
			s.okRefused++
		}
	}
}

func (s *runScores) print(name string) {
	figure(name+".should_refuse.flagged", &s.refuse)
	figure(name+".should_caveat.flagged", &s.caveat)
	figure(name+".answer_ok.unflagged", &s.ok)
	figure(name+".answer_ok.unrefused", &count{s.ok.all - s.okRefused, s.ok.all})
	figure(name+".rewarded_without_failure.unflagged", &s.rewarded)
	figure(name+".failed_calls.precision", &s.failed.precision)
	figure(name+".failed_calls.recall", &s.failed.recall)
	figure(name+".unrecovered.precision", &s.open.precision)
	figure(name+".unrecovered.recall", &s.open.recall)
}

// measureRuns audits a file of labelled runs, in three groups: all, those that
// were looked at while the rules were built, and a quarter that was not.
func measureRuns(t *testing.T, name, file string, lines func(each func(line []byte))) runScores {
	t.Helper()
	got := auditFile(t, file)
	groups := map[string]*runScores{name: {}, name + ".build": {}, name + ".heldout": {}}
	lines(func(line []byte) {
		var r pastRun
		require.NoError(t, json.Unmarshal(line, &r), "%s", line)
		j, ok := got[r.ID]
		require.True(t, ok, "%s was dropped", r.ID)
		groups[name].add(&r, &j)
		if heldOut(r.ID) {
			groups[name+".heldout"].add(&r, &j)
			return
		}
		groups[name+".build"].add(&r, &j)
		should := r.Label.Gold == "should_refuse" || r.Label.Gold == "should_caveat"
		if testing.Verbose() && r.Available && r.Checked && r.Label.Gold != "unknown" && should != j.flagged() {
			t.Logf("%s: %s, got %s %+v (%s)", r.ID, r.Label.Gold, j.Decision, j.Findings, r.Label.Why)
		}
	})
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		groups[group].print(group)
	}
	return *groups[name]
}

// TestRuns judges the answers of real runs where nobody declared anything.
func TestRuns(t *testing.T) {
	file := caseFile(t, "runs.jsonl")
	s := measureRuns(t, "runs", file, func(each func([]byte)) { read(t, "runs.jsonl", each) })
	for _, bar := range []struct {
		name string
		good bool
	}{
		{"of the answers that should be refused all but one are flagged", s.refuse.right >= s.refuse.all-1},
		{"the answers that should say more are flagged", s.caveat.right == s.caveat.all},
		{"no right answer is refused", s.okRefused == 0},
		{"at most three right answers are flagged", s.ok.right >= s.ok.all-3},
		{"no rewarded run without a failed call is flagged", s.rewarded.right == s.rewarded.all},
		{"precision of failed calls", s.failed.precision.share() >= 0.93},
		{"recall of failed calls", s.failed.recall.share() >= 0.93},
		{"precision of unrecovered calls", s.open.precision.share() >= 0.85},
		{"recall of unrecovered calls", s.open.recall.share() >= 0.85},
	} {
		if !bar.good {
			t.Errorf("missed: %s (%+v)", bar.name, s)
		}
	}
}

// TestOwnRuns judges runs that were written from the rules, in English and
// Vietnamese, before any of them was judged.
func TestOwnRuns(t *testing.T) {
	const file = "testdata/runs_own.jsonl"
	s := measureRuns(t, "runs_own", file, func(each func([]byte)) { readFile(t, file, each) })
	require.Positive(t, s.ok.all)
	require.LessOrEqual(t, s.okRefused, 1, "right answers refused")
	require.GreaterOrEqual(t, s.ok.share(), 0.9, "right answers let through")
	require.GreaterOrEqual(t, s.refuse.share(), 0.9, "wrong answers flagged")
	require.GreaterOrEqual(t, s.caveat.share(), 0.8, "half-true answers flagged")
}

// readFile calls each for every line of a file of this package.
func readFile(t *testing.T, file string, each func(line []byte)) {
	t.Helper()
	text, err := os.ReadFile(file)
	require.NoError(t, err)
	eachLine(text, each)
}
