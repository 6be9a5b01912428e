package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// unprintable is an error that panics when its text is asked for, as a nil
// pointer in an interface does.
type unprintable struct{ text string }

func (e *unprintable) Error() string { return e.text }

func TestARedactionThatPanicsBreaksNoCall(t *testing.T) {
	t.Parallel()
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1, Redact: func(string) string { panic("hook") }})
	fails := func(name string, effect fault.Effect, detail bool) {
		toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: name, Effect: effect, Detail: detail, Call: ending(errors.New("boom hunter2")).call})
	}
	fails("get", fault.Read, true)
	fails("put", fault.Write, false)
	ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
	args := json.RawMessage(`{"customer":"ACME","year":1}`)
	for _, res := range kit.InvokeAll(ctx, []toolkit.Request{{ID: "1", Name: "get", Args: args}, {ID: "2", Name: "put", Args: args}}) {
		require.Contains(t, res.String(), "TOOL_")
		require.NotContains(t, res.String(), "hunter2")
	}
	require.Len(t, run.Calls(), 2)
	cases, err := kit.Cases().List(ctx, escalation.Filter{})
	require.NoError(t, err)
	require.Len(t, cases, 1)
	require.NotContains(t, cases[0].Args, "ACME")
}

func TestAnErrorThatCannotBePrintedBreaksNoCall(t *testing.T) {
	t.Parallel()
	for _, detail := range []bool{false, true} {
		kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
		toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Detail: detail,
			Call: func(context.Context, query) (invoice, error) {
				return invoice{}, &fault.Fault{Reason: fault.ReasonAuth, Action: fault.FailFast, Ran: fault.RanNo, Err: (*unprintable)(nil)}
			}})
		ctx, run := start(t, kit, runrecord.Task{})
		res := kit.InvokeAll(ctx, []toolkit.Request{{ID: "1", Name: "get", Args: json.RawMessage(`{"customer":"ACME","year":1}`)}})[0]
		require.Equal(t, fault.KindFailed, res.Outcome.Kind)
		require.Contains(t, res.String(), "TOOL_FAILED")
		require.Len(t, run.Calls(), 1)
	}
}
