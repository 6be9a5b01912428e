package main

import (
	"bytes"
	"context"
	"encoding/json"
	"strings"
	"testing"
	"unicode/utf8"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"
	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/toolkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func wrapped(t *testing.T) (*toolkit.Kit, *faulttest.Server) {
	t.Helper()
	service, err := startStock()
	require.NoError(t, err)
	t.Cleanup(service.Close)
	kit, done := newKit(service, zap.NewNop())
	t.Cleanup(done)
	return kit, service
}

func TestAFunctionWithItsErrorsAndBadArguments(t *testing.T) {
	kit, _ := wrapped(t)
	ok := kit.Invoke(t.Context(), "get_rate", json.RawMessage(`{"currency":"EUR"}`))
	require.Equal(t, "0.92", ok.String())

	unknown := kit.Invoke(t.Context(), "get_rate", json.RawMessage(`{"currency":"XYZ"}`))
	require.Equal(t, fault.KindFailed, unknown.Outcome.Kind)
	require.Equal(t, 1, unknown.Attempts, "the same call cannot work, so it is not repeated")
	require.NotContains(t, unknown.String(), "XYZ")

	misspelt := kit.Invoke(t.Context(), "get_rate", json.RawMessage(`{"currncy":"EUR"}`))
	require.Equal(t, fault.KindNotRun, misspelt.Outcome.Kind, "the function is not entered")
	require.Contains(t, misspelt.String(), "currency: required")
}

func TestAClientThatOverlooksTheStatusIsRetried(t *testing.T) {
	kit, service := wrapped(t)
	response := kit.Invoke(t.Context(), "get_stock", json.RawMessage(`{"article":"lamp"}`))
	require.NoError(t, response.Err())
	require.Equal(t, stock{Article: "lamp", Pieces: 12}, response.Value)
	require.Equal(t, 2, service.Requests("/stock"))
}

func TestACommandShowsWhatItSaidWhenItFails(t *testing.T) {
	kit, _ := wrapped(t)
	ok := kit.Invoke(t.Context(), "go_tool", json.RawMessage(`{"argv":["go","env","GOVERSION"]}`))
	require.Contains(t, ok.String(), "go1.")

	failed := kit.Invoke(t.Context(), "go_tool", json.RawMessage(`{"argv":["go","env","-nosuchflag"]}`))
	require.Equal(t, fault.ReasonCommandFailed, failed.Outcome.Reason())
	require.Contains(t, failed.String(), "nosuchflag", "so that the model can put it right")

	refused := kit.Invoke(t.Context(), "go_tool", json.RawMessage(`{"argv":["go","mod","init"]}`))
	require.Equal(t, fault.ReasonInvalidArgs, refused.Outcome.Reason())
}

func TestTheLoopGetsOneAnswerACall(t *testing.T) {
	kit, _ := wrapped(t)
	conversation, verdict, err := answer(t.Context(), kit, scripted(), "?")
	require.NoError(t, err)
	var ids []string
	for _, m := range conversation {
		if m.Role == "tool" {
			ids = append(ids, m.CallID)
		}
	}
	require.Equal(t, []string{"call_1", "call_2", "call_3"}, ids)
	require.Equal(t, guard.Answer, verdict.Decision, "an invented name is made good by any later success")
}

func TestTheLoopIsJudgedAtItsStepLimitToo(t *testing.T) {
	kit, _ := wrapped(t)
	turn := 0
	endless := func(context.Context, []message) message {
		turn++
		args, _ := json.Marshal(stockQuery{Article: strings.Repeat("x", turn)})
		return message{Role: "assistant", ToolCalls: []toolCall{{ID: "call", Name: "get_stock", Arguments: args}}}
	}
	_, verdict, err := answer(t.Context(), kit, endless, "?")
	require.NoError(t, err)
	require.Equal(t, maxSteps, turn)
	require.Equal(t, guard.Disclose, verdict.Decision)
	require.NotEmpty(t, verdict.Text, "the user is told that it was cut short")
}

func TestThePageFitsATerminal(t *testing.T) {
	var out bytes.Buffer
	require.NoError(t, demo(t.Context(), &out))
	for line := range strings.Lines(out.String()) {
		require.LessOrEqual(t, utf8.RuneCountInString(line), 101, line)
	}
}
