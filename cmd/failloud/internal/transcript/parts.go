package transcript

import (
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// parts collects the texts of the parts of a content.
type parts struct {
	texts []string
	glued bool            // pieces of one text, as they come with citations
	front strings.Builder // of what was joined already
}

// add takes a part that is text, or has none and can be left out; it returns
// false for any other.
func (p *parts) add(part rawjson.Value) bool {
	if len(p.texts) == manyParts {
		p.join()
	}
	if part.Kind() == rawjson.String {
		p.texts = append(p.texts, text(part))
		return true
	}
	if part.Kind() != rawjson.Object {
		return !part.Present()
	}
	kind := part.Get("type")
	switch {
	case kind.Is("text"), kind.Is("output_text"), kind.Is("input_text"), kind.Is("summary_text"), kind.Kind() == rawjson.None:
		t := part.Get("text")
		if t.Kind() != rawjson.String {
			return false
		}
		p.texts = append(p.texts, text(t))
		p.glued = p.glued || part.Get("citations").Present()
		return true
	case kind.Is("refusal"):
		p.texts = append(p.texts, text(part.Get("refusal")))
		return true
	case kind.Is("web_search_result"), kind.Is("document"), kind.Is("search_result"):
		p.texts = append(p.texts, found(part))
		return true
	}
	return textless(kind)
}

// manyParts bounds the texts that are held one by one.
const manyParts = 1024

func (p *parts) join() {
	for i, text := range p.texts {
		if !p.glued && (i > 0 || p.front.Len() > 0) {
			p.front.WriteByte('\n')
		}
		p.front.WriteString(text)
	}
	p.texts = p.texts[:0]
}

// take returns the text so far and begins a new one.
func (p *parts) take() string {
	var whole string
	switch {
	case p.front.Len() > 0 || len(p.texts) > 1:
		p.join()
		whole = p.front.String()
	case len(p.texts) == 1:
		whole = p.texts[0]
	}
	p.texts, p.glued = p.texts[:0], false
	p.front.Reset()
	return whole
}

// content returns the text of a message or a result: a text, or the texts of
// its parts. Pictures, sounds and files are left out; what is made of anything
// else is JSON.
func content(v rawjson.Value) string {
	switch v.Kind() {
	case rawjson.Array:
	case rawjson.Object:
		if t := v.Get("text"); t.Kind() == rawjson.String {
			return text(t)
		}
		return string(v)
	default:
		return rawText(v)
	}
	p := parts{}
	for part := range v.Elements() {
		if !p.add(part) {
			return string(v)
		}
	}
	return p.take()
}

// textless reports whether a part of that type has nothing to read.
func textless(kind rawjson.Value) bool {
	for _, name := range []string{
		"image", "image_url", "input_image", "input_audio", "audio", "video", "file", "input_file",
		"resource_link", "tool_reference", "container_upload", "thinking", "redacted_thinking", "reasoning",
	} {
		if kind.Is(name) {
			return true
		}
	}
	return false
}

// found returns what is for reading in something that was found: never the
// encrypted or encoded body.
func found(part rawjson.Value) string {
	var lines []string
	add := func(v rawjson.Value) {
		if s := text(v); s != "" {
			lines = append(lines, s)
		}
	}
	for name, field := range part.Fields() {
		switch string(name) {
		case "title", "url", "page_age", "context", "text":
			add(field)
		case "source":
			if field.Get("type").Is("text") {
				add(field.Get("data"))
			}
		case "content":
			add(field)
			for e := range field.Elements() {
				add(e.Get("text"))
			}
		}
	}
	return strings.Join(lines, "\n")
}
