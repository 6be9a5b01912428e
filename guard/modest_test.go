package guard_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

// Where nothing succeeded, a draft may leave that does not pretend otherwise.
func TestWhatMayBeSaidWhenNothingSucceeded(t *testing.T) {
	for want, drafts := range map[guard.Decision][]string{
		guard.Answer: {
			"I'm sorry, but I couldn't fetch the orders.",
			"I could not retrieve your orders. Please try again later, or contact support.",
			"I couldn't get the orders. Would you like me to try again?",
			"Unfortunately, the order lookup failed. Let me know if I should try again.",
			"Mình không lấy được danh sách đơn hàng. Bạn vui lòng thử lại sau nhé.",
			"Rất tiếc, tôi không thể truy xuất đơn hàng. Bạn có muốn tôi thử lại không?",
			"Here are the steps to find it manually:\n1. Go to the order page.\n2. Enter your e-mail address.",
			"Bạn tự mở trang đơn hàng giúp mình nhé. Hãy nhập email của bạn.",
		},
		guard.Disclose: { // the reader is told what failed
			"Here are the steps:\n1. Go to the order page.\n2. Enter your e-mail address.\n3. Use the filter to choose the month.",
			"I'm sorry, but I can't share personal data of our drivers. If something went wrong, I can open a complaint for you.",
			"Which order do you mean?",
			"Hello! I can help you with your orders.",
			"Bạn có thể cho mình biết mã đơn hàng không?",
		},
		guard.Refuse: {
			"No problems found.",
			"Set up done.",
			"Open issues: none.",
			"Check complete.",
			"Search of the archive returned nothing.",
			"Repo looks healthy.",
			"The table has 12 rows.",
			"Nothing relevant was found.",
			"There are no rows.",
			"I cannot share this for privacy reasons.",
			"I can confirm that everything is fine.",
			"Filing is pending approval.",
			"I couldn't fetch the orders. The shop is open on Sunday.",
			"I couldn't fetch the orders, but I've sent you an e-mail.",
			"Tất cả đều ổn.",
			"Bảng có 12 dòng.",
			"",
		},
	} {
		for _, draft := range drafts {
			s := begin(t, guard.New(), read("get_orders"))
			s.call("get_orders", "a", failed(fault.ReasonAuth))
			require.Equal(t, want, s.final(draft).Decision, draft)
		}
	}
}

// The text that code writes knows when to come back and why a run was ended.
func TestARefusalThatKnowsMoreStays(t *testing.T) {
	const honest = "I'm sorry, but I couldn't fetch the orders."
	s := begin(t, guard.New(), read("get_orders"))
	s.call("get_orders", "a", failed(fault.ReasonRateLimit), func(c *runrecord.Call) {
		c.Detail = &runrecord.Detail{Wait: time.Hour}
	})
	require.Equal(t, guard.Refuse, s.final(honest).Decision)
	strict := begin(t, guard.New(guard.OnStep(guard.StepEvidence, guard.PolicyRefuse)), read("get_orders"))
	strict.call("get_orders", "a", failed(fault.ReasonAuth))
	require.Equal(t, guard.Refuse, strict.final(honest).Decision, "asked for in so many words")
}
