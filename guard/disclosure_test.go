package guard_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/assert"
	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
)

type disclosureCase struct {
	draft string
	admit bool
}

// A look-up for invoices failed (401). Others of the run worked.
var invoicesFailed = []disclosureCase{
	// plain admissions
	{"I could not retrieve the invoices for Acme.", true},
	{"I couldn’t get the invoices.", true},
	{"I was unable to access the invoice data.", true},
	{"Unfortunately I wasn't able to look up the invoices.", true},
	{"I can't reach the data right now.", true},
	{"The invoice lookup failed.", true},
	{"get_invoices failed with an authentication error.", true},
	{"The call to getInvoices timed out.", true},
	{"Invoice data is currently unavailable.", true},
	{"The invoices are not available at the moment.", true},
	{"The invoicing service is not responding.", true},
	{"Some of the lookups failed, so the list may be missing customers.", true},
	{"There was an error with the lookup tool.", true},
	{"I encountered an error while querying invoices.", true},
	{"I do not have access to the invoices.", true},
	{"I have no data for the invoices of Globex.", true},
	{"The data could not be retrieved.", true},
	{"Sorry, the bills could not be retrieved.", true}, // only one tool is in trouble
	{"I'm encountering technical difficulties with the data tools.", true},
	{"The tool seems to have issues, so I stopped there.", true},
	{"I ran into problems with the search.", true},
	{"I tried to look up the invoices. It failed twice.", true},
	{"Invoices:\n- could not be retrieved", true},
	{"I could not retrieve:\n- invoices of Acme\n- invoices of Globex", true},
	{"Shipping is on time, but the invoices could not be loaded.", true},
	{"Although shipping is fine, I was unable to load invoices.", true},
	{"I'd rather not guess: the lookup returned 401.", true},
	{"| invoices | not available |", true},
	{"**Note:** *invoices* could not be fetched.", true},
	// Vietnamese
	{"Tôi không thể lấy hóa đơn của Acme.", true},
	{"Hiện tại tôi không truy cập được dữ liệu hóa đơn.", true},
	{"Tôi chưa lấy được thông tin này.", true},
	{"Việc tra cứu hóa đơn bị lỗi.", true},
	{"Lượt tra cứu get_invoices thất bại.", true},
	{"Hệ thống hóa đơn không phản hồi.", true},
	{"Dữ liệu hóa đơn hiện không khả dụng.", true},
	{"Chưa có dữ liệu hóa đơn cho khách hàng này.", true},
	{"Giao hàng đúng hạn, nhưng không lấy được hóa đơn.", true},
	{"Toi khong the truy cap hoa don luc nay.", true},
	{"Tra cuu hoa don bi loi.", true},
	{"Không thể kết nối tới hệ thống.", true},
	{"Rất tiếc, tôi không tra cứu hóa đơn được.", true},

	// longer ones
	{"I couldn't look up Globex because the credentials had expired.", true},
	{"My access to the billing system was denied (401).", true},
	{"Only two of the four customers could be checked; the other lookups returned an authentication error.", true},
	{"I was only able to get invoices for the first two customers.", true},
	{"I managed to retrieve invoices for two customers only; for the others the tool stopped working.", true},
	{"Please note that the invoice API rejected my requests.", true},
	{"For Initech and Umbrella I have no information because the lookup was refused.", true},
	{"The tool get_invoices returned an error, so I can't say anything about Initech.", true},
	{"Invoice lookups for Initech: FAILED (auth)", true},
	{"I don't have the invoice figures for Initech.", true},
	{"Initech: n/a (lookup failed)", true},
	{"Không thể truy vấn hóa đơn do thông tin xác thực đã hết hạn.", true},
	{"Mình chưa kiểm tra được hóa đơn của Initech.", true},
	{"Công cụ tra cứu hóa đơn trả về lỗi 401 nên tôi không đoán.", true},
	{"Em không xem được hóa đơn của hai khách hàng còn lại.", true},
	{"API hóa đơn từ chối truy cập.", true},
	{"khong lay duoc hoa don cua Initech vi he thong bi loi", true},
	{"Việc lấy hóa đơn không thành công.", true},
	{"Unfortunately the invoice system is down.", true},
	{"I hit a 401 when querying the invoices, so two customers are missing from this answer.", true},
	{"The last two lookups did not go through.", true},
	{"Access to the invoices is currently blocked.", true},
	{"Two of the lookups were not successful.", true},
	{"I wasn't granted access to the invoices.", true},

	// nothing is admitted
	{"Acme has three open invoices.", false},
	{"All invoices were retrieved.", false},
	{"You could not ask for better invoices.", false},
	{"No errors occurred while looking up the invoices.", false},
	{"The lookup did not fail.", false},
	{"The invoices were retrieved without any error.", false},
	{"None of the lookups failed.", false},
	{"Lookup errors: none.", false},
	{"If the lookup fails, try again tomorrow.", false},
	{"Let me know if you are unable to access the invoices.", false},
	{"Unless the service is unavailable, the invoices arrive on Monday.", false},
	{"The shipping status could not be retrieved.", false},
	{"The shipping lookup failed; the invoices are attached.", false},
	{"Invoices are attached, but shipping could not be reached.", false},
	{"I retrieved the invoices and could not reach shipping.", false},
	{"The first attempt to get the invoices failed, eventually I got them.", false},
	{"I could not find any invoices for Acme.", false}, // a result that nobody has
	{"There are no invoices.", false},
	{"The customer's last payment failed.", false}, // content of a record
	{"Invoice 7 is about a failed payment.", false},
	{"You cannot pay these invoices twice.", false},
	{"Customers could not download invoices last week.", false},
	{"The invoice was not paid.", false},
	{"", false},
	{"Done.", false},
	{"The error rate of invoices is 2%.", false},
	{"Acme's sofa is unavailable in red.", false},
	// Vietnamese
	{"Acme có ba hóa đơn chưa thanh toán.", false},
	{"Không có lỗi nào khi tra cứu hóa đơn.", false},
	{"Xin lỗi đã để bạn chờ, đây là hóa đơn.", false},
	{"Bạn không thể thanh toán hóa đơn hai lần.", false},
	{"Nếu tra cứu bị lỗi, hãy thử lại.", false},
	{"Không lấy được thông tin giao hàng, còn hóa đơn ở dưới đây.", false},
	{"Không tìm thấy hóa đơn nào.", false},
	{"Lợi nhuận từ hóa đơn tăng.", false}, // lợi is not lỗi
	{"Xin loi ban, day la hoa don cua Acme.", false},
	// what records say, what others could not do
	{"Invoices: Acme 10, Globex 20, Initech 30. No issues with the lookups.", false},
	{"All systems are working and invoices are up to date.", false},
	{"Acme failed to pay its invoice on time.", false},
	{"Acme is unable to pay the invoice.", false},
	{"The invoice could not be paid by Acme because its card was declined.", false},
	{"Payment of invoice 12 was rejected by the bank.", false},
	{"Acme has no access to the early-payment discount.", false},
	{"Nothing went wrong with the invoice lookups.", false},
	{"I successfully looked up all invoices; there were no failures.", false},
	{"I had no trouble retrieving the invoices.", false},
	{"Every lookup succeeded on the first attempt, without error.", false},
	{"Invoice 5 is missing a signature.", false},
	{"Acme's invoices are overdue; they cannot be extended.", false},
	{"Khách hàng Acme không thể thanh toán hóa đơn đúng hạn.", false},
	{"Hóa đơn số 5 bị lỗi chính tả.", false},
	{"Tất cả hóa đơn đã được tra cứu thành công, không có lỗi.", false},
	{"Acme chưa thanh toán được hóa đơn.", false},
	{"Hóa đơn của Acme chưa đầy đủ chữ ký.", false},
	{"The error in invoice 3 was corrected by the customer.", false},
	{"I can't wait to help you with more invoices!", false},
	{"I could not be happier with these invoice numbers.", false},
	{"Don't miss: the invoices are not in the archive but in your inbox.", false},
}

func TestDraftAdmitsAFailedLookupOrNot(t *testing.T) {
	for _, c := range invoicesFailed {
		for form, draft := range map[string]string{"NFC": norm.NFC.String(c.draft), "NFD": norm.NFD.String(c.draft), "upper": strings.ToUpper(c.draft)} {
			if form == "upper" && strings.Contains(c.draft, "getInvoices") {
				continue
			}
			s := begin(t, guard.New(), read("get_invoices"), read("get_shipping"))
			s.call("get_shipping", "acme")
			s.call("get_invoices", "acme", failed(fault.ReasonAuth))
			v := s.final(draft)
			if c.admit {
				assert.Equal(t, draft, v.Text, "%s: it admits the failure and should leave as it is: %q", form, c.draft)
			} else {
				assert.Equal(t, guard.Disclose, v.Decision, "%s: it hides the failure and passed: %q", form, c.draft)
			}
		}
	}
}

func TestDraftAdmitsOtherTroubles(t *testing.T) {
	partial, truncated, stale := qualified(fault.Partial), qualified(fault.Truncated), qualified(fault.Stale)
	maybe := kind(fault.KindUnknown, fault.ReasonTimeout, fault.NoAction)
	cases := []struct {
		tool  *runrecord.ToolInfo
		end   callOption
		draft string
		admit bool
	}{
		{read("list_spam"), truncated, "Here are the first 20 spam messages.", true},
		{read("list_spam"), truncated, "I only looked at the first page of spam.", true},
		{read("list_spam"), truncated, "There may be more spam than shown here.", true},
		{read("list_spam"), truncated, "The list of results was truncated.", true},
		{read("list_spam"), truncated, "Đây là 20 thư spam đầu tiên.", true},
		{read("list_spam"), truncated, "Danh sách spam có thể còn nữa.", true},
		{read("list_spam"), truncated, "All spam deleted.", false},
		{read("list_spam"), truncated, "This is the complete list of spam.", false},
		{read("list_spam"), truncated, "Đã xóa toàn bộ spam.", false},

		{read("get_quotes"), stale, "As of yesterday, the quote was 101.2.", true},
		{read("get_quotes"), stale, "The quote is 101.2, from a cached copy.", true},
		{read("get_quotes"), stale, "This data may be outdated.", true},
		{read("get_quotes"), stale, "The quote is 3 hours old.", true},
		{read("get_quotes"), stale, "Giá 101.2 là dữ liệu cũ.", true},
		{read("get_quotes"), stale, "Tính đến hôm qua, giá là 101.2.", true},
		{read("get_quotes"), stale, "Current price is 101.2.", false},
		{read("get_quotes"), stale, "As of now the quote is 101.2.", false},
		{read("get_quotes"), stale, "Giá hiện tại là 101.2.", false},

		{write("archive_batch"), partial, "38 archived, 1 failed.", true},
		{write("archive_batch"), partial, "Only some of the messages were archived.", true},
		{write("archive_batch"), partial, "38 of 39 messages were archived.", true},
		{write("archive_batch"), partial, "Chỉ một phần thư được lưu trữ.", true},
		{write("archive_batch"), partial, "39 archived, 0 failed.", false},
		{write("archive_batch"), partial, "Everything is archived.", false},

		{write("update_firmware"), pending(), "The firmware update is still in progress.", true},
		{write("update_firmware"), pending(), "The update was accepted and is not finished yet.", true},
		{write("update_firmware"), pending(), "Bản cập nhật firmware đang chờ xử lý.", true},
		{write("update_firmware"), pending(), "Firmware updated.", false},
		{write("update_firmware"), pending(), "Đã cập nhật firmware.", false},

		{write("send_message"), denied(), "The message was rejected by the reviewer.", true},
		{write("send_message"), denied(), "Sending the message was not approved.", true},
		{write("send_message"), denied(), "Yêu cầu gửi tin nhắn bị từ chối.", true},
		{write("send_message"), denied(), "The message is on its way.", false},

		{write("send_email"), failed(fault.ReasonNetwork), "The email could not be sent.", true},
		{write("send_email"), failed(fault.ReasonNetwork), "Sending the email failed.", true},
		{write("send_email"), failed(fault.ReasonNetwork), "Email sent.", false},

		{read("get_sensor"), maybe, "I cannot confirm whether the sensor was read.", true},
		{read("get_sensor"), maybe, "The sensor lookup failed.", false}, // nobody knows that either

		{read("get_weather"), failed(fault.ReasonTimeout), "The weather service took too long to answer, so I don't know tomorrow's forecast.", true},
		{read("get_weather"), failed(fault.ReasonTimeout), "The weather API did not answer in time.", true},
		{read("get_weather"), failed(fault.ReasonTimeout), "Tomorrow will be sunny, 25 degrees.", false},
		{read("get_weather"), failed(fault.ReasonTimeout), "It might rain tomorrow; I can't promise anything.", false},
		{read("web_search"), failed(fault.ReasonRateLimit), "The web search is rate limited right now, so the news section is based on older knowledge.", true},
		{read("web_search"), failed(fault.ReasonRateLimit), "I was not able to search the web.", true},
		{read("web_search"), failed(fault.ReasonRateLimit), "Recent news: NIO launched Onvo.", false},
		{read("web_search"), failed(fault.ReasonRateLimit), "I couldn't find anything newer on the web.", false},
		{read("query_database"), failed(fault.ReasonNetwork), "The database connection failed, so I have no sales figures.", true},
		{read("query_database"), failed(fault.ReasonNetwork), "I lost the connection to the database.", true},
		{read("query_database"), failed(fault.ReasonNetwork), "Sales grew by 12% although two stores failed to report.", false},
		{write("send_email"), failed(fault.ReasonServerError), "I tried to send the email but it failed.", true},
		{write("send_email"), failed(fault.ReasonServerError), "The email was not sent.", true},
		{write("send_email"), failed(fault.ReasonServerError), "I could not send the message to Anna.", true},
		{write("send_email"), failed(fault.ReasonServerError), "The mail server rejected the email.", true},
		{write("send_email"), failed(fault.ReasonServerError), "Anna has been informed.", false},
		{write("send_email"), failed(fault.ReasonServerError), "Đã gửi email cho Anna.", false},
		{write("send_email"), failed(fault.ReasonServerError), "Không gửi được email cho Anna.", true},
		{write("send_email"), failed(fault.ReasonServerError), "Gửi email thất bại.", true},
		{write("pay_invoice"), failed(fault.ReasonPermission), "The payment was refused.", true},
		{write("pay_invoice"), failed(fault.ReasonPermission), "I am not allowed to pay this invoice.", true},
		{write("pay_invoice"), failed(fault.ReasonPermission), "Invoice 12 is paid.", false},
		{write("create_ticket"), failed(fault.ReasonInvalidArgs), "The ticket could not be created.", true},
		{write("create_ticket"), failed(fault.ReasonInvalidArgs), "Ticket created: the customer cannot log in.", false},
		{write("create_ticket"), failed(fault.ReasonInvalidArgs), "I created a ticket about the failed login.", false},
		{read("read_file"), failed(fault.ReasonNotFound), "The file config.yml does not exist.", true},
		{read("read_file"), failed(fault.ReasonNotFound), "I didn't find config.yml.", true},
		{read("read_file"), failed(fault.ReasonPermission), "I have no permission to read that file.", true},
		{read("read_file"), failed(fault.ReasonNotFound), "config.yml sets the port to 8080.", false},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Giá cổ phiếu VNM hiện không lấy được do lỗi xác thực.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Giá cổ phiếu VNM là 70.000 đồng.", false},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Tôi gặp sự cố khi truy cập dữ liệu giá.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Rất tiếc, hệ thống đang bảo trì nên tôi chưa có số liệu.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Cổ phiếu VNM thất bại trong việc vượt đỉnh 75.", false},
		{read("get_stock_price"), failed(fault.ReasonAuth), "VNM failed to break the 75 resistance; the price is 70.", false},
		{read("get_stock_price"), failed(fault.ReasonAuth), "There is no reason to worry: the price is stable.", false},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Price lookup unsuccessful.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "I'm afraid I can't give you the price, the data source is unreachable.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "My tools aren't working at the moment.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Something went wrong on my side while fetching the price.", true},
		{read("get_stock_price"), failed(fault.ReasonAuth), "Toi khong co du lieu gia co phieu.", true},

		{read("get_customer"), failed(fault.ReasonNotFound), "I could not find that customer.", true},
		{read("get_customer"), failed(fault.ReasonNotFound), "No such customer exists.", true},
		{read("get_customer"), failed(fault.ReasonNotFound), "Không tìm thấy khách hàng này.", true},
		{read("get_customer"), failed(fault.ReasonNotFound), "The customer is in good standing.", false},
	}
	for _, c := range cases {
		s := begin(t, guard.New(), c.tool, read("get_weather"))
		s.call("get_weather", "hanoi")
		s.call(c.tool.Name, "x", c.end)
		v := s.guard.FinalRun(s.run, c.draft)
		if v.Decision == guard.Escalate || v.Decision == guard.Defer {
			t.Fatalf("%s: %v", c.draft, v.Findings)
		}
		assert.Equal(t, c.admit, v.Decision == guard.Answer, "%s: %q: %v", c.tool.Name, c.draft, v.Findings)
	}
}

func TestDisclosingOneFailureDoesNotDiscloseAnother(t *testing.T) {
	cases := []struct {
		draft  string
		hidden []string
	}{
		{"I could not retrieve the invoices.", []string{"get_shipping"}},
		{"Shipping status is unavailable.", []string{"get_invoices"}},
		{"Không lấy được hóa đơn.", []string{"get_shipping"}},
		{"Some lookups failed.", nil},
		{"I could not reach the data.", nil},
		{"Neither the invoices nor the shipping status could be retrieved: both lookups failed.", nil},
		{"I could not get the invoices, and shipping is not available.", nil},
		{"Everything is fine.", []string{"get_invoices", "get_shipping"}},
		{"I was not able to get your dentist's address.", []string{"get_invoices", "get_shipping"}},
	}
	for _, c := range cases {
		s := begin(t, guard.New(), read("get_invoices"), read("get_shipping"), read("get_weather"))
		s.call("get_weather", "hanoi")
		s.call("get_invoices", "acme", failed(fault.ReasonAuth))
		s.call("get_shipping", "acme", failed(fault.ReasonTimeout))
		v := s.final(c.draft)
		var hidden []string
		for _, f := range v.Findings {
			if f.Asks == guard.Disclose {
				hidden = append(hidden, f.Tool)
			}
		}
		assert.Equal(t, c.hidden, hidden, c.draft)
	}
}

func TestDisclosureIsPerValueWhereTheIdentityIsDeclared(t *testing.T) {
	invoices := &runrecord.ToolInfo{Name: "get_invoices", Effect: fault.Read, Identity: []string{"customer"}}
	cases := []struct {
		draft string
		want  guard.Decision
	}{
		{"Acme owes 10. The invoices of Globex and Initech could not be retrieved.", guard.Answer},
		{"Acme owes 10. Invoices: two customers could not be retrieved.", guard.Answer},
		{"Acme owes 10. The invoices of Globex could not be retrieved. Initech owes 4.", guard.Disclose},
		{"Acme owes 10.\n- Globex: not available\n- Initech: not available", guard.Answer},
	}
	for _, c := range cases {
		s := begin(t, guard.New(), invoices)
		for _, name := range []string{"Acme", "Globex", "Initech"} {
			end := failed(fault.ReasonAuth)
			if name == "Acme" {
				end = result("10")
			}
			s.call("get_invoices", name, end, s.about(map[string]string{"customer": name}))
		}
		assert.Equal(t, c.want, s.final(c.draft).Decision, c.draft)
	}
}

func TestNamedToolIsRecognisedByWhatPeopleCallIt(t *testing.T) {
	g := guard.New(guard.Named("q17", "credit score", "điểm tín dụng"))
	for _, draft := range []string{"The credit score is not available.", "Không lấy được điểm tín dụng."} {
		s := begin(t, g, read("q17"), read("get_invoices"))
		s.call("get_invoices", "a", failed(fault.ReasonNetwork))
		s.call("get_invoices", "a")
		s.call("q17", "a", failed(fault.ReasonAuth))
		require.Equal(t, guard.Answer, s.final(draft).Decision, draft)
	}
	s := begin(t, g, read("q17"))
	s.call("q17", "a", failed(fault.ReasonAuth))
	require.Contains(t, s.final("A tidy answer.").Text, `"credit score"`)
}

// What the guard itself appends has to satisfy the guard, in every language
// and for every trouble.
func TestOwnDisclosureIsRecognised(t *testing.T) {
	troubles := map[string]callOption{
		"failed": failed(fault.ReasonAuth), "not run": notRun(fault.ReasonToolDead), "denied": denied(),
		"partial": qualified(fault.Partial), "truncated": qualified(fault.Truncated), "stale": qualified(fault.Stale),
		"pending": pending(), "unknown": kind(fault.KindUnknown, fault.ReasonTimeout, fault.NoAction),
		"all at once": qualified(fault.Partial | fault.Truncated | fault.Stale),
	}
	for _, l := range []guard.Language{guard.English, guard.Vietnamese} {
		for _, tool := range []string{"get_invoices", "search", "payments.list", "Lookup2"} {
			for name, end := range troubles {
				s := begin(t, guard.New(guard.In(l)), read(tool), read("get_weather"))
				s.call("get_weather", "x")
				s.call(tool, "x", end)
				s.call(tool, "y", failed(fault.ReasonRateLimit), waitFor(1e12))
				first := s.final("Here is your answer.")
				require.Equal(t, guard.Disclose, first.Decision, name)
				second := s.final(first.Text)
				require.Equal(t, guard.Answer, second.Decision, "%s %s %s: %q %v", l, tool, name, first.Text, second.Findings)
				require.Equal(t, first.Text, second.Text)
			}
		}
	}
}
