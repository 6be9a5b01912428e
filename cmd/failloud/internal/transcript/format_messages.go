package transcript

import "github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"

// messagesFormat is a conversation without anything around it: an array of
// messages or items, or one of them a line.
var messagesFormat = Format{
	Name:      "messages",
	Shape:     `an array of messages with "role" and "content", or one of them a line`,
	Recognise: func(v *Value) bool { return isMessage(v) || v.Raw.Kind() == rawjson.Array && isItems(v.Raw) },
	Lacks: func(v *Value) string {
		switch {
		case v.Has("role", rawjson.String):
			return `"content" is missing`
		case v.Has("content", rawjson.String):
			return `"role" is missing`
		}
		return ""
	},
	Session: func(v *Value) Key {
		for _, name := range []string{"session_id", "conversation_id", "thread_id", "run_id", "trace_id"} {
			if id := v.Get(name); id.Present() {
				return Key{ID: []byte(identity(id))}
			}
		}
		return Key{}
	},
	New: func(b *Builder) Decoder { return &messagesDecoder{chat: chat{b: b}} },
}

func isMessage(v *Value) bool {
	if !v.Has("role", rawjson.String) {
		return isItem(v.Get("type"))
	}
	for _, name := range []string{"content", "tool_calls", "function_call", "tool_call_id"} {
		if v.Get(name).Kind() != rawjson.None {
			return true
		}
	}
	return false
}

type messagesDecoder struct {
	chat
	whole  bool // an array of its own, which nothing continues
	spoken bool // there was a message other than of the system
}

// Add takes one message, or an array of them.
func (d *messagesDecoder) Add(v *Value) {
	if v.Raw.Kind() != rawjson.Array {
		d.spoken = d.spoken || !isSystem(v)
		d.message(v.Raw)
		return
	}
	d.whole = true
	for m := range v.Raw.Elements() {
		d.message(m)
	}
}

// Ends reports whether the value begins another conversation: an array is one
// of its own, and a message of the system behind others begins one, outside of an array.
func (d *messagesDecoder) Ends(v *Value) bool {
	return d.whole || v.Raw.Kind() == rawjson.Array || d.spoken && v.Array == 0 && isSystem(v)
}

func isSystem(v *Value) bool {
	return v.Get("role").Is("system") || v.Get("role").Is("developer")
}

// Ended reports whether nothing can come any more.
func (d *messagesDecoder) Ended() bool { return d.whole }

// End does nothing: what is missing the builder sees.
func (d *messagesDecoder) End() {}
