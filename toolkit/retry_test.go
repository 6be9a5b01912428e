package toolkit_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestAReadIsRepeatedWhileThatCanHelp(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		ends     []error
		attempts int
		kind     fault.Kind
		least    time.Duration // waited
	}{
		{"works at once", []error{nil}, 1, fault.KindOK, 0},
		{"works the second time", []error{overloaded(), nil}, 2, fault.KindOK, time.Second},
		{"works the third time", []error{overloaded(), noAnswer(), nil}, 3, fault.KindOK, 3 * time.Second},
		{"never works", []error{overloaded()}, 3, fault.KindFailed, 3 * time.Second},
		{"cannot work", []error{refusedBy(fault.ReasonNotFound, 404)}, 1, fault.KindFailed, 0},
		{"stops being worth it", []error{overloaded(), refusedBy(fault.ReasonAuth, 401)}, 2, fault.KindFailed, time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tool := ending(tt.ends...)
				kit := toolkit.New(toolkit.Config{})
				get := read(kit, "get_invoice", tool.call)
				ctx, run := start(t, kit, runrecord.Task{})
				began := time.Now()
				res := get.Invoke(ctx, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.Equal(t, tt.attempts, res.Attempts)
				require.EqualValues(t, tt.attempts, tool.entered.Load())
				require.GreaterOrEqual(t, time.Since(began), tt.least)
				require.Less(t, time.Since(began), tt.least+3*time.Second)
				call := run.Calls()[0]
				require.EqualValues(t, tt.attempts, call.Attempts)
				require.Equal(t, time.Since(began), call.Waited)
			})
		})
	}
}

func TestAServersWaitIsNeverShortened(t *testing.T) {
	t.Parallel()
	asks := func(wait time.Duration) error {
		return &fault.Fault{Reason: fault.ReasonRateLimit, Action: fault.Retry, Ran: fault.RanNo, Status: 429, Wait: wait}
	}
	for _, tt := range []struct {
		name     string
		wait     time.Duration
		deadline time.Duration // 0: none
		attempts int
	}{
		{"it fits", 20 * time.Second, 0, 2},
		{"longer than MaxWait", 31 * time.Second, 0, 1},
		{"longer than MaxWait, within the deadline", 31 * time.Second, time.Minute, 2},
		{"beyond the deadline", 20 * time.Second, 15 * time.Second, 1},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tool := ending(asks(tt.wait), nil)
				kit := toolkit.New(toolkit.Config{})
				get := read(kit, "get_invoice", tool.call)
				ctx, _ := start(t, kit, runrecord.Task{})
				if tt.deadline > 0 {
					var cancel context.CancelFunc
					ctx, cancel = context.WithTimeout(ctx, tt.deadline)
					defer cancel()
				}
				began := time.Now()
				res := get.Invoke(ctx, acme)
				require.Equal(t, tt.attempts, res.Attempts)
				if tt.attempts > 1 {
					require.GreaterOrEqual(t, time.Since(began), tt.wait)
					return
				}
				require.Zero(t, time.Since(began), "a wait that does not fit is not slept")
				require.Equal(t, tt.wait, res.Outcome.Fault.Wait, "the caller is told how long it would have been")
			})
		})
	}
}

func TestNoAttemptAfterTheCallerHasLeft(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tool := ending(overloaded())
		kit := toolkit.New(toolkit.Config{})
		get := read(kit, "get_invoice", tool.call)
		ctx, _ := start(t, kit, runrecord.Task{})
		ctx, cancel := context.WithCancel(ctx)
		time.AfterFunc(500*time.Millisecond, cancel)
		res := get.Invoke(ctx, acme)
		require.EqualValues(t, 1, tool.entered.Load())
		require.Equal(t, fault.ReasonOverloaded, res.Outcome.Reason(), "what the attempt met is what happened")

		res = get.Invoke(ctx, acme)
		require.EqualValues(t, 1, tool.entered.Load())
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.Equal(t, fault.ReasonCancelled, res.Outcome.Reason())
	})
}

func TestAnAbortedRunStopsRetrying(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		tool := ending(overloaded())
		kit := toolkit.New(toolkit.Config{})
		get := read(kit, "get_invoice", tool.call)
		ctx, run := start(t, kit, runrecord.Task{})
		time.AfterFunc(1500*time.Millisecond, func() { run.Abort(fault.ReasonLoop, "") })
		get.Invoke(ctx, acme)
		require.LessOrEqual(t, tool.entered.Load(), int32(2))

		res := get.Invoke(ctx, acme)
		require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
		require.Equal(t, fault.ReasonLoop, res.Outcome.Reason())
	})
}

func TestRetriesDrawOnOneBudget(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		budget := toolkit.NewRetryBudget(12) // two retries
		tool := ending(overloaded())
		kit := toolkit.New(toolkit.Config{Retries: budget})
		one, two := read(kit, "one", tool.call), read(kit, "two", tool.call)
		ctx, _ := start(t, kit, runrecord.Task{})
		require.Equal(t, 3, one.Invoke(ctx, acme).Attempts)
		require.Equal(t, 1, two.Invoke(ctx, acme).Attempts, "the outage is known by now")
		require.Equal(t, 2, budget.Left())

		tool.ends = []error{nil}
		for range 3 {
			two.Invoke(ctx, acme)
		}
		require.Equal(t, 5, budget.Left(), "successes earn retries")
		tool.ends = []error{overloaded(), nil}
		require.Equal(t, 2, two.Invoke(ctx, acme).Attempts)
		require.Equal(t, 5, budget.Left(), "a retry that works is free")
	})
}

// Not parallel: it counts what the whole process has left.
func TestTheKitsAndTransportsOfAProcessShareOneBudget(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		before := toolkit.SharedRetries().Left()
		for range 2 {
			kit := toolkit.New(toolkit.Config{})
			read(kit, "get", ending(overloaded()).call).Invoke(t.Context(), acme)
		}
		require.Equal(t, before-2*2*5, toolkit.SharedRetries().Left(), "two retries of each")

		client := &http.Client{Transport: toolkit.NewTransport(toolkit.TransportConfig{Base: roundTrip(func(*http.Request) (*http.Response, error) {
			return &http.Response{StatusCode: 503, Header: http.Header{"Retry-After": {"1"}}, Body: http.NoBody}, nil
		})})}
		resp, err := client.Get("http://example.com")
		require.NoError(t, err)
		require.NoError(t, resp.Body.Close())
		require.Equal(t, before-3*2*5, toolkit.SharedRetries().Left())

		kit := toolkit.New(toolkit.Config{})
		works := read(kit, "works", lookUp)
		for range 30 {
			works.Invoke(t.Context(), acme)
		}
		require.Equal(t, before, toolkit.SharedRetries().Left())
	})
}

func TestAWriteIsRepeatedOnlyWithProof(t *testing.T) {
	t.Parallel()
	lost := noAnswer()
	for _, tt := range []struct {
		name     string
		effect   fault.Effect
		end      error
		attempts int
		kind     fault.Kind
	}{
		{"never sent", fault.Write, overloaded(), 2, fault.KindOK},
		{"no answer", fault.Write, lost, 1, fault.KindUnknown},
		{"no answer, undeclared", fault.Undeclared, lost, 1, fault.KindUnknown},
		{"no answer, but it may be repeated", fault.Idempotent, lost, 2, fault.KindOK},
		{"done, and the reply cannot be read", fault.Write, &fault.Fault{Reason: fault.ReasonMalformedResponse, Action: fault.Retry, Ran: fault.RanYes}, 1, fault.KindUnknown},
		{"half of it", fault.Write, &fault.Fault{Reason: fault.ReasonPartial, Action: fault.Escalate, Ran: fault.RanYes}, 1, fault.KindFailed},
		{"it answered that it failed", fault.Write, &fault.Fault{Reason: fault.ReasonCommandFailed, Action: fault.FailFast, Ran: fault.RanYes}, 1, fault.KindFailed},
		{"an error that says nothing", fault.Write, errors.New("boom"), 1, fault.KindUnknown},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				tool := ending(tt.end, nil)
				kit := toolkit.New(toolkit.Config{})
				pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: tt.effect, Call: tool.call})
				ctx, _ := start(t, kit, runrecord.Task{Key: "ticket-1"})
				res := pay.Invoke(ctx, acme)
				require.Equal(t, tt.kind, res.Outcome.Kind)
				require.EqualValues(t, tt.attempts, tool.entered.Load())
				asked := res.Outcome.Fault != nil && res.Outcome.Fault.Action == fault.Escalate
				require.Equal(t, asked, res.Outcome.Case != "", "what nobody can tell is a case, and nothing else is")
			})
		})
	}
}
