package cases_test

import (
	"bytes"
	"encoding/json"
	"maps"
	"slices"
	"testing"

	"github.com/stretchr/testify/require"
)

// answerCase is one answer against its evidence.
type answerCase struct {
	ID       string `json:"id"`
	Grounded bool   `json:"grounded"`
	Kind     string `json:"kind"`
	Lang     string `json:"lang"`
}

// undetectable are the cases that no rule about figures can see: right digits
// on the wrong thing, a "not" too many. They are counted apart.
const undetectable = "undetectable"

// groundScores count the two mistakes apart.
type groundScores struct{ grounded, wrong count }

func (s *groundScores) print(name string) {
	figure(name+".grounded.unflagged", &s.grounded)
	figure(name+".ungrounded.flagged", &s.wrong)
}

func measureGrounding(t *testing.T, name, file string, lines func(each func(line []byte))) groundScores {
	t.Helper()
	got := auditFile(t, file)
	groups := map[string]*groundScores{}
	into := func(group string) *groundScores {
		if groups[group] == nil {
			groups[group] = &groundScores{}
		}
		return groups[group]
	}
	lines(func(line []byte) {
		var c answerCase
		require.NoError(t, json.Unmarshal(line, &c), "%s", line)
		j, ok := got[c.ID]
		require.True(t, ok, "%s was dropped", c.ID)
		var in []*groundScores
		switch {
		case c.Kind == undetectable:
			in = append(in, into(name+".undetectable"))
		case heldOut(c.ID):
			in = append(in, into(name), into(name+".heldout"))
		default:
			in = append(in, into(name), into(name+".build"))
		}
		if c.Lang != "" && c.Kind != undetectable {
			in = append(in, into(name+".lang."+c.Lang))
		}
		for _, s := range in {
			if c.Grounded {
				s.grounded.add(!j.flagged())
			} else {
				s.wrong.add(j.flagged())
			}
		}
		if testing.Verbose() && !heldOut(c.ID) && c.Grounded == j.flagged() {
			t.Logf("%s: grounded=%t, got %s %+v", c.ID, c.Grounded, j.Decision, j.Findings)
		}
	})
	for _, group := range slices.Sorted(maps.Keys(groups)) {
		groups[group].print(group)
	}
	return *into(name)
}

// TestGrounding judges answers that stand on given evidence alone.
func TestGrounding(t *testing.T) {
	file := caseFile(t, "grounding.jsonl")
	s := measureGrounding(t, "grounding", file, func(each func([]byte)) { read(t, "grounding.jsonl", each) })
	require.LessOrEqual(t, s.grounded.all-s.grounded.right, 2, "false flags")
	require.LessOrEqual(t, s.wrong.all-s.wrong.right, 4, "misses")
}

// TestOwnGrounding judges answers that were written from the rules, in English
// and Vietnamese, before any of them was judged.
func TestOwnGrounding(t *testing.T) {
	const file = "testdata/grounding_own.jsonl"
	s := measureGrounding(t, "grounding_own", file, func(each func([]byte)) { readFile(t, file, each) })
	require.GreaterOrEqual(t, s.grounded.share(), 0.9, "grounded answers let through")
	require.GreaterOrEqual(t, s.wrong.share(), 0.85, "ungrounded answers flagged")
}

func eachLine(text []byte, each func(line []byte)) {
	for line := range bytes.Lines(text) {
		if line = bytes.TrimSpace(line); len(line) > 0 {
			each(line)
		}
	}
}
