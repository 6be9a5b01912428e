package grid_test

import (
	"context"
	"encoding/json"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// The calls of one turn are decided upon together. When one of them is refused
// for its form, a success of another of them, even one that began later, is
// about something else: only what the model asks for afterwards can be the
// correction.
func TestASuccessOfTheSameTurnIsNoCorrection(t *testing.T) {
	t.Parallel()
	for name, wrong := range map[string]string{
		"refused by the service": `{"id":"refused"}`,
		"never entered":          `{"id":1}`,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := toolkit.New(toolkit.Config{Batch: 1})
				toolkit.Wrap(kit, toolkit.Tool[order, any]{Name: toolName, Effect: fault.Read,
					Call: func(_ context.Context, in order) (any, error) {
						if in.ID == "refused" {
							return nil, &faulttest.StatusError{Status: 422, Body: `{"error":"invalid id"}`}
						}
						return receipt(in.ID), nil
					}})
				judge := guard.New(guard.Require(toolName))
				ctx, run, err := kit.Start(t.Context(), runrecord.Task{Name: "order", Key: "turn", Judge: judge})
				require.NoError(t, err)
				defer run.End()
				responses := kit.InvokeAll(ctx, []toolkit.Request{
					{ID: "call_1", Name: toolName, Args: json.RawMessage(wrong)},
					{ID: "call_2", Name: toolName, Args: json.RawMessage(`{"id":"b"}`)},
				})
				require.NotEqual(t, fault.KindOK, responses[0].Outcome.Kind)
				require.Equal(t, fault.KindOK, responses[1].Outcome.Kind)
				require.Equal(t, guard.Refuse, judge.Final(ctx, "Both orders are there.").Decision)

				kit.Invoke(ctx, toolName, json.RawMessage(`{"id":"a"}`)) // the next turn
				require.Equal(t, guard.Answer, judge.Final(ctx, "Both orders are there.").Decision)
			})
		})
	}
}
