package guard_test

import (
	"bufio"
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func ofKind(v guard.Verdict, k guard.Kind) []guard.Finding {
	var found []guard.Finding
	for _, f := range v.Findings {
		if f.Kind == k {
			found = append(found, f)
		}
	}
	return found
}

func TestAClaimWithoutACallIsRefusedWithItsPlace(t *testing.T) {
	s := begin(t, guard.New(), write("send_email"))
	v := s.final("Hello!\n\n**Email sent.** Anything else?")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, guard.StepClaims, v.Step)
	f := ofKind(v, guard.KindClaim)
	require.Len(t, f, 1)
	require.Equal(t, "Email sent", v.Draft[f[0].Start:f[0].End])
	require.Equal(t, "step 5: the draft says that something was sent, and no call that could have done it was made", f[0].String())
	require.Equal(t, "I cannot confirm that what you asked for was done, so I am not going to say that it was. "+
		"Nothing in the record of this request confirms that anything was sent. "+
		"Please check it yourself, or ask again; if this happens again, tell the people who run this assistant.", v.Text)
	require.Equal(t, "Tôi không thể xác nhận việc bạn yêu cầu đã được thực hiện, nên tôi sẽ không nói là đã xong. "+
		"Không có gì trong nhật ký của yêu cầu này xác nhận là đã gửi. "+
		"Vui lòng tự kiểm tra hoặc hỏi lại; nếu vẫn như vậy, hãy báo cho người vận hành trợ lý này.", s.final("Tôi đã gửi email cho khách hàng.").Text)
}

func TestAClaimWithoutAnyTool(t *testing.T) {
	s := begin(t, guard.New())
	for draft, want := range map[string]guard.Decision{
		"I've sent the e-mail.":            guard.Refuse,
		"Done. The file has been deleted.": guard.Refuse,
		"Hello! How can I help?":           guard.Answer,
		"I have a few ideas for you.":      guard.Answer,
	} {
		require.Equal(t, want, s.final(draft).Decision, draft)
	}
}

// What a tool lets an answer say is read from its name where nobody declared it.
func TestWhatAToolCanDo(t *testing.T) {
	undeclared := func(name string) *runrecord.ToolInfo { return &runrecord.ToolInfo{Name: name} }
	claiming := func(name string, claims ...string) *runrecord.ToolInfo {
		return &runrecord.ToolInfo{Name: name, Effect: fault.Read, Claims: claims}
	}
	for _, c := range []struct {
		tool  *runrecord.ToolInfo
		draft string
		want  guard.Decision
	}{
		{write("send_email"), "I've sent the e-mail.", guard.Answer},
		{write("mail.send"), "I've sent the e-mail.", guard.Answer},
		{write("sendEmail"), "I've emailed Bob.", guard.Answer},
		{write("bookFlight"), "I've booked the flight and charged your card.", guard.Answer},
		{write("refund-order"), "I've refunded the order.", guard.Answer},
		{write("crm/update_contact"), "I've updated the contact.", guard.Answer},
		{undeclared("send_email"), "I've sent the e-mail.", guard.Answer},
		{write("gui_email"), "Tôi đã gửi email.", guard.Answer},
		{write("xoa_tep"), "Tôi đã xóa tệp a.txt.", guard.Answer},
		{&runrecord.ToolInfo{Name: "set_status", Effect: fault.Idempotent}, "I've updated the ticket.", guard.Answer},
		// Tools that do what they are told to, and tools of which nobody knows.
		{write("run_command"), "I've deleted the file and restarted the service.", guard.Answer},
		{undeclared("http_request"), "I've sent the e-mail.", guard.Answer},
		{undeclared("transfer_to_agent"), "I've refunded the order.", guard.Answer},
		{write("crm"), "I've refunded the order.", guard.Answer},
		{undeclared("evidence"), "I transferred 25,000.", guard.Answer},
		// A look-up does nothing, and a tool does what it is for.
		{read("send_email"), "I've sent the e-mail.", guard.Refuse},
		{read("get_order"), "I've cancelled your order.", guard.Refuse},
		{undeclared("get_order"), "I've cancelled your order.", guard.Refuse},
		{undeclared("email/list_messages"), "I've sent the e-mail.", guard.Refuse},
		{write("send_email"), "I've refunded the payment.", guard.Refuse},
		{write("create_ticket"), "I've deleted the ticket.", guard.Refuse},
		// Who cancels may have refunded, which nothing confirms.
		{write("cancel_order"), "I've refunded $40 to your card.", guard.Disclose},
		{write("schedule_meeting"), "I've sent invites to everyone.", guard.Disclose},
		{write("schedule_meeting"), "I've emailed everyone.", guard.Refuse},
		{write("save_file"), "I've booked the flight.", guard.Refuse},
		// What its owner says counts.
		{claiming("notify_customer", "send"), "I've sent the e-mail.", guard.Answer},
		{claiming("gateway", "gửi"), "I've sent the e-mail.", guard.Answer},
		{claiming("gateway", "refunded"), "Tôi đã hoàn tiền cho bạn.", guard.Answer},
		{claiming("gateway", "refund"), "I've sent the e-mail.", guard.Refuse},
		{claiming("robot", "fumigate"), "I've fumigated the room.", guard.Answer},
		{claiming("send_email"), "I've sent the e-mail.", guard.Refuse},
	} {
		if len(c.tool.Claims) == 0 && c.tool.Effect == fault.Read && c.tool.Name == "send_email" {
			c.tool.Claims = []string{} // nothing
		}
		s := begin(t, guard.New(), c.tool)
		s.callWith(c.tool.Name, `{"id":"x"}`, `{"ok":true,"n":25000}`)
		assert.Equal(t, c.want, s.final(c.draft).Decision, "%s: %s", c.tool.Name, c.draft)
	}
	s := begin(t, guard.New(), claiming("robot", "fumigate"), read("look"))
	s.call("look", "1")
	require.Equal(t, guard.Refuse, s.final("I've fumigated the room.").Decision, "a deed that only its owner knows")
}

func TestAClaimOfWhatFailedNamesTheCall(t *testing.T) {
	for name, c := range map[string]struct {
		end   callOption
		draft string
		what  string
		want  guard.Decision
	}{
		"failed":                     {failed(fault.ReasonAuth), "I've sent the e-mail.", "step 5: send_email #2 failed (auth), and the draft says that something was sent", guard.Refuse},
		"denied":                     {denied(), "I've sent the e-mail.", "step 5: send_email #2 was denied, and the draft says that something was sent", guard.Refuse},
		"pending":                    {pending(), "I've sent the e-mail.", "step 5: send_email #2 is pending, and the draft says that something was sent", guard.Refuse},
		"accepted is submitted":      {pending(), "I've submitted the email; the email is still pending.", "", guard.Answer},
		"it failed, and is admitted": {failed(fault.ReasonAuth), "I've sent the e-mail, but send_email failed with an authentication error.", "", guard.Answer},
	} {
		t.Run(name, func(t *testing.T) {
			s := begin(t, guard.New(), write("send_email"), read("get_customer"))
			s.callWith("get_customer", `{}`, `{"name":"Ana"}`)
			s.call("send_email", "1", c.end)
			v := s.final(c.draft)
			require.Equal(t, c.want, v.Decision, "%v", v.Findings)
			if c.what != "" {
				f := ofKind(v, guard.KindClaim)
				require.Len(t, f, 1)
				require.Equal(t, c.what, f[0].String())
				require.Equal(t, uint32(2), f[0].Call)
			}
		})
	}
}

// A report of data is no claim: what a look-up or the user says may be repeated.
func TestAPassiveMayReportData(t *testing.T) {
	for _, c := range []struct {
		name, result, heard, draft string
		want                       guard.Decision
	}{
		{"a status", `{"id":1,"status":"cancelled"}`, "", "Your order has been cancelled.", guard.Answer},
		{"the other spelling", `{"id":1,"status":"CANCELED"}`, "", "Your order has been cancelled.", guard.Answer},
		{"a field", `{"cancelled_at":"2026-05-03"}`, "", "Your order has been cancelled.", guard.Answer},
		{"a flag", `{"refunded":true}`, "", "Your payment has been refunded.", guard.Answer},
		{"a flag that is off", `{"refunded":false,"state":"open"}`, "", "Your payment has been refunded.", guard.Refuse},
		{"said not to be", `The order was not cancelled.`, "", "Your order has been cancelled.", guard.Refuse},
		{"a refund that was issued", `{"refund":{"status":"issued"}}`, "", "Your refund has been processed.", guard.Answer},
		{"a policy of refunds", `{"refund_policy":"none"}`, "", "Your refund has been processed.", guard.Refuse},
		{"the user's words", `{"id":1}`, "My order was cancelled, why?", "Your order has been cancelled.", guard.Answer},
		{"another deed", `{"status":"shipped"}`, "", "Your order has been cancelled.", guard.Refuse},
		{"the author's own deed", `{"status":"cancelled"}`, "", "I have cancelled your order.", guard.Refuse},
		{"in another language", `{"status":"cancelled"}`, "", "Đơn hàng của bạn đã được hủy.", guard.Answer},
	} {
		s := begin(t, guard.New(), read("get_order"), write("cancel_order"), write("refund_order"))
		s.run.Hear(c.heard)
		s.callWith("get_order", `{"id":1}`, c.result)
		assert.Equal(t, c.want, s.final(c.draft).Decision, "%s: %s", c.name, c.draft)
	}
	t.Run("what a write returned supports the author", func(t *testing.T) {
		s := begin(t, guard.New(), write("cancel_order"))
		s.callWith("cancel_order", `{"id":1}`, `{"cancelled":true,"refunded":true}`)
		require.Equal(t, guard.Answer, s.final("I cancelled your order and refunded the payment.").Decision)
	})
	t.Run("a cancellation refunds where nothing else does", func(t *testing.T) {
		s := begin(t, guard.New(), write("cancel_order"))
		s.callWith("cancel_order", `{"id":1}`, `{"ok":true}`)
		require.Equal(t, guard.Answer, s.final("Your payment has been refunded.").Decision)
		s = begin(t, guard.New(), write("cancel_order"), write("refund_order"))
		s.callWith("cancel_order", `{"id":1}`, `{"ok":true}`)
		require.Equal(t, guard.Refuse, s.final("Your payment has been refunded.").Decision)
	})
	t.Run("evidence beyond the limit is not held against the draft", func(t *testing.T) {
		s := begin(t, guard.New(guard.EvidenceLimit(10)), read("get_order"), write("cancel_order"))
		s.callWith("get_order", `{"id":1}`, `{"state":"ended","note":"a long one"}`)
		require.Equal(t, guard.Answer, s.final("Your order has been cancelled.").Decision)
		require.Equal(t, guard.Refuse, s.final("I have cancelled your order.").Decision)
	})
}

func TestAClaimAboutAnotherThanWhatWasDone(t *testing.T) {
	send := &runrecord.ToolInfo{Name: "send_email", Effect: fault.Write, Identity: []string{"to"}}
	s := begin(t, guard.New(), send, read("get_customer"))
	s.call("send_email", "1", s.about(map[string]string{"to": "alice"}))
	require.Equal(t, guard.Answer, s.final("I've sent the e-mail to Bob.").Decision, "nothing failed, and Bob may be Alice's surname")
	s.call("send_email", "2", failed(fault.ReasonNetwork), s.about(map[string]string{"to": "bob"}))
	v := s.final("I've sent the e-mail to Bob.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Equal(t, uint32(2), ofKind(v, guard.KindClaim)[0].Call)
	require.NotEqual(t, guard.Refuse, s.final("I've sent the e-mail to Alice.").Decision)

	t.Run("by the number of them", func(t *testing.T) {
		s := begin(t, guard.New(), write("send_email"))
		s.call("send_email", "1")
		s.call("send_email", "2")
		s.call("send_email", "3", failed(fault.ReasonNetwork))
		for draft, want := range map[string]guard.Decision{
			"I've sent all 3 emails.":      guard.Refuse,
			"I've sent all three e-mails.": guard.Refuse,
			"I've sent both emails.":       guard.Disclose,
			"I've sent the emails.":        guard.Disclose,
		} {
			require.Equal(t, want, s.final(draft).Decision, draft)
		}
	})
	t.Run("by the tool it names", func(t *testing.T) {
		s := begin(t, guard.New(), write("send_email"), write("send_sms"))
		s.call("send_sms", "1")
		s.call("send_email", "1", failed(fault.ReasonNetwork))
		require.Equal(t, guard.Refuse, s.final("I've sent the email.").Decision)
		require.Equal(t, guard.Disclose, s.final("I've sent the sms.").Decision)
	})
}

// A sub-agent's deeds are its parent's.
func TestWhatASubAgentDidMayBeSaid(t *testing.T) {
	s := begin(t, guard.New(), write("send_email"))
	rec, err := runrecord.NewRecorder(runrecord.Config{})
	require.NoError(t, err)
	_, child, err := rec.Start(s.ctx, runrecord.Task{Name: "mail"}, []*runrecord.ToolInfo{write("send_email")})
	require.NoError(t, err)
	require.Equal(t, guard.Refuse, s.final("I've sent the e-mail.").Decision)
	child.Finish(runrecord.Call{Tool: child.Tool("send_email"), ArgsHash: 1, Kind: fault.KindOK})
	child.End()
	require.Equal(t, guard.Answer, s.final("I've sent the e-mail.").Decision)
}

func TestPoliciesOfClaims(t *testing.T) {
	const draft = "I've sent the e-mail."
	for policy, want := range map[guard.Policy]guard.Decision{
		guard.PolicyDefault: guard.Refuse, guard.PolicyOff: guard.Answer, guard.PolicyReport: guard.Answer,
		guard.PolicyDisclose: guard.Disclose, guard.PolicyRefuse: guard.Refuse,
	} {
		s := begin(t, guard.New(guard.OnStep(guard.StepClaims, policy)), write("send_email"))
		v := s.final(draft)
		require.Equal(t, want, v.Decision)
		require.Equal(t, policy != guard.PolicyOff, len(ofKind(v, guard.KindClaim)) == 1)
	}
	s := begin(t, guard.New(guard.OnStep(guard.StepClaims, guard.PolicyDisclose)), write("send_email"))
	require.Equal(t, draft+"\n\nNote: nothing in the record of this request confirms that anything was sent.", s.final(draft).Text)

	var got guard.Notice
	s = begin(t, guard.New(guard.Texts(func(n guard.Notice) string { got = n; return "mine" })), write("send_email"))
	require.Equal(t, "mine", s.final("I've sent the e-mail and booked the flight.").Text)
	require.Equal(t, []string{"sent", "booked"}, got.Undone)

	s = begin(t, guard.New(guard.Report()), write("send_email"))
	v := s.final(draft)
	require.Equal(t, guard.Refuse, v.Would)
	require.Equal(t, draft, v.Text)
}

// "+" claims, "-" does not; "?" and "!" are those that are read wrongly: a claim
// that is not seen, and a refusal that should not be. Each file was written
// before its results were looked at. At first 3 of 29, 4 of 30 and 3 of 34 claims
// were not seen, and 11 of 83, 7 of 81 and 10 of 84 others refused.
func TestClaimsOfTheCorpus(t *testing.T) {
	files, err := filepath.Glob("testdata/claims/*.txt")
	require.NoError(t, err)
	require.NotEmpty(t, files)
	for _, path := range files {
		t.Run(filepath.Base(path), func(t *testing.T) {
			f, err := os.Open(path)
			require.NoError(t, err)
			defer f.Close()
			s := clerk(t, guard.New())
			n := map[byte]int{}
			for lines := bufio.NewScanner(f); lines.Scan(); {
				line := lines.Text()
				if line == "" {
					continue
				}
				n[line[0]]++
				claimed := len(ofKind(s.final(line[2:]), guard.KindClaim)) > 0
				assert.Equal(t, line[0] == '+' || line[0] == '!', claimed, line)
			}
			t.Logf("%d claims and %d of them not seen, %d others and %d of them refused", n['+']+n['?'], n['?'], n['-']+n['!'], n['!'])
		})
	}
}

func FuzzClaimsStayWithinTheDraft(f *testing.F) {
	for _, drafts := range claimDrafts {
		for _, d := range drafts {
			f.Add(d)
		}
	}
	f.Add("a\u0301 I've sent <think>it</think> the e-mail. Tôi đã gửi\xff thư.")
	f.Fuzz(func(t *testing.T, draft string) {
		g := guard.New(guard.Report())
		rec, err := runrecord.NewRecorder(runrecord.Config{})
		require.NoError(t, err)
		ctx, run, err := rec.Start(context.Background(), runrecord.Task{Name: "q", Judge: g}, []*runrecord.ToolInfo{write("send_email"), read("get")})
		require.NoError(t, err)
		defer run.End()
		v := g.Final(ctx, draft)
		require.Equal(t, draft, v.Text, "report mode changes nothing")
		for _, f := range v.Findings {
			require.True(t, 0 <= f.Start && f.Start <= f.End && f.End <= len(draft), "%+v", f)
			require.NotContains(t, f.String(), "\n")
		}
		again := g.Final(ctx, draft)
		require.Equal(t, len(v.Findings), len(again.Findings))
		require.False(t, strings.Contains(v.Text, "Note: nothing in the record") && !strings.Contains(draft, "Note: nothing in the record"))
	})
}
