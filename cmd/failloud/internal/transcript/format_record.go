package transcript

import (
	"strconv"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
	"github.com/failloud/failloud/runrecord"
)

// recordMark begins every line of a record and stands in no text: its quotes
// would be escaped there.
const recordMark = `{"schema":`

// recordFormat is the record that failloud itself keeps, as JSON lines, several
// runs at once. The events of a sub-agent go to the run of its parent.
var recordFormat = Format{
	Name:  "failloud",
	Shape: `"schema", "type", "run_id", as failloud records runs`,
	Recognise: func(v *Value) bool {
		return v.Has("schema", rawjson.Number) && v.Has("type", rawjson.String) && v.Has("run_id", rawjson.String)
	},
	Session: func(v *Value) Key {
		return Key{ID: v.Get("run_id").AppendText(nil), Parent: v.Get("parent_id").AppendText(nil)}
	},
	New: func(b *Builder) Decoder { return &recordDecoder{b: b, results: map[uint32]int{}} },
}

// outcomeSize is about what a recorded event costs.
const outcomeSize = 640

type recordDecoder struct {
	b       *Builder
	results map[uint32]int // index of the result by the number of its call
	begun   bool
	ended   bool
}

// Add takes one event.
func (d *recordDecoder) Add(v *Value) {
	b, t := d.b, d.b.t
	if n, ok := v.Get("schema").Int(); !ok || n > runrecord.SchemaVersion {
		b.Problem(v.Line, "an event of a newer schema was passed over")
		return
	}
	e := new(runrecord.Event)
	if err := e.UnmarshalJSON(v.Raw); err != nil {
		b.Problem(v.Line, "an event has a field of the wrong type and was passed over")
		return
	}
	// The texts are taken from the line itself, once.
	e.Question, e.Args, e.Result, e.Draft = "", "", "", ""
	t.Record = true
	b.At(e.Time)
	sub := e.Run != t.ID
	if !d.begun && e.Type != runrecord.EventRunStarted {
		b.Problem(v.Line, "the beginning of the run is missing")
		t.Partial = true
	}
	d.begun = true
	if !sub && e.Task != "" {
		t.Task = e.Task
	}
	switch e.Type {
	case runrecord.EventRunStarted, runrecord.EventHeard:
		b.Say(Event{Kind: User, Text: text(v.Get("question")), Line: v.Line, Time: e.Time, Sub: sub})
	case runrecord.EventCall:
		d.call(v, e, sub)
	case runrecord.EventSettled:
		d.settled(v, e)
	case runrecord.EventJudged:
		if !sub {
			d.judged(v, e)
		}
	case runrecord.EventRunEnded:
		d.ended = d.ended || !sub && e.State.Ended()
	case runrecord.EventRetry, runrecord.EventReplaced:
		// The event of the call counts its attempts and names what it fell back to.
	}
}

func (d *recordDecoder) call(v *Value, e *runrecord.Event, sub bool) {
	tool := e.Tool
	if tool == "" {
		tool = e.Name
	}
	id := e.CallID
	if id == "" || d.b.Called(id) {
		id = "#" + strconv.FormatUint(uint64(e.Seq), 10)
	}
	d.b.Call(Event{ID: id, Tool: tool, Text: rawText(v.Get("args")), Line: v.Line, Time: e.Time.Add(-e.Duration), Sub: sub})
	d.results[e.Seq] = len(d.b.t.Events)
	result := Event{ID: id, Text: rawText(v.Get("result")), Line: v.Line, Time: e.Time, Outcome: e}
	if e.Status != 0 {
		result.Status = &e.Status
	}
	d.b.Result(result)
	d.b.held += outcomeSize
}

// settled changes the outcome of the call to what it turned out to be.
func (d *recordDecoder) settled(v *Value, e *runrecord.Event) {
	i, known := d.results[e.Seq]
	if !known || i >= len(d.b.t.Events) {
		d.b.Problem(v.Line, "the settlement of call "+strconv.FormatUint(uint64(e.Seq), 10)+" has no call")
		return
	}
	r := &d.b.t.Events[i]
	r.Outcome = e
	if s := rawText(v.Get("result")); s != "" {
		d.b.held += len(s) - len(r.Text)
		r.Text = s
	}
}

func (d *recordDecoder) judged(v *Value, e *runrecord.Event) {
	t := d.b.t
	t.Decision, t.Findings = e.Decision, e.Findings
	draft := text(v.Get("draft"))
	d.b.Say(Event{Kind: Assistant, Text: draft, Line: v.Line, Time: e.Time})
	d.b.Answer(draft, v.Line, draft != "")
}

// Ended reports whether the run has ended for good; what may still come is
// the settlement of a call.
func (d *recordDecoder) Ended() bool { return d.ended }

// End reports a run that has no end.
func (d *recordDecoder) End() {
	if !d.ended {
		d.b.Problem(d.b.t.Line, "the run has no end")
	}
}
