package transcript

import (
	"strconv"
	"strings"
	"time"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// Builder puts one transcript together. Decoders tell it what they find; what
// does not fit, such as a result that nobody asked for, it reports itself. Not
// safe for concurrent use.
type Builder struct {
	t       *Transcript
	names   *names
	fields  *rawjson.Index   // of the message that is being added
	calls   map[string]*call // by the source's id
	waiting []*call          // in order; those in front of the first open one are dropped
	at      place            // of the value that is being added

	system strings.Builder

	batch int       // of the last call
	held  int       // bytes of the transcript, about
	last  time.Time // the latest time
	more  int       // problems beyond what is kept
	most  int       // events
	left  int       // events beyond that
	lost  int       // results whose texts were given up
	from  int       // the first event whose text was not looked at for that

	answer int   // index behind the event that is the answer so far, else 0
	beyond Event // the answer so far, where there was no room for it
	given  bool  // the source has said what the answer is
}

// call is what is known of a call by its id.
type call struct {
	id    string // the source's
	event int    // index of the event
	done  bool   // has its result
}

const (
	eventSize = 320  // about what an event costs beside its texts
	maxList   = 4096 // elements of a list of names or pieces
)

// Line returns the line of a part of the value that is being added.
func (b *Builder) Line(v rawjson.Value) int { return b.at.of(v) }

// Name returns a copy of a short text that is likely to come again, such as
// the name of a tool; "" for any other value.
func (b *Builder) Name(v rawjson.Value) string { return b.names.of(v) }

// Transcript returns the transcript as far as it is, for fields that have no
// method here: ID, Task, Tools and the like.
func (b *Builder) Transcript() *Transcript { return b.t }

// Restart forgets the system text, the events and the answer, for a value that
// says all of them again and more. What identifies the transcript stays.
func (b *Builder) Restart() {
	t := b.t
	t.Tools, t.Events, t.Problems = nil, t.Events[:0], t.Problems[:0]
	t.Final, t.FinalLine, t.HasFinal = "", 0, false
	b.system.Reset()
	clear(b.calls)
	b.waiting, b.batch, b.held, b.more, b.left, b.lost, b.from, b.answer, b.given = nil, 0, 0, 0, 0, 0, 0, 0, false
	b.beyond = Event{}
}

// System adds to the system text.
func (b *Builder) System(text string) {
	if text == "" {
		return
	}
	if b.system.Len() > 0 {
		b.system.WriteString("\n\n")
	}
	b.system.WriteString(text)
	b.held += len(text)
}

// At notes a time that the source gives; the first one is that of the run.
func (b *Builder) At(t time.Time) {
	if t.IsZero() {
		return
	}
	if b.t.Time.IsZero() {
		b.t.Time = t
	}
	if t.After(b.last) {
		b.last = t
	}
}

// Say adds a message of the user or the model. The last one of the model with
// no call behind it is the answer.
func (b *Builder) Say(e Event) {
	if e.Text == "" {
		return
	}
	switch kept := b.add(e); {
	case e.Kind != Assistant || e.Sub:
	case kept:
		b.answer = len(b.t.Events)
	default:
		b.beyond = e
	}
}

// Interrupted takes back that the last message of the model is an answer.
func (b *Builder) Interrupted() { b.answer, b.beyond = 0, Event{} }

// Answer says what the answer is, where the source says so apart from the
// messages; has is whether there is one.
func (b *Builder) Answer(text string, line int, has bool) {
	b.given = true
	b.t.HasFinal = has
	if has {
		b.t.Final, b.t.FinalLine = text, line
		b.held += len(text)
	}
}

// Call adds a call. Without an ID it gets one. One whose Batch is 0 belongs to
// that of the call right before it.
func (b *Builder) Call(e Event) {
	e.Kind = Call
	if !e.Sub {
		b.Interrupted()
	}
	if e.Batch == 0 {
		if n := len(b.t.Events); n == 0 || b.t.Events[n-1].Kind != Call {
			b.batch++
		}
		e.Batch = max(b.batch, 1)
	}
	b.batch = max(b.batch, e.Batch)
	source := e.ID
	if source == "" {
		source = "#" + strconv.Itoa(len(b.t.Events))
		e.ID = source
	}
	if _, twice := b.calls[source]; twice {
		b.Problem(e.Line, "the id "+quote(source)+" is that of an earlier call too")
		e.ID = source + "@" + strconv.Itoa(len(b.t.Events))
	}
	c := &call{id: source, event: len(b.t.Events)}
	if b.add(e) {
		b.calls[source] = c
		b.waiting = append(b.waiting, c)
	}
}

// NewBatch makes the next call begin a batch and returns the number of that,
// for calls of one batch that do not stand next to each other.
func (b *Builder) NewBatch() int {
	b.batch++
	return b.batch
}

// Result adds what a call returned, found by its ID; where the source gives
// none, it is that of the oldest open call of this tool, or of the oldest one.
func (b *Builder) Result(e Event) {
	e.Kind = Result
	if !e.Sub {
		b.Interrupted()
	}
	c := b.calls[e.ID]
	if e.ID == "" {
		c = b.oldest(e.Tool)
	}
	switch {
	case c == nil && b.left > 0: // its call may be one of those
		b.left++
		return
	case c == nil:
		e.Orphan = true
		b.Problem(e.Line, "the result "+quote(e.ID)+" has no call")
	case c.done:
		b.Problem(e.Line, "a second result of the call "+quote(c.id)+" was left out")
		return
	default:
		c.done = true
		of := &b.t.Events[c.event]
		e.ID, e.Tool, e.Batch, e.Sub = of.ID, of.Tool, of.Batch, of.Sub
	}
	b.add(e)
}

// Called reports whether a call of that id was added.
func (b *Builder) Called(id string) bool {
	_, known := b.calls[id]
	return known
}

// oldest returns the oldest open call, of the tool if it is named, else nil.
func (b *Builder) oldest(tool string) *call {
	for len(b.waiting) > 0 && b.waiting[0].done {
		b.waiting = b.waiting[1:]
	}
	const far = 256 // calls at once without an id
	for _, c := range b.waiting[:min(len(b.waiting), far)] {
		if !c.done && (tool == "" || b.t.Events[c.event].Tool == tool) {
			return c
		}
	}
	return nil
}

// add appends the event and reports whether there was room for it.
func (b *Builder) add(e Event) bool {
	b.At(e.Time)
	if len(b.t.Events) >= b.most {
		b.left++
		return false
	}
	b.t.Events = append(b.t.Events, e)
	b.held += eventSize + len(e.Text) + len(e.ID)
	return true
}

// end completes the transcript when no more values come.
func (b *Builder) end() *Transcript {
	t := b.t
	t.System = b.system.String()
	t.Size = b.held + sessionSize
	for _, e := range t.Evidence {
		t.Size += len(e)
	}
	for _, c := range b.waiting {
		if !c.done {
			e := &t.Events[c.event]
			b.Problem(e.Line, "the call "+quote(e.ID)+" has no result")
		}
	}
	if b.left > 0 {
		b.Problem(t.Line, strconv.Itoa(b.left)+" events were not kept: the run is longer than what may be held")
		t.Partial = true
	}
	switch {
	case b.given:
	case b.left > 0:
		t.Final, t.FinalLine, t.HasFinal = b.beyond.Text, b.beyond.Line, b.beyond.Text != ""
	case b.answer > 0:
		e := &t.Events[b.answer-1]
		t.Final, t.FinalLine, t.HasFinal = e.Text, e.Line, true
	}
	if b.lost > 0 {
		b.Problem(t.Line, strconv.Itoa(b.lost)+" results were not kept: the run is longer than what may be held")
	}
	return t
}

// shed gives up texts of the oldest results until the transcript holds at most
// limit bytes, or none is left. The newest events stay: the answer stands on
// them. It reports whether that was enough.
func (b *Builder) shed(limit int) bool {
	for ; b.held > limit && b.from < len(b.t.Events); b.from++ {
		e := &b.t.Events[b.from]
		if e.Kind != Result || e.Text == "" {
			continue
		}
		b.held -= len(e.Text)
		e.Cut += len(e.Text)
		e.Text = ""
		b.lost++
	}
	return b.held <= limit
}
