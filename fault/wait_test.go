package fault_test

import (
	"math"
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/fault"
)

var noon = time.Date(2026, 3, 1, 12, 0, 0, 0, time.UTC)

func header(pairs ...string) http.Header {
	h := http.Header{}
	for i := 0; i < len(pairs); i += 2 {
		h.Add(pairs[i], pairs[i+1])
	}
	return h
}

// nothing marks rows in which no usable wait is stated.
const nothing = time.Duration(-1)

func TestRetryAfterFromHeaders(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name string
		h    http.Header
		want time.Duration
	}{
		{"seconds", header("Retry-After", "30"), 30 * time.Second},
		{"spaces around", header("Retry-After", "  30 "), 30 * time.Second},
		{"a fraction", header("Retry-After", "2.5"), 2500 * time.Millisecond},
		{"a duration", header("Retry-After", "1m30s"), 90 * time.Second},
		{"at once", header("Retry-After", "0"), 0},
		{"lower-case name, as recorded", http.Header{"retry-after": {"7"}}, 7 * time.Second},
		{"IMF-fixdate", header("Retry-After", "Sun, 01 Mar 2026 12:02:00 GMT"), 2 * time.Minute},
		{"RFC 850", header("Retry-After", "Sunday, 01-Mar-26 12:02:00 GMT"), 2 * time.Minute},
		{"asctime", header("Retry-After", "Sun Mar  1 12:02:00 2026"), 2 * time.Minute},
		{"RFC 3339", header("Retry-After", "2026-03-01T14:02:00+02:00"), 2 * time.Minute},
		{"the answer's own clock", header("Date", "Wed, 21 Oct 2015 07:27:00 GMT", "Retry-After", "Wed, 21 Oct 2015 07:28:00 GMT"), time.Minute},
		{"a date in the past", header("Retry-After", "Sun, 01 Mar 2026 11:59:00 GMT"), nothing},
		{"a zone that Go would read as UTC", header("Retry-After", "Sunday, 01-Mar-26 13:30:00 CEST"), nothing},
		{"a zone where only GMT may stand", header("Retry-After", "Sun, 01 Mar 2026 13:30:00 CEST"), nothing},
		{"negative", header("Retry-After", "-5"), nothing},
		{"NaN", header("Retry-After", "NaN"), nothing},
		{"Inf", header("Retry-After", "Inf"), nothing},
		{"infinity", header("Retry-After", "+infinity"), nothing},
		{"words", header("Retry-After", "soon"), nothing},
		{"empty", header("Retry-After", ""), nothing},
		{"overflow is clamped, not wrapped", header("Retry-After", "1e20"), 365 * 24 * time.Hour},
		{"beyond every float", header("Retry-After", "1"+strings.Repeat("0", 400)), 365 * 24 * time.Hour},
		{"an exponent", header("Retry-After", "1e1"), 10 * time.Second},
		{"milliseconds", header("Retry-After-Ms", "1500"), 1500 * time.Millisecond},
		{"milliseconds, other name", header("x-ms-retry-after-ms", "250.5"), 250500 * time.Microsecond},
		{"the longer of both", header("Retry-After", "1", "Retry-After-Ms", "1200"), 1200 * time.Millisecond},
		{"the longer of two", header("Retry-After", "3", "Retry-After", "9"), 9 * time.Second},

		{"reset, epoch seconds", header("X-RateLimit-Reset", "1772366460"), time.Minute},
		{"reset, epoch milliseconds", header("X-RateLimit-Reset", "1772366460500"), 60500 * time.Millisecond},
		{"reset, delta", header("RateLimit-Reset", "42"), 42 * time.Second},
		{"reset, RFC 3339", header("anthropic-ratelimit-requests-reset", "2026-03-01T12:00:20Z"), 20 * time.Second},
		{"reset, in the past", header("X-RateLimit-Reset", "1772366400"), nothing},
		{"reset after", header("X-RateLimit-Reset-After", "1.25", "X-RateLimit-Remaining", "0"), 1250 * time.Millisecond},
		{"reset, durations", header("x-ratelimit-reset-requests", "1s", "x-ratelimit-reset-tokens", "6m0s"), 6 * time.Minute},
		{"the limit that is used up",
			header("x-ratelimit-remaining-requests", "0", "x-ratelimit-reset-requests", "1s",
				"x-ratelimit-remaining-tokens", "149000", "x-ratelimit-reset-tokens", "6m0s"), time.Second},
		{"something remains: not the cause", header("X-RateLimit-Remaining", "4990", "X-RateLimit-Reset", "1772370000"), nothing},
		{"asked for beats the window", header("Retry-After", "60", "X-RateLimit-Reset", "1772370000", "X-RateLimit-Remaining", "0"), time.Minute},
		{"zero yields to the window", header("Retry-After", "0", "RateLimit-Reset", "9"), 9 * time.Second},
		{"RateLimit, draft 7", header("RateLimit", "limit=100, remaining=0, reset=50"), 50 * time.Second},
		{"RateLimit, newer draft", header("RateLimit", `"burst";r=0;t=5, "day";r=10;t=4000`), 5 * time.Second},
		{"RateLimit, something remains", header("RateLimit", "limit=100, remaining=7, reset=50"), nothing},
		{"no headers", nil, nothing},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			expectWait(t, r.want, r.h, "")
		})
	}
}

func TestRetryAfterFromBodies(t *testing.T) {
	t.Parallel()
	rows := []struct {
		name, body string
		want       time.Duration
	}{
		{"try again in", `{"error":{"message":"Rate limit reached. Please try again in 20s. Visit x."}}`, 20 * time.Second},
		{"milliseconds are not seconds", `Please try again in 634ms. Visit`, 634 * time.Millisecond},
		{"mixed units", `Please try again in 9m38.016s.`, 9*time.Minute + 38016*time.Millisecond},
		{"retry after seconds", `Please retry after 30 seconds.`, 30 * time.Second},
		{"retry after one seconds", `please try again after 1 seconds`, time.Second},
		{"words between", `Requests have exceeded the limit. Please retry your request after 45 seconds.`, 45 * time.Second},
		{"minutes", `Usage limit reached, try again in 5 minutes`, 5 * time.Minute},
		{"long and short units", `Resets in 6hr 29min`, 6*time.Hour + 29*time.Minute},
		{"and", `You can try again in 1 hour and 5 minutes.`, time.Hour + 5*time.Minute},
		{"reset after", `Your quota will reset after 19h14m47s.`, 19*time.Hour + 14*time.Minute + 47*time.Second},
		{"a moment", `resets at 2026-03-01T12:00:30Z (2056)`, 30 * time.Second},
		{"a moment without a zone is not guessed at", `will reset at 2026-03-01 12:00:30`, nothing},
		{"throttled", `Request was throttled. Expected available in 56 seconds.`, 56 * time.Second},
		{"wait", `Please wait at least 3 seconds before the next call`, 3 * time.Second},
		{"wait, no link", `wait 1.5 minutes`, 90 * time.Second},
		{"no unit at the end", `Too many requests, retry after 12.`, 12 * time.Second},

		{"retryDelay", `{"error":{"details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"13s"}]}}`, 13 * time.Second},
		{"retryDelay, fraction", `{"retryDelay":"0.53s"}`, 530 * time.Millisecond},
		{"retry_after", `{"message":"slow down","retry_after":2.5,"global":false}`, 2500 * time.Millisecond},
		{"retry_after as text", `{"retry_after": "17"}`, 17 * time.Second},
		{"retry_after_ms", `{"retry_after_ms":1500}`, 1500 * time.Millisecond},
		{"retryAfterSeconds", `{"retryAfterSeconds":4}`, 4 * time.Second},
		{"a header copied into a body", `HTTP 429: {retry-after: 8, via: x}`, 8 * time.Second},
		{"nested message", `retry_delay {\n  seconds: 56\n}`, 56 * time.Second},
		{"nested object", `{"retryDelay":{"seconds":"11","nanos":0}}`, 11 * time.Second},
		{"JSON in JSON", `{"error":"{\"retry_after\": \"3s\"}"}`, 3 * time.Second},
		{"resets in", `{"resets_at":1,"resets_in_seconds":13872}`, 13872 * time.Second},
		{"resets at, epoch", `{"resets_at":1772366460}`, time.Minute},
		{"headers inside a body, milliseconds", `{"metadata":{"headers":{"X-RateLimit-Reset":"1772366460000"}}}`, time.Minute},
		{"quotaResetDelay", `{"quotaResetDelay":"539.47ms"}`, 539470 * time.Microsecond},
		{"a field beats the words", `Please retry in 56.185908122s. "retryDelay":"56s"`, 56 * time.Second},
		{"the body is cut", `{"error":{"retry_after":5,"mess`, 5 * time.Second},

		{"counts are not seconds", `gave up: will not retry after 3 attempts`, nothing},
		{"the number of a try", `Retry 2 of 5 in progress`, nothing},
		{"a password", `Password reset link was sent. It expires in 30 minutes`, nothing},
		{"a password, in one sentence", `Password reset link lives for 30 minutes`, nothing},
		{"the next sentence", `Do not retry. Delivered in 20 seconds.`, nothing},
		{"took", `timed out after 30 seconds`, nothing},
		{"a clock", `try again at 10:30`, nothing},
		{"a list of waits", `{"retry_after":[1,2]}`, nothing},
		{"null", `{"retry_after":null}`, nothing},
		{"negative", `{"retry_after":-3}`, nothing},
		{"a negative duration", `try again in -3s`, nothing},
		{"a setting of another name", `{"retries":3,"retry":true,"wait":5,"reset":1772366460}`, nothing},
		{"nothing", ``, nothing},
		{"far behind in a huge body", strings.Repeat("x ", 20_000) + `"retry_after":5`, nothing},
	}
	for _, r := range rows {
		t.Run(r.name, func(t *testing.T) {
			t.Parallel()
			expectWait(t, r.want, nil, r.body)
		})
	}
}

func TestHeadersBeatTheBody(t *testing.T) {
	t.Parallel()
	expectWait(t, 45*time.Second, header("Retry-After", "45"), `try again in 9s`)
	expectWait(t, 9*time.Second, header("Retry-After", "0"), `try again in 9s`)
	expectWait(t, 9*time.Second, header("X-RateLimit-Reset-Requests", "6m0s"), `try again in 9s`)
}

func expectWait(t *testing.T, want time.Duration, h http.Header, body string) {
	t.Helper()
	got, ok := fault.RetryAfter(h, []byte(body), noon)
	if want == nothing {
		require.False(t, ok, "read %v", got)
		require.Zero(t, got)
		return
	}
	require.True(t, ok, "read nothing")
	require.Equal(t, want, got)
}

// TestRetryAfterNeverShortens: whatever number of seconds a server writes, the
// wait is that number, up to a year.
func TestRetryAfterNeverShortens(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		secs := rapid.Uint64().Draw(t, "seconds")
		text := rapid.SampledFrom([]string{"%", " %", "%.0", "%s"}).Draw(t, "form")
		v := strings.ReplaceAll(text, "%", uintText(secs))
		got, ok := fault.RetryAfter(header("Retry-After", v), nil, noon)
		if want := math.Min(float64(secs), 365*24*3600); !ok || got.Seconds() != want {
			t.Fatalf("%q: %v, want %v s", v, got, want)
		}
	})
}

func uintText(n uint64) string {
	if n < 10 {
		return string(rune('0' + n))
	}
	return uintText(n/10) + uintText(n%10)
}

func FuzzRetryAfter(f *testing.F) {
	for _, seed := range [][3]string{
		{"Retry-After", "30", ""}, {"Retry-After", "Sun, 01 Mar 2026 12:02:00 GMT", ""}, {"X-RateLimit-Reset", "1772366460500", ""},
		{"RateLimit", `"a";r=0;t=5`, ""}, {"x-ratelimit-reset-requests", "6m0s", `{"retryDelay":"13s"}`},
		{"", "", "Please retry your request after 1h 5min and 3 s"}, {"", "", `retry_delay {\n seconds: 56`}, {"", "", "resets at 2026-03-01T12:00:30Z"},
		{"Retry-After", "1e309", "wait 99999999999999999999 days"},
	} {
		f.Add(seed[0], seed[1], seed[2])
	}
	f.Fuzz(func(t *testing.T, key, value, body string) {
		h := http.Header{key: {value}}
		d, ok := fault.RetryAfter(h, []byte(body), noon)
		if d < 0 || d > 365*24*time.Hour || !ok && d != 0 {
			t.Fatalf("%v, %v", d, ok)
		}
		if again, ok2 := fault.RetryAfter(h, []byte(body), noon); again != d || ok2 != ok {
			t.Fatalf("not a function of its input: %v, %v", d, again)
		}
	})
}

func BenchmarkRetryAfter(b *testing.B) {
	h := header("Content-Type", "application/json", "Date", "Sun, 01 Mar 2026 12:00:00 GMT", "X-Request-Id", "abc", "Server", "nginx")
	body := []byte(`{"error":{"message":"Rate limit reached for x on tokens per min: Limit 10000, Used 8554. Please try again in 9.816s. Visit y.","type":"tokens","code":"rate_limit_exceeded"}}`)
	b.ReportAllocs()
	for b.Loop() {
		_, _ = fault.RetryAfter(h, body, noon)
	}
}
