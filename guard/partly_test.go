package guard_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// What was done must not be denied, and nobody sent to ask for it again.
func TestARefusalAfterAPartialSuccessSaysWhatWasDone(t *testing.T) {
	mail := &runrecord.ToolInfo{Name: "send_email", Effect: fault.Write, Identity: []string{"to"}}
	for _, c := range []struct {
		draft, done, undone, denies string
		repeats                     []string
	}{
		{"I have sent the email to Ben.", `This was done, though: the step "send email".`, "anything else was sent", "anything was sent", []string{"ask again;", "try again"}},
		{"Em đã gửi email cho Ben rồi ạ.", `Tuy vậy, việc này đã được thực hiện: bước "send email".`, "đã gửi thêm gì khác", "", []string{"hỏi lại", "thử lại"}},
	} {
		s := begin(t, guard.New(), mail, read("search"))
		s.call("send_email", "ana", s.about(map[string]string{"to": "Ana"}))
		s.call("send_email", "ben", failed(fault.ReasonServerError), s.about(map[string]string{"to": "Ben"}))
		v := s.final(c.draft)
		require.Equal(t, guard.Refuse, v.Decision, c.draft)
		require.Contains(t, v.Text, c.done)
		require.Contains(t, v.Text, c.undone)
		if c.denies != "" {
			require.NotContains(t, v.Text, c.denies)
		}
		for _, r := range c.repeats {
			require.NotContains(t, v.Text, r)
		}
	}
}

func TestARefusalOfOneOfTwoDeedsDoesNotDenyTheOther(t *testing.T) {
	refund := &runrecord.ToolInfo{Name: "q17", Effect: fault.Write, Claims: []string{"refund"}}
	s := begin(t, guard.New(guard.Named("q17", "refund")), refund, write("send_email"))
	s.call("q17", "NW-1")
	v := s.final("I have refunded NW-1 and emailed you the receipt.")
	require.Equal(t, guard.Refuse, v.Decision)
	require.Contains(t, v.Text, "I cannot confirm that all of it was done")
	require.Contains(t, v.Text, `This was done, though: the step "refund".`)
	require.NotContains(t, v.Text, "ask again;")
}

func TestARefusalWhereNothingWasDoneIsAsPlainAsBefore(t *testing.T) {
	s := begin(t, guard.New(), write("send_email"), read("search"))
	s.call("search", "1")
	v := s.final("I have sent the email to Ben.")
	require.Contains(t, v.Text, "confirms that anything was sent")
	require.NotContains(t, v.Text, "though")
}

// A finding is read by people of one language, whatever the draft is in.
func TestFindingsNameTheDeedInOneLanguage(t *testing.T) {
	for draft, deed := range map[string]string{"Em đã gửi email cho Ben rồi ạ.": "sent", "Em đã hoàn tiền đơn NW-1 rồi ạ.": "refunded"} {
		s := begin(t, guard.New(), write("send_email"), write("refund_order"), read("search"))
		s.call("search", "1")
		v := s.final(draft)
		require.Equal(t, "the draft says that something was "+deed+", and no call that could have done it was made", v.Findings[0].What)
	}
}
