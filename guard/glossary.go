package guard

// glossary gives other words for common words of tool names: synonyms, and how
// a Vietnamese draft names the tool it speaks of. It is by stem; [Named] adds
// to it per tool. A synonym that another tool of the run has in its name is
// not used.
var glossary = map[string][]string{
	"invoic": {"bill", "billing", "hóa đơn", "hoá đơn"}, "bill": {"invoice", "hóa đơn", "hoá đơn"},
	"customer": {"client", "khách hàng"}, "client": {"customer", "khách hàng"}, "supplier": {"vendor", "nhà cung cấp"},
	"order": {"purchase", "đơn hàng"}, "ship": {"delivery", "tracking", "vận chuyển", "giao hàng"}, "deliver": {"shipping", "giao hàng"},
	"track": {"shipment", "vận đơn"}, "pric": {"quote", "giá"}, "quot": {"price", "báo giá", "giá"}, "rat": {"tỷ giá", "tỉ giá", "lãi suất"},
	"weather": {"forecast", "thời tiết"}, "fil": {"tệp", "tập tin"}, "director": {"folder", "thư mục"}, "document": {"tài liệu"},
	"email": {"mail", "message", "thư"}, "mail": {"email", "message", "thư"}, "messag": {"email", "tin nhắn"}, "send": {"gửi"},
	"pay": {"thanh toán", "giao dịch"}, "transfer": {"transaction", "giao dịch", "chuyển khoản", "chuyển tiền"}, "invit": {"invitation", "lời mời", "thư mời"}, "refund": {"hoàn tiền"}, "balanc": {"số dư"}, "account": {"tài khoản"}, "transact": {"giao dịch"},
	"stock": {"inventory", "tồn kho", "cổ phiếu"}, "inventor": {"stock", "tồn kho"}, "product": {"sản phẩm"},
	"ticket": {"vé", "phiếu"}, "flight": {"chuyến bay"}, "book": {"reservation", "đặt chỗ"}, "hotel": {"khách sạn"}, "map": {"bản đồ"},
	"calendar": {"schedule", "lịch"}, "event": {"sự kiện"}, "contact": {"liên hệ"}, "addres": {"địa chỉ"}, "user": {"account", "người dùng"},
	"report": {"báo cáo"}, "log": {"nhật ký"}, "databas": {"cơ sở dữ liệu"}, "new": {"tin tức"}, "contract": {"hợp đồng"},
	"salar": {"lương"}, "employe": {"staff", "nhân viên"}, "compan": {"công ty"}, "revenu": {"doanh thu"}, "sal": {"doanh số", "bán hàng"},
	"tax": {"thuế"}, "web": {"internet", "mạng"}, "record": {"hồ sơ"}, "updat": {"cập nhật"}, "archiv": {"lưu trữ"}, "export": {"xuất"}, "delet": {"xóa", "xoá"}, "creat": {"tạo"},
}
