package fault_test

import (
	"context"
	"errors"
	"net/http"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
)

func TestConclude(t *testing.T) {
	t.Parallel()
	doubt := func(reason fault.Reason, action fault.Action, ran fault.Ran) fault.Outcome {
		return fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: reason, Action: action, Ran: ran, Correctable: true}}
	}
	for name, tc := range map[string]struct {
		effect   fault.Effect
		outcome  fault.Outcome
		keyValid bool
		hasCheck bool
		want     string
	}{
		"a read that timed out":           {fault.Read, doubt(fault.ReasonTimeout, fault.Retry, fault.RanUnknown), false, false, "failed timeout retry"},
		"a write that timed out":          {fault.Write, doubt(fault.ReasonTimeout, fault.Retry, fault.RanUnknown), false, false, "unknown unknown_outcome escalate"},
		"an undeclared tool counts so":    {fault.Undeclared, doubt(fault.ReasonTimeout, fault.Retry, fault.RanUnknown), false, false, "unknown unknown_outcome escalate"},
		"a write with a key":              {fault.Write, doubt(fault.ReasonServerError, fault.Retry, fault.RanUnknown), true, false, "failed server_error retry"},
		"a write that can be checked":     {fault.Write, doubt(fault.ReasonNetwork, fault.Retry, fault.RanUnknown), false, true, "failed network retry"},
		"a write nobody can classify":     {fault.Write, doubt(fault.ReasonUnknown, fault.FailFast, fault.RanUnknown), false, false, "unknown unknown escalate"},
		"a write that panicked":           {fault.Write, doubt(fault.ReasonPanic, fault.FailFast, fault.RanUnknown), false, false, "unknown panic escalate"},
		"a write refused":                 {fault.Write, doubt(fault.ReasonAuth, fault.FailFast, fault.RanNo), false, false, "failed auth fail_fast"},
		"a write never sent":              {fault.Write, doubt(fault.ReasonNetwork, fault.Retry, fault.RanNo), false, false, "failed network retry"},
		"half a batch, a write":           {fault.Write, doubt(fault.ReasonPartial, fault.Retry, fault.RanYes), false, false, "failed partial escalate"},
		"half a batch, repeatable":        {fault.Idempotent, doubt(fault.ReasonPartial, fault.Retry, fault.RanYes), false, false, "failed partial retry"},
		"an unreadable reply to a write":  {fault.Write, doubt(fault.ReasonMalformedResponse, fault.Retry, fault.RanYes), false, false, "unknown unknown_outcome escalate"},
		"a command":                       {fault.Write, doubt(fault.ReasonCommandFailed, fault.FailFast, fault.RanYes), false, false, "failed command_failed fail_fast"},
		"cancelled, perhaps after it ran": {fault.Write, doubt(fault.ReasonCancelled, fault.NoAction, fault.RanUnknown), false, false, "unknown cancelled none"},
		"cancelled before it was sent":    {fault.Write, doubt(fault.ReasonCancelled, fault.NoAction, fault.RanNo), false, false, "failed cancelled none"},
		"a read cancelled":                {fault.Read, doubt(fault.ReasonCancelled, fault.NoAction, fault.RanUnknown), false, false, "failed cancelled none"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			before := *tc.outcome.Fault
			got := fault.Conclude(tc.effect, tc.outcome, tc.keyValid, tc.hasCheck)
			require.Equal(t, tc.want, got.Kind.String()+" "+got.Fault.Shown(got.Kind).String()+" "+got.Fault.Action.String())
			require.Equal(t, before, *tc.outcome.Fault, "a fault is never changed")
		})
	}
	ok := fault.Outcome{Kind: fault.KindOK}
	require.Equal(t, ok, fault.Conclude(fault.Write, ok, false, false))
}

// TestClassifyIsTotal: whatever the signal, there is an outcome, and its parts
// agree with each other.
func TestClassifyIsTotal(t *testing.T) {
	t.Parallel()
	words := rapid.SampledFrom([]string{
		"", "error", `{"error":`, `{"ok":false}`, `"x"`, "null", "[]", "401", "not found", "<html><title>", "rpc error: code = ", "Unavailable", " desc = ", "SQLSTATE ", "40001",
		"timeout", "{", "}", ":", `"status":`, "503", "\n", "\x00", "MCP error -32602: ", "failed", "results", "quota exceeded", "exit status 1", "é", "’", "Traceback (most recent call last)",
	})
	someText := rapid.Custom(func(t *rapid.T) string {
		text := ""
		for _, w := range rapid.SliceOfN(words, 0, 6).Draw(t, "words") {
			text += w
		}
		return text
	})
	rapid.Check(t, func(t *rapid.T) {
		s := fault.Signal{
			Effect:   rapid.SampledFrom([]fault.Effect{fault.Undeclared, fault.Read, fault.Idempotent, fault.Write}).Draw(t, "effect"),
			Sent:     rapid.SampledFrom([]fault.Sent{fault.SentUnknown, fault.SentNo, fault.SentYes}).Draw(t, "sent"),
			Keyed:    rapid.Bool().Draw(t, "keyed"),
			TimedOut: rapid.Bool().Draw(t, "timed out"),
		}
		if rapid.Bool().Draw(t, "has error") {
			s.Err = rapid.SampledFrom([]error{errors.New(someText.Draw(t, "error")), context.Canceled, context.DeadlineExceeded, &pgError{"40001"}}).Draw(t, "err")
		}
		switch rapid.IntRange(0, 5).Draw(t, "kind") {
		case 0:
			s.HTTP = &fault.Response{Status: rapid.IntRange(-1, 700).Draw(t, "status"), Body: []byte(someText.Draw(t, "body")), Header: http.Header{"Retry-After": {someText.Draw(t, "after")}}}
		case 1:
			s.MCP = &fault.MCP{IsError: rapid.Bool().Draw(t, "is error"), Text: someText.Draw(t, "text"), Code: rapid.IntRange(-32800, 3).Draw(t, "code")}
		case 2:
			s.Exit = &fault.Exit{Code: rapid.IntRange(-1, 256).Draw(t, "exit"), Output: []byte(someText.Draw(t, "output"))}
		case 3:
			s.HasText, s.Text = true, someText.Draw(t, "text")
		case 4:
			s.HasValue, s.Value = true, rapid.SampledFrom([]any{nil, 1, someText.Draw(t, "value"), map[string]any{"error": someText.Draw(t, "member")}, []string{"x"}}).Draw(t, "value")
		}
		if rapid.Bool().Draw(t, "rules") {
			s.Rules = &fault.Rules{MinRows: 1, SoftError: `error not empty`}
		}
		o := classify(s)
		require.NotEqual(t, fault.KindNone, o.Kind)
		require.NotEqual(t, fault.KindUnknown, o.Kind, "only Conclude says so")
		if o.Kind == fault.KindOK || o.Kind == fault.KindPending {
			require.Nil(t, o.Fault)
			return
		}
		require.NotNil(t, o.Fault)
		require.NotEqual(t, fault.ReasonNone, o.Fault.Reason)
		require.NotEqual(t, fault.Escalate, o.Fault.Action, "escalation is a conclusion, not a finding")
		require.Equal(t, o.Fault.Reason == fault.ReasonCancelled, o.Fault.Action == fault.NoAction)
		require.NotEmpty(t, o.Fault.Rule)
		require.LessOrEqual(t, len(o.Fault.Code), 64)
		require.GreaterOrEqual(t, o.Fault.Wait, time.Duration(0))
		again := classify(s)
		require.Equal(t, short(o), short(again), "the same signal has the same outcome")
		require.Equal(t, o.Fault.Code, again.Fault.Code)
		concluded := fault.Conclude(s.Effect, o, false, false)
		if s.Effect.Writes() && o.Fault.Ran == fault.RanUnknown {
			require.Equal(t, fault.KindUnknown, concluded.Kind, "a write in doubt is never called failed")
		}
	})
}
