package fault

import (
	"strings"
	"time"
)

// detectHTTP judges a response by its codes, its status and its words. A 2xx is
// not a success until its body says so.
func detectHTTP(s *Signal) (Outcome, bool) {
	r := s.HTTP
	if r == nil || r.Status == 0 {
		return Outcome{}, false
	}
	if isFailureStatus(r.Status) {
		return failedResponse(s)
	}
	if s.Err != nil {
		return lostReply(s)
	}
	if f, ok := headerFailure(s); ok {
		return f.outcome(s, "http"), true
	}
	switch {
	case r.Status == 202:
		return acceptedResponse(s)
	case r.Status == 204 || r.Status == 205:
		return Outcome{Kind: KindOK, Qualifiers: Empty}, true
	case r.Status == 304:
		return Outcome{Kind: KindOK}, true
	case r.Status == 207 && len(r.Body) > 0:
		return multiStatus(s)
	case r.Status >= 300 && r.Status < 400:
		return redirect(s), true
	case r.Status < 200:
		return Outcome{}, false
	case len(r.Body) == 0 && (s.HasValue || s.HasText || s.MCP != nil):
		return Outcome{}, false // the tool read the body: its result is judged
	case r.Truncated && (s.HasValue || s.HasText || s.MCP != nil) && !s.document().valid && !looksLikeHTML(s.document().text):
		// What was kept of a long body is not the whole, and the tool has read
		// that: its result is judged.
		read := *r
		read.Body = nil
		s.HTTP, s.doc = &read, nil
		return Outcome{}, false
	}
	return readBody(s), true
}

// failedResponse judges a status of 400 and above.
func failedResponse(s *Signal) (Outcome, bool) {
	r := s.HTTP
	if s.Err == nil && (s.HasValue || s.HasText) && (r.Status == 404 || r.Status == 410) && !s.emptyResult() {
		return Outcome{}, false // the tool expected the absence and made a result of it
	}
	var c clues
	c.absorbHeaders(s)
	c.absorbBody(s)
	if s.Err != nil && len(r.Body) == 0 {
		c.text(s.Err.Error())
	}
	wait := c.listen(r)
	o := c.decide(r.Status).fail("http")
	o.Fault.Status, o.Fault.Wait = r.Status, wait
	return o, true
}

// listen reads how long the service asks to wait. Where a status says that
// waiting is of no use, only a header can say otherwise.
func (c *clues) listen(r *Response) time.Duration {
	body := r.Body[:min(len(r.Body), maxHead)]
	switch r.Status {
	case 401, 402, 404, 405, 410, 413, 501:
		body = nil
	}
	wait, ok := RetryAfter(r.Header, body, time.Now())
	c.hear(wait, ok)
	return wait
}

// A refusal that ends within soon is a throttle, whatever it calls itself, and
// one that ends after late is a budget: the windows of throttles are seconds to
// an hour long, those of budgets a day to a month. A clock that is further off
// says nothing.
const (
	soon   = 2 * time.Minute
	late   = 2 * time.Hour
	latest = 32 * 24 * time.Hour
)

// hear keeps what the stated wait tells about the refusal.
func (c *clues) hear(wait time.Duration, stated bool) {
	c.waits = stated && wait > 0
	c.soon = c.waits && wait <= soon
	c.late = c.waits && wait > late && wait <= latest
}

// absorbBody reads an error body for clues.
func (c *clues) absorbBody(s *Signal) {
	d := s.document()
	switch {
	case d.valid:
		c.absorb(d.root, 0)
	case looksLikeHTML(d.text):
		c.text(stripTags(d.text[:min(len(d.text), maxText)]))
	case looksLikeXML(d.text):
		c.absorbXML(d.text)
	default:
		c.text(d.text)
	}
	c.status, c.spoken = 0, 0 // the response has one
}

// fail makes the outcome of a verdict. where names the part of the signal that
// was read.
func (v verdict) fail(where string) Outcome {
	if v.cause == noCause {
		v.cause = unexplained
	}
	rule := where
	if v.basis != "" {
		rule += "." + v.basis
	}
	o := v.cause.fail(rule)
	o.Fault.Code = cleanCode(v.code)
	return o
}

// outcome makes the outcome of an envelope. A service that answers with one
// refused, and so did whoever sets a flag that says no; a bare error object that a function returned and nobody can read leaves
// the effect in doubt, and so do the words of an exception.
func (f *finding) outcome(s *Signal, where string) Outcome {
	if f.bare == halfDone {
		o := halfDone.fail(where + "." + f.shape)
		if s.HTTP != nil {
			o.Fault.Status = s.HTTP.Status
		}
		return o
	}
	var wait time.Duration
	if s.HTTP != nil {
		wait = f.listen(s.HTTP)
	}
	v := f.decide(0)
	if v.cause == noCause {
		v.cause = f.bare
	}
	v.basis = f.shape
	o := v.fail(where)
	if v.cause == saysItFailed && (f.refused || s.HTTP != nil && !f.crashed) {
		o.Fault.Ran = RanNo
	}
	if s.HTTP != nil {
		o.Fault.Status, o.Fault.Wait = s.HTTP.Status, wait
	} else if d := s.document(); rows[v.cause].action == Retry {
		o.Fault.Wait, _ = RetryAfter(nil, []byte(d.text[:min(len(d.text), maxHead)]), time.Now())
	}
	return o
}

// acceptedResponse is a 202: pending, unless its body says that it failed.
func acceptedResponse(s *Signal) (Outcome, bool) {
	if d := s.document(); d.valid {
		if f, ok := readEnvelope(d.root, s.Effect); ok {
			return f.outcome(s, "http"), true
		}
	}
	return Outcome{Kind: KindPending}, true
}

// multiStatus is a 207: as good as its items.
func multiStatus(s *Signal) (Outcome, bool) {
	d := s.document()
	if d.valid {
		root := d.root
		if list, ok := root.([]any); ok {
			root = map[string]any{"responses": list}
		}
		effect := max(s.Effect, Idempotent) // each item is an answer, not a record
		if f, ok := readBatch(root, effect); ok {
			return f.outcome(s, "http"), true
		}
		if f, ok := readEnvelope(d.root, s.Effect); ok {
			return f.outcome(s, "http"), true
		}
		return Outcome{Kind: KindOK}, true
	}
	failed, done := 0, 0
	for rest := d.text; ; {
		i := strings.Index(rest, "HTTP/1.1 ")
		if i < 0 || len(rest) < i+12 {
			break
		}
		if rest = rest[i+9:]; rest[0] >= '4' {
			failed++
		} else {
			done++
		}
	}
	if failed > 0 && (s.Effect != Read || done == 0) {
		return halfDone.fail("http.207"), true
	}
	return Outcome{Kind: KindOK}, true
}

// redirect is a 3xx that nobody followed: to a login page it is a dead
// credential, to anywhere else the address is wrong.
func redirect(s *Signal) Outcome {
	location := strings.ToLower(s.HTTP.Header.Get("Location"))
	for _, w := range []string{"login", "signin", "sign-in", "sign_in", "/sso", "/auth", "oauth", "logon", "saml"} {
		if strings.Contains(location, w) {
			o := badCredential.fail("http.redirect")
			o.Fault.Status = s.HTTP.Status
			return o
		}
	}
	o := absent.fail("http.redirect")
	o.Fault.Status = s.HTTP.Status
	return o
}

// lostReply judges an error beside a 2xx: the service did what it was asked,
// and its answer was lost on the way. An error that is not the transport's is
// the tool's own and is judged as such.
func lostReply(s *Signal) (Outcome, bool) {
	if s.HTTP.Status < 200 || s.HTTP.Status >= 300 {
		return Outcome{}, false
	}
	c, rule := transportCause(s.Err)
	switch c {
	case connectionLost:
		c = brokenReply // the connection was good for the status: it is the body that was cut
		fallthrough
	case noAnswer, brokenReply:
		o := c.fail(rule)
		o.Fault.Status, o.Fault.Ran = s.HTTP.Status, RanYes
		return o, true
	}
	return Outcome{}, false
}

// cleanCode keeps of a code what a record may hold.
func cleanCode(code string) string {
	out := make([]byte, 0, min(len(code), 64))
	for i := 0; i < len(code) && len(out) < 64; i++ {
		switch b := code[i]; {
		case b >= 'a' && b <= 'z', b >= 'A' && b <= 'Z', b >= '0' && b <= '9', strings.IndexByte("._:/-", b) >= 0:
			out = append(out, b)
		}
	}
	return string(out)
}
