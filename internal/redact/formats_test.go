package redact_test

import (
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/redact"
)

// The values are made up. $B stands for a body that looks like a key's, $H for
// one of hexadecimal digits; so no scanner takes this file for a leak.
var bodies = strings.NewReplacer("$B", "Zq9f4Kx7TnB2vWc8LmR3", "$H", "0123456789abcdef0123456789abcdef")

func TestKeysThatGiveThemselvesAway(t *testing.T) {
	for _, key := range []string{
		"sk-$B", "sk-proj-$B", "sk-ant-api03-$B", "sk_live_$B", "rk_test_$B", "whsec_$B", "ghp_$B", "github_pat_$B_$B", "glpat-$B", "glrt-$B",
		"xoxb-12-34-$B", "xoxc-12-34-56", "xoxd-$B%2B$B", "xapp-1-A1-2-$B", "AKIA0123456789ABCDEF", "AIzaSy$B$B", "ya29.a0$B", "GOCSPX-$B",
		"SG.$B.$B", "npm_$B", "pypi-$B", "hf_$B", "gsk_$B", "dop_v1_$H", "shpat_$H", "shpss_$H", "eyJ$B.eyJ$B.$B", "SK$H", "key-$H", "dapi$H",
		"hvs.$B", "dp.pt.$B", "lin_api_$B", "secret_$B$B", "ntn_$B", "sq0atp-$B", "EAAA$B$B", "sbp_$H", "HRKU-$B", "AGE-SECRET-KEY-1$B",
		"1//0g$B$B", "1%2F%2F0g$B$B", "glsoat-$B", "glcbt-64_$B", "glagent-$B", "xoxe.xoxp-1-$B", "sk_org_$B", "IQoJb3JpZ2luX2Vj$B$B/$B", "FwoGZXIvYXdz$B$B",
		"ABSK$B$B$B", "ABIA0123456789ABCDEF", "abc8Q~$B-$B", "mfa.$B$B", "cfut_$B$B", "v1.0-$H-$B$B", "glsa_$B_12ab34cd", "NRAK-$B", "pscale_tkn_$B",
		"pul-$H", "dt0c01.ABCDEFGH.$B", "sb_secret_$B", "lsv2_pt_$H_12ab34cd56", "xkeysib-$H-$B", "$H-us12", "ATCTT3$B$B", "ATBB$B", "sntryu_$H",
		"CCIPAT_$B", "nfp_$B", "dckr_oat_$B", "dor_v1_$H", "patZq9f4Kx7TnB2vW.$H$H", "Zq9f4Kx7TnB2vW.atlasv1.$B$B$B", "sk.$B.$B", "re_$B", "waka_$H",
		"EZAK$B$B", "access-production-01234567-89ab-cdef-0123-456789abcdef", "pat-na1-01234567-89ab-cdef-0123-456789abcdef", "APA91b$B$B$B",
		"access_token$production$abc123def456ghi7$$H", "FLWSECK-$H-X", "AKCp8$B$B$B", "y0_$B$B", "shippo_live_$H", "AQVN$B$B",
		"dckr_pat_$B", "123456789:AA$B$B", "$Babc.Ab12Cd.$B$B", "$2y$10$$B$B", "$apr1$abcdefgh$$B", "$argon2id$v=19$m=65536$$B",
	} {
		key = bodies.Replace(key)
		for _, in := range []string{key, "before " + key + " behind", `{"x":"` + key + `"}`, "x=" + key + "&y=1", `line\n` + key} {
			if strings.HasPrefix(in, "line") && (key[0] == '$' || isDigit(key[0]) || key[0] == 'Z') {
				continue // only keys with a prefix are found behind an escaped line break
			}
			t.Run(in, func(t *testing.T) {
				require.NotContains(t, redact.Secrets(in), key[len(key)-8:])
			})
		}
	}
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// ‹…› marks what must not be left in the output.
func TestNamedSecretsAreHidden(t *testing.T) {
	for _, in := range []string{
		// Assignments of every kind.
		"DB_PASSWORD_PROD=‹swordfish77›", "export OPENAI_API_KEY='‹abc-zz-91›'", `msg="login failed" passwd=‹trustno1› user=bob`,
		`{"client":{"clientSecret":"‹qwe-rty›","id":"x"}}`, "MYSQL_PWD=‹aa11›", "user=a password=‹b1!› account=x", "refreshToken: '‹abcd›'",
		"host=db password='‹open sesame›' dbname=x", "Data Source=x;User Id=sa;Pwd=‹my pass 1›;", "Password=‹a b›;Server=db;User Id=sa",
		"AccountKey=‹abc123==>;BlobEndpoint=x", "password -> ‹pw77›", "password => ‹pw77›", "password := ‹pw77›", "password＝‹pw77›",
		"encryption_key=‹abcdef12›", `{"encryptionKey":"‹YWJj›"}`, "ssh_key=‹AAAAB3Nz›", "Ocp-Apim-Subscription-Key: ‹77aa›", "x-functions-key: ‹abcdGHIJ==>",
		"DD-APPLICATION-KEY: ‹77aa›", "client-key-data: ‹LS0tLS1C›", "client_assertion=‹ab.cd.ef›", "code_verifier=‹dBjftJeZ›", "X-CSRF-Token: ‹zz77›",
		`{"passcode":"‹4821›"}`, `{"pin":‹4821›,"n":1}`, "OTP: ‹118822›", "your verification code is ‹118822›", "PIN ‹482913› rejected", "hmac=‹abcdef01›",
		"signature=‹9f86d081884c7d65›", "session=‹q1w2e3›", "GPG passphrase: ‹correct› horse", "Encryption key: ‹7f3a9b›", "sessionid=‹q1w2e3r4t5›",
		"DB_PASS=‹letme1n›", `SMTP_PASS="‹zz yy›"`, "smtpPass: ‹zz11›", "ansible_ssh_pass=‹letme1n› host=x", "pw: ‹zz11yy›", "Config(token=‹SecretStr('zz11')›, url=x)",
		`"connectionString":"Server=a;Pwd=‹c d e›;"`, "userPassword:: ‹e1NTSEF9›", "auth=‹('bob', 'pw77›')",
		// URLs and the addresses of databases.
		"sqlserver://‹sa:P%40ss!word›@10.0.0.1:1433?x=y", "git clone https://‹x-access-token:abc›@host/o/r", `redis://‹:p"x9y›@cache:6379`,
		"ftp://‹bob:pw›@host/file", "‹app:pw77›@tcp(db:3306)/x: access denied", "dial ‹user:pw77›@db.internal:5432/x: refused", "‹scott/tiger›@//db:1521/XE",
		"to=https%3A%2F%2F‹user%3Apw77›%40host%2Fx", "https://app/cb?code=‹4/0AX4Xf›&state=x", "GET /x?token=‹abc›&n=1", "/x?client_id=a&client_secret=‹bb›",
		`Get "https://api.telegram.org/bot‹123456789:AA$B$B›/getMe": timeout`, "https://hooks.slack.com/services/T0/B0/‹$B› failed: 403",
		"https://discord.com/api/webhooks/1234/‹$B$B›", "https://outlook.webhook.office.com/webhookb2/‹$H›/x", "https://hooks.zapier.com/hooks/catch/12/‹abcdef7abcdefghij›/",
		// Headers.
		"Authorization: ‹Bearer›\n  ‹abc.def›", "Cookie: ‹a=1;›\r\n ‹b=topsecret›\r\nHost: x", "authorization :  ‹Bearer   abc.def›", `Bearer "‹abc.def›"`,
		"Bearer%20‹abc123›", "Bearer\u00a0‹abc123›", "bearer:‹abc123›", "Authorization: ‹token 77aa›", "Proxy-Authorization: ‹Basic Zm9v›",
		`{"name":"Authorization","value":"‹Token ab12›"}`, `[{"Name": "X-Api-Key", "Value": "‹tt55›"}]`, `{"key":"DB_PASSWORD","value":"‹pw77›"}`,
		"- name: DB_PASSWORD\n  value: ‹pw77›\n", "headers={'Authorization': '‹Token 99ff›'}", "Header{\"Authorization\":[]string{\"‹Bearer zz.11›\"}}",
		// Nested, encoded, other formats.
		`x=%7B%22password%22%3A%22‹pw77›%22%7D`, `{"b":"\u0022password\u0022:\u0022‹pw77›\u0022"}`, `"{\"x\":\"{\\\"api_key\\\":\\\"‹ab12›\\\"}\"}"`,
		"<password>‹pw77›</password>", `<wsse:Password Type="PasswordText">‹open›</wsse:Password>`, "&lt;apiKey&gt;‹zx81›&lt;/apiKey&gt;", `<user password="‹pw77›"/>`,
		`{"tokens":[‹"abc123","def456"›]}`, `{"credentials":{‹"user":"a","v":"letmein"›},"n":1}`, "password: |\n  ‹pw77›\n  ‹more›\nuser: x",
		"machine x login a password ‹pw› account y", "Private-Lines: 1\n‹AAABAQC›\nPrivate-MAC: 77", "‹MIIEvQIBADAN›\n-----END PRIVATE KEY-----",
		// Command lines and sentences.
		"mysql --password ‹pw› -h db", "x --api-key '‹ab cd›' y", "curl -u ‹admin:pw› https://x", "curl --user '‹bob:pw 1›' https://x",
		"the password is ‹pw77›", "password was '‹pw 77›'", "set password to ‹Pw77›", "password for user app: ‹pw7788›", `invalid password "‹Pw77!x›" for bob`, "secret is ‹s3cr3tv›",
		// Other languages.
		"Passwort: ‹Geheim›", "Mật khẩu: ‹BiMat›", "contraseña: ‹Secreto›", "CONTRASEÑA=‹Secreto›", "пароль: ‹солнце›", "密码：‹mima›", "senha: ‹abc›",
	} {
		text, secrets := unmark(bodies.Replace(in))
		t.Run(text, func(t *testing.T) {
			require.NotEmpty(t, secrets)
			out := redact.Secrets(text)
			for _, s := range secrets {
				require.NotContains(t, out, s)
			}
			require.Equal(t, out, redact.Secrets(out), "hiding twice hides nothing more")
		})
	}
}

// unmark returns the text without its marks, and what was marked.
func unmark(in string) (text string, marked []string) {
	for {
		before, rest, ok := strings.Cut(in, "‹")
		text += before
		if !ok {
			return text, marked
		}
		secret, behind, _ := strings.Cut(rest, "›")
		text, marked, in = text+secret, append(marked, secret), behind
	}
}

func TestWhatWentWrongIsKept(t *testing.T) {
	for _, in := range []string{
		// Complaints about a secret.
		"password: must be at least 12 characters", "field passphrase: required", "Password: cannot be blank", "new_password: too short", "password is too short",
		"the password was changed yesterday", "password expires in 3 days", "passwords do not match", "credentials: expired", "credentials: [none given]",
		"apiKey: required field is missing", "api_key: field required", "api key: missing", "access key: rotation needed by 2026-12-01", "signature: mismatch",
		"Authorization: header missing or malformed, see the docs", "Authorization: required", "missing Authorization: Bearer header", "cookie: disabled in browser",
		"secret: no such secret \"db\" in namespace prod", "secretName: db-creds not found", "auth: token expired", "auth=failed for user bob",
		"session=closed by peer", `{"password":["This field is required."]}`, `{"errors":{"api_key":"is invalid"}}`, `{"field":"password","message":"is too short"}`,
		`{"name":"password","value":""}`, "--password flag is required", "flag --api-key needs an argument", "unknown flag: --token", "password: null",
		// Words that end like the name of a secret.
		"unexpected token: '}' at line 3", `unexpected token "<" in JSON`, "max_token=4096", "max_tokens: 4096", "output_tokens: 17", "token: 12 of 15 used",
		"tokens: 500/1000", "next_page_token=abc", "nextPageToken: CAUQAA", "continuation token: none", "stop token: <|end|>", `{"token":{"type":"ident","value":"foo"}}`,
		"duplicate key: id=42", "partition key: customer#42", "primary key: order_id", "sort key = 2026-11-30T12:00:00Z out of range", "key=customer_42 not in cache",
		"cacheKey=user:42", "order key ORD20261130A000017 not found", "key 550e8400e29b41d4a716446655440000 not found", "KeyError: 'user_id'", "keys: a, b, c",
		"Idempotency-Key=order-42 was used before", "public key: ssh-ed25519 AAAAC3NzaC1lZDI1", `{"key":"customer.name","value":"Jane Doe"}`, "<Key>photos/2026/cat.png</Key>",
		"pass: 12, fail: 3", "pass=12 fail=3", "tests: pass: all", "pass rate: 98%", "sid=42 is no session", "sig=11 (segfault)", "exited with sig: SIGKILL",
		"signatures: 3 of 5 collected", "code=404 message=missing", "error code: E1001", "country_code=VN", "pin: 13 is no GPIO", "PIN code required",
		// Something about a secret.
		"token_type=bearer expires_in=3600", "password_policy=strict", "api_key_required=false", "credential_provider=ecs timed out", "signature_version=v4 unsupported",
		"access_token_url=https://x/y returned 404", "secret version 3 destroyed", "token_count=1500", "auth_method=oidc failed", "password_min_length=12",
		"SignatureDoesNotMatch: The signature we calculated differs", "(using password: YES)", "secretary: Ms Smith", "signature_algorithm: sha256WithRSA", "bypass: north", "compass=10",
		// What begins like a key.
		"sk-learn-extras-1.2 not found", "npm_package_version_1.2.3 unset", "AKIATHISISNOTAKEYATALL_BUTCONST", "pypi-mirror.example.com timed out", "hf_transfer_download failed",
		"eyJust-a-funny-word-here is not JSON", "SG.maintenance-window-scheduled", "locale sk-slovakia-region-1", "xoxe is no word", "SK-0012 is sold out",
		// Schemes, digests, addresses.
		"bearer of bad news", "Basic tier: limit reached", "basic auth required", "negotiate protocol version failed", "digest mismatch: got sha256:aa11",
		"digest: sha256:3b18e512dba79e4c8300dd08aeb37f8e728b8dad not found", "mail bob@example.com:25 refused", "git@github.com:org/repo.git", "x 12:30@office:3",
		"module example.com/x@v1.2.3: not found", "http://localhost:8080/path@v1", "webhook https://example.com/hook/orders returned 500", "docker run -u 1000:1000 x",
		"thiếu mật khẩu", "the password sha256 hash", "price is $1$ or $5$",
	} {
		t.Run(in, func(t *testing.T) { require.Equal(t, in, redact.Secrets(in)) })
	}
}
