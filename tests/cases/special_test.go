package cases_test

import (
	"encoding/json"
	"fmt"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/tests/internal/traces"
	"github.com/failloud/failloud/toolkit"
)

// special is the test of a report whose point does not show in how its last call
// ends alone. It asserts the whole sentence that the report gives as its check.
type special struct {
	check func(*testing.T, report)
	later string // what of the sentence is not asserted yet, and where it belongs
}

var specials = map[string]special{
	"C022": {attemptsAreCounted, ""},
	"C027": {failedListingIsNoEmptyList, ""},
	"C042": {oneOutcomeEverywhere, ""},
	"C048": {silenceIsNotZeroResults, ""},
	"C053": {callIDsAreNoKeys, ""},
	"C055": {volatileArgumentsAreNoKeys, ""},
	"C063": {deadlineBoundsAllAttempts, ""},
	"C064": {toolFailuresBelongToTheTool, "the model's own counters and its breaker come with model calls"},
	"C065": {retryAfterDates, ""},
	"C066": {waitThatDoesNotFit, ""},
	"C069": {thirdFailureEndsTheRun, ""},
	"C071": {thirdEqualResultEndsTheRun, ""},
	"C075": {bearerTokenStaysHere, ""},
	"C078": {hugeResultIsCutHonestly, ""},
	"C081": {upstreamTextIsNoInstruction, ""},
	"C083": {inventedNames, ""},
	"C084": {inventedNames, ""},
	"C088": {cutArgumentsAreNotRun, "repairing the stored call before the history is sent again comes with model calls"},
	"C089": {cutArgumentsAreNotRun, "refusing the whole calls of a turn that ended by its length comes with the agent's loop"},
	"C090": {oneResultPerCall, ""},
	"C091": {resultIsNeverEmpty, ""},
	"C111": {refusalsLeaveTheBreakerClosed, ""},
	"C112": {refusalsAreNeutral, ""},
	"C113": {unreadableAnswersOpenTheBreaker, ""},
	"C116": {rejectionIsFinal, ""},
}

// TestSpecialReports runs the test of every special report that the file has.
func TestSpecialReports(t *testing.T) {
	var whole, part count
	for _, r := range reports(t) {
		if r.Kind != "special" {
			continue
		}
		s, written := specials[r.ID]
		passed := t.Run(r.ID, func(t *testing.T) {
			if !written {
				t.Skipf("no test is written for this check: %s", r.Check)
			}
			synctest.Test(t, func(t *testing.T) { s.check(t, r) })
			if s.later != "" {
				t.Logf("not asserted yet: %s", s.later)
			}
		})
		whole.add(written && passed && s.later == "")
		if s.later != "" {
			part.add(passed)
		}
	}
	figure("reports.special", &whole)
	figure("reports.special_in_part", &part)
}

// everything is all that can be read of the run, by name.
func everything(t *testing.T, tr *traces.Traces, s *stage, run *runrecord.Run, response toolkit.Response) map[string]string {
	t.Helper()
	dump := func(v any) string {
		raw, err := json.Marshal(v)
		require.NoError(t, err)
		return string(raw) + fmt.Sprintf("%+v", v)
	}
	all := map[string]string{
		"line": response.String(), "twin": dump(response.Twin()),
		"log": tr.Log(), "JSON lines": tr.Lines(), "events": dump(tr.Events()),
		"cases": dump(openCases(t, s)),
	}
	if err := response.Err(); err != nil {
		all["error"] = err.Error()
	}
	for _, c := range run.Calls() {
		all["record"] += dump(c)
		if c.Detail != nil {
			all["record"] += dump(*c.Detail)
		}
	}
	return all
}
