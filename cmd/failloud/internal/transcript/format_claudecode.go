package transcript

import (
	"bytes"
	"slices"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// claudeCodeFormat is the file that Claude Code keeps of a session, one event a
// line, and what it prints with --output-format stream-json.
var claudeCodeFormat = Format{
	Name:  "claude-code",
	Shape: `"type", "sessionId", "message", as Claude Code keeps sessions`,
	Recognise: func(v *Value) bool {
		kind := v.Get("type")
		if kind.Kind() != rawjson.String {
			return false
		}
		spoken := kind.Is("user") || kind.Is("assistant")
		switch {
		case v.Get("role").Kind() != rawjson.None:
			return false
		case v.Get("sessionId").Kind() != rawjson.None:
			return true
		case v.Has("session_id", rawjson.String):
			return spoken || kind.Is("system") || kind.Is("result")
		}
		return kind.Is("summary") && v.Has("leafUuid", rawjson.String) || v.Has("snapshot", rawjson.Object) && v.Get("messageId").Present() ||
			spoken && v.Get("message").Get("role").Kind() == rawjson.String
	},
	Session: func(v *Value) Key {
		return Key{ID: []byte(identity(first(v.Get("sessionId"), v.Get("session_id"))))}
	},
	New: func(b *Builder) Decoder { return &claudeCode{chat: chat{b: b}} },
}

type claudeCode struct {
	chat
	message string   // id of the model's message that comes in pieces
	number  int      // the batch of its calls
	pieces  []string // texts of it that were added
	main    bool     // something that is of no sub-agent was added
}

// Add takes one event of the session.
func (d *claudeCode) Add(v *Value) {
	d.b.At(moment(v.Get("timestamp")))
	d.time = moment(v.Get("timestamp"))
	d.sub, _ = v.Get("isSidechain").Bool()
	d.sub = d.sub || v.Get("parent_tool_use_id").Present()
	kind, m := v.Get("type"), v.Get("message")
	switch {
	case kind.Is("user"), kind.Is("assistant"):
		if m.Kind() != rawjson.Object {
			d.b.Wrong(v.Line, "message", "an object")
			return
		}
		d.main = d.main || !d.sub
		if kind.Is("assistant") {
			d.assistant(v, d.b.fields.Reset(m))
			return
		}
		d.user(v, m)
	case kind.Is("system"):
		d.tools(v.Get("tools")) // the first line of a stream
	}
	// Snapshots, summaries, queues and progress say nothing of the run.
}

// user takes what the user said or what tools returned.
func (d *claudeCode) user(v *Value, m rawjson.Value) {
	if is, _ := v.Get("isCompactSummary").Bool(); is {
		return // words of the model about what stands in earlier lines
	}
	body := m.Get("content")
	if is, _ := v.Get("isMeta").Bool(); is && body.Kind() == rawjson.String {
		return // words of the program
	}
	line := d.b.Line(body)
	if body.Kind() != rawjson.Array {
		d.said(text(body), line)
		return
	}
	texts := parts{}
	for part := range body.Elements() {
		if !part.Get("type").Is("tool_result") {
			if !texts.add(part) {
				d.b.Problem(line, "a part of a message of no known type was passed over")
			}
			continue
		}
		d.result(Event{
			ID:       identity(part.Get("tool_use_id")),
			Text:     content(part.Get("content")),
			IsError:  flag(part.Get("is_error")),
			ExitCode: number(first(v.Get("toolUseResult").Get("exitCode"), v.Get("toolUseResult").Get("exit_code"))),
			Line:     d.b.Line(part),
		})
	}
	d.said(texts.take(), line)
}

// said takes words of the user; what the program writes in his name when he
// presses a key says that what came before is no answer.
func (d *claudeCode) said(words string, line int) {
	if strings.HasPrefix(words, "[Request interrupted by user") {
		if !d.sub {
			d.b.Interrupted()
		}
		return
	}
	d.say(User, words, line)
}

// assistant takes a piece of a message of the model. The pieces of one message
// come as lines of their own, between which the results of its first calls may
// stand, and may come twice.
func (d *claudeCode) assistant(v *Value, m *rawjson.Index) {
	id := identity(m.Get("id"))
	if id == "" || id != d.message {
		d.message, d.number, d.pieces = id, 0, d.pieces[:0]
	}
	body := m.Get("content")
	if body.Kind() != rawjson.Array {
		d.piece(content(body), d.b.Line(body))
	}
	texts := parts{}
	at := v.Line
	for part := range body.Elements() {
		if texts.add(part) {
			continue
		}
		d.piece(texts.take(), at)
		at = d.b.Line(part)
		d.part(part, at)
	}
	d.piece(texts.take(), at)
	if failed, _ := v.Get("isApiErrorMessage").Bool(); (failed || m.Get("model").Is("<synthetic>")) && !d.sub {
		d.b.Interrupted()
	}
}

// part takes a call, or the result of one that the server ran.
func (d *claudeCode) part(part rawjson.Value, line int) {
	if kind := part.Get("type"); !bytes.HasSuffix(kind, []byte(`tool_use"`)) {
		d.block(part, line)
		return
	}
	if d.number > 0 && d.b.Called(identity(part.Get("id"))) {
		return // the piece comes again
	}
	if d.number == 0 {
		d.number = d.b.NewBatch()
	}
	d.batch = d.number
	d.block(part, line)
	d.batch = 0
}

// piece takes a text of the message.
func (d *claudeCode) piece(words string, line int) {
	if words == "" {
		return
	}
	if slices.Contains(d.pieces, words) {
		return
	}
	const some = 64 // pieces that may come twice
	if d.message != "" && len(d.pieces) < some {
		d.pieces = append(d.pieces, words)
	}
	d.say(Assistant, words, line)
}

// End makes the events of a file that a sub-agent alone has written those of
// the run: there is no other it could be a part of.
func (d *claudeCode) End() {
	if d.main {
		return
	}
	for i := range d.b.t.Events {
		d.b.t.Events[i].Sub = false
		if e := d.b.t.Events[i]; e.Kind == Assistant {
			d.b.answer = i + 1
		} else if e.Kind != User {
			d.b.answer = 0
		}
	}
}
