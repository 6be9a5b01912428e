package cases_test

import (
	"encoding/json"
	"fmt"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// loopAfter is how many equal calls the default guard lets happen.
const loopAfter = 3

// A warning does not stop a model that repeats itself. The run does.
func thirdFailureEndsTheRun(t *testing.T, r report) {
	s := newStage(t, r, staging{})
	ctx, run, judge := s.start(t)
	require.Greater(t, len(r.Input.Calls), loopAfter)
	for i, c := range r.Input.Calls {
		response := s.call(ctx, c)
		if i < loopAfter {
			require.Equal(t, fault.KindFailed, response.Outcome.Kind, "call %d", i+1)
			require.Equal(t, i+1, s.entries())
			require.Equal(t, i == loopAfter-1, run.Halted() != nil, "call %d", i+1)
			continue
		}
		require.Equal(t, fault.KindNotRun, response.Outcome.Kind, "call %d", i+1)
		require.Equal(t, fault.ReasonLoop, response.Outcome.Reason())
		require.Contains(t, response.String(), "stopped")
	}
	require.Equal(t, loopAfter, s.entries())
	require.Equal(t, runrecord.Aborted, run.State())
	for _, draft := range []string{"Done.", "", "I could not complete the call.", "The call failed; name is required."} {
		require.Equal(t, guard.Refuse, judge.Final(ctx, draft).Decision, draft)
	}
}

// Equal is name, arguments and result. What comes in between does not matter; a
// result that changes does.
func thirdEqualResultEndsTheRun(t *testing.T, r report) {
	s := newStage(t, r, staging{})
	ctx, run, _ := s.start(t)
	for i, c := range r.Input.Calls {
		response := s.call(ctx, c)
		if i < loopAfter {
			require.Equal(t, fault.KindOK, response.Outcome.Kind)
		} else {
			require.Equal(t, fault.ReasonLoop, response.Outcome.Reason())
		}
	}
	require.Equal(t, loopAfter, s.entries())
	require.Equal(t, runrecord.Aborted, run.State())

	same := r.Input.Calls[0]
	other := func(i int) call {
		c := same
		c.Args = json.RawMessage(fmt.Sprintf(`{"x":%d}`, 1000+i))
		return c
	}
	s = newStage(t, r, staging{})
	ctx, run, _ = s.start(t)
	for i := range loopAfter {
		require.NoError(t, run.Halted())
		s.call(ctx, other(2*i))
		s.call(ctx, same)
		if i < loopAfter-1 {
			s.call(ctx, other(2*i+1))
		}
	}
	require.Error(t, run.Halted(), "with other calls in between")

	changed := same
	changed.Attempts = []attempt{{Type: "value", Value: []byte(`"another result"`)}}
	s = newStage(t, r, staging{})
	ctx, run, _ = s.start(t)
	for _, c := range []call{same, same, changed, same, same} {
		s.call(ctx, c)
		require.NoError(t, run.Halted(), "a changed result starts the count again")
	}
	s.call(ctx, same)
	require.Error(t, run.Halted())
}

// Names that no tool has are counted together: a model that invents a new one
// each time is going round in circles, too.
func inventedNames(t *testing.T, r report) {
	invented := r.Input.Tool
	similar := []string{
		invented + "s", invented + "_2", "x" + invented, invented[1:], invented[:len(invented)-1], invented + "_all", invented + "_old",
	}
	config := r
	config.Input = scenario{Tool: similar[0]}
	for _, name := range similar[1:] {
		config.Input.Calls = append(config.Input.Calls, call{Tool: name})
	}
	s := newStage(t, config, staging{})
	ctx, run, judge := s.start(t)

	names := make([]string, 0, loopAfter)
	for range r.Input.Calls {
		names = append(names, invented)
	}
	for i := 0; len(names) < loopAfter; i++ {
		names = append(names, invented+[]string{"_1", "_3"}[i])
	}
	for _, name := range names {
		require.NoError(t, run.Halted())
		response := s.kit.Invoke(ctx, name, r.Input.Args)
		require.Equal(t, fault.KindNotRun, response.Outcome.Kind)
		require.Equal(t, fault.ReasonUnknownTool, response.Outcome.Reason())
		line := response.String()
		require.Contains(t, line, "there is no tool "+name)
		require.LessOrEqual(t, len(line), 300)
		_, list, ok := strings.Cut(line, "Similar: ")
		require.True(t, ok, line)
		list, _, _ = strings.Cut(list, ". ")
		shown := strings.Split(list, ", ")
		require.LessOrEqual(t, len(shown), 5)
		require.GreaterOrEqual(t, len(shown), 3)
		require.Subset(t, similar, shown)
	}
	require.Equal(t, runrecord.Aborted, run.State())
	halt := new(runrecord.HaltError)
	require.ErrorAs(t, run.Halted(), &halt)
	require.Equal(t, fault.ReasonLoop, halt.Reason)
	require.Equal(t, fault.ReasonLoop, s.call(ctx, call{Tool: similar[0]}).Outcome.Reason(), "a real tool is not entered any more")
	require.Zero(t, s.entries())
	require.Equal(t, guard.Refuse, judge.Final(ctx, "Today is Monday.").Decision)
}
