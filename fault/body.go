package fault

// readBody judges the body of a 2xx.
func readBody(s *Signal) Outcome {
	r := s.HTTP
	d := s.glance()
	contentType := r.Header.Get("Content-Type")
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
		if isJSONType(contentType) {
			return unreadable("http.content")
		}
		if !r.Truncated && cutPage(r.Body) {
			return unreadable("http.html")
		}
		return Outcome{Kind: KindOK}
	}
	if looksLikeXML(d.text) && !isJSONType(contentType) {
		if f, ok := readXML(d.text); ok {
			return f.outcome(s, "http")
		}
		if !r.Truncated && cutXML(contentType, r.Body) {
			return unreadable("http.xml")
		}
		return Outcome{Kind: KindOK}
	}
	if r.Truncated {
		return Outcome{Kind: KindOK, Qualifiers: Truncated}
	}
	switch {
	case isEventStream(contentType, d.text):
		return judgeEvents(s)
	case brokenJSON(contentType, r.Body):
		return unreadable("http.json")
	case cutTable(contentType, r.Body):
		return unreadable("http.csv")
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
