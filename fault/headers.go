package fault

import (
	"net/http"
	"strings"
)

// codeHeaders carry the machine-readable code of a failure.
var codeHeaders = []string{"X-Amzn-Errortype", "X-Ms-Error-Code", "X-Error-Code", "X-Error-Type", "X-Amz-Error-Code", "X-Goog-Error-Code", "X-Oss-Error-Code"}

// absorbHeaders reads the headers of a failed response for clues.
func (c *clues) absorbHeaders(s *Signal) {
	h := s.HTTP.Header
	if len(h) == 0 {
		return
	}
	for _, name := range codeHeaders {
		if v := h.Get(name); v != "" {
			c.readCode(v)
		}
	}
	if challenge := h.Get("Www-Authenticate"); challenge != "" {
		c.code(quoted(challenge, "error="))
	}
	if s.HTTP.Status == 403 || s.HTTP.Status == 429 {
		c.absorbLimits(h)
	}
}

// absorbLimits reads which limit was reached: "X-RateLimit-Remaining: 0" one
// that is not named, "X-HubSpot-RateLimit-Daily-Remaining: 0" and
// "X-Rate-Limit-Problem: day" the budget of a day.
func (c *clues) absorbLimits(h http.Header) {
	for name, values := range h {
		if len(values) == 0 || !strings.Contains(name, "imit") && !strings.Contains(name, "uota") {
			continue
		}
		name, value := strings.ToLower(name), strings.ToLower(strings.TrimSpace(values[0]))
		window := windowOf(value)
		if value == "0" && strings.Contains(name, "remaining") {
			if window = windowOf(name); window == noCause && (strings.Contains(name, "ratelimit-remaining") || strings.Contains(name, "rate-limit-remaining")) {
				window = throttled
			}
		}
		c.add(window, exact, "")
	}
}

// windowOf finds the window that a name or a value speaks of.
func windowOf(text string) cause {
	for part := range strings.FieldsFuncSeq(text, func(r rune) bool { return r == '-' || r == '_' || r == ' ' }) {
		switch part {
		case "day", "daily", "month", "monthly", "week", "weekly":
			return outOfBudget
		case "second", "secondly", "minute", "minutely":
			return shortWindow
		}
	}
	return noCause
}

// headerFailure finds a 2xx of which only a header tells that the caller was
// treated as a stranger: Jira answers an expired token as anonymous, with
// whatever a stranger may see.
func headerFailure(s *Signal) (*finding, bool) {
	h := s.HTTP.Header
	reason := h.Get("X-Seraph-Loginreason")
	anonymous := strings.EqualFold(h.Get("X-Ausername"), "anonymous") || strings.EqualFold(reason, "OUT") || h.Get("Www-Authenticate") != ""
	failed := strings.Contains(reason, "FAILED") || strings.Contains(reason, "DENIED")
	if !failed && !(anonymous && s.emptyResult()) {
		return nil, false
	}
	f := &finding{shape: "header", bare: badCredential}
	f.add(badCredential, exact, reason)
	return f, true
}

// emptyResult reports whether the result of the attempt has no content.
func (s *Signal) emptyResult() bool {
	d := s.document()
	if d.valid {
		return isEmptyData(d.root)
	}
	return d.text == ""
}

// quoted returns the value of a parameter of a header: error="invalid_token".
func quoted(header, name string) string {
	_, after, ok := strings.Cut(header, name)
	if !ok {
		return ""
	}
	after = strings.TrimPrefix(after, `"`)
	if i := strings.IndexAny(after, `",; `); i >= 0 {
		after = after[:i]
	}
	return after
}
