package audit_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/stretchr/testify/require"
)

// step is one call of a run that is written down in a test.
type step struct {
	tool, args, result string
}

// afterwards audits a run of these calls, named c1, c2 and so on.
func afterwards(t *testing.T, final string, steps ...step) (open []string, told bool, decision string) {
	t.Helper()
	type event map[string]any
	var events []event
	for i, s := range steps {
		id := fmt.Sprintf("c%d", i+1)
		events = append(events,
			event{"type": "call", "id": id, "tool": s.tool, "args": json.RawMessage(s.args)},
			event{"type": "result", "id": id, "content": s.result})
	}
	run, err := json.Marshal(map[string]any{"id": "r", "events": events, "final": final})
	require.NoError(t, err)
	row := one(t, string(run))
	return row.Open, row.Told, row.Decision
}

// What makes a failed call good where nobody declared what it was about.
func TestMadeGoodWithoutADeclaration(t *testing.T) {
	t.Parallel()
	const notFound, broken = `{"error":"not found","status":404}`, `{"error":"internal server error","status":500}`
	for name, tt := range map[string]struct {
		steps []step
		open  []string
	}{
		"the same again": {[]step{
			{"get_order", `{"id":"A-17"}`, broken}, {"get_order", `{"id":"A-17"}`, `{"total":12}`},
		}, []string{}},
		"another order": {[]step{
			{"get_order", `{"id":"A-17"}`, broken}, {"get_order", `{"id":"B-20"}`, `{"total":12}`},
		}, []string{"c1"}},
		"arguments that were refused for their form": {[]step{
			{"get_rates", `{"city":"Huế","from":"1/9"}`, "ValidationError: from must be a date like 2026-09-01"},
			{"get_rates", `{"city":"Huế","from":"2026-09-01"}`, `{"rate":7}`},
		}, []string{}},
		"what the refusal suggested": {[]step{
			{"get_weather", `{"city":"CDMX"}`, `{"error":"unknown city, did you mean Mexico City?"}`},
			{"get_weather", `{"city":"Mexico City"}`, `{"c":21}`},
		}, []string{}},
		"one of several look-ups": {[]step{
			{"get_stock", `{"shop":"north-1"}`, `{"n":4}`}, {"get_stock", `{"shop":"north-2"}`, broken},
			{"get_stock", `{"shop":"north-3"}`, `{"n":9}`}, {"get_stock", `{"shop":"north-4"}`, `{"n":1}`},
		}, []string{"c2"}},
		"one of several invitations to the same event": {[]step{
			{"send_invite", `{"to":"member01@team.example","event":"evt_901"}`, `{"status":"sent"}`},
			{"send_invite", `{"to":"member02@team.example","event":"evt_901"}`, `{"error":"550 user unknown"}`},
			{"send_invite", `{"to":"member03@team.example","event":"evt_901"}`, `{"status":"sent"}`},
			{"send_invite", `{"to":"member04@team.example","event":"evt_901"}`, `{"status":"sent"}`},
		}, []string{"c2"}},
		"another tool for the same file": {[]step{
			{"editor/patch", `{"path":"/srv/notes.md","hash":null}`, "Input validation error: None is not of type 'string'"},
			{"fs/write_file", `{"path":"/srv/notes.md","content":"hello"}`, "Successfully wrote to /srv/notes.md"},
		}, []string{}},
		"that the file is there is not what is in it": {[]step{
			{"audio/load", `{"path":"/srv/a.wav"}`, "Tool call timed out."},
			{"fs/get_file_info", `{"path":"/srv/a.wav"}`, "size: 4485198"},
		}, []string{"c1"}},
		"a file that is found elsewhere": {[]step{
			{"read_file", `{"path":"config.yml"}`, "ENOENT: no such file or directory, open 'config.yml'"},
			{"read_file", `{"path":"deploy/app.yml"}`, "port: 9411"},
		}, []string{}},
		"a program that was mended": {[]step{
			{"run_python", `{"code":"import csv\nprint(total('sales_2026.csv'))"}`, "Traceback (most recent call last):\n  File \"x.py\", line 2\nNameError: name 'total' is not defined"},
			{"run_python", `{"code":"import csv\nprint(sum(rows('sales_2026.csv')))"}`, "4211"},
		}, []string{}},
		"a look at what a command left": {[]step{
			{"run_command", `{"cmd":"make deploy ENV=staging VERSION=2.14.0"}`, "error: deployment exceeded its progress deadline\nmake: *** [deploy] Error 1"},
			{"run_command", `{"cmd":"kubectl get pods -n staging"}`, "checkout 1/4 Running"},
		}, []string{"c1"}},
		"a service that has no such thing, and another success": {[]step{
			{"search_shows", `{"query":"thriller"}`, `{"error":"Endpoint '/search/shows' does not exist"}`},
			{"list_movies", `{"genre":"53"}`, `[{"title":"x"}]`},
		}, []string{"c1"}},
		"a slip of the pen": {[]step{
			{"find_order", `{"code":"5501"}`, notFound}, {"find_order", `{"code":"DH5501"}`, `{"status":"on its way"}`},
		}, []string{}},
		"two codes alike": {[]step{
			{"find_order", `{"code":"DH5501"}`, notFound}, {"find_order", `{"code":"DH5502"}`, `{"status":"on its way"}`},
		}, []string{"c1"}},
		"a look at what a change in doubt has left": {[]step{
			{"climate/set", `{"room":"living","temp":21}`, "MCP error -32001: Request timed out"},
			{"climate/get", `{"room":"living"}`, `{"temp":19.4,"target":21}`},
		}, []string{}},
		"a look that shows the old state": {[]step{
			{"climate/set", `{"room":"living","temp":21}`, "MCP error -32001: Request timed out"},
			{"climate/get", `{"room":"living"}`, `{"temp":19.4,"target":18}`},
		}, []string{"c1"}},
		"a program that is not there, and a file that is": {[]step{
			{"bash", `{"cmd":"poetry env info"}`, "bash: poetry: command not found"},
			{"bash", `{"cmd":"grep requires-python pyproject.toml"}`, `requires-python = ">=3.11"`},
		}, []string{}},
		"a time in the right form": {[]step{
			{"book_room", `{"start":"2026-10-19 9am"}`, "Validation error: 'start' must be ISO 8601"},
			{"book_room", `{"start":"2026-10-19T09:00","end":"2026-10-19T10:00"}`, `{"booked":true,"room":"2.04"}`},
		}, []string{}},
		"nothing after it": {[]step{{"get_order", `{"id":"A-17"}`, notFound}}, []string{"c1"}},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open, _, _ := afterwards(t, "All done.", tt.steps...)
			require.Equal(t, tt.open, open)
		})
	}
}

// A run without an answer still says which failures were left.
func TestFailuresAreKnownWithoutAnAnswer(t *testing.T) {
	t.Parallel()
	open, told, decision := afterwards(t, "", step{"get_order", `{"id":"A-17"}`, `{"error":"internal server error"}`})
	require.Equal(t, []string{"c1"}, open)
	require.False(t, told)
	require.Equal(t, "none", decision)
}
