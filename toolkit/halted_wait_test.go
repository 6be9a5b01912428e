package toolkit_test

import (
	"context"
	"encoding/json"
	"errors"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// A run that is over while a call waits for its turn has the call not made.
func TestACallThatWaitedIsNotMadeForARunThatIsOver(t *testing.T) {
	t.Parallel()
	stops := map[string]func(*runrecord.Run){
		"aborted": func(run *runrecord.Run) { run.Abort(fault.ReasonLoop, "the same again") },
		"ended":   (*runrecord.Run).End,
	}
	for waitsFor, tt := range map[string]struct {
		upstream toolkit.UpstreamConfig
		holds    time.Duration // how long the first call takes
		end      error         // and how it ends
		same     bool          // both calls are one piece of work
	}{
		"the end of a pause": {end: &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Wait: 10 * time.Second}},
		"the rate":           {upstream: toolkit.UpstreamConfig{Rate: 0.1, Burst: 1}},
		"a slot":             {upstream: toolkit.UpstreamConfig{Concurrency: 1}, holds: 10 * time.Second},
		"the same work":      {holds: 10 * time.Second, end: fault.NotRun(errors.New("not now")), same: true},
	} {
		for how, stop := range stops {
			for _, effect := range []fault.Effect{fault.Read, fault.Write} {
				if tt.same && effect == fault.Read {
					continue // two that look at the same do not wait for each other
				}
				t.Run(waitsFor+", "+how+", "+effect.String(), func(t *testing.T) {
					t.Parallel()
					synctest.Test(t, func(t *testing.T) {
						kit := single()
						upstream := tt.upstream // shared by the subtests
						upstream.Name = "bank"
						var entered atomic.Int32
						pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
							Name: "pay", Effect: effect, Upstream: toolkit.NewUpstream(upstream),
							KeyOf: func(q query) string { return q.Customer },
							Call: func(context.Context, query) (invoice, error) {
								if entered.Add(1) > 1 {
									return invoice{}, nil
								}
								time.Sleep(tt.holds)
								return invoice{}, tt.end
							},
						})
						first, _ := start(t, kit, runrecord.Task{Key: "one"})
						second, run := start(t, kit, runrecord.Task{Key: "two"})
						other := query{"other", 2026}
						if tt.same {
							other = acme
						}
						var both sync.WaitGroup
						both.Go(func() { pay.Invoke(first, acme) })
						synctest.Wait()
						both.Go(func() {
							res := pay.Invoke(second, other)
							require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
							require.Equal(t, "toolkit:halt", res.Outcome.Fault.Rule)
							require.ErrorIs(t, res.Err(), runrecord.ErrHalted)
						})
						time.Sleep(time.Second)
						stop(run)
						both.Wait()
						require.EqualValues(t, 1, entered.Load())

						third, _ := start(t, kit, runrecord.Task{Key: "three"})
						time.Sleep(time.Minute)
						require.True(t, pay.Invoke(third, other).Outcome.OK(), "the call left nothing behind")
					})
				})
			}
		}
	}
}

func TestTheRestOfABatchIsNotMadeForARunThatIsOver(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := toolkit.New(toolkit.Config{Batch: 1})
		var entered atomic.Int32
		read(kit, "get", func(ctx context.Context, _ query) (invoice, error) {
			entered.Add(1)
			runrecord.FromContext(ctx).Abort(fault.ReasonLoop, "the same again")
			return invoice{}, nil
		})
		ctx, run := start(t, kit, runrecord.Task{})
		args := json.RawMessage(`{"customer":"ACME","year":1}`)
		res := kit.InvokeAll(ctx, []toolkit.Request{{Name: "get", Args: args}, {Name: "get", Args: args}})
		require.EqualValues(t, 1, entered.Load())
		require.True(t, res[0].Outcome.OK(), "what did arrive is kept")
		require.Equal(t, fault.KindNotRun, res[1].Outcome.Kind)
		require.Equal(t, fault.ReasonLoop, res[1].Outcome.Reason())
		require.Len(t, run.Calls(), 2)
		require.Zero(t, run.InFlight())
	})
}
