package transcript

import (
	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// exchange is a request to a model and its response, as a log keeps them: side
// by side, or as one value, or one of them alone.
type exchange struct {
	request  rawjson.Value
	messages rawjson.Value // of the request
	response rawjson.Value
}

func exchangeOf(v *Value) exchange {
	x := exchange{request: v.Raw, response: v.Raw}
	for _, name := range []string{"request", "body", "kwargs", "params"} {
		if r := v.Get(name); r.Kind() == rawjson.Object {
			x.request = inBody(r)
			break
		}
	}
	x.messages = x.request.Get("messages")
	if in := v.Get("input"); x.messages.Kind() == rawjson.None && in.Kind() == rawjson.Object {
		if m := in.Get("messages"); m.Kind() == rawjson.Array {
			x.request, x.messages = in, m
		}
	}
	for _, name := range []string{"response", "completion", "output"} {
		if r := v.Get(name); r.Kind() == rawjson.Object {
			x.response = inBody(r)
			break
		}
	}
	return x
}

// inBody undoes a wrapping that has the status or the headers beside it.
func inBody(v rawjson.Value) rawjson.Value {
	for range 2 {
		body := first(v.Get("body"), v.Get("json"))
		if body.Kind() != rawjson.Object {
			break
		}
		v = body
	}
	return v
}

// exchangeDecoder takes what the three kinds of exchanges have.
type exchangeDecoder struct{ chat }

// Add takes the exchange.
func (d *exchangeDecoder) Add(v *Value) {
	b, t := d.b, d.b.t
	x := exchangeOf(v)
	t.ID = exchangeID(v, x, t.ID)
	t.Task = b.Name(first(v.Get("task"), v.Get("name")))
	for _, name := range []string{"timestamp", "created_at", "time", "ts", "created", "start_time"} {
		if at := moment(v.Get(name)); !at.IsZero() {
			b.At(at)
			break
		}
	}
	b.System(content(first(x.request.Get("system"), x.request.Get("instructions"))))
	d.tools(first(x.request.Get("tools"), v.Get("tools")))
	if t.Tools == nil {
		d.tools(x.request.Get("functions"))
	}
	d.history(x)
	d.answer(x)
}

// history takes what the model was given.
func (d *exchangeDecoder) history(x exchange) {
	if x.messages.Kind() == rawjson.Array {
		for m := range x.messages.Elements() {
			d.message(m)
		}
		return
	}
	switch in := x.request.Get("input"); in.Kind() {
	case rawjson.String:
		d.say(User, text(in), d.b.Line(in))
	case rawjson.Array:
		for m := range in.Elements() {
			d.message(m)
		}
	}
}

// answer takes what the model returned.
func (d *exchangeDecoder) answer(x exchange) {
	r := x.response
	switch {
	case r.Get("choices").Kind() == rawjson.Array:
		d.message(r.Get("choices").First().Get("message"))
	case r.Get("output").Kind() == rawjson.Array:
		for m := range r.Get("output").Elements() {
			d.message(m)
		}
	case r.Get("role").Is("assistant"):
		d.message(r)
	case r.Get("message").Get("role").Is("assistant"):
		d.message(r.Get("message"))
	}
	d.b.At(moment(first(r.Get("created"), r.Get("created_at"))))
}

// exchangeID is the first id that the log gives to the whole.
func exchangeID(v *Value, x exchange, otherwise string) string {
	for _, name := range []string{"id", "run_id", "trace_id", "conversation_id", "session_id", "thread_id", "custom_id", "request_id"} {
		for _, of := range []rawjson.Value{v.Get(name), v.Get("metadata").Get(name)} {
			if id := identity(of); id != "" {
				return id
			}
		}
	}
	if id := identity(x.response.Get("id")); id != "" {
		return id
	}
	return otherwise
}

// End does nothing: the exchange was one value.
func (d *exchangeDecoder) End() {}
