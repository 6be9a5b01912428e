package transcript

import (
	"strconv"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// evidenceFormat is one answer a value, with what it stands on, for answers
// that come from no agent, such as those of retrieval.
var evidenceFormat = Format{
	Name:  "evidence",
	Shape: `"evidence", "prompt", "answer"`,
	Recognise: func(v *Value) bool {
		return evidenceOf(v).Kind() != rawjson.None && answerOf(v).Kind() != rawjson.None
	},
	Lacks: func(v *Value) string {
		switch asked := promptOf(v).Kind() != rawjson.None; {
		case asked && answerOf(v).Kind() != rawjson.None:
			return `"evidence" is missing`
		case evidenceOf(v).Kind() != rawjson.None:
			return `"answer" is missing`
		}
		return ""
	},
	New: func(b *Builder) Decoder { return evidenceDecoder{b} },
}

// evidenceOf also knows the names that evaluations of retrieval use.
func evidenceOf(v *Value) rawjson.Value {
	for _, name := range []string{"evidence", "contexts", "retrieved_contexts"} {
		if e := v.Get(name); e.Kind() != rawjson.None {
			return e
		}
	}
	return nil
}

func answerOf(v *Value) rawjson.Value {
	if a := v.Get("answer"); a.Kind() != rawjson.None {
		return a
	}
	return v.Get("response")
}

func promptOf(v *Value) rawjson.Value {
	return first(v.Get("prompt"), v.Get("question"), v.Get("user_input"))
}

type evidenceDecoder struct{ b *Builder }

// Add takes the answer.
func (d evidenceDecoder) Add(v *Value) {
	b, t := d.b, d.b.t
	if id := identity(v.Get("id")); id != "" {
		t.ID = id
	}
	t.Task = b.task(v)
	b.At(moment(first(v.Get("time"), v.Get("timestamp"), v.Get("created_at"))))
	t.Evidence = []string{}
	switch evidence := evidenceOf(v); evidence.Kind() {
	case rawjson.Array:
		left := 0
		for e := range evidence.Elements() {
			switch {
			case len(t.Evidence) >= b.most:
				left++
			default:
				d.found(rawText(e))
			}
		}
		if left > 0 {
			b.Problem(v.Line, strconv.Itoa(left)+" pieces of evidence were not kept: there are more than may be held")
		}
	default:
		d.found(rawText(evidence))
	}
	prompt := promptOf(v)
	b.Say(Event{Kind: User, Text: content(prompt), Line: b.Line(prompt)})
	answer := answerOf(v)
	switch answer.Kind() {
	case rawjson.Null:
		b.Answer("", 0, false)
	case rawjson.String:
		final, line := text(answer), b.Line(answer)
		b.Say(Event{Kind: Assistant, Text: final, Line: line})
		b.Answer(final, line, final != "")
	default:
		b.Wrong(b.Line(answer), "answer", "a text")
		b.Answer("", 0, false)
	}
}

// found adds a piece of evidence. An empty one is none: it is what a retrieval
// that found nothing is logged as.
func (d evidenceDecoder) found(text string) {
	if t := d.b.t; strings.TrimSpace(text) != "" {
		t.Evidence = append(t.Evidence, text)
	}
}

// End does nothing: the answer was one value.
func (d evidenceDecoder) End() {}
