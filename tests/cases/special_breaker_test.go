package cases_test

import (
	"context"
	"encoding/json"
	"fmt"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// breakerStage is a report's tool on an upstream that can be looked at, one
// attempt a call, so that the breaker counts the answers of the report.
type breakerStage struct {
	*stage
	upstream *toolkit.Upstream
	ctx      context.Context
	made     int
}

func newBreakerStage(t *testing.T, r report) *breakerStage {
	b := &breakerStage{upstream: toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "service"})}
	b.stage = newStage(t, r, staging{
		config: toolkit.Config{MaxAttempts: 1},
		adjust: func(bound *tool) { bound.Upstream = b.upstream },
	})
	var run *runrecord.Run
	b.ctx, run, _ = b.start(t)
	t.Cleanup(run.End)
	require.Equal(t, "closed", b.upstream.State())
	return b
}

// answering makes one call, of arguments never used before, that is answered so.
func (b *breakerStage) answering(a attempt) toolkit.Response {
	b.made++
	args := json.RawMessage(fmt.Sprintf(`{"n":%d}`, 1000+b.made))
	return b.call(b.ctx, call{Args: args, Attempts: []attempt{a}})
}

// first is the first answer of the report with this status.
func (r report) first(t *testing.T, status int) attempt {
	t.Helper()
	for _, c := range r.Input.Calls {
		for _, a := range c.Attempts {
			if a.Status == status {
				return a
			}
		}
	}
	require.Fail(t, "the report has no such answer", "%d", status)
	return attempt{}
}

var healthy = attempt{Type: "value", Value: json.RawMessage(`{"answer":42}`)}

// Requests that the service refuses for what they ask say nothing about its health.
func refusalsLeaveTheBreakerClosed(t *testing.T, r report) {
	b := newBreakerStage(t, r)
	for _, c := range r.Input.Calls {
		require.Equal(t, fault.ReasonInvalidArgs, b.call(b.ctx, c).Outcome.Reason())
	}
	for range 12 {
		require.Equal(t, fault.ReasonInvalidArgs, b.answering(r.first(t, 400)).Outcome.Reason())
		require.Equal(t, "closed", b.upstream.State())
	}
	require.Equal(t, len(r.Input.Calls)+12, b.entries())
	require.Equal(t, fault.KindOK, b.answering(healthy).Outcome.Kind)
}

// A refusal is neither a failure nor a success: it does not close a breaker that
// is being tried, and does not dilute the failures of one that is closed.
func refusalsAreNeutral(t *testing.T, r report) {
	refusal, failure := r.first(t, 400), r.first(t, 500)
	b := newBreakerStage(t, r)
	const fails = 10 // of which more than half have to fail
	for i := range fails {
		require.Equal(t, "closed", b.upstream.State(), "after %d failures", i)
		require.Equal(t, fault.ReasonServerError, b.answering(failure).Outcome.Reason())
		if i < fails-1 {
			for range 3 {
				b.answering(refusal)
			}
		}
	}
	require.Equal(t, "open", b.upstream.State(), "thirty refusals in between are no successes")
	require.Equal(t, fault.ReasonBreakerOpen, b.answering(healthy).Outcome.Reason())

	halfOpen := func() {
		t.Helper()
		<-time.After(31 * time.Second)
		require.Equal(t, "half-open", b.upstream.State())
	}
	halfOpen()
	require.Equal(t, fault.ReasonInvalidArgs, b.answering(refusal).Outcome.Reason())
	require.Equal(t, "half-open", b.upstream.State(), "neither closed nor opened")
	require.Equal(t, fault.ReasonInvalidArgs, b.answering(refusal).Outcome.Reason(), "and the next one is let through to see")
	require.Equal(t, "half-open", b.upstream.State())
	b.answering(failure)
	require.Equal(t, "open", b.upstream.State())
	halfOpen()
	b.answering(refusal)
	require.Equal(t, fault.KindOK, b.answering(healthy).Outcome.Kind)
	require.Equal(t, "closed", b.upstream.State())
}

// The breaker hears how a call ended after its body was read, not when the
// status came.
func unreadableAnswersOpenTheBreaker(t *testing.T, r report) {
	b := newBreakerStage(t, r)
	made := 0
	for ; made < 10; made++ {
		require.Equal(t, "closed", b.upstream.State(), "after %d answers", made)
		var response toolkit.Response
		if made < len(r.Input.Calls) {
			response = b.call(b.ctx, r.Input.Calls[made])
		} else {
			response = b.answering(r.first(t, 200))
		}
		require.Equal(t, fault.ReasonMalformedResponse, response.Outcome.Reason())
	}
	require.Equal(t, "open", b.upstream.State())
	require.Equal(t, fault.ReasonBreakerOpen, b.answering(r.first(t, 200)).Outcome.Reason())
	require.Equal(t, made, b.entries())
}
