package toolkit_test

import (
	"context"
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

func TestEvidenceThatIsReturnedIsJudgedAsWhatItIs(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name   string
		value  any
		kind   fault.Kind
		reason fault.Reason
		text   string // the model sees it
	}{
		{"mcp", fault.MCP{Text: "18 degrees"}, fault.KindOK, fault.ReasonNone, "18 degrees"},
		{"mcp, structured", &fault.MCP{Structured: json.RawMessage(`{"degrees":18}`)}, fault.KindOK, fault.ReasonNone, `{"degrees":18}`},
		{"mcp, failed", &fault.MCP{IsError: true, Text: "401 Unauthorized"}, fault.KindFailed, fault.ReasonAuth, ""},
		{"mcp, wants input", fault.MCP{ResultType: "input_required"}, fault.KindPending, fault.ReasonNone, ""},
		{"exit", fault.Exit{Code: 0, Output: []byte("done")}, fault.KindOK, fault.ReasonNone, "done"},
		{"exit, failed", &fault.Exit{Code: 2, Output: []byte("3 problems found")}, fault.KindFailed, fault.ReasonCommandFailed, ""},
		{"response", fault.Response{Status: 200, Header: http.Header{"Content-Type": {"text/plain"}}, Body: []byte("hello")}, fault.KindOK, fault.ReasonNone, "hello"},
		{"response, failed", &fault.Response{Status: 403}, fault.KindFailed, fault.ReasonPermission, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			res := shown(t, tt.value, nil, nil)
			require.Equal(t, tt.kind, res.Outcome.Kind)
			require.Equal(t, tt.reason, res.Outcome.Reason())
			if tt.text != "" {
				require.Equal(t, tt.text, res.String())
			} else {
				require.NotContains(t, res.String(), "Unauthorized")
				require.NotContains(t, res.String(), "problems")
			}
		})
	}
	typed := shown(t, fault.MCP{IsError: true, Text: "429 Too Many Requests"}, nil, nil)
	require.Equal(t, fault.ReasonRateLimit, typed.Outcome.Reason(), "also where the type says so")
	opted := shown(t, any(&fault.Exit{Code: 2, Output: []byte("3 problems found")}), nil, func(tool *toolkit.Tool[query, any]) { tool.Detail = true })
	require.Contains(t, opted.String(), "3 problems found")
}

// What a program printed is shown in part; the part must not end within a secret,
// for half of one no longer looks like one.
func TestNoCutShowsHalfOfASecret(t *testing.T) {
	t.Parallel()
	const secret = "ghp_0123456789abcdefghijklmnopqrstuvwxyz"
	for pad := 4096 - len(secret); pad <= 4096; pad++ {
		output := strings.Repeat("y", 80) + strings.Repeat(" z", (pad-80)/2) + strings.Repeat(" ", 1+pad%2) + secret + " the end"
		kit := toolkit.New(toolkit.Config{MaxAttempts: 1})
		run := toolkit.Wrap(kit, toolkit.Tool[struct{}, fault.Exit]{Name: "run", Effect: fault.Read, Detail: true,
			Call: func(context.Context, struct{}) (fault.Exit, error) {
				return fault.Exit{Code: 1, Output: []byte(output)}, nil
			}})
		text := run.Invoke(t.Context(), struct{}{}).String()
		require.Contains(t, text, "tool_output")
		require.NotContains(t, text, "ghp_", pad)
	}
}
