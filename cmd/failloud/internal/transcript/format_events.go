package transcript

import "github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"

// eventsFormat is one run a value with a flat list of what happened, as
// collections of runs for research are kept.
var eventsFormat = Format{
	Name:  "events",
	Shape: `"events" of type user, assistant, call, result, and "final"`,
	Recognise: func(v *Value) bool {
		return v.Has("events", rawjson.Array) && (v.Get("final").Kind() != rawjson.None || eventType(v.Get("events").First()) != 0)
	},
	Lacks: func(v *Value) string {
		switch events := v.Get("events"); {
		case events.Kind() == rawjson.Array:
			return `"final" is missing, and the first of "events" has no known "type"`
		case events.Kind() != rawjson.None || v.Has("final", rawjson.String):
			return `"events" is no array`
		}
		return ""
	},
	New: func(b *Builder) Decoder { return &eventsDecoder{b: b} },
}

type eventsDecoder struct {
	b     *Builder
	event rawjson.Index
}

// Add takes the run.
func (d *eventsDecoder) Add(v *Value) {
	b, t := d.b, d.b.t
	if id := identity(v.Get("id")); id != "" {
		t.ID = id
	}
	t.Task = b.task(v)
	b.At(moment(first(v.Get("time"), v.Get("timestamp"), v.Get("created_at"))))
	b.System(text(v.Get("system")))
	if tools := v.Get("tools"); !v.Get("tools_known").Is("used") {
		for tool := range tools.Elements() {
			if name := toolName(b, tool); name != "" && len(t.Tools) < maxList {
				t.Tools = append(t.Tools, name)
			}
		}
	}
	for e := range v.Get("events").Elements() {
		d.add(e)
	}
	d.answer(v)
}

// answer takes what the row says of its answer.
func (d *eventsDecoder) answer(v *Value) {
	final := v.Get("final")
	has, said := v.Get("final_available").Bool()
	switch final.Kind() {
	case rawjson.None, rawjson.Null:
		if said && !has {
			d.b.Answer("", 0, false)
		}
		return
	case rawjson.String:
	default:
		d.b.Wrong(d.b.Line(final), "final", "a text")
		d.b.Answer("", 0, false)
		return
	}
	answer := text(final)
	d.b.Answer(answer, d.b.Line(final), answer != "" && (!said || has))
}

func eventType(e rawjson.Value) EventKind {
	kind := e.Get("type")
	for k := User; k <= Result; k++ {
		if kind.Is(k.String()) {
			return k
		}
	}
	return 0
}

func (d *eventsDecoder) add(raw rawjson.Value) {
	e := d.event.Reset(raw)
	b, line := d.b, d.b.Line(raw)
	out := Event{Line: line, Time: moment(first(e.Get("time"), e.Get("timestamp")))}
	switch kind := e.Get("type"); {
	case kind.Is("user"), kind.Is("assistant"):
		out.Kind = User
		if kind.Is("assistant") {
			out.Kind = Assistant
		}
		out.Text = content(first(e.Get("text"), e.Get("content")))
		b.Say(out)
	case kind.Is("system"):
		b.System(content(first(e.Get("text"), e.Get("content"))))
	case kind.Is("call"):
		out.ID, out.Tool = identity(e.Get("id")), b.Name(first(e.Get("tool"), e.Get("name")))
		out.Text = rawText(first(e.Get("args"), e.Get("arguments")))
		b.Call(out)
	case kind.Is("result"):
		out.ID, out.Tool = identity(e.Get("id")), b.Name(first(e.Get("tool"), e.Get("name")))
		out.Text = d.returned(e, line)
		out.IsError = flag(e.Get("is_error"))
		out.ExitCode = number(e.Get("exit_code"))
		out.Status = number(first(e.Get("status"), e.Get("source_code")))
		for cut := range e.Get("cut_tokens_in_final").Elements() {
			if len(out.Extra) < maxList {
				out.Extra = append(out.Extra, rawText(cut))
			}
		}
		b.Result(out)
	default:
		b.Problem(line, "an event of no known type was passed over")
	}
}

// returned is what a result says came back.
func (d *eventsDecoder) returned(e *rawjson.Index, line int) string {
	there := false
	for _, name := range []string{"content", "result", "text", "output"} {
		v := e.Get(name)
		if v.Present() {
			return rawText(v)
		}
		there = there || v.Kind() != rawjson.None
	}
	if !there {
		d.b.Problem(line, `a result has none of "content", "result", "text" and "output", so it is taken for empty`)
	}
	return ""
}

// End does nothing: the run was one value.
func (d *eventsDecoder) End() {}
