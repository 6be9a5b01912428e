package toolkit_test

import (
	"context"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// The time of a run bounds what a call does, whatever it is doing.
func TestTheTimeOfARunEndsACallThatIsUnderWay(t *testing.T) {
	t.Parallel()
	crowded := func() *toolkit.Upstream {
		return toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "db", Concurrency: 1})
	}
	for _, tt := range []struct {
		name    string
		tool    toolkit.Tool[query, invoice]
		first   toolkit.Tool[query, invoice] // called before it, in the background
		kind    fault.Kind
		reason  fault.Reason
		took    time.Duration // less than a second means: less than that
		aborted bool
	}{
		{"waiting for an answer", toolkit.Tool[query, invoice]{Effect: fault.Read, Call: patient}, toolkit.Tool[query, invoice]{},
			fault.KindFailed, fault.ReasonTimeout, 5 * time.Second, true},
		{"its own limit is further", toolkit.Tool[query, invoice]{Effect: fault.Read, Timeout: time.Minute, Call: patient}, toolkit.Tool[query, invoice]{},
			fault.KindFailed, fault.ReasonTimeout, 5 * time.Second, true},
		{"a write", toolkit.Tool[query, invoice]{Effect: fault.Write, Call: patient}, toolkit.Tool[query, invoice]{},
			fault.KindUnknown, fault.ReasonTimeout, 5 * time.Second, true},
		{"the wait that a service asks for", toolkit.Tool[query, invoice]{Effect: fault.Read, Call: func(context.Context, query) (invoice, error) {
			return invoice{}, &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Status: 429, Wait: 6 * time.Second}
		}}, toolkit.Tool[query, invoice]{}, fault.KindFailed, fault.ReasonRateLimit, 0, false},
		{"polling", toolkit.Tool[query, invoice]{Effect: fault.Read,
			Call:  func(context.Context, query) (invoice, error) { return invoice{}, toolkit.Pending("job") },
			Await: func(_ context.Context, _ query, _ invoice) (invoice, error) { return invoice{}, toolkit.Pending("job") },
		}, toolkit.Tool[query, invoice]{}, fault.KindPending, fault.ReasonNone, 0, false},
		{"queued", toolkit.Tool[query, invoice]{Effect: fault.Read, Call: lookUp},
			toolkit.Tool[query, invoice]{Effect: fault.Read, Call: func(context.Context, query) (invoice, error) {
				time.Sleep(20 * time.Second)
				return invoice{}, nil
			}},
			fault.KindNotRun, fault.ReasonBudget, 5 * time.Second, true},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := toolkit.New(toolkit.Config{})
				db := crowded()
				ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1", Limits: runrecord.Limits{Time: 5 * time.Second}})
				var background sync.WaitGroup
				if tt.first.Call != nil {
					tt.first.Name, tt.first.Upstream = "first", db
					first := toolkit.Wrap(kit, tt.first)
					background.Go(func() { first.Invoke(context.Background(), acme) })
					synctest.Wait()
				}
				tt.tool.Name, tt.tool.Upstream = "tool", db
				began := time.Now()
				res := toolkit.Wrap(kit, tt.tool).Invoke(ctx, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.Equal(t, tt.reason, res.Outcome.Reason())
				if tt.took > 0 {
					require.Equal(t, tt.took, time.Since(began))
				}
				require.LessOrEqual(t, time.Since(began), 5*time.Second)
				require.Equal(t, tt.aborted, run.Halted() != nil, "the run is over time")
				if tt.aborted {
					require.Equal(t, runrecord.Aborted, run.State())
				}
				if tt.reason == fault.ReasonTimeout {
					require.Equal(t, "run_limit", res.Outcome.Fault.Code, "it says whose limit it was")
					require.ErrorIs(t, res.Err(), toolkit.ErrTimeout)
				}
				background.Wait()
			})
		})
	}
}

// A result that did arrive is kept, and a run that asks for nothing more is not
// cut short.
func TestAResultThatArrivesAfterTheTimeOfTheRunIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{})
		get := read(kit, "get", func(context.Context, query) (invoice, error) {
			time.Sleep(7 * time.Second) // it does not look at its context
			return invoice{"INV-1", 1200}, nil
		})
		ctx, run := start(t, kit, runrecord.Task{Limits: runrecord.Limits{Time: 5 * time.Second}})
		res := get.Invoke(ctx, acme)
		require.True(t, res.Outcome.OK())
		require.Equal(t, "INV-1", res.Value.ID)
		require.Equal(t, runrecord.Running, run.State())
		require.Equal(t, fault.ReasonBudget, get.Invoke(ctx, acme).Outcome.Reason())
	})
}
