package cases_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"
)

// TestReports plays every report whose point shows in how its last call and its
// draft end.
func TestReports(t *testing.T) {
	var outcome, action, reason, decision, step, finding count
	for _, r := range reports(t) {
		if r.Kind == "special" {
			continue
		}
		t.Run(r.ID, func(t *testing.T) {
			got, want := play(t, r), r.Expect
			var misses []string
			score := func(c *count, what string, right bool, got, want any) {
				c.add(right)
				if !right {
					misses = append(misses, fmt.Sprintf("%s %v, want %v", what, got, want))
				}
			}
			score(&outcome, "outcome", got.outcome == want.Outcome, got.outcome, want.Outcome)
			score(&action, "action", got.action == deref(want.Action), got.action, deref(want.Action))
			if want.Reason != nil {
				score(&reason, "reason", got.reason == *want.Reason, got.reason, *want.Reason)
			}
			if want.Decision != nil {
				score(&decision, "decision", got.decision == *want.Decision, got.decision, *want.Decision)
				score(&step, "step", got.step == deref(want.Step), got.step, deref(want.Step))
				score(&finding, "finding", got.finding == want.Finding, got.finding, want.Finding)
			}
			if len(misses) > 0 {
				t.Logf("%s: %s; what the model saw: %q; findings: %v", r.ID, strings.Join(misses, "; "), got.texts, got.verdict.Findings)
			}
		})
	}
	for _, f := range []struct {
		name string
		c    *count
	}{
		{"outcome", &outcome}, {"action", &action}, {"reason", &reason},
		{"decision", &decision}, {"step", &step}, {"finding", &finding},
	} {
		figure("reports."+f.name, f.c)
		if f.c.share() < 0.95 {
			t.Errorf("%s: %d of %d right, want at least 95 %%", f.name, f.c.right, f.c.all)
		}
	}
	require.Positive(t, outcome.all, "the file has no report to play")
}

func deref[T any](p *T) (v T) {
	if p != nil {
		v = *p
	}
	return v
}
