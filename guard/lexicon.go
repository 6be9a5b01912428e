package guard

import "strings"

// The lexicon is data: what people write in English and Vietnamese when
// something could not be had. Patterns are read by [compile]. A pattern that
// matches is only a cue; whether it discloses a given call is decided by
// [reading.says].

// classes are word lists that patterns refer to by {name}.
var classes = map[string][]string{
	"cannot": {
		"can not", "could not", "unable to", "not able to", "not been able to", "fail* to", "not manage to", "not managed to",
		"not possible to", "impossible to", "unsuccessful in", "prevented me from", "prevented us from", "inability to",
		"không thể", "chưa thể", "không có cách nào",
	},
	// reach: to look something up.
	"reach": {
		"retriev*", "access*", "reach*", "fetch*", "load*", "obtain*", "get", "read", "connect*", "query*", "look up", "look at",
		"lookup", "check*", "complet*", "finish*", "open*", "download*", "pull*", "search*", "contact*", "determin*", "collect*",
		"gather*", "view*", "extract*", "scrap*", "pars*", "process*", "run", "execut*", "generat*", "call*", "invok*", "use*",
		"perform*", "carr*", "analyz*", "analys*", "examin*", "see",
		"lấy", "truy cập", "truy xuất", "truy vấn", "tra cứu", "kết nối", "đọc", "tải", "kiểm tra", "hoàn thành", "hoàn tất",
		"thực hiện", "tìm kiếm", "mở", "chạy", "thu thập", "xem", "tiếp cận", "xử lý", "gọi", "sử dụng",
	},
	// act: to change something. Of a look-up it may be what a record says.
	"act": {
		"send*", "sent", "creat*", "updat*", "delet*", "book*", "pay", "paid", "writ*", "sav*", "submit*", "post*", "schedul*",
		"cancel*", "upload*", "publish*", "archiv*", "remov*", "mov*", "transfer*", "refund*", "charg*", "order*", "deliver*", "notif*",
		"gửi", "tạo", "cập nhật", "xóa", "xoá", "đặt", "thanh toán", "lưu", "ghi", "hủy", "huỷ", "chuyển", "liên hệ",
	},
	"confirm": {"confirm*", "verif*", "tell", "establish*", "xác nhận", "xác minh", "biết"},
	"find":    {"find", "found", "locate*", "tìm thấy", "tìm được", "tìm ra"},
	"data": {
		"data", "information", "info", "detail*", "record*", "result*", "response*", "figure*", "status", "statistics", "source*",
		"number*", "value*", "content*", "page*", "website*", "site*", "file*", "document*", "list*", "entry", "entries", "item*",
		"answer*", "part*", "section*", "history", "report*", "portal*", "some", "several", "everything", "it", "this",
		"dữ liệu", "thông tin", "kết quả", "phần", "số liệu", "nguồn", "trang", "tệp", "tập tin", "chi tiết", "câu trả lời", "danh sách",
	},
	"lookup": {
		"lookup*", "look up*", "looking up", "search*", "query*", "queries", "retriev*", "load*", "request*", "call*", "tool*", "api", "apis", "service*", "system*", "server*",
		"database*", "connection*", "retrieval*", "fetch*", "step*", "operation*", "action*", "attempt*", "check*", "download*",
		"access*", "integration*", "plugin*", "backend*", "endpoint*", "function*",
		"tra cứu", "truy vấn", "truy xuất", "truy cập", "công cụ", "hệ thống", "dịch vụ", "yêu cầu", "kết nối", "lệnh gọi", "lượt gọi",
		"việc lấy", "việc tải", "việc đọc", "việc xem", "việc kiểm", "bước", "thao tác", "máy chủ", "cơ sở dữ liệu", "lấy dữ liệu", "tìm kiếm",
	},
}

// lexicon holds the patterns by what they speak about and by how much they say.
var lexicon = []struct {
	topics   topic
	strength strength
	patterns string // one a line
}{
	{saysFailed, clear, `
		{cannot} ~ {reach}
		not ~ retrieved|fetched|loaded|obtained|accessed|reached|looked
		@not have ~ access
		@no|without|lack|lacked|lost access to
		lost ~ connection|access|contact
		is|are missing from ~ answer|report|summary|overview
		không|chưa {reach} ~ được
		mất kết nối
		không có quyền truy cập`},
	{saysFailed, loose, `
		not respond|responding|responded|reply|return|answer
		took ~ too long
		no|not response|answer|reply from
		got|received no response|answer|reply
		timed|time out
		timeout*
		no|not|have ~ data|information|figures for|on|about|available|from
		@not have ~ data|information|info|details|figures|results|numbers
		only able to ~ {reach}
		stopped working|responding|answering
		not ~ granted|given ~ access
		unavailable|inaccessible|unreachable
		not ~ available|reachable|accessible
		out of service
		not ~ working|functioning|operational
		malfunction*
		technical ~ issue*|problem*|difficult*|error*|limitation*
		encounter* ~ error*|issue*|problem*|difficult*|timeout*
		ran|run|running into ~ error*|issue*|problem*|trouble*
		had|have|having ~ trouble|issues|problems|difficulty|difficulties
		authentication|authorization|authorisation|credential*|credentials|login|token|session ~ fail*|error*|expired|rejected|invalid
		return*|got|gave ~ 401|403|404|408|409|429|500|502|503|504
		rate limit*
		missing ~ {data}
		{data} ~ missing
		not ~ included|covered|retrievable
		excluded|omitted|skipped
		left out
		incomplete
		not ~ guess
		không khả dụng
		không phản hồi|hồi
		không hoạt động
		ngừng hoạt động
		hết thời gian
		quá thời gian
		quá tải
		gặp ~ sự cố
		gặp ~ trục
		đang bảo trì
		không|chưa có ~ {data}
		thiếu ~ {data}
		xác thực|phiên|token ~ hết hạn
		không đoán`},
	{saysFailed, generic, `
		failed|failure*|fails|failing
		error*
		unsuccessful*
		went wrong
		is|are|was|were ~ down
		broken|crashed|offline
		outage*
		issue*|issues|problem*|trouble* with
		has|have|had issues|problems
		seems|appears to have ~ issues|problems
		blocked|blocking|interrupted
		denied|declined|rejected|refused
		not ~ successful
		not ~ go|went through
		lỗi
		thất bại
		không|chưa thành công
		sự cố
		trục trặc`},
	{saysFailed, act, `
		{cannot} ~ {act}
		not ~ {act}
		không|chưa {act} ~ được`},
	{saysAbsent, clear, `
		{cannot} ~ {find}
		not find|locate
		không|chưa tìm ~ thấy|được|ra`},
	{saysAbsent, loose, `
		not found
		no such
		not exist
		no ~ record*|result*|match*|entry|entries
		không tồn tại
		không có ~ kết
		không có trong`},
	{saysFailed | saysDenied, loose, `
		access*|permission* ~ denied|refused|blocked|rejected|missing
		not permitted|allowed|authorized|authorised
		no permission*
		không được phép
		không có quyền
		từ chối truy`},
	{saysDenied, loose, `
		denied|declined|rejected|refused|disallowed|disapproved
		not approve*
		turned down
		từ chối
		không cho phép
		không|chưa được ~ duyệt
		bị chặn`},
	{saysUncertain, clear, `
		{cannot} ~ {confirm}
		may|might or may|might not
		not ~ sure|certain|clear|known whether|if
		unclear|uncertain|unsure|unknown whether|if
		không|chưa xác nhận|minh ~ được
		không|chưa|chẳng chắc
		không|chưa rõ`},
	{saysUncertain, loose, `
		not sure|certain
		unclear|uncertain|unsure|unconfirmed|unverified
		not ~ confirmed|verified|known
		may|might|could have ~ gone|been|run|happened|succeeded
		không|chưa ~ xác nhận
		có thể đã`},
	{saysPending, loose, `
		pending|queued|awaiting|underway
		in progress
		in the|a queue
		still ~ processing|running|waiting|working|open
		being processed|prepared
		not ~ finished|completed|complete|done|ready yet
		not yet
		will be ~ processed|completed|done|finished
		waiting for|on
		has|have started|begun
		đang ~ xử|chờ|chạy|đợi
		đang thực|tiến hiện|hành
		chưa ~ xong
		chưa hoàn tất|thành
		hàng đợi
		chờ ~ xử|duyệt
		sẽ được ~ xử`},
	{saysPartial | saysCut | saysShort, loose, `
		partial*
		incomplete
		not ~ complete|exhaustive|full|everything|comprehensive
		subset
		một phần
		chưa|không đầy đủ
		chưa|không đủ`},
	{saysPartial, loose, `
		only ~ some|part|half|few
		some of the
		not all|every
		# ~ of|out # 
		# ~ failed|missing|skipped|unsuccessful
		rest ~ not|missing|failed
		còn thiếu
		chỉ ~ một số|vài|phần
		không phải tất cả
		# trong|trên ~ #
		# ~ thất|lỗi`},
	{saysCut, loose, `
		first|top|latest|only|showing # 
		only ~ first
		first page
		page 1|one
		truncated|truncation
		cut off|short
		more results|entries|items|pages|records|rows|than|exist|available
		there ~ be ~ more|further|additional|others
		there ~ more|further|additional
		limited|limit to|of
		up to #
		at least #
		may be missing
		# ~ đầu tiên
		chỉ hiển thị
		bị cắt
		còn nữa
		có thể còn
		chưa hết
		trang đầu|1
		giới hạn`},
	{saysOld, loose, `
		as of
		outdated|stale|obsolete|cached|snapshot|delayed
		out of date
		not ~ current|fresh|live|recent|date
		cache
		last updated|refreshed|known|available|synced|seen
		# ~ minute*|hour*|day*|week*|month*|year* old|ago
		minutes|hours|days|weeks|months old|ago
		yesterday
		may|might have changed
		old|older data|figures|information|results|version|copy|prices
		data|figures|information|results|prices ~ old|older
		dữ|số|thông liệu|tin ~ cũ
		đã cũ
		lỗi thời
		chưa|không ~ cập nhật
		tính đến
		cập nhật ~ cuối|nhất|qua
		bộ nhớ đệm
		hôm qua
		# ~ phút|giờ|ngày|tuần|tháng trước`},
	{saysShort, loose, `
		stop*|ended|halted|aborted|interrupted|terminated ~ early|before|short|midway
		had to stop
		cut short
		{cannot} ~ complete|finish|continue
		not ~ finish*|complet*|continue
		unfinished
		ran out of
		limit ~ reached
		reached ~ limit|maximum
		gave up
		before i could
		dừng ~ lại|sớm
		phải dừng
		chưa|không ~ hoàn thành|tất
		không thể ~ tiếp tục
		chưa xong
		gián đoạn
		đạt ~ giới hạn`},
}

// Words that decide how a clause is read.
var (
	contrast   = set("but however although though whereas despite except if unless nhưng nhung tuy dù nếu neu")
	concessive = set("although though while whereas despite if unless tuy dù nếu neu")
	afterComma = set("while còn")
	authored   = set("could can did do failed không chưa")
	condition  = set("if unless nếu neu")
	pronouns   = set("it this that they these those nó này đó")
	noneOf     = set("none nothing neither")
	negators   = set("no not never without nor zero 0 không khong chẳng chả")
	somebody   = set("bạn ban anh chị khách hàng họ quý dùng")
	authors    = set("i we it tôi mình em ta toi minh")
	fillers    = set("am is are was were be been have has had do does did currently still also unfortunately simply just yet now sorry so because since as that which and or therefore note please regrettably apparently only really actually directly again then successfully afraid say apologize me us")
	numbers    = set("one two three four five six seven eight nine ten twenty fifty hundred một hai ba bốn năm sáu bảy tám chín mười")
	auxiliary  = set("was were is are could can did has have had do does failed timed không chưa bị đã khong chua")
	attributes = set("a an the this that her his its their your our my")
	nowWords   = set("now today this nay giờ")
	statesNone = set("none no 0 zero không")
)

// recovered phrases tell of a failure that was overcome: they disclose nothing
// about one that was not.
var recovered = compileAll("initially", "at first", "first attempt|try", "eventually", "in the end", "after retrying", "resolved",
	"ban đầu", "lúc đầu", "lần đầu", "sau khi thử lại", "cuối cùng đã")

var (
	dataWords   = compileClass("data")
	lookupWords = compileClass("lookup")
	cues        = indexCues(compileLexicon())
)

func compileLexicon() []cue {
	var all []cue
	for _, l := range lexicon {
		for line := range strings.Lines(l.patterns) {
			if pattern := strings.TrimSpace(line); pattern != "" {
				all = append(all, compile(pattern, l.topics, l.strength))
			}
		}
	}
	return all
}

func compileClass(name string) [][]matcher {
	var sequences [][]matcher
	for _, phrase := range classes[name] {
		sequences = append(sequences, compileWords(strings.Fields(phrase)))
	}
	return sequences
}

func compileAll(patterns ...string) []cue {
	all := make([]cue, len(patterns))
	for i, p := range patterns {
		all[i] = compile(p, 0, clear)
	}
	return all
}

func set(words string) map[string]bool {
	m := map[string]bool{}
	for _, w := range strings.Fields(words) {
		m[w] = true
	}
	return m
}
