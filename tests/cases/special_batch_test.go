package cases_test

import (
	"bytes"
	"context"
	"encoding/json"
	"runtime"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// However a call of a parallel batch ends, its id gets exactly one result, and
// the results of the others are kept.
func oneResultPerCall(t *testing.T, r report) {
	for name, end := range map[string]func(ctx context.Context, cancel func()) (any, error){
		"as reported": nil,
		"panic":       func(context.Context, func()) (any, error) { panic("out of range") },
		"goexit":      func(context.Context, func()) (any, error) { runtime.Goexit(); return nil, nil },
		"denied":      func(context.Context, func()) (any, error) { return nil, fault.Denied("not in office hours") },
		"cancelled": func(ctx context.Context, cancel func()) (any, error) {
			cancel()
			<-ctx.Done()
			return nil, ctx.Err()
		},
	} {
		cancelled := func() {}
		aDone := make(chan struct{})
		s := newStage(t, r, staging{adjust: func(b *tool) {
			inner := b.Call
			if b.Name != r.Input.Tool {
				b.Call = func(ctx context.Context, in map[string]any) (any, error) {
					defer close(aDone)
					return inner(ctx, in)
				}
				return
			}
			b.Call = func(ctx context.Context, in map[string]any) (any, error) {
				<-aDone // they run at the same time, or this waits for ever
				if end == nil {
					return inner(ctx, in)
				}
				return end(ctx, func() { cancelled() })
			}
		}})
		ctx, run, _ := s.start(t)
		ctx, cancelled = context.WithCancel(ctx)
		batch := make([]toolkit.Request, len(r.Input.Calls))
		for i, c := range r.Input.Calls {
			batch[i] = toolkit.Request{ID: "call_" + s.stageFor(c), Name: c.name(r.Input), Args: c.args(r.Input)}
		}
		responses := s.kit.InvokeAll(ctx, batch)
		cancelled()
		run.End()

		require.Len(t, responses, len(batch), name)
		seen := map[string]int{}
		for i, response := range responses {
			require.Equal(t, batch[i].ID, response.CallID(), name)
			require.Equal(t, batch[i].Name, response.Name, name)
			require.NotEmpty(t, response.String(), name)
			require.NotEqual(t, fault.KindNone, response.Outcome.Kind, name)
			seen[response.CallID()]++
		}
		for id, n := range seen {
			require.Equal(t, 1, n, "%s: %s", name, id)
		}
		require.Equal(t, fault.KindOK, responses[0].Outcome.Kind, name)
		require.Equal(t, "ok", responses[0].Value, "%s: the result of the other call is kept", name)
		require.NotEqual(t, fault.KindOK, responses[1].Outcome.Kind, name)
		if end == nil {
			require.Equal(t, fault.ReasonPermission, responses[1].Outcome.Reason())
		}
		if name == "denied" {
			require.Equal(t, fault.KindDenied, responses[1].Outcome.Kind)
		}
		require.Len(t, run.Calls(), len(batch), name)
	}
}

// Arguments that end in the middle, as those of a turn that was cut off do, are
// never run: wherever the cut is, the call gets its one result.
func cutArgumentsAreNotRun(t *testing.T, r report) {
	s := newStage(t, r, staging{adjust: func(b *tool) {}})
	toolkit.Wrap(s.kit, tool{Name: "bound", Call: func(context.Context, map[string]any) (any, error) {
		t.Error("entered")
		return nil, nil
	}})
	ctx, run, _ := s.start(t)
	args := call{}.args(r.Input)
	whole := bytes.TrimRight(args, "} ")
	require.False(t, json.Valid(whole))
	for cut := 1; cut <= len(whole); cut++ {
		responses := s.kit.InvokeAll(ctx, []toolkit.Request{{ID: "call_1", Name: "bound", Args: whole[:cut]}})
		require.Len(t, responses, 1)
		require.Equal(t, "call_1", responses[0].CallID())
		require.Equal(t, fault.KindNotRun, responses[0].Outcome.Kind)
		if run.Halted() == nil {
			require.Equal(t, fault.ReasonInvalidArgs, responses[0].Outcome.Reason())
		}
		require.NotContains(t, responses[0].String(), string(whole), "no byte of the arguments comes back")
	}
	require.Zero(t, s.entries())
}
