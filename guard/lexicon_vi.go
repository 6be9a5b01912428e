package guard

// vietnameseCues is [englishCues] in Vietnamese. Patterns are matched with and
// without marks.
var vietnameseCues = []cueSet{
	{saysFailed, either | active | viet, `
		không|chưa {lấy} ~~ được
		không|chưa thể ~ {lấy}
		không|chưa {lấy} được
		không|chưa có được
		{khôngthể} ~ {lấy}
		không|chưa có ~ quyền
		mất|bị kết|ngắt nối
		không|chưa ~ lấy|nhận|thu|tải|truy ~ được`},
	{saysFailed, either | active | strict | viet, `
		không|chưa {làm} ~ được
		{khôngthể} ~ {làm}
		không|chưa thể ~ {làm}`},
	{saysFailed, after | general | viet, `
		đã|có lỗi xảy ra
		sự cố xảy ra
		xảy ra lỗi
		xảy ra sự cố`},
	{saysAsks, after | general | viet, `
		vui lòng|long ~ cung|gửi|kiểm|cho ~~ mã|số|tên|thông|địa|đường`},
	{saysFailed, from | active | viet, `
		không|chưa ~ đủ ~ {sốliệu}
		không|chưa ~ có ~ {sốliệu}
		thiếu ~ {sốliệu}`},
	{saysFailed, before | strict | viet, `
		không ~ khả dụng
		không ~ phản hồi
		không ~ trả lời
		không ~ hoạt động
		ngừng ~ hoạt động
		ngưng ~ hoạt động
		hết thời gian
		quá thời gian
		quá tải
		gián đoạn
		đang ~ bảo trì
		đang trống
		tạm ngưng|ngừng`},
	{saysFailed, either | event | active | viet, `
		{bị} ~ {lỗi}
		lỗi ~ khi|kết|xác|truy|hệ|từ|máy|đăng|401|403|500
		sự cố ~ khi|kết|với|ở
		thất bại
		không|chưa ~ thành công
		đã lỗi`},
	{saysFailed | saysDenied, either | event | viet, `
		từ chối ~ truy|yêu|kết|cho|cấp|quyền
		bị ~ chặn|từ`},
	{saysFailed, either | active | deed | viet, `
		không|chưa {làmviệc} ~ được
		{khôngthể} ~ {làmviệc}
		không|chưa thể ~ {làmviệc}
		không|chưa được ~ {làmviệc}
		không|chưa {làmviệc} được`},
	{saysAbsent, either | active | viet, `
		không|chưa ~ tìm ~ thấy|được|ra
		không tồn tại
		không ~ có ~ trong
		không thể tìm`},
	{saysDenied, either | own | viet, `
		từ chối
		không ~ cho phép
		không ~ được phép
		không|chưa ~ được ~ duyệt
		không|chưa ~ đồng ý
		bị chặn`},
	{saysUncertain, either | active | viet, `
		không|chưa|thể xác nhận|minh
		không|chưa|chẳng ~ chắc|rõ|biết
		có thể đã
		chưa|không ~ ai ~ xác nhận`},
	{saysPending, either | own | viet, `
		đang ~ chờ|xử|chạy|đợi|thực|tiến|tạo|được|chuẩn
		chưa ~ xong|hoàn|kết
		hàng đợi
		chờ ~ xử|duyệt
		sẽ ~ xong|hoàn|xử|có
		tiếp nhận`},
	{saysPartial | saysCut, either | own | strict | viet, `
		một phần
		không|chưa ~ đầy đủ
		không|chưa đủ
		không|chưa ~ phải ~ toàn|tất|đầy|hết
		chưa hết
		còn ~ thiếu`},
	{saysPartial, whole | own | viet, `
		chỉ ~ một|vài|phần
		# trên|trong ~ #
		không phải ~~ nào ~ cũng
		# ~ thất|lỗi
		# ~~ bị lỗi`},
	{saysCut, whole | own | viet, `
		còn ~~ khác|nữa
		chưa ~ được ~ liệt|hiển|xem|lấy|tải|tra
		đây|chỉ|hiển|xem|lấy|liệt ~~ # ~~ đầu tiên
		chỉ ~ hiển thị
		chỉ ~ {lấy} ~ #
		chỉ ~ # ~~ đầu
		bị cắt
		còn nữa
		có thể còn
		chưa hết
		trang đầu|1
		giới hạn ở|#`},
	{saysOld, whole | own | viet, `
		dữ|số|thông|bản liệu|tin|sao ~ cũ
		đã|hơi|bị cũ
		lỗi thời
		không|chưa ~ cập nhật
		không|chưa ~ phải ~ mới|trực|thời|hiện
		không còn ~ mới|chính|đúng
		tính đến
		cập nhật ~ cuối|nhất|qua
		bộ nhớ đệm
		của|từ|là hôm qua
		# ~ {giờ} trước|tuổi`},
	{saysShort, before | onWork | viet, `
		dừng ~ lại|sớm|giữa
		phải dừng
		bị dừng
		chưa|không ~ hoàn|làm|xong
		không|chưa thể ~ tiếp|hoàn
		chưa xong
		gián đoạn
		hết ~ ngân|hạn|lượt|thời
		đạt ~ giới hạn
		một phần
		không|chưa ~ đầy đủ`},
}
