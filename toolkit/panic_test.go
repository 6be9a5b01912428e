package toolkit_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// A panic of the runtime has frames of the runtime above the one that matters.
func TestThePanicOfTheRuntimeIsFoundInTheTool(t *testing.T) {
	t.Parallel()
	kit := single()
	toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Detail: true,
		Call: func(context.Context, query) (invoice, error) {
			var none map[string]*invoice
			return *none["INV-1"], nil
		}})
	ctx, run := start(t, kit, runrecord.Task{})
	res := kit.Invoke(ctx, "get", json.RawMessage(`{"customer":"ACME","year":1}`))
	require.Regexp(t, `runtime error: invalid memory address.*func1 \(panic_test\.go:\d+\)`, run.Calls()[0].Detail.Error)
	require.Contains(t, res.String(), "the tool panicked with a runtime.errorString", "a tool with Detail shows the type")
	require.NotContains(t, res.String(), "invalid memory")
	require.NotContains(t, res.String(), ".go:")
	require.ErrorIs(t, res.Err(), toolkit.ErrPanic)
}

func TestAPanicSaysWhoseFunctionItWas(t *testing.T) {
	t.Parallel()
	boom := func() string { panic("boom") }
	for _, tt := range []struct {
		says string
		tool toolkit.Tool[query, invoice]
		kind fault.Kind
	}{
		{"its KeyOf panicked", toolkit.Tool[query, invoice]{Effect: fault.Write, Call: lookUp, KeyOf: func(query) string { return boom() }}, fault.KindNotRun},
		{"its Part panicked", toolkit.Tool[query, invoice]{Effect: fault.Read, Call: lookUp, Part: func(query) string { return boom() }}, fault.KindNotRun},
		{"its Await panicked", toolkit.Tool[query, invoice]{Effect: fault.Read,
			Call:  func(context.Context, query) (invoice, error) { return invoice{}, toolkit.Pending("job") },
			Await: func(context.Context, query, invoice) (invoice, error) { boom(); return invoice{}, nil }}, fault.KindFailed},
	} {
		t.Run(tt.says, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := single()
				tt.tool.Name = "tool"
				tool := toolkit.Wrap(kit, tt.tool)
				ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
				res := tool.Invoke(ctx, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.Equal(t, fault.ReasonPanic, res.Outcome.Reason())
				require.Contains(t, run.Calls()[0].Detail.Error, tt.says)
				require.Contains(t, run.Calls()[0].Detail.Error, "(panic_test.go:")
			})
		})
	}
}

// The answer of a Check that panics is "cannot tell", and the case says why.
func TestTheCaseNamesACheckThatPanics(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := single()
		pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write, Call: ending(noAnswer()).call,
			Check: func(context.Context, query) (toolkit.Checked[invoice], error) { panic("boom") }})
		ctx, _ := start(t, kit, runrecord.Task{Key: "ticket-1"})
		require.Equal(t, fault.KindUnknown, pay.Invoke(ctx, acme).Outcome.Kind)
		cases, err := kit.Cases().List(ctx, escalation.Filter{})
		require.NoError(t, err)
		require.Contains(t, cases[0].Checks[0].Error, "its Check panicked")
	})
}
