package fault

import (
	"encoding/json"
	"mime"
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
	c.waits = ok && wait > 0
	c.soon = c.waits && wait <= soon
	return wait
}

// soon is the longest wait after which a refusal still counts as a throttle,
// whatever it calls itself.
const soon = 2 * time.Minute

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
// refused; an error object that a function returned and nobody can read leaves
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

// readBody judges the body of a 2xx.
func readBody(s *Signal) Outcome {
	r := s.HTTP
	d := s.document()
	if len(d.text) == 0 && !d.valid {
		return Outcome{Kind: KindOK, Qualifiers: Empty}
	}
	if d.valid {
		return judgeData(s, "http")
	}
	if looksLikeHTML(d.text) {
		if f, ok := readPage(d.text); ok {
			return f.outcome(s, "html")
		}
		if isJSONType(r.Header.Get("Content-Type")) {
			return unreadable("http.content")
		}
		return Outcome{Kind: KindOK}
	}
	if looksLikeXML(d.text) && !isJSONType(r.Header.Get("Content-Type")) {
		if f, ok := readXML(d.text); ok {
			return f.outcome(s, "http")
		}
		return Outcome{Kind: KindOK}
	}
	if r.Truncated {
		return Outcome{Kind: KindOK, Qualifiers: Truncated}
	}
	if brokenJSON(r.Header.Get("Content-Type"), d.text) {
		return unreadable("http.json")
	}
	if f, ok := readText(d.text, s.Effect, 0); ok {
		return f.outcome(s, "http")
	}
	return Outcome{Kind: KindOK}
}

// unreadable is the outcome of an answer that came and cannot be read: what
// was asked for was done.
func unreadable(rule string) Outcome {
	o := brokenReply.fail(rule)
	o.Fault.Ran = RanYes
	return o
}

// brokenJSON reports whether a body that does not decode was meant to be JSON.
func brokenJSON(contentType, body string) bool {
	if len(body) > maxHead && len(body) == maxHead {
		return false
	}
	if isJSONType(contentType) {
		return true
	}
	return contentType == "" && (strings.HasPrefix(body, `{"`) || strings.HasPrefix(body, `[{"`)) && !json.Valid([]byte(body)) && endsEarly(body)
}

// endsEarly reports whether a body stops in the middle of JSON.
func endsEarly(body string) bool {
	var v any
	err := json.NewDecoder(strings.NewReader(body)).Decode(&v)
	return err != nil && strings.Contains(err.Error(), "EOF")
}

func isJSONType(contentType string) bool {
	if contentType == "" {
		return false
	}
	mediaType, _, err := mime.ParseMediaType(contentType)
	if err != nil {
		mediaType, _, _ = strings.Cut(strings.ToLower(contentType), ";")
	}
	mediaType = strings.TrimSpace(mediaType)
	return mediaType == "application/json" || mediaType == "text/json" || strings.HasSuffix(mediaType, "+json")
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
