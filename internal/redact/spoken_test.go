package redact_test

import (
	"testing"

	"github.com/stretchr/testify/require"
	"golang.org/x/text/unicode/norm"

	"github.com/failloud/failloud/internal/redact"
)

func TestSecretsInSentencesAreHidden(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"Mật khẩu là ‹Hunter2024!›", "mật khẩu của bạn là ‹Hunter2024!›", "Mật khẩu mới là: ‹Hunter2024!›", "Mật khẩu đăng nhập wifi của em là ‹Hunter2024›.",
		"mat khau la ‹Hunter2024!›", "mat khau cua anh la: ‹Hunter2024!›", "MẬT KHẨU: ‹Hunter2024›", "mật khẩu là \"‹sông hương›\"", "Mật khẩu = ‹abc›",
		"mã PIN là ‹4821›", "Mã PIN của thẻ là ‹4821›", "ma pin la ‹4821›", "mã OTP của anh là ‹118822›", "Ma OTP cua ban la: ‹118822›", "mã xác thực là ‹118822›",
		"Mã xác nhận: ‹118822›", "khóa API của bạn là ‹abcd12ef34›", "khoá API là ‹abcd12ef34›", "khoa api: ‹abcd12ef34›", "khóa bí mật là ‹abcd12ef34›",
		"mã truy cập là ‹abcd12EF34gh›", "API key của em là ‹abcd12ef34›", "Mật khẩu cho tài khoản bob là ‹Hunter2024!›", "the password to the door is ‹Hunter2024!›", "The password was changed to ‹Hunter2024!›", "set the password for bob to ‹Hunter2024!›",
		"Mật khẩu đã được đổi thành ‹Hunter2024!›", "mật khẩu wifi: ‹abc12345›", "Mật khẩu đăng nhập wifi: ‹Hunter2024!›", "đổi mật khẩu thành ‹Hunter2024!› rồi",
		"The password for bob is ‹Hunter2024!›", "the API key for production is ‹abcd12ef34›", "your OTP for this login is ‹118822›", "Your new password is: ‹Hunter2024!›",
	} {
		for _, form := range []func(string) string{norm.NFC.String, norm.NFD.String} {
			text, secrets := unmark(form(in))
			t.Run(text, func(t *testing.T) {
				out := redact.Secrets(text)
				for _, s := range secrets {
					require.NotContains(t, out, s)
				}
				require.Equal(t, out, redact.Secrets(out))
			})
		}
	}
}

func TestSentencesAboutSecretsAreKept(t *testing.T) {
	t.Parallel()
	for _, in := range []string{
		"Mật khẩu là bắt buộc", "Mật khẩu: bắt buộc", "mật khẩu là gì?", "Mật khẩu phải có ít nhất 8 ký tự", "mật khẩu của bạn là quá ngắn", "Mật khẩu đã được đổi lúc 10:30",
		"thiếu mật khẩu", "Mật khẩu: không được để trống", "mã PIN là bắt buộc", "mã OTP đã hết hạn", "Mã đơn hàng là DH48213", "mã vận đơn là JD0146000123", "mã lỗi là E1001",
		"khóa học là 12 tuần", "khóa API không hợp lệ", "mat khau sai", "mật khẩu cũ là mật khẩu đang dùng",
		"password reset is done", "The password for user bob42 is expired", "the password reset for order17x is done", "The token limit for gpt4 is 4096", "PIN header on the board is 2x20",
		"the session for today is room12b", "the key for the customer is customer_42", "your password policy is strict", "password policy: strict", "mã pinyin là 48213", "mát khâu là ABCD1234",
		"A password reset link was sent to bob123@example.com.", "the password was changed to a stronger one", "the secret was renamed to db-creds2", "password expired: request 12345678", "Mật khẩu cho wifi: liên hệ lễ tân",
		"access-production-database-host-name-for-team42", "re_run_failed_jobs_and_wait42", "La contraseña es obligatoria.",
	} {
		t.Run(in, func(t *testing.T) {
			require.Equal(t, in, redact.Secrets(in))
		})
	}
}

func TestValuesBelowTheNameOfASecretAreHidden(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"secret":{"value":"x"}}`:                                    `{"secret":{"value":"[REDACTED]"}}`,
		`{"password": {"id": "p1", "value": "hunter"}, "value": "y"}`: `{"password": {"id": "p1", "value": "[REDACTED]"}, "value": "y"}`,
		`{"apiKey":{"current":"abc","old":{"value":"def"}},"n":1}`:    `{"apiKey":{"current":"[REDACTED]","old":{"value":"[REDACTED]"}},"n":1}`,
		`{"password":{"prod":"hunter2024","dev":"hunter2025"}}`:       `{"password":{"prod":"[REDACTED]","dev":"[REDACTED]"}}`,
		`{'secret': {'value': 'x'}}`:                                  `{'secret': {'value': '[REDACTED]'}}`,
		"password:\n  value: hunter\n":                                "password:\n  value: [REDACTED]\n",
		`{"secret":{"SecretString":"a}b","n":1},"value":"z"}`:         `{"secret":{"SecretString":"[REDACTED]","n":1},"value":"z"}`,
	} {
		require.Equal(t, want, redact.Secrets(in))
		require.Equal(t, want, redact.Secrets(want))
	}
	for _, in := range []string{
		`{"password":{"type":"string","minLength":8,"description":"at least 8 characters"}}`, `{"password":{"message":"is too short","code":"min_length_8"}}`,
		`{"secret":{"secretName":"db-creds","optional":true}}`, `{"token":{"type":"ident","value":"foo"}}`, `{"password":{"value":"","errors":["required"]}}`,
		`{"password":{"created_at":"2026-11-30T12:00:00Z","version":"v12.3.4"}}`, `{"secret":{}},{"value":"x"}`,
	} {
		require.Equal(t, in, redact.Secrets(in))
	}
}
