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

// asked is a run with a question.
func asked(t *testing.T, g *guard.Guard, question string, tools ...*runrecord.ToolInfo) *scenario {
	t.Helper()
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	task := runrecord.Task{Name: "q", Judge: g, Question: question, Asked: time.Date(2026, 6, 30, 9, 0, 0, 0, time.UTC)}
	ctx, run, err := rec.Start(context.Background(), task, tools)
	require.NoError(t, err)
	t.Cleanup(run.End)
	return &scenario{t: t, guard: g, ctx: ctx, run: run}
}

func TestFiguresWithoutASourceAreReported(t *testing.T) {
	s := asked(t, guard.New(), "What does Acme owe?", read("get_invoices"))
	s.callWith("get_invoices", `{"customer":"Acme"}`, `{"id":"INV-2210","total":1243500}`)
	require.Empty(t, s.final("Acme owes $1,243,500 (INV-2210).").Findings)

	v := s.final("Acme owes $1,243,600, see INV-8841.")
	require.Equal(t, guard.Answer, v.Decision, "the default reports")
	require.Equal(t, "Acme owes $1,243,600, see INV-8841.", v.Text)
	near := ofKind(v, guard.KindContradicted)
	require.Len(t, near, 1)
	require.Contains(t, v.Draft[near[0].Start:near[0].End], "1,243,600")
	require.Equal(t, uint32(1), near[0].Call)
	require.Contains(t, near[0].Evidence, "1243500")
	require.NotContains(t, near[0].String(), "1243500", "evidence is payload")
	require.NotContains(t, near[0].String(), "1,243", "and so is the draft")
	far := ofKind(v, guard.KindUnsupported)
	require.Len(t, far, 1)
	require.Equal(t, "INV-8841", v.Draft[far[0].Start:far[0].End])
}

func TestWhatSupportsAFigure(t *testing.T) {
	for _, c := range []struct {
		name, question, draft string
		calls                 func(*scenario)
		options               []guard.Option
		found                 bool
	}{
		{name: "the user's own words", question: "Transfer 25000 to Ana", draft: "You asked for 25,000."},
		{name: "nothing at all", draft: "There are 1,204 open orders.", found: true},
		{name: "what is declared to be known", draft: "The fee is $49.90.", options: []guard.Option{guard.Known("Our fee is 49.90 USD a month.")}},
		{name: "what a failed call answered", draft: "Your balance is $4,820.", found: true, calls: func(s *scenario) {
			s.call("get", "1", failed(fault.ReasonRateLimit))
		}},
		{name: "the arguments of a write", draft: "Ticket for order 774411 is on its way to the team.", calls: func(s *scenario) {
			s.callWith("create_ticket", `{"order":774411}`, `{"ok":true}`)
		}},
		{name: "the arguments of a look-up are the model's own", draft: "Order 774411 is open.", found: true, calls: func(s *scenario) {
			s.callWith("get", `{"order":774411}`, `{"state":"open"}`)
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			s := asked(t, guard.New(c.options...), c.question, read("get"), write("create_ticket"))
			if c.calls != nil {
				c.calls(s)
			}
			v := s.final(c.draft)
			require.Equal(t, c.found, len(ofKind(v, guard.KindUnsupported))+len(ofKind(v, guard.KindContradicted)) > 0, "%v", v.Findings)
		})
	}
}

func TestTheIndexGrowsWithTheRun(t *testing.T) {
	s := asked(t, guard.New(), "", read("get"))
	s.callWith("get", `{}`, `{"total":4400}`)
	require.Len(t, ofKind(s.final("The second one is 77,123."), guard.KindUnsupported), 1)
	s.callWith("get", `{"page":2}`, `{"total":77123}`)
	require.Empty(t, s.final("The second one is 77,123.").Findings)
	s.run.Hear("and what of 8,131?")
	require.Empty(t, s.final("I do not know 8,131.").Findings)
}

// What was not kept cannot be held against a draft, and does not pass for support.
func TestEvidenceThatWasNotKeptIsUnchecked(t *testing.T) {
	s := asked(t, guard.New(guard.EvidenceLimit(20), guard.OnStep(guard.StepSources, guard.PolicyRefuse)), "", read("get"))
	s.callWith("get", `{}`, `{"total":4400,"more":"than fits"}`)
	v := s.final("It is 77,123.")
	require.Equal(t, guard.Answer, v.Decision)
	require.Len(t, ofKind(v, guard.KindUnchecked), 1)
	require.Zero(t, ofKind(v, guard.KindUnchecked)[0].Step)

	s = asked(t, guard.New(), "", read("get"))
	s.call("get", "1")
	require.Len(t, ofKind(s.final("It is 77,123."), guard.KindUnchecked), 1, "a success that was recorded without its result")
}

func TestNothingIsKeptWhereNoStepLooksAtIt(t *testing.T) {
	off := []guard.Option{guard.OnStep(guard.StepClaims, guard.PolicyOff), guard.OnStep(guard.StepSources, guard.PolicyOff)}
	require.False(t, asked(t, guard.New(off...), "", read("get")).run.KeepsEvidence())
	require.True(t, asked(t, guard.New(off[0]), "", read("get")).run.KeepsEvidence())
	require.True(t, asked(t, guard.New(off[1]), "", read("get")).run.KeepsEvidence())
	t.Setenv(guard.EnvMode, "off")
	require.False(t, asked(t, guard.New(), "", read("get")).run.KeepsEvidence())
}

func TestPoliciesOfSources(t *testing.T) {
	const draft = "It is 77,123 \"or\" so, see INV-8841."
	s := asked(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyDisclose)), "", read("get"))
	s.callWith("get", `{}`, `{"ok":true}`)
	require.Equal(t, draft+"\n\nNote: this could not be confirmed by what was looked up: “77,123”, “INV-8841”.", s.final(draft).Text)

	s = asked(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyRefuse)), "", read("get"))
	s.callWith("get", `{}`, `{"ok":true}`)
	v := s.final(draft)
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, guard.StepSources, v.Step)
	require.Equal(t, "I cannot back up all of my answer with what I looked up, so I am not going to give it. This could not be confirmed by what was looked up: “77,123”, “INV-8841”. "+
		"Please check it yourself, or ask again; if this happens again, tell the people who run this assistant.", v.Text)
	require.Contains(t, s.final("Tổng cộng của khách hàng là 77.123 đồng.").Text, "Những thông tin sau chưa được")

	s = asked(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyOff)), "", read("get"))
	s.callWith("get", `{}`, `{"ok":true}`)
	require.Empty(t, s.final(draft).Findings)
}

// The texts stay short and printable whatever the draft holds.
func TestTextsAboutManyFiguresAreBounded(t *testing.T) {
	s := asked(t, guard.New(guard.OnStep(guard.StepSources, guard.PolicyRefuse)), "", read("get"))
	s.callWith("get", `{}`, `{"ok":true}`)
	var draft strings.Builder
	for i := range 200 {
		fmt.Fprintf(&draft, "Order ORD-%d costs %d,%03d.\n", 5000+i*7, 11+i, 100+i)
	}
	v := s.final(draft.String())
	require.Equal(t, guard.Refuse, v.Decision)
	require.Less(t, len(v.Text), 700)
	require.LessOrEqual(t, len(v.Findings), 20+2)
}

func TestInventedAttempts(t *testing.T) {
	for _, c := range []struct {
		draft string
		calls func(*scenario)
		what  string
	}{
		{draft: "I have attempted this about ten times without luck.", what: "the draft tells of 10 attempts, and the record has 1"},
		{draft: "I tried three times.", what: "the draft tells of 3 attempts, and the record has 1"},
		{draft: "After several attempts I gave up.", what: "the draft tells of 2 attempts, and the record has 1"},
		{draft: "I retried it twice.", what: "the draft tells of 2 attempts, and the record has 1"},
		{draft: "I've made 5 attempts to send it.", what: "the draft tells of 5 attempts, and the record has 1"},
		{draft: "Tôi đã thử 3 lần.", what: "the draft tells of 3 attempts, and the record has 1"},
		{draft: "Toi da thu lai 3 lan.", what: "the draft tells of 3 attempts, and the record has 1"},
		{draft: "I tried it once."},
		{draft: "You can try three times."},
		{draft: "I will try three times."},
		{draft: "You have tried three times."},
		{draft: "If I tried three times, it would lock."},
		{draft: "The account locks after 3 failed login attempts."},
		{draft: "Up to 5 attempts are allowed."},
		{draft: "Did I try three times?"},
		{draft: "I tried three times.", calls: func(s *scenario) {
			s.call("send_file", "1", failed(fault.ReasonTimeout), func(c *runrecord.Call) { c.Attempts = 2 })
		}},
		{draft: "After several attempts it worked.", calls: func(s *scenario) { s.call("send_file", "2") }},
	} {
		s := begin(t, guard.New(), write("send_file"))
		s.call("send_file", "1")
		if c.calls != nil {
			c.calls(s)
		}
		v := s.final(c.draft)
		found := ofKind(v, guard.KindAttempts)
		if c.what == "" {
			require.Empty(t, found, c.draft)
			continue
		}
		require.Len(t, found, 1, c.draft)
		require.Equal(t, c.what, found[0].What)
		require.Equal(t, guard.Answer, v.Decision, "it may leave: %v", v.Findings)
		require.Equal(t, strings.TrimRight(c.draft, "."), c.draft[found[0].Start:found[0].End])
	}
}

func TestInventedFailures(t *testing.T) {
	down := func(reason fault.Reason, status int16) func(*scenario) {
		return func(s *scenario) { s.call("get", "x", failed(reason), func(c *runrecord.Call) { c.Status = status }) }
	}
	for _, c := range []struct {
		draft, question string
		calls           func(*scenario)
		found           bool
	}{
		{draft: "The server returned a 503.", found: true},
		{draft: "My requests kept timing out.", found: true},
		{draft: "I got a 500 error from the API.", found: true},
		{draft: "The lookup timed out.", found: true},
		{draft: "We hit a rate limit.", found: true},
		{draft: "Máy chủ trả về lỗi 500.", found: true},
		{draft: "The server returned a 503.", calls: down(fault.ReasonOverloaded, 503)},
		{draft: "The server returned a 503.", calls: down(fault.ReasonAuth, 401), found: true},
		{draft: "The lookup timed out.", calls: down(fault.ReasonTimeout, 0)},
		{draft: "The lookup timed out.", calls: down(fault.ReasonAuth, 401), found: true},
		{draft: "The lookup timed out.", calls: down(fault.ReasonSoftError, 0)},
		{draft: "The server returned a 500.", calls: func(s *scenario) { s.call("get", "y", func(c *runrecord.Call) { c.Attempts = 2 }) }},
		{draft: "Your server returned a 503.", question: "Why does my server return 503?"},
		{draft: "If the server returns a 503, wait."},
		{draft: "The log says that the server returned a 503."},
		{draft: "The request did not time out."},
		{draft: "The request may have timed out."},
		{draft: "There are 500 items in the list of the service."},
		{draft: "I found 404 orders."},
	} {
		s := asked(t, guard.New(), c.question, read("get"))
		s.callWith("get", `{}`, `{"items":500,"orders":404}`)
		if c.calls != nil {
			c.calls(s)
		}
		require.Equal(t, c.found, len(ofKind(s.final(c.draft), guard.KindFailure)) > 0, c.draft)
	}
}

func TestTheVerdictAccountsForFailures(t *testing.T) {
	s := begin(t, guard.New(), read("get_invoices"), read("get_shipping"), write("pay"))
	s.call("get_invoices", "1", failed(fault.ReasonTimeout))
	s.call("get_invoices", "1")
	s.call("get_invoices", "2", failed(fault.ReasonAuth))
	s.call("get_shipping", "1", denied())
	s.call("pay", "1", pending())
	v := s.final("I could not get the invoices.")
	require.Equal(t, []uint32{1, 3, 4}, v.Failed)
	require.Equal(t, []uint32{3, 4}, v.Unrecovered)
	require.Equal(t, []uint32{3}, v.Disclosed)
}

func TestKindsOfFindings(t *testing.T) {
	s := begin(t, guard.New(guard.Require("get")), read("get"))
	require.Equal(t, guard.KindRequired, s.final("x").Findings[0].Kind)
	s.call("get", "1", failed(fault.ReasonAuth))
	v := s.final("x")
	require.Len(t, ofKind(v, guard.KindNoEvidence), 1)
	require.Len(t, ofKind(v, guard.KindHidden), 1)
	require.Equal(t, guard.KindNote, s.guard.Final(s.ctx, "").Findings[len(s.guard.Final(s.ctx, "").Findings)-1].Kind)
	s = begin(t, guard.New(), write("pay"))
	s.call("pay", "1", inDoubt())
	require.Equal(t, guard.KindWaiting, s.final("x").Findings[0].Kind)
}

// A draft that admits a failure may say which: status and code are in the record.
func TestTheStatusOfAnAdmittedFailureSupportsItself(t *testing.T) {
	unsupported := func(draft string, status int16) (n int) {
		s := begin(t, guard.New(), read("get_order"), read("search"))
		s.callWith("search", `{}`, `{"ok":true}`)
		s.call("get_order", "1", failed(fault.ReasonAuth), with(func(c *runrecord.Call, d *runrecord.Detail) { c.Status, d.Code = status, "E-7731" }))
		for _, f := range s.final(draft).Findings {
			if f.Kind == guard.KindUnsupported {
				n++
			}
		}
		return n
	}
	require.Zero(t, unsupported("The order service rejected my credentials (401).", 401))
	require.Zero(t, unsupported("The order service failed (E-7731, status 401).", 401))
	require.Zero(t, unsupported("Dịch vụ đơn hàng bị lỗi 401.", 401))
	require.Equal(t, 1, unsupported("The order service rejected my credentials (403).", 401), "another status")
	require.Equal(t, 1, unsupported("Your balance is 401.", 401), "nothing is admitted")
}
