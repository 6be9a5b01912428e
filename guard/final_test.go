package guard_test

import (
	"context"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestCredentialExpiresOnTheThirdLookup(t *testing.T) {
	g := guard.New(guard.Require("get_invoices"))
	s := begin(t, g, read("get_invoices"))
	s.call("get_invoices", "c1")
	s.call("get_invoices", "c2")
	s.call("get_invoices", "c3", failed(fault.ReasonAuth))
	s.call("get_invoices", "c4", notRun(fault.ReasonToolDead))
	v := s.final("All four customers have paid.")

	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, guard.StepRequired, v.Step)
	require.Equal(t, "All four customers have paid.", v.Draft)
	require.NotContains(t, v.Text, "paid")
	require.Contains(t, v.Text, `the lookup "get invoices" failed (2 of 4 calls; the service did not accept the access credentials)`)
	require.Contains(t, v.Text, "the people who run this assistant")
	require.Equal(t, []string{"get_invoices"}, v.Unmet[0].Tools)
	s.run.End()
	require.Equal(t, runrecord.Refused, s.run.State())
}

func TestStepsDecideAsDesigned(t *testing.T) {
	type step = func(s *scenario)
	call := func(tool, args string, o ...callOption) step {
		return func(s *scenario) { s.call(tool, args, o...) }
	}
	cases := []struct {
		name    string
		options []guard.Option
		tools   []*runrecord.ToolInfo
		calls   []step
		draft   string
		want    guard.Decision
		step    int
		state   runrecord.State
	}{
		{name: "plain answer", tools: []*runrecord.ToolInfo{read("search")}, calls: []step{call("search", "q")},
			draft: "Here.", want: guard.Answer, state: runrecord.Answered},
		{name: "an empty list is an answer", tools: []*runrecord.ToolInfo{read("search")}, calls: []step{call("search", "q", qualified(fault.Empty))},
			draft: "Hello! How can I help?", want: guard.Answer, state: runrecord.Answered},
		{name: "no call and nothing required", draft: "Hello!", want: guard.Answer, state: runrecord.Answered},
		{name: "no call where tools are needed", options: []guard.Option{guard.NeedsTools()}, draft: "Hello!", want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "sources that were never fetched", tools: []*runrecord.ToolInfo{read("web_search")},
			calls: []step{call("web_search", "q", failed(fault.ReasonOverloaded))}, draft: "According to three sources, the tariff is 12%.",
			want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "a denial is no success", tools: []*runrecord.ToolInfo{write("run_cmd")}, calls: []step{call("run_cmd", "date", denied())},
			draft: "date=2026-03-01", want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "an admitted total failure says nothing else", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "q", failed(fault.ReasonAuth))}, draft: "The search failed.", want: guard.Answer, state: runrecord.Answered},
		{name: "an admission is no licence", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "q", failed(fault.ReasonAuth))}, draft: "The search failed. The shop is open on Sunday.", want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "a write in doubt with an open case", tools: []*runrecord.ToolInfo{write("pay")},
			calls: []step{call("pay", "100", inDoubt()), func(s *scenario) { s.run.Wait("case-1") }}, draft: "Paid once.",
			want: guard.Escalate, step: 1, state: runrecord.Waiting},
		{name: "a write in doubt that nobody opened a case for", tools: []*runrecord.ToolInfo{write("pay")},
			calls: []step{call("pay", "100", inDoubt())}, draft: "Paid once.", want: guard.Escalate, step: 1, state: runrecord.Waiting},
		{name: "half of a batch happened", tools: []*runrecord.ToolInfo{write("complete_tasks")},
			calls: []step{call("complete_tasks", "1,2,3", kind(fault.KindFailed, fault.ReasonPartial, fault.Escalate))}, draft: "All done.",
			want: guard.Escalate, step: 1, state: runrecord.Waiting},
		{name: "settled as done", tools: []*runrecord.ToolInfo{write("pay")}, calls: []step{func(s *scenario) {
			seq := s.call("pay", "100", inDoubt())
			s.run.Settle(seq, fault.Outcome{Kind: fault.KindOK})
		}}, draft: "Paid once.", want: guard.Answer, state: runrecord.Answered},
		{name: "settled as given up", tools: []*runrecord.ToolInfo{write("pay"), read("get")}, calls: []step{call("get", "1"), func(s *scenario) {
			seq := s.call("pay", "100", inDoubt())
			s.run.Settle(seq, fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{Reason: fault.ReasonTimeout, Action: fault.FailFast, Ran: fault.RanNo}})
		}}, draft: "Paid once.", want: guard.Refuse, step: 5, state: runrecord.Refused},
		{name: "required and pending", options: []guard.Option{guard.Require("update_fw")}, tools: []*runrecord.ToolInfo{write("update_fw"), read("get")},
			calls: []step{call("get", "1"), call("update_fw", "2", pending())}, draft: "Firmware updated.", want: guard.Defer, step: 1, state: runrecord.Deferred},
		{name: "nothing but pending", tools: []*runrecord.ToolInfo{write("update_fw")}, calls: []step{call("update_fw", "2", pending())},
			draft: "Firmware updated.", want: guard.Defer, step: 1, state: runrecord.Deferred},
		{name: "a pending call beside others", tools: []*runrecord.ToolInfo{write("update_fw"), read("get")},
			calls: []step{call("get", "1"), call("update_fw", "2", pending())}, draft: "Firmware updated.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "required and never called", options: []guard.Option{guard.Require("create_record")}, tools: []*runrecord.ToolInfo{write("create_record")},
			draft: "Record 4711 was created.", want: guard.Refuse, step: 2, state: runrecord.Refused},
		{name: "a success of another tool", options: []guard.Option{guard.Require("copy_file")}, tools: []*runrecord.ToolInfo{write("copy_file"), write("stage_file")},
			calls: []step{call("stage_file", "/in")}, draft: "The file is in the drop folder.", want: guard.Refuse, step: 2, state: runrecord.Refused},
		{name: "a sibling masks the required failure", options: []guard.Option{guard.Require("required")}, tools: []*runrecord.ToolInfo{read("required"), read("other")},
			calls: []step{call("required", "", failed(fault.ReasonUnknown)), call("other", "")}, draft: "Here is the video summary.",
			want: guard.Refuse, step: 2, state: runrecord.Refused},
		{name: "the same command works later", tools: []*runrecord.ToolInfo{read("cmd")},
			calls: []step{call("cmd", "x", failed(fault.ReasonCommandFailed)), call("cmd", "x")}, draft: "Done with artifact.", want: guard.Answer, state: runrecord.Answered},
		{name: "another command works later", tools: []*runrecord.ToolInfo{read("cmd")},
			calls: []step{call("cmd", "test", failed(fault.ReasonCommandFailed)), call("cmd", "ls")}, draft: "All tests pass.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "a full page taken for the whole", tools: []*runrecord.ToolInfo{read("list_spam"), write("delete_spam")},
			calls: []step{call("list_spam", "", qualified(fault.Truncated)), call("delete_spam", "20")}, draft: "All spam deleted.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "an old price sold as current", tools: []*runrecord.ToolInfo{read("get_quotes")},
			calls: []step{call("get_quotes", "X", aged(24*time.Hour))}, draft: "Current price is 101.2.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "a partly done batch that is told", tools: []*runrecord.ToolInfo{write("archive_batch")},
			calls: []step{call("archive_batch", "40", qualified(fault.Partial))}, draft: "38 archived, 1 failed.", want: guard.Answer, state: runrecord.Answered},
		{name: "step limit without evidence", tools: []*runrecord.ToolInfo{read("fetch")}, calls: []step{call("fetch", "u", failed(fault.ReasonServerError))},
			draft: "", want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "an aborted run with evidence", tools: []*runrecord.ToolInfo{read("fetch")},
			calls: []step{call("fetch", "u"), func(s *scenario) { s.run.Abort(fault.ReasonBudget, "calls") }}, draft: "Here is what I found.",
			want: guard.Disclose, step: 4, state: runrecord.Aborted},
		{name: "an aborted run that says so", tools: []*runrecord.ToolInfo{read("fetch")},
			calls: []step{call("fetch", "u"), func(s *scenario) { s.run.Abort(fault.ReasonBudget, "calls") }}, draft: "I had to stop early; this is what I found.",
			want: guard.Answer, state: runrecord.Aborted},
		{name: "an aborted run without evidence", tools: []*runrecord.ToolInfo{read("fetch")},
			calls: []step{call("fetch", "u", failed(fault.ReasonAuth)), func(s *scenario) { s.run.Abort(fault.ReasonBudget, "calls") }}, draft: "All good.",
			want: guard.Refuse, step: 3, state: runrecord.Aborted},
		{name: "an invented name that was corrected", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search_web", "q", unknownTool("search_web")), call("search", "q")}, draft: "Found.", want: guard.Answer, state: runrecord.Answered},
		{name: "an invented name and nothing else", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search_web", "q", unknownTool("search_web"))}, draft: "Found.", want: guard.Refuse, step: 3, state: runrecord.Refused},
		{name: "bad arguments, then good ones", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", notRun(fault.ReasonInvalidArgs)), call("search", "q")}, draft: "Found.", want: guard.Answer, state: runrecord.Answered},
		{name: "refused by the service for its form, then corrected", tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs)), call("search", "q")}, draft: "Found.", want: guard.Answer, state: runrecord.Answered},
		{name: "refused beside a sibling of its batch that worked", options: []guard.Option{guard.Require("search")}, tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "q", batch(1))}, draft: "Found both.", want: guard.Refuse, step: 2, state: runrecord.Refused},
		{name: "refused in a batch, then corrected", options: []guard.Option{guard.Require("search")}, tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "q", batch(1)), call("search", "r")}, draft: "Found both.", want: guard.Answer, state: runrecord.Answered},
		{name: "two refused in a batch, one corrected", options: []guard.Option{guard.Require("search")}, tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "??", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "r")}, draft: "Found both.", want: guard.Refuse, step: 2, state: runrecord.Refused},
		{name: "two refused in a batch, both corrected", options: []guard.Option{guard.Require("search")}, tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "??", failed(fault.ReasonInvalidArgs), batch(1)), call("search", "r"), call("search", "q")}, draft: "Found both.", want: guard.Answer, state: runrecord.Answered},
		{name: "refused twice, one after the other, then corrected", options: []guard.Option{guard.Require("search")}, tools: []*runrecord.ToolInfo{read("search")},
			calls: []step{call("search", "?", failed(fault.ReasonInvalidArgs)), call("search", "??", failed(fault.ReasonInvalidArgs)), call("search", "r")}, draft: "Found.", want: guard.Answer, state: runrecord.Answered},
		{name: "not found is an answer about that very thing", tools: []*runrecord.ToolInfo{read("get_customer")},
			calls: []step{call("get_customer", "c3", failed(fault.ReasonNotFound)), call("get_customer", "c4")}, draft: "Both are in good standing.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "a booking that was refused, then accepted", options: []guard.Option{guard.Require("book")}, tools: []*runrecord.ToolInfo{write("book")},
			calls: []step{call("book", "90 EUR", failed(fault.ReasonSoftError)), call("book", "95 EUR")}, draft: "Booked for 95 EUR.", want: guard.Answer, state: runrecord.Answered},
		{name: "a look-up that failed in its body beside others", tools: []*runrecord.ToolInfo{read("get_customer")},
			calls: []step{call("get_customer", "c3", failed(fault.ReasonSoftError)), call("get_customer", "c4")}, draft: "Both are in good standing.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "never entered because the upstream is dead", tools: []*runrecord.ToolInfo{read("a"), read("b")},
			calls: []step{call("a", "1"), call("b", "1", notRun(fault.ReasonToolDead))}, draft: "Fine.", want: guard.Disclose, step: 4, state: runrecord.Disclosed},
		{name: "step 4 set to refuse", options: []guard.Option{guard.OnStep(guard.StepHidden, guard.PolicyRefuse)}, tools: []*runrecord.ToolInfo{read("a")},
			calls: []step{call("a", "1"), call("a", "2", failed(fault.ReasonTimeout))}, draft: "Fine.", want: guard.Refuse, step: 4, state: runrecord.Refused},
		{name: "step 4 set to report", options: []guard.Option{guard.OnStep(guard.StepHidden, guard.PolicyReport)}, tools: []*runrecord.ToolInfo{read("a")},
			calls: []step{call("a", "1"), call("a", "2", failed(fault.ReasonTimeout))}, draft: "Fine.", want: guard.Answer, state: runrecord.Answered},
		{name: "step 2 set to disclose", options: []guard.Option{guard.Require("a"), guard.OnStep(guard.StepRequired, guard.PolicyDisclose)}, tools: []*runrecord.ToolInfo{read("a"), read("b")},
			calls: []step{call("b", "1")}, draft: "Fine.", want: guard.Disclose, step: 2, state: runrecord.Disclosed},
		{name: "step 3 off", options: []guard.Option{guard.OnStep(guard.StepEvidence, guard.PolicyOff)}, tools: []*runrecord.ToolInfo{read("a")},
			calls: []step{call("a", "1", failed(fault.ReasonTimeout))}, draft: "The lookup a failed.", want: guard.Answer, state: runrecord.Answered},
		{name: "step 1 set to refuse", options: []guard.Option{guard.OnStep(guard.StepWaiting, guard.PolicyRefuse)}, tools: []*runrecord.ToolInfo{write("pay")},
			calls: []step{call("pay", "1", inDoubt())}, draft: "Paid.", want: guard.Refuse, step: 1, state: runrecord.Refused},
	}
	for _, c := range cases {
		t.Run(c.name, func(t *testing.T) {
			s := begin(t, guard.New(c.options...), c.tools...)
			for _, f := range c.calls {
				f(s)
			}
			v := s.final(c.draft)
			require.Equal(t, c.want, v.Decision, "%v", v.Findings)
			require.Equal(t, c.want, v.Would)
			require.Equal(t, c.step, v.Step)
			require.Equal(t, c.draft, v.Draft)
			switch c.want {
			case guard.Answer:
				require.Equal(t, c.draft, v.Text)
				for _, f := range v.Findings {
					if f.Kind == guard.KindUnchecked {
						continue // these calls were recorded without what they returned
					}
					if f.Kind == guard.KindNoEvidence {
						require.Equal(t, guard.Answer, f.Asks)
						continue
					}
					require.Contains(t, f.What, "does not say so", "what the draft admits is no finding")
				}
			case guard.Disclose:
				require.True(t, strings.HasPrefix(v.Text, c.draft+"\n\n"), v.Text)
			default:
				require.NotEmpty(t, v.Text)
				if c.draft != "" {
					require.NotContains(t, v.Text, c.draft)
				}
			}
			s.run.End()
			require.Equal(t, c.state, s.run.State())
		})
	}
}

func TestEveryFindingIsKeptAndTheStrictestDecides(t *testing.T) {
	s := begin(t, guard.New(guard.Require("a")), read("a"), read("b"))
	s.call("b", "1", failed(fault.ReasonTimeout))
	v := s.final("Fine.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, 2, v.Step)
	steps := map[int]bool{}
	for _, f := range v.Findings {
		steps[f.Step] = true
	}
	require.Equal(t, map[int]bool{2: true, 3: true, 4: true}, steps)
}

func TestLastOfSeveralJudgmentsCounts(t *testing.T) {
	s := begin(t, guard.New(guard.Require("a")), read("a"))
	require.Equal(t, guard.Refuse, s.final("Guess.").Decision)
	s.call("a", "1")
	require.Equal(t, guard.Answer, s.final("Known.").Decision)
	s.run.End()
	require.Equal(t, runrecord.Answered, s.run.State())
}

func TestWithoutARunNothingLeaves(t *testing.T) {
	v := guard.New().Final(context.Background(), "Trust me.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.NotContains(t, v.Text, "Trust me")
	require.Len(t, v.Findings, 1)
}

func TestEvidenceOfAChildRunCounts(t *testing.T) {
	g := guard.New(guard.Require("a"))
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	tools := []*runrecord.ToolInfo{read("a")}
	ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "parent", Judge: g}, tools)
	require.NoError(t, err)
	defer run.End()
	_, child, err := rec.Start(ctx, runrecord.Task{Name: "child"}, tools)
	require.NoError(t, err)
	child.Finish(runrecord.Call{Tool: tools[0], ArgsHash: 1, Kind: fault.KindOK})
	child.End()
	require.Equal(t, guard.Answer, g.Final(ctx, "Known.").Decision)
}

func TestASubstituteDoesNotSettleAWriteInDoubt(t *testing.T) {
	backup := write("pay_backup")
	backup.StandsIn = []string{"pay"}
	s := begin(t, guard.New(), write("pay"), backup)
	s.call("pay", "100", inDoubt())
	s.call("pay_backup", "100")
	require.Equal(t, guard.Escalate, s.final("Paid.").Decision)
	s.call("pay", "100", qualified(fault.Replayed))
	require.Equal(t, guard.Answer, s.final("Paid.").Decision)
}

// The run was promised to one guard, and the draft is shown to another one.
func TestWhatTheJudgeOfTheRunRequiresIsNotLostToAnotherGuard(t *testing.T) {
	judge := guard.New(guard.Require("get_invoices"))
	other := guard.New(guard.Require("search"))
	s := begin(t, judge, read("get_invoices"), read("search"))
	s.call("search", "1")
	v := other.Final(s.ctx, "All paid.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, guard.StepRequired, v.Step)
	require.Equal(t, "get_invoices", v.Unmet[0].Requirement)
	require.Contains(t, fmt.Sprint(v.Findings), "another guard")

	s.call("get_invoices", "1")
	require.Equal(t, guard.Answer, other.Final(s.ctx, "All paid.").Decision)
	require.NotContains(t, fmt.Sprint(judge.Final(s.ctx, "All paid.").Findings), "another guard")

	t.Run("a judge in report mode stays in it", func(t *testing.T) {
		s := begin(t, guard.New(guard.Require("get_invoices"), guard.Report()), read("get_invoices"), read("search"))
		s.call("search", "1")
		v := other.Final(s.ctx, "All paid.")
		require.Equal(t, guard.Answer, v.Decision)
		require.Len(t, v.Unmet, 1)
	})
	t.Run("a judge that needs tools", func(t *testing.T) {
		s := begin(t, guard.New(guard.NeedsTools()), read("search"))
		require.Equal(t, guard.Refuse, guard.New().Final(s.ctx, "42").Decision)
	})
	t.Run("a judge that is switched off", func(t *testing.T) {
		off := guard.ModeFrom(func() guard.Mode { return guard.Disabled })
		s := begin(t, guard.New(guard.Require("get_invoices"), off), read("get_invoices"), read("search"))
		s.call("search", "1")
		require.Equal(t, guard.Answer, other.Final(s.ctx, "All paid.").Decision)
	})
}

func TestAnEmptyDraftIsNoticed(t *testing.T) {
	s := begin(t, guard.New(), read("search"))
	s.call("search", "1")
	v := s.final(" \n")
	require.Equal(t, guard.Answer, v.Decision)
	require.Contains(t, fmt.Sprint(v.Findings), "the draft is empty")
	require.NotContains(t, fmt.Sprint(s.final("Found.").Findings), "empty")
}

// Whoever lost the run's context sees why everything is refused.
func TestWithoutARunTheFindingSaysWhereTheRunIs(t *testing.T) {
	v := guard.New().Final(t.Context(), "42")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Contains(t, fmt.Sprint(v.Findings), "pass the context that Start returned")
}

func TestARunStartedWithoutAJudgeIsNoticed(t *testing.T) {
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	ctx, run, err := rec.Start(t.Context(), runrecord.Task{}, nil)
	require.NoError(t, err)
	defer run.End()
	require.Contains(t, fmt.Sprint(guard.New().Final(ctx, "Hello!").Findings), "no Judge")
}

// The kill switch is thrown between two judgments of one run.
func TestASwitchedOffGuardTakesBackWhatItSaid(t *testing.T) {
	mode := guard.Enforcing
	s := begin(t, guard.New(guard.ModeFrom(func() guard.Mode { return mode })), read("a"))
	s.call("a", "1", failed(fault.ReasonAuth))
	require.Equal(t, guard.Refuse, s.final("Fine.").Decision)
	mode = guard.Disabled
	require.Equal(t, "Fine.", s.final("Fine.").Text)
	s.run.End()
	require.Equal(t, runrecord.Unjudged, s.run.State())
}
