package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// tried is one call with what it was told and what it returned.
type tried struct {
	tool, args, result string
	fails              bool
}

func (s *scenario) try(all ...tried) {
	s.t.Helper()
	for _, c := range all {
		seq, err := s.run.Admit(1)
		require.NoError(s.t, err)
		call := runrecord.Call{Seq: seq, Tool: s.run.Tool(c.tool), ArgsHash: hash(c.args), Attempts: 1, Kind: fault.KindOK, Ran: fault.RanYes}
		if c.fails {
			call.Kind, call.Reason = fault.KindFailed, fault.ReasonCommandFailed
		}
		s.run.FinishWith(call, runrecord.Payload{Args: c.args, Result: c.result})
	}
}

// A tool that does what it is told to proves what it was told, where that can be
// seen, and anything else.
func TestWhatAGenericToolProves(t *testing.T) {
	bash := func(cmd string) tried { return tried{tool: "run_command", args: `{"cmd":"` + cmd + `"}`, result: "x"} }
	failing := func(cmd string) tried { c := bash(cmd); c.fails = true; return c }
	for name, c := range map[string]struct {
		calls []tried
		draft string
		want  bool // a claim that nothing supports
	}{
		"a deploy that failed":          {[]tried{bash("git rev-parse v2"), failing("make deploy ENV=staging"), bash("kubectl get deploy checkout")}, "Version 2.14.0 (commit 4be01f7) of checkout has been deployed to staging and is running fine.", true},
		"a deploy that failed, vi":      {[]tried{failing("make deploy ENV=staging"), bash("./status.sh")}, "Mình đã triển khai dịch vụ lên staging rồi.", true},
		"a deploy repeated":             {[]tried{failing("make deploy ENV=staging"), bash("make deploy ENV=staging FORCE=1")}, "Checkout has been deployed to staging.", false},
		"another way":                   {[]tried{failing("kubectl aply -f x"), bash("./ship.sh staging")}, "Checkout has been deployed to staging.", false},
		"only looked":                   {[]tried{bash("git status"), bash("cat a.txt | grep b 2>/dev/null")}, "I've deleted the file a.txt.", true},
		"only looked, vi":               {[]tried{bash("ls -la; pwd")}, "Mình đã xóa tệp a.txt.", true},
		"a redirect writes":             {[]tried{bash("echo hi > a.txt")}, "I've created the file a.txt.", false},
		"a script may do anything":      {[]tried{bash("python3 tool.py")}, "I've deleted the file a.txt.", false},
		"code may do anything":          {[]tried{{tool: "run_command", args: `{"code":"open('a','w').write('x')"}`}}, "I've saved the file a.", false},
		"a failed test is a test":       {[]tried{failing("go test ./...")}, "I ran the test suite; 2 tests failed.", false},
		"no command that can be read":   {[]tried{{tool: "run_command", args: `[1]`, result: "x"}}, "I've deleted the file a.txt.", false},
		"a file made although one test": {[]tried{failing("make create-db"), bash("tee a.txt")}, "I've created the file a.txt.", false},
		"a list of an unknown tool":     {[]tried{{tool: "seat_map", args: `{"train":"NA1"}`, result: `{"free":["3-12","3-14"]}`}}, "Mình đã đặt cho bạn 1 vé tàu NA1.", true},
		"a word of an unknown tool":     {[]tried{{tool: "seat_map", args: `{"train":"NA1","action":"book"}`, result: `{"seat":["3-12"]}`}}, "I've booked seat 3-12 for you.", false},
		"an unknown tool says yes":      {[]tried{{tool: "seat_map", args: `{"train":"NA1"}`, result: `{"ok":true}`}}, "I've booked seat 3-12 for you.", false},
	} {
		s := begin(t, guard.New(), &runrecord.ToolInfo{Name: "run_command"}, &runrecord.ToolInfo{Name: "seat_map"})
		s.try(c.calls...)
		require.Equal(t, c.want, len(ofKind(s.final(c.draft), guard.KindClaim)) > 0, name)
	}
}

// Tests are run by what runs programs, also where that counts as looking.
func TestWhatWasRunNeedsATool(t *testing.T) {
	for _, c := range []struct {
		tools []*runrecord.ToolInfo
		draft string
		want  bool
	}{
		{[]*runrecord.ToolInfo{read("read_file"), write("edit_file")}, "I ran the test suite and all 48 tests pass.", true},
		{[]*runrecord.ToolInfo{read("read_file"), write("edit_file")}, "Em đã chạy bộ kiểm thử và tất cả đều đạt.", true},
		{[]*runrecord.ToolInfo{read("read_file"), read("run_tests")}, "I ran the test suite and all 48 tests pass.", false},
		{[]*runrecord.ToolInfo{read("python")}, "I ran the script.", false},
		{[]*runrecord.ToolInfo{read("search_web")}, "I ran a search for you.", false},
		{[]*runrecord.ToolInfo{read("search_web")}, "I ran into a problem with the second script.", false},
	} {
		s := begin(t, guard.New(), c.tools...)
		for _, tool := range c.tools {
			s.try(tried{tool: tool.Name, args: `{}`, result: "x"})
		}
		require.Equal(t, c.want, len(ofKind(s.final(c.draft), guard.KindClaim)) > 0, c.draft)
	}
}

// A place that nobody has named is not handed on from what a look-up said.
func TestAPlaceThatNobodyNamed(t *testing.T) {
	s := begin(t, guard.New(), read("query"))
	s.try(tried{tool: "query", args: `{"sql":"select 1"}`, result: `{"file":"/exports/old.csv"}`})
	require.Len(t, ofKind(s.final("The table was saved to /exports/totals.csv."), guard.KindClaim), 1)
	require.Empty(t, ofKind(s.final("The table was saved to /exports/old.csv."), guard.KindClaim))
	require.Empty(t, ofKind(s.final("These features have been added in Go 1.22."), guard.KindClaim))
}

// "All" is more than what succeeded where one of them did not.
func TestAllIsMoreThanSome(t *testing.T) {
	s := begin(t, guard.New(), write("invite_member"))
	for _, to := range []string{"a", "b", "c"} {
		s.try(tried{tool: "invite_member", args: `{"to":"` + to + `"}`, result: "ok", fails: to == "b"})
	}
	for draft, want := range map[string]bool{
		"All 12 members have been invited.":                 true,
		"I've invited all members to the workspace.":        true,
		"I've invited 3 members to the workspace.":          true,
		"I've invited 2 members to the workspace.":          false,
		"Mình đã cấp quyền cho tất cả thành viên rồi.":      true,
		"I've invited all members, but one request failed.": false,
	} {
		require.Equal(t, want, len(ofKind(s.final(draft), guard.KindClaim)) > 0, draft)
	}
	s.try(tried{tool: "invite_member", args: `{"to":"b"}`, result: "ok"})
	require.Empty(t, ofKind(s.final("All members have been invited."), guard.KindClaim))
}
