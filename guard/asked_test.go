package guard_test

import (
	"slices"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// A draft that names what only the failed call was asked for tells of that call,
// and what it names is no figure from nowhere.
func TestWhatAFailedCallWasAskedForMayBeNamed(t *testing.T) {
	for draft, want := range map[string]guard.Decision{
		"The invitation to rev1@lab.example went out. The one for rev2@lab.example bounced because the mailbox is full.": guard.Answer,
		"Lời mời gửi tới rev1@lab.example đã xong. Thư gửi rev2@lab.example bị lỗi nên chưa đến.":                        guard.Answer,
		"The invitation to rev1@lab.example went out. The one for rev9@lab.example bounced.":                             guard.Disclose,
		"Both invitations went out.": guard.Refuse,
	} {
		s := begin(t, guard.New(), write("send_invite"))
		s.try(tried{tool: "send_invite", args: `{"to":"rev1@lab.example"}`, result: `{"status":"sent"}`},
			tried{tool: "send_invite", args: `{"to":"rev2@lab.example"}`, fails: true})
		v := s.final(draft)
		require.Equal(t, want, v.Decision, "%s %v", draft, v.Findings)
		if want == guard.Answer {
			require.Empty(t, ofKind(v, guard.KindUnsupported), draft)
			require.Empty(t, ofKind(v, guard.KindContradicted), draft)
		}
	}
}

// What a program was given was made up by the model; what a look-up was asked
// for is what was looked for; what a write was given was done.
func TestWhatArgumentsSupport(t *testing.T) {
	for _, c := range []struct {
		tool, args, draft string
		found             bool
	}{
		{"run_code", `{"code":"print(77123)"}`, "Revenue was $77,123.", true},
		{"get_orders", `{"month":"2026-07"}`, "There is one order in July 2026.", false},
		{"get_orders", `{"url":"https://shop.example/o/1"}`, "It is at https://shop.example/o/1.", false},
		{"get_orders", `{"min_total":77123}`, "Doanh thu là 77.123 đồng.", true},
		{"pay_invoice", `{"amount":77123}`, "I've paid $77,123.", false},
	} {
		s := begin(t, guard.New(), write("run_code"), read("get_orders"), write("pay_invoice"))
		s.try(tried{tool: c.tool, args: c.args, result: `{"status":"paid"}`})
		v := s.final(c.draft)
		require.Equal(t, c.found, len(ofKind(v, guard.KindUnsupported))+len(ofKind(v, guard.KindContradicted)) > 0, "%s %v", c.draft, v.Findings)
	}
}

// More failures than there were are somebody else's.
func TestMoreFailuresThanThereWere(t *testing.T) {
	for draft, want := range map[string]guard.Decision{
		"All three jobs failed for the same reason: an assertion expected 12.": guard.Disclose,
		"I could read two of the job logs; the third job log failed to load.":  guard.Answer,
	} {
		aboutJobs := func(_ *runrecord.Run, _ uint32, words []string) bool {
			return slices.Contains(words, "jobs") || slices.Contains(words, "job")
		}
		s := begin(t, guard.New(guard.Concerns(aboutJobs)), read("list_jobs"), read("job_log"))
		s.try(tried{tool: "list_jobs", args: `{}`, result: `[{"id":91},{"id":92},{"id":93}]`},
			tried{tool: "job_log", args: `{"id":91}`, result: "E expected 12"},
			tried{tool: "job_log", args: `{"id":92}`, result: "E expected 12"},
			tried{tool: "job_log", args: `{"id":93}`, fails: true})
		require.Equal(t, want, s.final(draft).Decision, draft)
	}
}
