package toolkit_test

import (
	"errors"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/zap"
	"go.uber.org/zap/zaptest/observer"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// A substitute that works must not hide a credential that has expired.
func TestASubstituteDoesNotHideWhatItStandsInFor(t *testing.T) {
	t.Parallel()
	expired := &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Status: 401, Code: "token_expired", Err: errors.New("401: password=hunter2")}
	for _, tt := range []struct {
		name     string
		first    error // of the first substitute
		works    bool  // the second one
		failures map[string]int
		line     string // "" where it worked
	}{
		{"the first substitute works", nil, true, map[string]int{"search": 1}, ""},
		{"the second one does", overloaded(), true, map[string]int{"search": 1, "index": 1}, ""},
		{"none does", overloaded(), false, map[string]int{"search": 1, "index": 1, "list": 1}, "search returned 401 (auth) after 1 attempt."},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			core, logs := observer.New(zap.WarnLevel)
			views, err := runrecord.NewViews(runrecord.ViewsConfig{})
			require.NoError(t, err)
			kit := toolkit.New(toolkit.Config{Logger: zap.New(core), Sinks: []runrecord.Sink{views}, MaxAttempts: 1})
			search := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "search", Effect: fault.Read, Call: ending(expired).call, Fallback: toolkit.FallbackTo("index", "list")})
			read(kit, "index", ending(tt.first).call)
			last := refusedBy(fault.ReasonServerError, 500)
			if tt.works {
				last = nil
			}
			read(kit, "list", ending(last).call)
			ctx, run := start(t, kit, runrecord.Task{})
			res := search.Invoke(ctx, acme)

			got := map[string]int{}
			for _, row := range views.Failures(0).Rows {
				got[row.Tool] += row.Failures
			}
			require.Equal(t, tt.failures, got)
			logged := map[string]int{}
			for _, l := range logs.FilterMessage("tool call failed").All() {
				logged[l.ContextMap()["tool"].(string)]++
				require.NotContains(t, l.ContextMap()["error"], "hunter2")
			}
			require.Equal(t, tt.failures, logged)
			require.Len(t, run.Calls(), 1, "it was one call")
			call := run.Calls()[0]
			require.Equal(t, fault.ReasonAuth, call.Reason, "why the tool itself did not do it")
			require.Equal(t, "token_expired", call.Detail.Code)
			if tt.line != "" {
				require.Contains(t, res.String(), tt.line, "the attempts of others are not its own")
				return
			}
			require.True(t, res.Outcome.OK())
			require.Equal(t, "search", call.Detail.FallbackOf)
		})
	}
}

func TestCallsThatWereTurnedAwayHaveTheirNumbers(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{})
	get := read(kit, "get", lookUp)
	ctx, run := start(t, kit, runrecord.Task{Limits: runrecord.Limits{Calls: 1}})
	ids := map[string]bool{}
	for i, res := range kit.InvokeAll(ctx, []toolkit.Request{{Name: "get"}, {Name: "absent"}, {Name: "get"}}) {
		require.Equal(t, fault.ReasonBudget, res.Outcome.Reason())
		require.EqualValues(t, i+1, res.Seq())
		ids[res.CallID()] = true
	}
	res := get.Invoke(ctx, acme)
	require.EqualValues(t, 4, res.Seq())
	ids[res.CallID()] = true
	require.Len(t, ids, 4)
	require.EqualValues(t, 5, kit.Invoke(ctx, "absent", nil).Seq())
	for i, call := range run.Calls() {
		require.EqualValues(t, i+1, call.Seq)
	}
}
