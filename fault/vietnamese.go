package fault

// vietnamesePhrases is the part of the vocabulary of messages that is only in
// Vietnamese; [phraseTable] has what stands beside the phrases of other
// languages. Each phrase of two words or more is also found without its marks.
var vietnamesePhrases = []phraseLine{
	{outOfMoney, known, `không đủ số dư; không đủ tiền; tài khoản hết tiền; số dư ~ không đủ`},
	{outOfBudget, known, `vượt ~ hạn mức; quá hạn mức; đạt ~ hạn mức; giới hạn ~ ngày; hạn mức ~ ngày; giới hạn ~ tháng; hạn mức ~ tháng; hết lượt`},
	{mustPay, known, `thẻ bị từ chối; thẻ ~ bị từ chối; thẻ bị khóa; thẻ bị khoá; thẻ ~ hết hạn; thanh toán bị từ chối; thanh toán thất bại; chưa thanh toán phí; yêu cầu thanh toán`},
	{shortWindow, known, `trong một phút; trong 1 phút; trong một giây; trong 1 giây; lần phút`},
	{throttled, known, `quá số lần; vượt số lần; gọi quá nhiều; gửi quá nhiều; thao tác quá nhanh; yêu cầu quá nhiều; quá nhiều lượt`},
	{badCredential, known, `đăng nhập lại; cần đăng nhập; phải đăng nhập; sai tên đăng nhập; sai tài khoản; đăng nhập thất bại; đăng nhập không; phiên ~ hết hiệu lực
		token ~ hết hạn; token ~ hết hiệu lực; token sai; hết hạn token; chưa xác thực; xác thực thất bại; xác thực không; không xác thực; không thể xác thực; lỗi xác thực; xác thực ~ hết hạn; yêu cầu xác thực
		khóa api ~ không; khóa api ~ hết hạn; sai khóa api; thiếu khóa api; phiên đăng nhập ~ không; mật khẩu sai`},
	{notAllowed, known, `không đủ quyền; không đủ thẩm quyền; không có thẩm quyền; chưa được cấp quyền; chưa được phân quyền; từ chối truy cập; thiếu quyền; chưa có quyền; vượt thẩm quyền; yêu cầu bị từ chối; truy cập bị từ chối; yêu cầu ~ từ chối`},
	{lockLost, known, `đang có người chỉnh sửa; đang được chỉnh sửa; đang bị khoá; đang được cập nhật`},
	{tooLarge, known, `quá dung lượng; vượt dung lượng; vượt quá dung lượng; vượt ~ kích thước`},
	{neverSent, known, `không kết nối được; không thể kết nối; kết nối thất bại; lỗi kết nối; không liên lạc được`},
	{connectionLost, known, `kết nối bị ngắt; kết nối bị gián đoạn; bị mất kết nối; đứt kết nối`},
	{noAnswer, known, `quá hạn chờ; máy chủ không phản hồi; hệ thống không phản hồi; dịch vụ không phản hồi; thiết bị không phản hồi; không nhận được phản hồi; không có phản hồi từ`},
	{tooBusy, known, `hệ thống bận; hệ thống ~ bận; máy chủ bận; máy chủ ~ bận; dịch vụ ~ bận; tổng đài bận; đường truyền bận; đang quá tải; bị quá tải; hệ thống quá tải; máy chủ quá tải`},
	{unavailable, known, `dịch vụ tạm ngưng; dịch vụ tạm ngừng; dịch vụ ~ gián đoạn; tạm ngưng phục vụ; tạm ngừng phục vụ; tạm ngưng dịch vụ; tạm ngừng dịch vụ; hệ thống tạm ngưng; hệ thống tạm ngừng
		hệ thống ~ bảo trì; hệ thống ~ gián đoạn; dịch vụ ~ ngừng; không khả dụng; tạm thời ngừng; máy chủ ~ ngừng; thiết bị ngoại tuyến; máy ngoại tuyến`},
	{diskFull, known, `ổ đĩa đầy; đĩa đầy; đầy bộ nhớ; hết dung lượng`},
	{serverBroke, known, `lỗi nội bộ; lỗi máy chủ nội bộ`},
	{saysItFailed, known, `không xác định được nguyên nhân`},

	{outOfBudget, loose, `đạt giới hạn`},
	{throttled, loose, `vượt giới hạn; quá giới hạn; vượt quá giới hạn`},
	{absent, loose, `không thấy; không có trong hệ thống; không còn tồn tại`},
	{serverBroke, loose, `xảy ra lỗi; có lỗi xảy ra; gặp sự cố; gặp lỗi; lỗi không xác định; bị lỗi`},
	{tryAgainHint, loose, `thử lại`},
}

// quietPhrases, of any language, count only in what is known to tell how a call went, such as the
// message beside a code. In a sentence that stands by itself they are as often
// about a parcel, a passport or a rule: "Giao hàng thất bại".
var quietPhrases = []phraseLine{
	{notAllowed, known, `bị từ chối`},
	{tooBusy, known, `quá tải`},
	{badArguments, known, `vui lòng nhập; vui lòng điền; vui lòng cung cấp`},
	{exists, loose, `không đủ hàng; hết hàng; hết chỗ; hết phòng; hết vé; đã kín`},
	{badArguments, loose, `missing; is missing; are missing`},
	{exists, loose, `đã có người; đã được đặt; trùng lịch; bị trùng; trùng mã; đã hết hạn; hết hiệu lực; không còn hiệu lực; đã bị hủy; đã bị huỷ`},
	{badArguments, loose, `sai định dạng; không đúng định dạng; không đúng; thiếu thông tin; thiếu dữ liệu; thiếu; chưa nhập; không được để trống; không được rỗng; vượt quá độ dài; sai tham số; tham số sai`},
	{saysItFailed, loose, `thất bại; không thành công; chưa thành công; không * được; không * * được; không thể thực hiện; không thể hoàn thành`},
}
