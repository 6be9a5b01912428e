package fault

import "strings"

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
	var said, last *finding
	name := ""
	for line := range strings.Lines(s.document().text) {
		field, value, _ := strings.Cut(strings.TrimRight(line, "\r\n"), ":")
		value = strings.TrimSpace(value)
		switch field {
		case "":
			name = ""
		case "event":
			name = value
		case "data":
			if name == "error" {
				said = &finding{shape: "event", bare: saysItFailed}
				said.absorbString(value, 0)
			} else if root, ok := nested(value); ok {
				last, _ = readEnvelope(root, s.Effect)
			}
		}
	}
	if last == nil {
		last = said
	}
	if last != nil {
		return last.outcome(s, "http")
	}
	return Outcome{Kind: KindOK}
}
