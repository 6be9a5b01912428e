package redact_test

import (
	"encoding/json"
	"strconv"
	"strings"
	"testing"
	"unicode/utf16"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/redact"
)

// plainSecrets are texts as people and programs write them; ‹…› is the secret.
var plainSecrets = []string{
	"<password>‹zzPw8fJ2kLm9Xp›</password>", "https://‹bob:zzPw8fJ2kLm9Xp›@db/x", "password= ‹zzPw8fJ2kLm9Xp›", `{"password":"‹zzPw8fJ2kLm9Xw›"}`,
	`{"mật khẩu":"‹zzPw8fJ2kLm9Xp›"}`, "Mật khẩu là ‹Hunter2024!›", "GET /x?a=1&sig=‹zzPw8fJ2kLm9Xp›&b=2", "line\nsig=‹zzPw8fJ2kLm9›\nnext",
	"💥 token=‹zzPw8fJ2kLm9Xp›", "Authorization: ‹Bearer zzPw8fJ2kLm9Xp›\r\nHost: x", `{"secret":{"value":"‹x7›"}}`, `{"a":{"password":"‹hun"ter2024›"},"n":1}`,
	"refresh 1//‹0gZq9f4Kx7TnB2vWc8LmR3Zq9f4Kx7TnB2vWc8LmR3› end",
}

// A writer writes a text as one string of JSON.
var writers = map[string]func(string) string{
	"Go": func(s string) string {
		b, _ := json.Marshal(s)
		return string(b)
	},
	"slashes": func(s string) string { return strings.ReplaceAll(writeJSON(s, false), "/", `\/`) },
	"ASCII":   func(s string) string { return writeJSON(s, false) },
	"all":     func(s string) string { return writeJSON(s, true) },
}

// writeJSON escapes what is not ASCII, or everything.
func writeJSON(s string, all bool) string {
	var b strings.Builder
	b.WriteByte('"')
	for _, u := range utf16.Encode([]rune(s)) {
		switch {
		case !all && (u == '"' || u == '\\'):
			b.WriteByte('\\')
			b.WriteByte(byte(u))
		case !all && u >= ' ' && u < 0x7f:
			b.WriteByte(byte(u))
		default:
			b.WriteString(`\u` + strings.ToUpper(strconv.FormatUint(uint64(u)|0x10000, 16)[1:]))
		}
	}
	b.WriteByte('"')
	return b.String()
}

func TestSecretsAreHiddenHoweverJSONWritesThem(t *testing.T) {
	t.Parallel()
	for _, in := range plainSecrets {
		if strings.HasPrefix(in, `{"a"`) {
			in = strings.ReplaceAll(in, `hun"t`, `hun\"t`)
		}
		plain, secrets := unmark(in)
		for name, write := range writers {
			text := plain
			for depth := 1; depth <= 3; depth++ {
				text = `{"body":` + write(text) + `,"n":1}`
				if name == "all" {
					write = writers["Go"] // nobody escapes escapes letter by letter
				}
				t.Run(name+strconv.Itoa(depth)+" "+plain, func(t *testing.T) {
					out := redact.Secrets(text)
					require.True(t, json.Valid([]byte(out)), out)
					require.Equal(t, out, redact.Secrets(out))
					read := out
					for range depth {
						var o struct{ Body string }
						require.NoError(t, json.Unmarshal([]byte(read), &o), read)
						read = o.Body
					}
					require.Contains(t, read, redact.Mark)
					for _, s := range secrets {
						require.NotContains(t, read, s)
						require.NotContains(t, read, s[len(s)/2:])
					}
				})
			}
		}
	}
}

func TestNamesOfFieldsMayBeEscaped(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"p\u0061ssword":"zzPw8fJ2kLm9Xw"}`:                               `{"p\u0061ssword":"[REDACTED]"}`,
		`{"m\u1eadt kh\u1ea9u":"zzPw8fJ2kLm9Xp"}`:                          `{"m\u1eadt kh\u1ea9u":"[REDACTED]"}`,
		`{"t":"\u003cpassword\u003ezzPw8fJ2kLm9Xp\u003c\/password\u003e"}`: `{"t":"\u003cpassword\u003e[REDACTED]\u003c\/password\u003e"}`,
		`{"u":"https:\/\/bob:zzPw8fJ2kLm9Xp@db\/x"}`:                       `{"u":"https:\/\/[REDACTED]@db\/x"}`,
		`{"t":"password\u003d zzPw8fJ2kLm9Xp"}`:                            `{"t":"password\u003d [REDACTED]"}`,
		`{\u0022pwd\u0022:\u0022hun\\u0022ter\u0022,\u0022n\u0022:1}`:      `{\u0022pwd\u0022:\u0022[REDACTED]\u0022,\u0022n\u0022:1}`,
		`{"t":"https:\u005c/\u005c/bob:pw77@db"}`:                          `{"t":"https:\u005c/\u005c/[REDACTED]@db"}`,
		`{"t":"x\u000dsig=zzPw8fJ2kLm9Xp\u0020y\u0009pin: 4821"}`:          `{"t":"x\u000dsig=[REDACTED]\u0020y\u0009pin: [REDACTED]"}`,
		`{"t":"1\u003c2 \u0026 caf\u00e9, a\/b, C:\\new\\token"}`:          `{"t":"1\u003c2 \u0026 caf\u00e9, a\/b, C:\\new\\token"}`,
	} {
		require.Equal(t, want, redact.Secrets(in))
	}
}

func TestJSONStaysJSON(t *testing.T) {
	t.Parallel()
	for in, want := range map[string]string{
		`{"otp":123456,"n":{"pin":4821}}`:                                       `{"otp":"[REDACTED]","n":{"pin":"[REDACTED]"}}`,
		`{"passwords":["a]b1234","c9"],"n":1}`:                                  `{"passwords":"[REDACTED]","n":1}`,
		`{"credentials":{"u":"}","v":["x"]},"n":1}`:                             `{"credentials":"[REDACTED]","n":1}`,
		`{"secret":{"value":12345}}`:                                            `{"secret":{"value":"[REDACTED]"}}`,
		`{"log":"got Authorization: Bearer abc.def","n":1}`:                     `{"log":"got Authorization: [REDACTED]","n":1}`,
		`{"a":"Authorization: Digest user=\"bob\", response=\"66aa\"","n":1}`:   `{"a":"Authorization: [REDACTED]","n":1}`,
		`{"b":"{\"log\":\"x Cookie: a=1; b=2\",\"n\":1}","n":1}`:                `{"b":"{\"log\":\"x Cookie: [REDACTED]","n":1}`,
		`{"b":"{\"otp\":123456,\"api_keys\":[\"a\"]}","n":1}`:                   `{"b":"{\"otp\":\"[REDACTED]\",\"api_keys\":\"[REDACTED]\"}","n":1}`,
		`{"DATABASE_URL":"postgres:\/\/u:p@h\/d","headers":{"Cookie":["a=1"]}}`: `{"DATABASE_URL":"postgres:\/\/[REDACTED]@h\/d","headers":{"Cookie":"[REDACTED]"}}`,
	} {
		out := redact.Secrets(in)
		require.Equal(t, want, out)
		require.True(t, json.Valid([]byte(out)))
		require.Equal(t, out, redact.Secrets(out))
	}
}
