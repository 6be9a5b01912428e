package faulttest

import (
	"context"
	"fmt"
	"net/http"
	"strconv"
	"time"
)

// WaitForm is a form in which a service says how long to wait.
type WaitForm uint8

const (
	WaitSeconds       WaitForm = iota // Retry-After: 30
	WaitFraction                      // Retry-After: 0.25
	WaitIMFDate                       // Retry-After: Sun, 06 Nov 1994 08:49:37 GMT
	WaitRFC850Date                    // Retry-After: Sunday, 06-Nov-94 08:49:37 GMT
	WaitAsctimeDate                   // Retry-After: Sun Nov  6 08:49:37 1994
	WaitMilliseconds                  // Retry-After-Ms: 250
	WaitResetDelta                    // RateLimit-Reset: 30
	WaitResetEpoch                    // X-RateLimit-Reset: 784111777
	WaitResetMillis                   // X-RateLimit-Reset: 784111777000
	WaitResetDuration                 // X-RateLimit-Reset-Requests: 250ms
	WaitRetryDelay                    // {"error":{"details":[{"retryDelay":"0.25s"}]}}
	WaitBodyField                     // {"retry_after":0.25}
	WaitWords                         // "Please try again in 250ms."
)

var waitFormNames = [...]string{
	"seconds", "fraction", "imf-date", "rfc850-date", "asctime-date", "milliseconds", "reset-delta", "reset-epoch",
	"reset-millis", "reset-duration", "retry-delay", "body-field", "words",
}

// String returns the name with dashes.
func (w WaitForm) String() string {
	if int(w) < len(waitFormNames) {
		return waitFormNames[w]
	}
	return "invalid"
}

// WaitForms lists every form.
func WaitForms() []WaitForm {
	forms := make([]WaitForm, len(waitFormNames))
	for i := range forms {
		forms[i] = WaitForm(i)
	}
	return forms
}

// RateLimited answers 429 and asks to wait. A form that counts in whole seconds
// rounds up, so that never less is asked for; dates count from the moment of
// the reply.
func RateLimited(form WaitForm, wait time.Duration) Failure {
	make429 := func() *answer { return form.answer(wait, time.Now()) }
	return Failure{
		name: "rate-limited-" + form.String(),
		wire: func(x *exchange) { x.send(make429()) },
		local: func(context.Context) error {
			a := make429()
			return &StatusError{a.status, a.header, a.body}
		},
	}
}

func (w WaitForm) answer(wait time.Duration, now time.Time) *answer {
	a := &answer{
		status: http.StatusTooManyRequests,
		header: http.Header{"Content-Type": {"application/json"}},
		body:   `{"error":{"code":"rate_limit_exceeded","message":"Too many requests."}}`,
	}
	seconds := strconv.FormatInt(int64((wait+time.Second-1)/time.Second), 10)
	at := now.Add(wait + time.Second - 1).UTC() // dates have whole seconds
	set := func(key, value string) { a.header.Set(key, value) }
	switch w {
	case WaitSeconds:
		set("Retry-After", seconds)
	case WaitFraction:
		set("Retry-After", strconv.FormatFloat(wait.Seconds(), 'f', -1, 64))
	case WaitIMFDate:
		set("Retry-After", at.Format(http.TimeFormat))
	case WaitRFC850Date:
		set("Retry-After", at.Format("Monday, 02-Jan-06 15:04:05 GMT"))
	case WaitAsctimeDate:
		set("Retry-After", at.Format(time.ANSIC))
	case WaitMilliseconds:
		set("Retry-After-Ms", strconv.FormatInt(wait.Milliseconds(), 10))
	case WaitResetDelta:
		set("RateLimit-Remaining", "0")
		set("RateLimit-Reset", seconds)
	case WaitResetEpoch:
		set("X-RateLimit-Remaining", "0")
		set("X-RateLimit-Reset", strconv.FormatInt(at.Unix(), 10))
	case WaitResetMillis:
		set("X-RateLimit-Remaining", "0")
		set("X-RateLimit-Reset", strconv.FormatInt(at.UnixMilli(), 10))
	case WaitResetDuration:
		set("X-RateLimit-Remaining-Requests", "0")
		set("X-RateLimit-Reset-Requests", wait.String())
	case WaitRetryDelay:
		a.body = fmt.Sprintf(`{"error":{"code":429,"status":"RESOURCE_EXHAUSTED","details":[{"@type":"type.googleapis.com/google.rpc.RetryInfo","retryDelay":"%vs"}]}}`, wait.Seconds())
	case WaitBodyField:
		a.body = fmt.Sprintf(`{"message":"You are being rate limited.","retry_after":%v}`, wait.Seconds())
	case WaitWords:
		a.body = fmt.Sprintf(`{"error":{"message":"Rate limit reached. Please try again in %v."}}`, wait)
	}
	return a
}
