package transcript

import (
	"bytes"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// item adds an item of OpenAI's Responses API that is no message.
func (c *chat) item(m *rawjson.Index, line int) {
	kind := m.Get("type")
	switch {
	case kind.Is("function_call"), kind.Is("custom_tool_call"), kind.Is("local_shell_call"), kind.Is("computer_call"), kind.Is("shell_call"), kind.Is("apply_patch_call"):
		tool := m.Get("name")
		if !tool.Present() {
			tool = kind
		}
		c.call(Event{
			ID:   identity(first(m.Get("call_id"), m.Get("id"))),
			Tool: c.b.Name(tool),
			Text: rawText(first(m.Get("arguments"), m.Get("input"), m.Get("action"), m.Get("operation"))),
			Line: line,
		})
	case bytes.HasSuffix(kind, []byte(`_call_output"`)):
		c.result(Event{ID: identity(first(m.Get("call_id"), m.Get("id"))), Text: content(m.Get("output")), Line: line})
	case bytes.HasSuffix(kind, []byte(`_call"`)):
		c.serverCall(m, line)
	case kind.Is("reasoning"), kind.Is("item_reference"), kind.Is("compaction"), bytes.HasPrefix(kind, []byte(`"mcp_`)):
		// Thoughts, and what was listed or approved, are neither calls nor answers.
	default:
		c.b.Problem(line, "an item of no known type was passed over")
	}
}

// serverCall adds a call that the provider ran itself: the item is the result
// too, where there is one.
func (c *chat) serverCall(m *rawjson.Index, line int) {
	id, tool := identity(m.Get("id")), m.Get("name")
	if !tool.Present() {
		tool = m.Get("type")
	}
	args := first(m.Get("arguments"), m.Get("action"), m.Get("code"), m.Get("queries"))
	e := Event{ID: id, Tool: c.b.Name(tool), Text: rawText(args), Line: line}
	c.call(e)
	e.Text = content(first(m.Get("error"), m.Get("output"), m.Get("outputs"), m.Get("results")))
	status := m.Get("status")
	if m.Get("error").Present() || status.Is("failed") || status.Is("incomplete") {
		e.IsError = &yes
	}
	c.result(e)
}

// isItem reports whether v is an item of the Responses API that is no message.
func isItem(kind rawjson.Value) bool {
	return kind.Kind() == rawjson.String && (bytes.HasSuffix(kind, []byte(`_call"`)) || bytes.HasSuffix(kind, []byte(`_call_output"`))) ||
		kind.Is("reasoning")
}

// isItems reports whether an array holds items.
func isItems(v rawjson.Value) bool {
	e := v.First()
	return isItem(e.Get("type")) || e.Get("type").Is("message") || e.Get("role").Kind() == rawjson.String
}

// responsesFormat is a log of requests to OpenAI's Responses API and what it
// returned.
var responsesFormat = Format{
	Name:  "openai-responses",
	Shape: `"input" and "output" items, alone or in "request" and "response"`,
	Recognise: func(v *Value) bool {
		x := v.exchange()
		return x.request.Get("messages").Kind() != rawjson.Array &&
			(isItems(x.messages) || isItems(x.response.Get("output")) || x.response.Get("object").Is("response") && x.response.Has("output", rawjson.Array))
	},
	Session: exchangeKey,
	New:     newExchange,
}
