package fault

import (
	"bytes"
	"strings"
)

// isEventStream reports whether a body is a stream of server-sent events, as
// model APIs and MCP servers answer with.
func isEventStream(contentType, body string) bool {
	if contentType == "" {
		return strings.HasPrefix(body, "event: ") || strings.HasPrefix(body, "data: {")
	}
	return isMediaType(contentType, "text/event-stream")
}

// judgeEvents judges a stream that has ended by its last event with data, and
// by the last that calls itself an error: the status was sent before either.
// What other events say is content.
func judgeEvents(s *Signal) Outcome {
	var named *finding
	var last []byte
	isError := false
	for line := range bytes.Lines(s.HTTP.Body) {
		field, value, _ := bytes.Cut(bytes.TrimRight(line, "\r\n"), []byte(":"))
		value = bytes.TrimSpace(value)
		switch string(field) {
		case "":
			isError = false
		case "event":
			isError = string(value) == "error"
		case "data":
			if isError {
				named = &finding{shape: "event", bare: saysItFailed}
				named.absorbString(string(value), 0)
			} else if bytes.HasPrefix(value, []byte("{")) {
				last = value
			}
		}
	}
	if root, ok := nested(string(last)); ok {
		if f, ok := readEnvelope(root, s.Effect); ok {
			return f.outcome(s, "http")
		}
	}
	if named != nil {
		return named.outcome(s, "http")
	}
	return Outcome{Kind: KindOK}
}
