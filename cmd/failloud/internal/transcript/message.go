package transcript

import (
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// chat puts messages of models into a builder: those of OpenAI and of
// Anthropic, which agree on role and content and differ in the rest, and the
// items of the Responses API. The formats that use it differ in where the
// messages stand.
type chat struct {
	b     *Builder
	sub   bool      // the messages are those of a sub-agent
	time  time.Time // of the messages, where the source says it around them
	batch int       // of the calls that come next, 0: by where they stand
}

// message adds one message or item.
func (c *chat) message(raw rawjson.Value) {
	m := c.b.fields.Reset(raw)
	if raw.Kind() != rawjson.Object {
		if raw.Present() {
			c.b.Problem(c.b.Line(raw), "a message that is "+raw.Kind().String()+" was passed over")
		}
		return
	}
	line := c.b.Line(raw)
	if t := first(m.Get("timestamp"), m.Get("created_at")); t.Present() {
		c.b.At(moment(t))
	}
	role := m.Get("role")
	switch {
	case role.Is("assistant"), role.Is("model"), role.Is("ai"):
		c.assistant(m, line)
	case role.Is("user"), role.Is("human"):
		c.body(User, m.Get("content"), line)
	case role.Is("tool"), role.Is("function"):
		c.toolResult(m, line)
	case role.Is("system"), role.Is("developer"):
		c.b.System(content(m.Get("content")))
	case role.Kind() == rawjson.None && m.Has("type", rawjson.String):
		c.item(m, line)
	default:
		c.b.Problem(line, "a message of no known role was passed over")
	}
}

// assistant adds a message of the model and the calls it asks for.
func (c *chat) assistant(m *rawjson.Index, line int) {
	calls, legacy := m.Get("tool_calls"), m.Get("function_call")
	body := m.Get("content")
	if !body.Present() {
		body = m.Get("refusal")
	}
	c.body(Assistant, body, line)
	switch calls.Kind() {
	case rawjson.None, rawjson.Null:
	case rawjson.Array:
		for call := range calls.Elements() {
			c.toolCall(call)
		}
	default:
		c.b.Wrong(line, "tool_calls", "an array")
	}
	if legacy.Present() {
		c.call(Event{Tool: c.b.Name(legacy.Get("name")), Text: rawText(legacy.Get("arguments")), Line: c.b.Line(legacy)})
	}
}

// toolCall adds one of tool_calls.
func (c *chat) toolCall(call rawjson.Value) {
	line := c.b.Line(call)
	if call.Kind() != rawjson.Object {
		c.b.Wrong(line, "tool_calls", "an array of objects")
		return
	}
	of := first(call.Get("function"), call.Get("custom"), call)
	c.call(Event{
		ID:   identity(call.Get("id")),
		Tool: c.b.Name(of.Get("name")),
		Text: rawText(first(of.Get("arguments"), of.Get("input"), of.Get("args"))),
		Line: line,
	})
}

// toolResult adds a message of the role tool or function.
func (c *chat) toolResult(m *rawjson.Index, line int) {
	c.result(Event{
		ID:      identity(m.Get("tool_call_id")),
		Tool:    c.b.Name(m.Get("name")),
		Text:    content(m.Get("content")),
		IsError: flag(m.Get("is_error")),
		Line:    line,
	})
}

// body adds content: a text, or parts among which calls and results may be.
// The texts between two of them are one message.
func (c *chat) body(kind EventKind, body rawjson.Value, line int) {
	if body.Kind() != rawjson.Array {
		c.say(kind, content(body), line)
		return
	}
	texts := parts{}
	at := line
	for part := range body.Elements() {
		if texts.add(part) {
			continue
		}
		c.say(kind, texts.take(), at)
		at = c.b.Line(part)
		c.block(part, at)
	}
	c.say(kind, texts.take(), at)
}

func (c *chat) say(kind EventKind, text string, line int) {
	c.b.Say(Event{Kind: kind, Text: text, Line: line, Time: c.time, Sub: c.sub})
}

func (c *chat) call(e Event) {
	e.Time, e.Sub, e.Batch = c.time, c.sub, c.batch
	c.b.Call(e)
}

func (c *chat) result(e Event) {
	e.Time, e.Sub = c.time, c.sub
	c.b.Result(e)
}

// tools notes the tools that were declared to the model.
func (c *chat) tools(declared rawjson.Value) {
	t := c.b.t
	if declared.Kind() != rawjson.Array || t.Tools != nil {
		return
	}
	t.Tools = []string{}
	for tool := range declared.Elements() {
		if name := toolName(c.b, tool); name != "" && len(t.Tools) < maxList {
			t.Tools = append(t.Tools, name)
			c.b.held += len(name)
		}
	}
}

// toolName is the name of a tool that is declared: a text, or an object with a
// name or a function with one; a tool of the provider has only a type.
func toolName(b *Builder, tool rawjson.Value) string {
	if tool.Kind() == rawjson.String {
		return b.Name(tool)
	}
	return b.Name(first(tool.Get("name"), tool.Get("function").Get("name"), tool.Get("type")))
}
