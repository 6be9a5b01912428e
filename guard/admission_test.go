package guard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

func TestOnlyTheEndOfTheWorkDisclosesThatItWasCutShort(t *testing.T) {
	for draft, admits := range map[string]bool{
		"I had to stop before all orders were checked.":                 true,
		"I ran out of steps.":                                           true,
		"The work was cut short.":                                       true,
		"This answer is incomplete.":                                    true,
		"I could not finish this task.":                                 true,
		"I was not able to complete the analysis.":                      true,
		"The run was stopped early, so this list is not complete.":      true,
		"I gave up after several attempts.":                             true,
		"The step limit was reached before I could check the rest.":     true,
		"Tôi phải dừng lại trước khi kiểm tra hết.":                     true,
		"Công việc chưa hoàn thành.":                                    true,
		"Câu trả lời này chưa đầy đủ.":                                  true,
		"The order was partially shipped; you owe $4,500.":              false,
		"Acme's contract ended before March.":                           false,
		"The credit limit was reached in May.":                          false,
		"Order #18 is incomplete; the customer gave up.":                false,
		"The list of orders: not everything was delivered.":             false,
		"The delivery was stopped before noon.":                         false,
		"The roof is unfinished.":                                       false,
		"The car ran out of fuel, hence the claim.":                     false,
		"Hợp đồng phải dừng vào tháng 3.":                               false,
		"Đơn hàng chưa xong.":                                           false,
		"Tài khoản đạt đến giới hạn chi tiêu.":                          false,
		"Here is the whole report: all 20 orders are paid.":             false,
		"The supplier gave up on the order.":                            false,
		"The marathon was stopped early, and the refund is on its way.": false,
	} {
		s := begin(t, guard.New(), read("get_orders"))
		s.call("get_orders", "a")
		s.run.Abort(fault.ReasonBudget, "calls")
		assert.Equal(t, admits, s.final(draft).Decision == guard.Answer, draft)
	}
}

// What a user interface strips, hides or shows as somebody else's words is not
// said to the user.
func TestHiddenAndQuotedWordsDiscloseNothing(t *testing.T) {
	const said = "I could not retrieve the invoices."
	for name, draft := range map[string]string{
		"thoughts":       "<think>" + said + "</think>You owe $4,500.",
		"open thoughts":  "You owe $4,500.<thinking>" + said,
		"comment":        "You owe $4,500.<!-- " + said + " -->",
		"open comment":   "You owe $4,500.<!-- " + said,
		"image":          "You owe $4,500. ![" + said + "](x.png)",
		"link target":    "You owe $4,500.\n\n[//]: # (" + said + ")",
		"invisible span": "You owe $4,500. <span style='display:none'>" + said + "</span>",
		"hidden div":     "You owe $4,500. <div hidden>" + said + "</div>",
		"struck":         "~~" + said + "~~ You owe $4,500.",
		"struck tag":     "<del>" + said + "</del> You owe $4,500.",
		"fence":          "```\n" + said + "\n```\nYou owe $4,500.",
		"open fence":     "You owe $4,500.\n~~~\n" + said,
		"code":           "`" + said + "` was fixed. You owe $4,500.",
		"blockquote":     "> " + said + "\n\nYou owe $4,500.",
		"quotation":      "You wrote \"" + said + "\" You owe $4,500.",
		"curly":          "You wrote “" + said + "” You owe $4,500.",
		"guillemets":     "You wrote « " + said + " » You owe $4,500.",
		"script":         "You owe $4,500.<script>" + said + "</script>",
	} {
		assert.Equal(t, guard.Disclose, invoicesDown(t).final(draft).Decision, name)
	}
	for name, draft := range map[string]string{
		"bold":             "**I could not** retrieve the *invoices*.",
		"tags":             "<p>I could not <b>retrieve</b> the invoices.</p>",
		"soft hyphen":      "I could not re\u00adtrieve the in\u00advoices.",
		"zero width":       "I c\u200bould not retrieve the invoices.",
		"link":             "I could not retrieve [the invoices](https://example.test/a).",
		"after thoughts":   "<think>fine</think>" + said,
		"less than":        "Orders < 5. " + said,
		"emoji":            "⚠️ Invoices: not available",
		"quoted tool name": "The lookup \"get_invoices\" failed.",
		"code tool name":   "`get_invoices` failed with a 401.",
	} {
		assert.Equal(t, guard.Answer, invoicesDown(t).final(draft).Decision, name)
	}
}

func invoicesDown(t *testing.T) *scenario {
	s := begin(t, guard.New(), read("get_orders"), read("get_invoices"))
	s.call("get_orders", "a")
	s.call("get_invoices", "x", failed(fault.ReasonAuth))
	return s
}

// One admission covers several failures only where it is general or names each.
func TestAnAdmissionCoversNoMoreThanItSays(t *testing.T) {
	invoices := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read, Identity: []string{"customer"}}
	for draft, admits := range map[string]bool{
		"Some lookups failed. Initech owes $300.":                                           true,
		"Two lookups failed. Initech owes $300.":                                            true,
		"I could not retrieve the invoices of Acme and Globex.":                             true,
		"Acme: not available. Globex: not available. Initech: $300.":                        true,
		"One lookup failed. Initech owes $300.":                                             false,
		"One of the three invoice lookups failed (Acme). Globex: $200.":                     false,
		"I could not retrieve the invoices for Acme. Globex owes $200.":                     false,
		"Some lookups failed, but not the one for Globex: $200.":                            false,
		"All but one of the lookups failed.":                                                false,
		"| Customer | Total |\n|---|---|\n| Acme | could not retrieve |\n| Globex | $200 |": false,
		"Could not retrieve:\n- Acme\n\nRetrieved:\n- Globex: $200":                         false,
		"Could not retrieve:\n- Acme\n- Globex\n\nInitech owes $300":                        true,
	} {
		s := begin(t, guard.New(), invoices)
		for _, name := range []string{"Acme", "Globex", "Initech"} {
			end := failed(fault.ReasonAuth)
			if name == "Initech" {
				end = result("300")
			}
			s.call("get_invoices", name, end, s.about(map[string]string{"customer": name}))
		}
		assert.Equal(t, admits, s.final(draft).Decision == guard.Answer, draft)
	}
}

// A name that is an ordinary verb is named only as a tool; names without marks
// are found in drafts that have them.
func TestNamesOfTools(t *testing.T) {
	for _, c := range []struct {
		tool, draft string
		admits      bool
	}{
		{"search", "The lookup \"search\" failed.", true},
		{"search", "The search failed.", true},
		{"search", "I couldn't search for it: the search tool is down.", true},
		{"search", "Rescue teams could not search the valley before dark.", false},
		{"get", "The get tool failed.", true},
		{"get", "The driver could not get there.", false},
		{"tra_hoa_don", "Không lấy được hóa đơn.", true},
		{"tra_hoa_don", "Khong lay duoc hoa don.", true},
		{"tra_hoa_don", "Không có hoa hồng.", false},
		{"getInvoices", "get invoices failed", true},
		{"billing.invoices.list", "The invoices could not be listed.", true},
		{"send_email", "The message could not be sent.", true},
	} {
		tool := read(c.tool)
		if c.tool == "send_email" {
			tool = write(c.tool)
		}
		s := begin(t, guard.New(), read("get_weather"), tool)
		s.call("get_weather", "hanoi")
		s.call(c.tool, "x", failed(fault.ReasonAuth))
		assert.Equal(t, c.admits, s.final(c.draft).Decision == guard.Answer, "%s: %s", c.tool, c.draft)
	}
}

func TestTextsFollowTheLanguageOfTheDraft(t *testing.T) {
	for draft, vietnamese := range map[string]bool{
		"Khách hàng Nguyễn Văn An owes 4.500.000đ; his address is 12 Lê Lợi, Quận 1.": false,
		"Tổng là 4.500.000đ.":                                          true,
		"Ăn tối ở đây rất ổn.":                                         true,
		"Tong so tien cua khach hang la 4.500.000":                     true,
		"Ban con no 4.500.000 dong, han tra la thang 12":               true,
		"Dugujete 4.500; račun je plaćen između đaka":                  false,
		"Datorează 4.500 lei; factura a fost plătită fără întârziere.": false,
		"Vous devez 4.500 €, la facture a été payée.":                  false,
		"Em đã gửi email cho Ben.":                                     true,
		"Em da gui email cho Ben.":                                     true,
		"Da huy don NW-1 cho anh.":                                     true,
		"Ho inviato la fattura a Ben da Milano.":                       false,
		"O total da fatura em aberto é 100.":                           false,
		"I emailed Ms Cho.":                                            false,
		"Total invoice amount 100 USD, due December, paid nothing yet": false,
		"You owe 100 to the company.":                                  false,
		"The total is 100 đ.":                                          false,
	} {
		v := invoicesDown(t).final(draft)
		assert.NotEqual(t, guard.Answer, v.Decision)
		assert.Equal(t, vietnamese, strings.Contains(v.Text, "Lưu ý") || strings.Contains(v.Text, "Tôi không"), draft)
		assert.Equal(t, !vietnamese, strings.Contains(v.Text, "Note:") || strings.Contains(v.Text, "I cannot"), draft)
	}
}

// "Something went wrong" says by itself that a look-up failed, in each language.
func TestAGeneralAdmissionNeedsNoName(t *testing.T) {
	for draft, want := range map[string]guard.Decision{
		"Sorry, something went wrong on our side.":           guard.Answer,
		"Xin lỗi, đã có lỗi xảy ra.":                         guard.Answer,
		"Xin lỗi, đã xảy ra lỗi.":                            guard.Answer,
		"Xin loi, da co loi xay ra.":                         guard.Answer,
		"Rất tiếc, đã có sự cố xảy ra.":                      guard.Answer,
		"Nếu có lỗi xảy ra, hãy gọi cho chúng tôi.":          guard.Disclose,
		"Không có lỗi xảy ra.":                               guard.Disclose,
		"Máy giặt của bạn có lỗi xảy ra khi vắt.":            guard.Disclose,
		"Khách phàn nàn rằng đã xảy ra sự cố với đơn trước.": guard.Disclose,
	} {
		s := begin(t, guard.New(), read("get_order"), read("search"))
		s.call("search", "1")
		s.call("get_order", "1", failed(fault.ReasonServerError))
		require.Equal(t, want, s.final(draft).Decision, draft)
	}
}

// A few words are of any language: whoever asked reads them.
func TestShortDraftsAreInTheLanguageOfTheQuestion(t *testing.T) {
	for _, c := range []struct {
		question, draft string
		vietnamese      bool
	}{
		{"Giúp mình với nhé, hóa đơn đâu?", "OK.", true},
		{"Giup minh voi nhe, hoa don dau?", "100 USD", true},
		{"Giúp mình với nhé, hóa đơn đâu?", "", true},
		{"Where is the invoice?", "OK.", false},
		{"Giúp mình với nhé, hóa đơn đâu?", "The total of the invoice is 100 USD.", false},
		{"Where is the invoice?", "Tổng là 100 USD.", true},
		{"", "OK.", false},
	} {
		s := asked(t, guard.New(), c.question, read("get_invoices"))
		s.call("get_invoices", "1", failed(fault.ReasonAuth))
		v := s.final(c.draft)
		require.NotEqual(t, guard.Answer, v.Decision)
		require.Equal(t, c.vietnamese, strings.Contains(v.Text, "Tôi"), "%s: %s: %s", c.question, c.draft, v.Text)
	}
}
