package transcript

import (
	"cmp"
	"hash/maphash"
	"math"
	"strconv"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// exchange is a request to a model and its response, as a log keeps them: side
// by side, or as one value, or one of them alone.
type exchange struct {
	found    bool
	request  rawjson.Index
	messages rawjson.Value // what the model was given: messages or input
	response rawjson.Index
}

// exchange returns the value as an exchange.
func (v *Value) exchange() *exchange {
	x := &v.talk
	if x.found {
		return x
	}
	x.found = true
	request, response := v.Raw, v.Raw
	for _, name := range []string{"request", "body", "kwargs", "params", "input"} {
		if r := v.Get(name); r.Kind() == rawjson.Object {
			request = inBody(r)
			break
		}
	}
	for _, name := range []string{"response", "completion", "output"} {
		if r := v.Get(name); r.Kind() == rawjson.Object {
			response = inBody(r)
			break
		}
	}
	x.request.Reset(request)
	x.response.Reset(response)
	x.messages = x.request.Get("messages")
	if x.messages.Kind() == rawjson.None {
		x.messages = x.request.Get("input")
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

// before is the response that this request goes on from, or "".
func (x *exchange) before() string {
	return identity(first(x.request.Get("previous_response_id"), x.response.Get("previous_response_id")))
}

var seed = maphash.MakeSeed()

// sum is a hash of the first n messages and how many there are in all. With n
// negative it is of those up to the first one of the user.
func (x *exchange) sum(n int) (hash uint64, all int) {
	var h maphash.Hash
	h.SetSeed(seed)
	within := true
	for m := range x.messages.Elements() {
		if within = within && (n < 0 || all < n); within {
			_, _ = h.Write(m)
			within = n >= 0 || !m.Get("role").Is("user")
		}
		all++
	}
	return h.Sum64(), all
}

// exchangeKey finds the exchanges of one run. An agent sends all that was said
// before with each request, so they begin alike; or it names the response that
// it goes on from.
func exchangeKey(v *Value) Key {
	x := v.exchange()
	var key Key
	if x.response.Has("output", rawjson.Array) {
		key.Also = []byte(identity(x.response.Get("id")))
	}
	key.Parent = []byte(x.before())
	if x.messages.Kind() == rawjson.Array {
		hash, _ := x.sum(-1)
		key.ID = strconv.AppendUint([]byte("\x00"), hash, 36)
	}
	return key
}

// exchangeDecoder takes the exchanges of one run.
type exchangeDecoder struct {
	chat
	begun    bool
	messages int    // of the last request
	sum      uint64 // of these
}

func newExchange(b *Builder) Decoder { return &exchangeDecoder{chat: chat{b: b}} }

// Ends reports whether the value is of another run: it neither says again all
// that was said here and more, nor names a response of this run.
func (d *exchangeDecoder) Ends(v *Value) bool {
	x := v.exchange()
	if x.before() != "" {
		return false
	}
	sum, all := x.sum(d.messages)
	return d.messages == 0 || all <= d.messages || sum != d.sum
}

// Ended reports that a run can be handed on at any time: each exchange is a
// whole one.
func (d *exchangeDecoder) Ended() bool { return true }

// Add takes the exchange.
func (d *exchangeDecoder) Add(v *Value) {
	b, t := d.b, d.b.t
	x := v.exchange()
	more := d.begun && x.before() != ""
	if d.begun && !more {
		b.Restart()
	}
	if !d.begun {
		t.ID = cmp.Or(exchangeID(v, x), t.ID)
		t.Task = b.task(v)
	}
	d.begun = true
	d.sum, d.messages = x.sum(math.MaxInt)
	for _, name := range []string{"timestamp", "created_at", "time", "ts", "created", "start_time"} {
		if at := moment(v.Get(name)); !at.IsZero() {
			b.At(at)
			break
		}
	}
	if !more {
		b.System(content(first(x.request.Get("system"), x.request.Get("instructions"))))
		d.tools(first(x.request.Get("tools"), v.Get("tools"), x.request.Get("functions")))
	}
	d.history(x)
	d.answer(x)
}

// history takes what the model was given.
func (d *exchangeDecoder) history(x *exchange) {
	switch x.messages.Kind() {
	case rawjson.String:
		d.say(User, text(x.messages), d.b.Line(x.messages))
	case rawjson.Array:
		for m := range x.messages.Elements() {
			d.message(m)
		}
	}
}

// answer takes what the model returned.
func (d *exchangeDecoder) answer(x *exchange) {
	r := &x.response
	switch {
	case r.Has("choices", rawjson.Array):
		choices := 0
		for c := range r.Get("choices").Elements() {
			if choices++; choices == 1 {
				d.message(c.Get("message"))
			}
		}
		if choices > 1 {
			d.b.Problem(d.b.Line(r.Get("choices")), strconv.Itoa(choices-1)+" further choices were not judged, only the first one")
		}
	case r.Has("output", rawjson.Array):
		for m := range r.Get("output").Elements() {
			d.message(m)
		}
		if status := r.Get("status"); status.Is("failed") || status.Is("cancelled") {
			d.none()
		}
	case r.Get("role").Is("assistant"):
		d.assistant(r, d.b.Line(r.Get("role")))
	case r.Get("message").Get("role").Is("assistant"):
		d.message(r.Get("message"))
	}
	d.b.At(moment(first(r.Get("created"), r.Get("created_at"))))
}

// none says that what was asked for was not answered.
func (d *exchangeDecoder) none() {
	d.b.Interrupted()
	if len(d.b.t.Events) == 0 {
		d.b.Answer("", 0, false)
	}
}

// exchangeID is the first id that the log gives to the whole, or "".
func exchangeID(v *Value, x *exchange) string {
	for _, name := range []string{"id", "run_id", "trace_id", "conversation_id", "session_id", "thread_id", "custom_id", "request_id"} {
		for _, of := range []rawjson.Value{v.Get(name), v.Get("metadata").Get(name)} {
			if id := identity(of); id != "" {
				return id
			}
		}
	}
	return identity(x.response.Get("id"))
}

// End does nothing: what is missing the builder sees.
func (d *exchangeDecoder) End() {}
