package fault

import "strings"

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
		for _, name := range []string{"X-Ratelimit-Remaining", "Ratelimit-Remaining", "X-Rate-Limit-Remaining"} {
			if strings.TrimSpace(h.Get(name)) == "0" {
				c.add(throttled, exact, "")
			}
		}
	}
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
