package transcript

import (
	"bytes"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// block adds a part of a content that is neither text nor left out: a call or
// a result of Anthropic's.
func (c *chat) block(part rawjson.Value, line int) {
	kind := part.Get("type")
	switch {
	case kind.Is("tool_use"), kind.Is("server_tool_use"), kind.Is("mcp_tool_use"):
		id := identity(part.Get("id"))
		c.call(Event{ID: id, Tool: c.b.Name(part.Get("name")), Text: rawText(part.Get("input")), Line: line})
	case kind.Kind() == rawjson.String && bytes.HasSuffix(kind, []byte(`tool_result"`)):
		c.toolResultBlock(part, line)
	default:
		c.b.Problem(line, "a part of a message of no known type was passed over")
	}
}

// toolResultBlock adds a tool_result and those of the server's own tools, which
// say in the type of their content that they failed.
func (c *chat) toolResultBlock(part rawjson.Value, line int) {
	body := part.Get("content")
	e := Event{ID: identity(part.Get("tool_use_id")), IsError: flag(part.Get("is_error")), Line: line}
	if kind := body.Get("type"); kind.Kind() == rawjson.String && bytes.HasSuffix(kind, []byte(`_error"`)) {
		e.IsError = &yes
	}
	if code := body.Get("return_code"); code.Present() {
		e.ExitCode = number(code)
	}
	e.Text = content(body)
	c.result(e)
}

// isAnthropic reports whether one of the messages has a part that only
// Anthropic's have.
func isAnthropic(messages rawjson.Value) bool {
	for m := range messages.Elements() {
		for part := range m.Get("content").Elements() {
			kind := part.Get("type")
			if kind.Is("tool_use") || kind.Is("tool_result") || kind.Is("thinking") {
				return true
			}
		}
	}
	return false
}

// anthropicFormat is a log of requests to Anthropic and their responses, or a
// conversation in its manner.
var anthropicFormat = Format{
	Name:  "anthropic",
	Shape: `"messages" with content blocks, alone or in "request" with "response"`,
	Recognise: func(v *Value) bool {
		x := v.exchange()
		isMessage := x.response.Get("type").Is("message") && x.response.Get("role").Is("assistant")
		switch messages := x.request.Get("messages"); messages.Kind() {
		case rawjson.Array:
			return isMessage || x.request.Get("system").Present() || isAnthropic(messages)
		case rawjson.None:
			return isMessage && x.response.Get("stop_reason").Kind() != rawjson.None
		}
		return false
	},
	Session: exchangeKey,
	New:     newExchange,
}
