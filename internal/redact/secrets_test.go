package redact_test

import (
	"fmt"
	"strings"
	"testing"
	"time"
	"unicode/utf8"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/redact"
)

func TestSecretsAreHidden(t *testing.T) {
	for _, tt := range []struct{ name, in, want string }{
		{"bearer header", "Authorization: Bearer abcdef123", "Authorization: [REDACTED]"},
		{"bearer header of curl", `curl -H "Authorization: Bearer abc.def" -d x`, `curl -H "Authorization: [REDACTED]" -d x`},
		{"header to the end of its line", "Set-Cookie: sid=1; Path=/\r\nServer: nginx", "Set-Cookie: [REDACTED]\r\nServer: nginx"},
		{"digest header with quotes in it", `Authorization: Digest username="bob", response="6629fae4"`, "Authorization: [REDACTED]"},
		{"header in JSON", `{"Authorization":"Bearer abc","n":1}`, `{"Authorization":"[REDACTED]","n":1}`},
		{"headers as Go prints them", "map[Authorization:[Bearer abc def] Content-Type:[x]]", "map[Authorization:[REDACTED] Content-Type:[x]]"},
		{"own header", "X-Api-Key: 12ab", "X-Api-Key: [REDACTED]"},
		{"bearer alone", "sent Bearer secretword and got 401", "sent Bearer [REDACTED] and got 401"},
		{"basic alone", "Basic dXNlcjpwYXNz", "Basic [REDACTED]"},
		{"query", "GET /x?page=1&access_token=abc&sig=a%3D: 403", "GET /x?page=1&access_token=[REDACTED]&sig=[REDACTED]: 403"},
		{"form field", "user[password]=hunter2&user[name]=bob", "user[password]=[REDACTED]&user[name]=bob"},
		{"JSON", `{"password":"hun\"ter2","n":1}`, `{"password":"[REDACTED]","n":1}`},
		{"JSON number", `{"otp": 123456, "n": 1}`, `{"otp": "[REDACTED]", "n": 1}`},
		{"JSON in JSON", `{"body":"{\"client_secret\":\"a\\\"b\",\"n\":1}"}`, `{"body":"{\"client_secret\":\"[REDACTED]\",\"n\":1}"}`},
		{"JSON list", `{"api_keys":["a","b"],"n":1}`, `{"api_keys":"[REDACTED]","n":1}`},
		{"value that never ends", `{"password":"hun`, `{"password":"[REDACTED]`},
		{"camel case", "clientSecret = 'abc'", "clientSecret = '[REDACTED]'"},
		{"Ruby", `api_key=>"abc"`, `api_key=>"[REDACTED]"`},
		{"DSN", "user=bob;Password=abc;Server=db", "user=bob;Password=[REDACTED];Server=db"},
		{"two words", "token: Bearer abc rest", "token: [REDACTED] rest"},
		{"user of a URL", "dial postgres://bob:s3cret@db:5432/x: refused", "dial postgres://[REDACTED]@db:5432/x: refused"},
		{"slash in the password", "postgres://bob:s3cr/et@db:5432/x", "postgres://[REDACTED]@db:5432/x"},
		{"at in the password", "redis://:p@ss@cache:6379", "redis://[REDACTED]@cache:6379"},
		{"private key", "key:\n-----BEGIN RSA PRIVATE KEY-----\nMIIE\n-----END RSA PRIVATE KEY-----\ntail", "key:\n[REDACTED]\ntail"},
		{"private key that was cut", "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBg", "[REDACTED]"},
		{"key of OpenAI", "Incorrect API key provided: sk-proj-abcdef123456.", "Incorrect API key provided: [REDACTED]"},
		{"key of AWS", "AKIAIOSFODNN7EXAMPLE is not valid", "[REDACTED] is not valid"},
		{"token of GitHub", "remote: ghp_0123456789abcdefghij", "remote: [REDACTED]"},
		{"token of Slack", "xoxb-1234-5678-abcdef", "[REDACTED]"},
		{"JSON Web Token", "eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxIn0.abc-def_g failed", "[REDACTED] failed"},
		{"random word near a name", "token 0123456789abcdef0123 was rejected", "token [REDACTED] was rejected"},
		{"base64 near a name", "the key is AbCd1234EfGh5678+/x==, sorry", "the key is [REDACTED], sorry"},
		{"several", "password=a&token=b", "password=[REDACTED]&token=[REDACTED]"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			require.Equal(t, tt.want, redact.Secrets(tt.in))
			require.Equal(t, tt.want, redact.Secrets(tt.want), "hiding twice hides nothing more")
		})
	}
}

func TestProseIsKept(t *testing.T) {
	for _, s := range []string{
		"", "ok", "connection refused", "invalid character '<' looking for beginning of value",
		"Bearer token expired", "bearer authentication required", `WWW-Authenticate: Bearer realm="x", error="invalid_token"`,
		"this is a basic information page", "invalid token: expected string", "unexpected token '<'", "max_tokens: 4096",
		"dial tcp: lookup key: no such host", "https://example.com:8080/a@b?x=y", "https://medium.com/@someone/post",
		"invoice 2026-03-01-000123 not found", "request_id=550e8400-e29b-41d4-a716-446655440000",
		"sha256 9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08", "khóa không hợp lệ", "keyboard: qwerty",
		"duplicate key value", "model claude-3-5-sonnet-20241022", "the author: Jane",
	} {
		require.Equal(t, s, redact.Secrets(s))
	}
}

// The time for a text grows with its length, whatever is in it.
func TestSecretsIsLinear(t *testing.T) {
	for _, piece := range []string{
		"a", " ", "\\", `"`, "://", "a://u:x/", "a:@/", "token ", "token\\", "bearer ", "key=[", "password:", `password:"`, `password:\"`,
		"-----BEGIN ", "-----BEGIN x-----END ", "eyJ", "sk-", "Cookie:", "token a1", "[", "key:", "key:a,", "pin=", "token.a.", "sk-a.", "npm_b/", "cookie:required,",
		"-u:", "-u a:", "password a,", "tokens:{", "token->", "<token>", "<key a", "&lt;key&gt;", "$1$", "%22key%22%3A%22", "a:b", "x:@", "-----END ", "password|",
		"password:|\n ", "login machine password ", "password for x:", "bearer a=", "hook://", "\u0022", "name\nvalue:", "token\nvalue: ", "mật khẩu:", "Authorization:\\", "é",
		`\u003c`, `\u005c`, `\u0022`, `\u0022key\u0022:\u0022`, `\ud83d`, `\/`, `\nkey=`, `{"secret":{`, `{"secret":"`, `secret:{"a":'`, "mật khẩu của ", "the token for ", "ma", "password:\nvalue:", `secret:{\"`, "access_token$production$", "token is ", "~", "key\\\"",
	} {
		took := func(n int) time.Duration {
			s := strings.Repeat(piece, n/len(piece)+1)
			best := time.Hour
			for range 3 {
				start := time.Now()
				_ = redact.Secrets(s)
				best = min(best, time.Since(start))
			}
			return best
		}
		// Sixteen times the text takes sixteen times as long, squares would take
		// 256 times. A busy machine may spoil a measurement, not ten in a row.
		linear := false
		for range 10 {
			if small, large := took(8<<10), took(128<<10); large < 64*small {
				linear = true
				break
			}
		}
		require.True(t, linear, "%q", piece)
	}
}

func FuzzSecrets(f *testing.F) {
	for _, s := range []string{
		`{"password":"hun\"ter2"}`, "Authorization: Bearer abc", "a://b:c@d", "-----BEGIN X-----", `{\"token\":\"x\"}`,
		`\u003cpassword\u003e`, `{"p\u0061ss\u0022:\u0022x\\u0022y\u0022}`, `\u005cu0022secret\":{"value":`, `{"secret":{"value":"a}b","x":{`, `\/\/u:p@h\/`, `\ud83d\ude00`, "mật khẩu của bạn là x1", `\npin: 4821`, `secret:{'val':"`,
		"user[password]=x", "token 0123456789abcdef0123", "cookie:[a] b", `secret":A`, "Bearer", "pass=", "\xff\x00",
	} {
		f.Add(s, " at the end")
	}
	f.Fuzz(func(t *testing.T, before, after string) {
		once := redact.Secrets(before)
		if utf8.ValidString(before) && !utf8.ValidString(once) {
			t.Fatalf("%q became %q", before, once)
		}
		if twice := redact.Secrets(once); twice != once {
			t.Fatalf("%q became %q and then %q", before, once, twice)
		}
		// A planted secret stays hidden in any company that starts on a new line.
		const secret = "Zq9planted7Secret5"
		for _, form := range []string{"password=%s\n", "Password: %s\n", `{"name":"Cookie","value":"%s"}`, "<password>%s</password>", "app:%s@tcp(db)\n", "--token %s\n", "Authorization: Bearer %s\n", `{"api_key":"%s"}`, "https://u:%s@h/\n", "xoxb-%s\n"} {
			in := before + "\n" + fmt.Sprintf(form, secret) + after
			if out := redact.Secrets(in); strings.Contains(out, secret) {
				t.Fatalf("%q became %q", in, out)
			}
		}
	})
}

func BenchmarkSecrets(b *testing.B) {
	for name, text := range map[string]string{
		"plain":   `GET "https://api.example.com/v1/invoices?customer=7": 401 Unauthorized: {"error":"token expired","request_id":"req_123"}`,
		"escaped": `{"body":"\u003cb\u003eH\u00f3a \u0111\u01a1n\u003c\/b\u003e: {\"id\":17,\"url\":\"https:\/\/api.example.com\/v1\/invoices\",\"total\":\"48.10\"}"}`,
	} {
		b.Run(name, func(b *testing.B) {
			b.SetBytes(int64(len(text)))
			b.ReportAllocs()
			for b.Loop() {
				redact.Secrets(text)
			}
		})
	}
}
