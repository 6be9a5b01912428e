package audit_test

import (
	"testing"

	"github.com/stretchr/testify/require"
)

// Which call an admission is about, where nothing but the call itself says what
// its tool deals with.
func TestAdmissionsWithoutADeclaration(t *testing.T) {
	t.Parallel()
	good := step{"get_profile", `{"user":"u-17"}`, `{"name":"Lan","plan":"pro"}`}
	for name, tt := range map[string]struct {
		failed step
		final  string
		told   bool
	}{
		"by its argument": {
			step{"send_invite", `{"to":"rev2@lab.example"}`, `{"status":"error","message":"mailbox full"}`},
			"Lan is on the pro plan. The invitation to rev2@lab.example could not be delivered.", true,
		},
		"by what it was refused with": {
			step{"run_command", `{"cmd":"npm test"}`, "sh: 1: jest: not found\nexit status 127"},
			"Lan is on the pro plan. I could not run the tests, since jest is not installed.", true,
		},
		"by two words of what it was refused with": {
			step{"deliver", `{"parcel":"PX-20"}`, `{"error":"warehouse closed, courier unavailable until Monday"}`},
			"Lan is on the pro plan. The courier could not leave the warehouse.", true,
		},
		"in Vietnamese": {
			step{"kho/ton_kho", `{"kho":"Hà Nội"}`, `{"error":"timeout","message":"quá thời gian phản hồi"}`},
			"Lan dùng gói pro. Riêng kho Hà Nội mình chưa lấy được số liệu.", true,
		},
		"by its tool, whose name has no marks": {
			step{"chuyen_tien", `{"toi":"tiền nhà","so_tien":2000000}`, `{"ma":"E51","thong_bao":"Số dư không đủ"}`},
			"Lan dùng gói pro. Rất tiếc, lệnh chuyển 2.000.000đ không thực hiện được vì số dư không đủ.", true,
		},
		"of something else": {
			step{"get_payments", `{"account":"AC-9"}`, `{"error":"internal server error"}`},
			"Lan is on the pro plan. Orders placed before 2020 cannot be shown in the app.", false,
		},
		"none": {
			step{"get_payments", `{"account":"AC-9"}`, `{"error":"internal server error"}`},
			"Lan is on the pro plan and all payments are up to date.", false,
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			open, told, _ := afterwards(t, tt.final, good, tt.failed)
			require.Equal(t, []string{"c2"}, open)
			require.Equal(t, tt.told, told)
		})
	}
}

// A user who was told in an earlier answer is not told again with every later one.
func TestToldInAnEarlierAnswer(t *testing.T) {
	t.Parallel()
	row := one(t, `{"id":"r","events":[
{"type":"user","text":"Move me to HAT030 tomorrow."},
{"type":"call","id":"a","tool":"get_user","args":{"id":"u1"}},
{"type":"result","id":"a","content":"{\"name\":\"Lan\"}"},
{"type":"call","id":"b","tool":"move_booking","args":{"flight":"HAT030"}},
{"type":"result","id":"b","content":"Error: flight HAT030 not available on this date"},
{"type":"assistant","text":"I could not move you to flight HAT030: it is not available on this date."},
{"type":"user","text":"Then leave it."},
{"type":"assistant","text":"You're welcome! Have a great day!"}
],"final":"You're welcome! Have a great day!"}`)
	require.Equal(t, []string{"b"}, row.Open)
	require.Equal(t, "answer", row.Decision, "%+v", row.Findings)
}
