package guard

// class says what a word may stand for in a clause. A word of no class is
// foreign: it is about something of which the guard knows nothing, most often
// the subject matter of the answer.
type class uint16

const (
	light    class = 1 << iota // grammar, politeness, time: says nothing about what the clause is about
	prepared                   // a preposition: what follows only qualifies
	author                     // who writes the draft, or its tools as a whole
	person                     // somebody else
	lookup                     // a look-up, a tool, a service
	datum                      // what a look-up returns
	work                       // the task as a whole
	reporter                   // a verb that hands on what something says
	mishap                     // a word for what went wrong

	isBygone   // see [bygone]
	isOvercome // see [overcome]
	isUntrue   // see [untrue]
)

// vocabulary is data: the words the guard knows, in English and Vietnamese. A
// "*" stands for any ending.
var vocabulary = []struct {
	class class
	words string // phrases, divided by commas
}{
	{light, `a, an, the, this, that, these, those, it, its, they, them, some, any, all, both, each, every, either, neither, none, no, not, nothing,
		something, anything, everything, one, ones, other, others, another, several, many, most, few, rest, remaining, only, just, even,
		also, too, still, yet, so, then, thus, therefore, hence, now, currently, presently, right now, at present, at the moment, moment, moments, today, tonight, time,
		times, momentarily, temporarily, temporary, already, again, anymore, any more, longer, ever, never, always, later, soon, shortly, recently, once, twice, minutes, hours, attempts,
		unfortunately, regrettably, sadly, sorry, afraid, apologies, apologize, apologise, please, note, notice, heads, up, aware, know, warning, caution, important, attention,
		however, but, and, or, nor, as, if, because, since, which, who, where, there, here, what, although, though, whereas, despite, except, unless, due, owing, nhưng, tuy, dù, nếu, whether, how, than, such, like, very, quite, rather, really, actually, simply,
		fully, completely, successfully, directly, properly, correctly, reliably, immediately, apparently, obviously, clearly, specifically, personally, live, entirely, altogether, partly, partially,
		is, are, was, were, be, been, being, am, do, does, did, done, has, have, had, having, can, could, will, would, shall, should, may, might, must,
		seem*, appear*, remain*, keep, kept, keeps, turned, turns, came, come, comes, got, get, gets, getting, going, go, went, end, ended, ends, start*, try, tried, trying, tries, manage*, able, unable,
		want*, asked, ask, need*, needed, requested, relevant, necessary, required, specific, certain, full, complete, entire, whole, latest, current, exact, actual, following, above, below, own, new,
		side, our, my, we, me, us, i, you, your, yours, ve, re, ll, m, s, d, w, ok, okay, yes, well, first, second, third, last, two, three, four, five, back, out, off, down, over,
		more, less, much, bit, roughly, about, around, approximately, nearly, almost, let, made, make, ok, etc, n/a, quotation, using, used, per, part, parts, given, kind, sort, behind, long, enough, in front of, see, seen, view, open, find, say, provide, share, determine, called, named, live, again,
		là, đầu, và, hoặc, hay, thì, mà, nên, do, vì, bởi, tại, ở, đã, đang, sẽ, vẫn, còn, cũng, chỉ, mới, được, bị, có, không, chưa, chẳng, phải, thể, để, rồi, nữa, lại,
		này, đó, kia, ấy, đây, những, các, mọi, mỗi, một số, một vài, một, hai, ba, bốn, vài, cả, tất cả, toàn bộ, lúc này, hiện, hiện tại, hiện nay, bây giờ, nay, ngay, lúc, tạm thời, tạm, vừa, nào, gì,
		rất tiếc, tiếc, xin lỗi, lưu ý, chú ý, xin, vui lòng, rất, quá, bằng, như, cùng, lần, cách, trực tiếp, thành công, đầy đủ, đủ, trả lời, cần, thiết, yêu cầu, cụ thể, liên quan, mong, thông cảm, nhé, ạ, dạ, việc,
		tôi, mình, em, chúng tôi, chúng em, chúng ta, bạn, anh, chị, quý, về phía, phía, phần, mục, ra, vào, đi, đều, thử, vào, bản, cuộc, sự, cái, chiếc, đến, tới, lên, cho, của, với, về, từ, trong, trên, theo, qua, bên, sau, trước, khi, kể, hết, cuối cùng, nên`},
	{prepared, `of, for, from, about, on, in, with, to, at, by, into, through, via, within, regarding, concerning, against, under, during, while, when, after, before, behind, between, among,
		của, cho, về, từ, với, trong, trên, ở, tại, khi, theo, qua, vào`},
	{author, `i, we, me, us, my, our, tôi, mình, em, chúng tôi, chúng em, chúng ta, assistant`},
	{person, `you, your, he, she, his, him, her, they, who, customer*, client*, user*, member*, people, person, nobody, anyone, someone, everyone, team*, staff, supplier*, vendor*, buyer*, driver*, guest*, patient*, student*,
		employee*, manager*, bank, shop*, store*, bạn, anh, chị, quý, khách, họ, ông, bà, người`},
	{lookup, `lookup*, execution*, look up, looking up, search*, query*, queries, querying, quer*, retriev*, load*, request*, call, calls, calling, tool*, api, apis, service*, system*, server*,
		database*, connect*, fetch*, step*, operation*, action*, attempt*, check, checks, checking, download*, access, accessing, accessed, integration*, plugin*, backend*, endpoint*, function*, read, reading, pull*, lookups, login to, logging in, log in, sign in,
		pull up, getting, obtain*, interface, provider*, upstream, gateway, source*, authenticat*, authoriz*, authoris*, permission*, approval, visibility, sync*, feed, feeds, response*, respond*, connector*, mcp, http, https,
		tra cứu, tra, truy vấn, truy xuất, truy cập, công cụ, hệ thống, dịch vụ, yêu cầu, kết nối, lệnh gọi, lượt gọi, cổng, đăng nhập, xác thực, lượt, quyền, lệnh, gọi, phản hồi, thông tin xác thực, phiên,
		lấy, tải, đọc, xem, nhận, kiểm tra, bước, thao tác, máy chủ, cơ sở dữ liệu, nguồn, tìm kiếm`},
	{datum, `data, information, info, detail*, record*, result*, figure*, status, statistics, stats, number*, value*, content*, page*, site, website*, file*, document*, list*, entry, entries, item*, row, rows,
		answer*, section*, history, report*, lookup result*, output, fields, field, copy, version, snapshot, amount*, total*, balance*, summary, overview, batch, numbers, set, view, sample,
		dữ liệu, thông tin, kết quả, số liệu, trang, tệp, tập tin, chi tiết, câu trả lời, danh sách, dòng, mục, bản ghi, số tiền, báo cáo, nội dung`},
	{work, `work, run, task*, job*, process, session, analysis, review, check, search, answer, response, request, report, list, list above, investigation, conversation, it, this, everything, step*, turn*, call*, token*, budget, iteration*, tool*, limit, usage, time, allowed, maximum,
		công việc, việc, phiên, tác vụ, câu trả lời, báo cáo, tôi, mình, em, quá trình, lượt, bước`},
	{reporter, `say, says, said, shows, showed, mention*, states, stated, claim*, complain*, describe*, reported, tells, told, lists, contains, notes, noted, reads, explains, warns`},
	{mishap, `fail*, error*, issue*, problem*, trouble*, timeout*, outage*, exception*, unavailable, denied, refused, rejected, lỗi, sự cố, thất bại, trục trặc, vấn đề`},
}

// names of sets that patterns refer to by {name}.
var sets = map[string][]string{
	"cannot": {
		"can not", "could not", "unable to", "not able to", "not been able to", "never able to", "fail* to", "not manage to", "not managed to", "never managed to", "not succeed in",
		"not possible to", "impossible to", "unsuccessful in", "prevented me from", "prevented us from", "inability to", "blocked from", "barred from", "not allowed to", "not permitted to", "not authorized to", "not authorised to",
		"no way to", "no luck", "not have luck", "trouble", "struggl*", "can no longer", "no longer able to",
	},
	"khôngthể": {"không thể", "chưa thể", "không có cách nào", "không sao", "không có quyền", "bị chặn quyền", "không được phép"},
	// fetch: words for getting data that mean little else.
	"fetch": {
		"retriev*", "access*", "fetch*", "load*", "obtain*", "query*", "look up", "looking up", "lookup", "download*", "pull", "pulled", "pulling", "pull up", "pulled up", "scrap*", "reach*", "connect*", "extract*", "look into", "get to", "get at", "get hold of", "log into", "log in to", "gather*", "collect*", "read", "reading",
	},
	"fetched": {"retrieved", "accessed", "fetched", "loaded", "obtained", "queried", "looked up", "downloaded", "pulled", "pulled up", "reached", "extracted", "gathered", "collected", "returned", "received"},
	// handle: words that mean many other things, too.
	"handle": {
		"get", "getting", "check*", "complet*", "finish*", "open*", "search*", "contact*", "determin*", "view*", "pars*", "process*", "run", "execut*", "generat*", "call*", "invok*", "use*",
		"perform*", "carr* out", "analyz*", "analys*", "examin*", "see", "seeing", "work with", "provid*", "show*", "give", "giv*", "tell", "say", "report*", "answer*", "shar*", "includ*", "list*", "display*", "verif*", "calculat*", "comput*", "quot*", "summari*", "look at", "start*",
	},
	"lấy": {"lấy", "truy cập", "truy xuất", "truy vấn", "tra cứu", "tra", "kết nối", "kết nối với", "đọc", "tải", "kiểm tra", "thu thập", "xem", "tiếp cận", "vào", "mở", "tìm kiếm", "gọi", "lấy ra", "tra ra"},
	"làm": {"hoàn thành", "hoàn tất", "thực hiện", "chạy", "xử lý", "sử dụng", "cung cấp", "hiển thị", "trả lời", "đưa ra", "báo", "nói", "biết", "liệt kê", "tính"},
	// act: words for changing something, see [verbGroups].
	"act":     {"send*", "sent", "creat*", "updat*", "delet*", "book*", "pay", "paid", "writ*", "sav*", "submit*", "post*", "schedul*", "cancel*", "upload*", "publish*", "archiv*", "remov*", "mov*", "transfer*", "refund*", "charg*", "order*", "deliver*", "notif*", "email*", "mail*", "export*", "add*", "chang*", "reserv*", "go out", "gone out", "went out", "get through", "complet*", "make", "made", "plac*", "open*", "clos*", "run", "execut*", "process*", "deploy*", "restart*", "reset*", "register*", "regist*"},
	"làmviệc": {"gửi", "tạo", "cập nhật", "xóa", "xoá", "đặt", "thanh toán", "lưu", "ghi", "hủy", "huỷ", "chuyển", "xuất", "hoàn tiền", "đăng", "thêm", "sửa", "gửi đi", "lưu trữ", "thực hiện"},
	"confirm": {"confirm*", "verif*", "tell", "establish*", "say for sure", "be sure", "know", "say"},
	"find":    {"find", "found", "locate*"},
	"data":    {"data", "information", "info", "detail*", "record*", "result*", "figure*", "numbers", "content*", "visibility", "insight"},
	"sốliệu":  {"dữ liệu", "thông tin", "kết quả", "số liệu", "chi tiết"},
	"error":   {"error*", "issue*", "problem*", "timeout*", "exception*", "failure*", "trouble", "difficult*", "outage*", "401", "403", "404", "408", "409", "429", "500", "502", "503", "504", "snag*", "unauthorized", "forbidden"},
	"lỗi":     {"lỗi", "sự cố", "trục trặc", "vấn đề", "khó khăn", "401", "403", "404", "429", "500", "502", "503", "504"},
	"hit":     {"hit", "hitting", "got", "get", "getting", "receiv*", "ran into", "run into", "running into", "encounter*", "met", "fac*", "experienc*", "ended in", "ended with", "result* in", "return*", "gave", "give*", "giving", "threw", "throw*", "report*", "respond* with", "came back with", "come back with", "answered with", "fail* with", "have", "having", "had", "is having", "hav*", "raised", "produc*", "due to", "because of", "owing to", "seeing", "saw"},
	"bị":      {"gặp", "gặp phải", "bị", "báo", "báo về", "trả về", "trả lại", "phát sinh", "có", "nhận"},
	"time":    {"minute*", "hour*", "day", "days", "week", "weeks", "month", "months", "year", "years"},
	"giờ":     {"phút", "giờ", "ngày", "tuần", "tháng", "năm"},
	"shown":   {"shown", "show*", "display*", "list*", "includ*", "look* at", "check*", "see", "saw", "seen", "return*", "retriev*", "got", "get", "given", "fetched", "load*", "read", "cover*", "process*", "review*", "receiv*", "pulled"},
	"whole":   {"complete", "exhaustive", "full", "everything", "comprehensive", "whole", "entire", "all"},
}

// verbGroups are groups of words for one and the same change, to tell the failure
// of a tool's own deed from what cannot be done with its result: "the email
// could not be sent" from "the email cannot be cancelled".
var verbGroups = [][]string{
	{"send", "sent", "deliver", "mail", "email", "notif", "messag", "post", "forward", "gửi", "go", "gone", "went", "out", "sms", "reply"},
	{"creat", "mak", "made", "open", "fil", "add", "tạo", "thêm", "new", "insert", "register"},
	{"updat", "chang", "edit", "modif", "set", "sửa", "cập", "patch", "reset"},
	{"delet", "remov", "eras", "drop", "xóa", "xoá"},
	{"pay", "paid", "transfer", "charg", "settl", "thanh", "chuyển"},
	{"book", "reserv", "schedul", "đặt", "plac"},
	{"writ", "sav", "stor", "lưu", "ghi", "record"},
	{"order", "buy", "purchas", "plac", "đặt"},
	{"cancel", "hủy", "huỷ"}, {"upload"}, {"publish", "post", "đăng"}, {"archiv", "lưu"}, {"mov", "chuyển"}, {"refund", "hoàn"}, {"export", "xuất"}, {"import", "nhập"},
	{"submit", "send", "sent", "fil"}, {"clos", "resolv", "đóng"}, {"deploy", "releas"}, {"restart", "reboot"}, {"run", "execut", "start"},
}
