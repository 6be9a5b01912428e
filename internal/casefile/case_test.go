package casefile_test

import (
	"errors"
	"net/http"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/casefile"
)

func TestParseReadsEveryShapeOfSignal(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		line string
		want fault.Signal
	}{
		"http": {
			`{"effect":"read","signal":{"http_status":429,"headers":{"retry-after":"3"},"content":"slow down"}}`,
			fault.Signal{Effect: fault.Read, HTTP: &fault.Response{Status: 429, Header: http.Header{"Retry-After": {"3"}}, Body: []byte("slow down")}},
		},
		"http whose service echoed the key": {
			`{"effect":"write","signal":{"http_status":500,"headers":{"idempotency-key":"k1"}}}`,
			fault.Signal{Effect: fault.Write, Keyed: true, HTTP: &fault.Response{Status: 500, Header: http.Header{"Idempotency-Key": {"k1"}}, Body: []byte{}}},
		},
		"mcp with its flag": {
			`{"tool_kind":"mcp","effect":"unknown","signal":{"mcp_is_error":true,"content":"Unknown tool: x"}}`,
			fault.Signal{MCP: &fault.MCP{IsError: true, Text: "Unknown tool: x"}},
		},
		"mcp whose source kept no flag": {
			`{"tool_kind":"mcp","effect":"read","signal":{"content":"timed out"}}`,
			fault.Signal{Effect: fault.Read, MCP: &fault.MCP{Text: "timed out"}},
		},
		"command with output on both streams": {
			`{"tool_kind":"exec","effect":"idempotent_write","signal":{"exit_code":22,"content":"partial","error_text":"curl: (22)"}}`,
			fault.Signal{Effect: fault.Idempotent, Exit: &fault.Exit{Code: 22, Output: []byte("partial\ncurl: (22)")}},
		},
		"command ended by a signal": {
			`{"signal":{"exit_code":-1}}`,
			fault.Signal{Exit: &fault.Exit{Code: -1, Killed: true, Output: []byte{}}},
		},
		"error of a driver": {
			`{"effect":"non_idempotent_write","signal":{"error_text":"connection refused"}}`,
			fault.Signal{Effect: fault.Write, Err: errors.New("connection refused")},
		},
		"plain text that is empty": {
			`{"effect":"idempotent","signal":{"content":""}}`,
			fault.Signal{Effect: fault.Idempotent, HasText: true},
		},
		"own time limit": {
			`{"tool":null,"effect":"undeclared","signal":{"timeout":true}}`,
			fault.Signal{TimedOut: true},
		},
		"declared rules": {
			`{"declares":{"rules":{"no_match_exit":[1],"poller":true}},"signal":{"exit_code":1}}`,
			fault.Signal{Rules: &fault.Rules{NoMatchExit: []int{1}}, Exit: &fault.Exit{Code: 1, Output: []byte{}}},
		},
		"notes of the writer are ignored": {
			`{"id":"o1","note":"why","licence":"MIT","signal":{"http_status":200}}`,
			fault.Signal{HTTP: &fault.Response{Status: 200, Header: http.Header{}, Body: []byte{}}},
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			c, err := casefile.Parse([]byte(tc.line))
			require.NoError(t, err)
			require.Equal(t, &tc.want, c.Signal)
		})
	}
}

func TestParseKeepsTheIDAsWritten(t *testing.T) {
	t.Parallel()
	for line, want := range map[string]string{
		`{"id":"o001","signal":{"timeout":true}}`:           "o001",
		`{"id":9007199254740993,"signal":{"timeout":true}}`: "9007199254740993",
		`{"signal":{"timeout":true}}`:                       "",
	} {
		c, err := casefile.Parse([]byte(line))
		require.NoError(t, err)
		require.Equal(t, want, c.ID)
	}
}

func TestParseNamesWhatIsWrong(t *testing.T) {
	t.Parallel()
	for name, tc := range map[string]struct {
		line string
		want []string
	}{
		"not JSON":             {`oops`, []string{"not valid JSON"}},
		"cut off":              {`{"id":"o1"`, []string{"not valid JSON"}},
		"two objects":          {`{"signal":{"timeout":true}} {}`, []string{"not valid JSON"}},
		"a list":               {`[1]`, []string{"want a JSON object"}},
		"no signal":            {`{"id":"o1"}`, []string{"signal: missing", "http_status", "error_text"}},
		"a signal of nothing":  {`{"signal":{}}`, []string{"signal: says nothing", "exit_code"}},
		"a misspelt signal":    {`{"signal":{"status":500}}`, []string{`signal: unknown field "status"`, "http_status"}},
		"a status as text":     {`{"signal":{"http_status":"500"}}`, []string{"signal: http_status: got a string, want a whole number"}},
		"an impossible status": {`{"signal":{"http_status":7}}`, []string{"7 is not a status"}},
		"an unknown effect":    {`{"effect":"writes","signal":{"timeout":true}}`, []string{`effect: unknown "writes"`, "idempotent_write", "read"}},
		"an unknown kind":      {`{"tool_kind":"smtp","signal":{"timeout":true}}`, []string{`tool_kind: unknown "smtp"`, "graphql"}},
		"an unknown rule":      {`{"declares":{"rules":{"softerror":"x"}},"signal":{"timeout":true}}`, []string{`declares.rules: unknown field "softerror"`, "soft_error", "volatile"}},
		"a broken condition":   {`{"declares":{"rules":{"soft_error":"ok ~ 1"}},"signal":{"timeout":true}}`, []string{"declares.rules: ", "soft_error"}},
		"an unknown part":      {`{"declares":{"rule":{}},"signal":{"timeout":true}}`, []string{`declares: unknown field "rule"`, "rules"}},
		"an id that is a list": {`{"id":[1],"signal":{"timeout":true}}`, []string{"id: want a string"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			_, err := casefile.Parse([]byte(tc.line))
			require.Error(t, err)
			for _, want := range tc.want {
				require.ErrorContains(t, err, want)
			}
			require.NotContains(t, err.Error(), "json:", "the decoder's own words")
		})
	}
}

func FuzzParse(f *testing.F) {
	f.Add([]byte(`{"id":"o1","tool_kind":"mcp","effect":"read","declares":{"rules":{"min_rows":1}},"signal":{"content":"x"}}`))
	f.Add([]byte(`{"id":1,"signal":{"http_status":200,"headers":{"a":"b"},"exit_code":-1,"timeout":true}}`))
	f.Fuzz(func(t *testing.T, line []byte) {
		c, err := casefile.Parse(line)
		if err == nil && c.Signal == nil {
			t.Fatal("a case without a signal")
		}
	})
}
