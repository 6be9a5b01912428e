package fault

import (
	"math"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// longestWait is what a stated wait is clamped to before it becomes a Duration.
// Nobody sleeps that long; it only has to stay longer than any deadline, and
// short enough that adding it to a time cannot overflow.
const longestWait = 365 * 24 * time.Hour

// RetryAfter reads how long an upstream asks to wait, out of the headers and
// the body of its answer. It reports false where nothing usable was said.
//
// It looks, in this order, and takes the first that asks for more than zero:
//
//   - Retry-After in seconds (fractions too), as a duration ("30s"), or as a
//     date in one of the three HTTP forms; retry-after-ms; x-ms-retry-after-ms.
//     Of several, the longest.
//   - The reset of a rate limit that is used up (its "remaining" is 0):
//     x-ratelimit-reset, ratelimit-reset, x-ratelimit-reset-requests,
//     …-reset-after and their kin, as seconds, epoch seconds or milliseconds,
//     a duration ("6m0s") or a date; and the RateLimit field. Of several, the
//     longest.
//   - A field of the body: retry_after, retryDelay, resets_in_seconds, reset_at
//     and their kin.
//   - The words of the body: "try again in 20s", "retry after 30 seconds",
//     "reset after 1h 5min".
//   - The reset of a rate limit that does not say what remains. One that says
//     that something remains is not why the call was refused, and is ignored.
//
// Dates and epochs count from the answer's own Date header where there is one,
// so that a wrong clock on either side does no harm, else from now. A date in
// the past, a negative, infinite or otherwise senseless number says nothing. A
// date in a zone other than GMT is not guessed at. What was asked for is never
// shortened, except to one year. Only the start of a long body is read.
func RetryAfter(h http.Header, body []byte, now time.Time) (time.Duration, bool) {
	w := headerWaits(h, now)
	said := w.asked
	said.unlessZero(w.exhausted)
	if said.d == 0 {
		said.unlessZero(bodyWait(body, w.now))
	}
	said.unlessZero(w.limit)
	return said.d, said.ok
}

// span is a wait that was read; ok is false where there was none.
type span struct {
	d  time.Duration
	ok bool
}

func (s *span) longest(t span) {
	if t.ok && (!s.ok || t.d > s.d) {
		*s = t
	}
}

// unlessZero takes t where nothing, or "at once", was said so far.
func (s *span) unlessZero(t span) {
	if s.d == 0 && t.ok {
		*s = t
	}
}

// spanOf converts a number of units, clamped before the conversion.
func spanOf(n float64, unit time.Duration) span {
	if math.IsNaN(n) || math.IsInf(n, 0) || n < 0 {
		return span{}
	}
	if n >= float64(longestWait)/float64(unit) {
		return span{longestWait, true}
	}
	return span{time.Duration(math.Round(n * float64(unit))), true}
}

// until is the wait for a moment; one that has passed says nothing.
func until(t, now time.Time) span {
	if !t.After(now) {
		return span{}
	}
	return span{min(t.Sub(now), longestWait), true}
}

// headerSpans are the waits found in the headers.
type headerSpans struct {
	asked     span // the Retry-After family
	exhausted span // resets of limits with nothing left
	limit     span // resets of limits that do not say what is left
	now       time.Time
}

func headerWaits(h http.Header, now time.Time) headerSpans {
	w := headerSpans{now: now}
	if date, ok := httpDate(first(h, "date")); ok {
		w.now = date
	}
	for key, values := range h {
		if len(key) > 64 {
			continue
		}
		key = strings.ToLower(key)
		for _, v := range values {
			w.read(h, key, strings.TrimSpace(v))
		}
	}
	return w
}

func (w *headerSpans) read(h http.Header, key, v string) {
	switch key {
	case "retry-after", "x-retry-after":
		w.asked.longest(waitText(v, time.Second, w.now))
		return
	case "retry-after-ms", "x-ms-retry-after-ms":
		w.asked.longest(waitText(v, time.Millisecond, w.now))
		return
	case "ratelimit":
		w.rateLimit(v)
		return
	}
	if !strings.Contains(key, "reset") || !strings.Contains(key, "ratelimit") && !strings.Contains(key, "rate-limit") {
		return
	}
	left := first(h, strings.Replace(strings.TrimSuffix(key, "-after"), "reset", "remaining", 1))
	s := resetText(v, w.now)
	switch n, err := strconv.ParseFloat(strings.TrimSpace(left), 64); {
	case left == "" || err != nil:
		w.limit.longest(s)
	case n <= 0:
		w.exhausted.longest(s)
	}
}

// rateLimit reads the RateLimit field in its two draft forms,
//
//	limit=100, remaining=0, reset=50
//	"default";r=0;t=50, "day";r=10;t=4000
func (w *headerSpans) rateLimit(v string) {
	var wait, left string
	flush := func() {
		if s := waitText(wait, time.Second, w.now); left == "0" {
			w.exhausted.longest(s)
		} else if left == "" {
			w.limit.longest(s)
		}
	}
	for item := range strings.SplitSeq(v, ",") {
		if strings.HasPrefix(strings.TrimSpace(item), `"`) {
			flush() // a new policy begins
			wait, left = "", ""
		}
		for part := range strings.SplitSeq(item, ";") {
			name, value, _ := strings.Cut(strings.TrimSpace(part), "=")
			switch name {
			case "t", "reset":
				wait = value
			case "r", "remaining":
				left = value
			}
		}
	}
	flush()
}

// waitText reads a wait: a number of units, a duration, or a date.
func waitText(v string, unit time.Duration, now time.Time) span {
	if n, rest, ok := decimal(v); ok && rest == "" {
		return spanOf(n, unit)
	}
	if s, rest := duration(v); s.ok && strings.TrimSpace(rest) == "" {
		return s
	}
	return dateText(v, now)
}

// resetText reads a reset, where a large number is a point in time: no limit is
// reset only in thirty years.
func resetText(v string, now time.Time) span {
	n, rest, ok := decimal(v)
	if !ok || rest != "" {
		return waitText(v, time.Second, now)
	}
	return epochOrDelta(n, now)
}

func epochOrDelta(n float64, now time.Time) span {
	const seconds, millis, micros = 1e9, 1e11, 1e14 // smallest number read as each, in the years 2001, 1973 and 1973
	switch {
	case n < seconds:
		return spanOf(n, time.Second)
	case n < millis:
	case n < micros:
		n /= 1e3
	case n < micros*1e3:
		n /= 1e6
	default:
		return span{}
	}
	whole, frac := math.Modf(n)
	return until(time.Unix(int64(whole), int64(frac*1e9)), now)
}

func dateText(v string, now time.Time) span {
	if t, ok := httpDate(v); ok {
		return until(t, now)
	}
	if t, err := time.Parse(time.RFC3339, v); err == nil {
		return until(t, now)
	}
	return span{}
}

// httpDate reads the three HTTP forms. One of them admits any zone name, and
// Go reads a zone it does not know as UTC: hours wrong without an error. Such a
// date is refused.
func httpDate(v string) (time.Time, bool) {
	if v == "" {
		return time.Time{}, false
	}
	t, err := http.ParseTime(v)
	if err != nil {
		return time.Time{}, false
	}
	if zone, _ := t.Zone(); zone != "GMT" && zone != "UTC" {
		return time.Time{}, false
	}
	return t, true
}

// first returns the first value of a header whatever the case of its name:
// recorded headers are often in lower case.
func first(h http.Header, key string) string {
	if v := h[http.CanonicalHeaderKey(key)]; len(v) > 0 {
		return v[0]
	}
	for k, v := range h {
		if len(v) > 0 && strings.EqualFold(k, key) {
			return v[0]
		}
	}
	return ""
}
