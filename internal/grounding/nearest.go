package grounding

import (
	"strings"
	"unicode/utf8"
)

// longestSnippet is how many bytes of the evidence a [Nearest] shows.
const longestSnippet = 120

// textOf is what stands at a place.
func (x *Index) textOf(p place) string {
	text := x.sources[p.src].text
	start, end := min(int(p.start), len(text)), min(int(p.end), len(text))
	return text[start:end]
}

// nearest shows a place of the evidence.
func (x *Index) nearest(p place, how string) Nearest {
	s := &x.sources[p.src]
	n := Nearest{Call: s.Call, Tool: s.Tool, How: how, Text: snippet(s.text, int(p.start), int(p.end))}
	for s.inner { // positions are those of the text that was added
		p = place{s.outer, s.start, s.end}
		s = &x.sources[p.src]
	}
	n.Start, n.End = int(p.start), min(int(p.end), len(s.text))
	return n
}

// snippet is a stretch of a text with a little of its line around it.
func snippet(text string, start, end int) string {
	const around = 32
	end = min(end, len(text), start+longestSnippet)
	from, to := max(0, start-around), min(len(text), end+around/2, start+longestSnippet)
	if i := strings.LastIndexByte(text[from:start], '\n'); i >= 0 {
		from += i + 1
	}
	if i := strings.IndexByte(text[end:max(to, end)], '\n'); i >= 0 {
		to = end + i
	}
	to = min(max(to, end), from+longestSnippet)
	for from < to && !utf8.RuneStart(text[from]) {
		from++
	}
	for to > from && to < len(text) && !utf8.RuneStart(text[to]) {
		to--
	}
	s := text[from:to]
	if !utf8.ValidString(s) {
		s = strings.ToValidUTF8(s, "?")
	}
	return strings.TrimSpace(s)
}
