package fault

import (
	"errors"
	"net/http"
	"reflect"
	"time"
)

// detectSDK judges the errors of service clients by what they can be asked,
// with no import: ErrorCode() (AWS), StatusCode() or HTTPStatusCode(), a field
// StatusCode or Code that holds a status (Google), a field Response (GitHub,
// GitLab), RetryAfter().
func detectSDK(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	var c clues
	var withCode interface {
		error
		ErrorCode() string
	}
	if errors.As(s.Err, &withCode) {
		c.readCode(withCode.ErrorCode())
	}
	status, header := statusOf(s.Err)
	if status == 0 && !c.any(generic) {
		return Outcome{}, false
	}
	c.text(s.Err.Error())
	wait, waits := RetryAfter(header, nil, time.Now())
	if w, ok := errors.AsType[interface {
		error
		RetryAfter() time.Duration
	}](s.Err); ok && w.RetryAfter() > 0 {
		wait, waits = w.RetryAfter(), true
	}
	c.hear(wait, waits)
	o := c.decide(status).fail("error")
	o.Fault.Status, o.Fault.Wait = status, wait
	return o, true
}

// statusOf asks an error for the HTTP status behind it.
func statusOf(err error) (int, http.Header) {
	status := 0
	var header http.Header
	eachError(err, func(e error) bool {
		switch e := e.(type) { //nolint:errorlint // this is the walk itself
		case interface{ HTTPStatusCode() int }:
			status = e.HTTPStatusCode()
		case interface{ StatusCode() int }:
			status = e.StatusCode()
		default:
			status, header = statusField(e)
		}
		if !isFailureStatus(status) {
			status = 0
		}
		return status == 0
	})
	return status, header
}

// statusField looks for the status in the fields of an error.
func statusField(err error) (int, http.Header) {
	v := reflect.ValueOf(err)
	if v.Kind() == reflect.Pointer && !v.IsNil() {
		v = v.Elem()
	}
	if v.Kind() != reflect.Struct {
		return 0, nil
	}
	for _, name := range []string{"Response", "Resp"} {
		if f := v.FieldByName(name); f.IsValid() && f.CanInterface() {
			if r, ok := f.Interface().(*http.Response); ok && r != nil {
				return r.StatusCode, r.Header
			}
		}
	}
	for _, name := range []string{"StatusCode", "HTTPStatusCode", "Status", "Code"} {
		if f := v.FieldByName(name); f.IsValid() && f.CanInt() && isFailureStatus(int(f.Int())) {
			if h := v.FieldByName("Header"); h.IsValid() && h.CanInterface() {
				header, _ := h.Interface().(http.Header)
				return int(f.Int()), header
			}
			return int(f.Int()), nil
		}
	}
	return 0, nil
}

// detectErrorText judges an error by its text alone: the last resort, because
// text is what wrappers and other languages leave of an error.
func detectErrorText(s *Signal) (Outcome, bool) {
	if s.Err == nil {
		return Outcome{}, false
	}
	text := s.Err.Error()
	if code, rest, ok := rpcPrefix(text); ok {
		o := rpcFailure(code, rest, "error")
		return o, true
	}
	var c clues
	c.absorbString(text, 0)
	v := c.decide(0)
	if v.cause == noCause {
		return Outcome{}, false
	}
	if s.Sent == SentNo {
		v.cause = v.cause.unsent()
	}
	o := v.fail("error")
	o.Fault.Status = c.namedStatus()
	if rows[v.cause].action == Retry {
		o.Fault.Wait, _ = RetryAfter(nil, []byte(text[:min(len(text), maxText)]), time.Now())
	}
	return o, true
}
