package cases_test

import (
	"encoding/json"
	"flag"
	"hash/crc32"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

var showHeldOut = flag.Bool("heldout", false, "list the misses of the held-out rows too")

// outcomeLabels is what the reader of one tool result thinks is right.
type outcomeLabels struct {
	Form      string       `json:"form"`
	IsFailure bool         `json:"is_failure"`
	Reason    fault.Reason `json:"reason"`
	Action    fault.Action `json:"action"`
	Ambiguous bool         `json:"ambiguous"`
	Note      string       `json:"note"`
}

// scores counts the three labels apart: a wrong action does harm, a wrong
// reason only misleads.
type scores struct{ failure, action, reason count }

func (s *scores) add(want outcomeLabels, got casefile.Verdict) {
	s.failure.add(got.IsFailure == want.IsFailure)
	s.action.add(got.Action == want.Action)
	s.reason.add(got.Reason == want.Reason)
}

func (s *scores) print(name string) {
	figure(name+".failure", &s.failure)
	figure(name+".action", &s.action)
	figure(name+".reason", &s.reason)
}

// TestToolOutcomes classifies every tool result of the file. Rows whose label
// could be set otherwise are counted apart and never part of the bars.
func TestToolOutcomes(t *testing.T) {
	var classifier fault.Classifier
	groups := map[string]*scores{}
	into := func(name string) *scores {
		if groups[name] == nil {
			groups[name] = &scores{}
		}
		return groups[name]
	}
	headline := into("tool_outcomes")
	read(t, "tool_outcomes.jsonl", func(line []byte) {
		seen, err := casefile.Parse(line)
		require.NoError(t, err, "%s", line)
		var want outcomeLabels
		require.NoError(t, json.Unmarshal(line, &want), "%s", line)
		got := casefile.Decide(&classifier, seen)
		if want.Ambiguous {
			into("tool_outcomes.ambiguous").add(want, got)
			return
		}
		headline.add(want, got)
		into("tool_outcomes.form."+want.Form).add(want, got)
		if heldOut(seen.ID) {
			into("tool_outcomes.heldout").add(want, got)
		} else {
			into("tool_outcomes.build").add(want, got)
		}
		if right := got.IsFailure == want.IsFailure && got.Action == want.Action && got.Reason == want.Reason; right {
			return
		}
		if testing.Verbose() && (*showHeldOut || !heldOut(seen.ID)) {
			t.Logf("%s: want failure=%t %s %s, got failure=%t %s %s by rule %q (%s)", seen.ID,
				want.IsFailure, want.Reason, want.Action, got.IsFailure, got.Reason, got.Action, got.Rule, want.Note)
		}
	})
	for _, name := range slices.Sorted(maps.Keys(groups)) {
		groups[name].print(name)
	}
	require.Positive(t, headline.failure.all, "the file has no row to measure")
	for _, bar := range []struct {
		name  string
		got   *count
		least float64
	}{
		{"failure or not", &headline.failure, 0.97},
		{"action", &headline.action, 0.95},
		{"reason", &headline.reason, 0.90},
	} {
		if bar.got.share() < bar.least {
			t.Errorf("%s: %d of %d right, want at least %.0f %%", bar.name, bar.got.right, bar.got.all, 100*bar.least)
		}
	}
}

// heldOut keeps a quarter of the rows aside, by id, so that the split stays
// the same when rows are added.
func heldOut(id string) bool { return crc32.ChecksumIEEE([]byte(id))%4 == 0 }
