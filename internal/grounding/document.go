package grounding

import "strings"

// longestPrefix is how many bytes of words may stand before a JSON text.
const longestPrefix = 200

// readText reads a source: as JSON where it is, as plain text where not. What
// does not go on as JSON goes on as plain text, with what was read so far kept:
// a text that was cut in the middle still has its keys up to there.
func (x *Index) readText(src uint32) {
	s := &x.sources[src]
	text := s.text
	root := x.newPath(0, "", src)
	at := 0
	if start := jsonStart(text); start >= 0 && s.depth <= deepestInner {
		x.plain(src, text[:start], 0)
		at = x.readJSON(src, root, start)
	}
	if s = &x.sources[src]; s.Kind == Argument && len(text)-at > longestGiven {
		return
	}
	x.plain(src, text[at:], at)
}

// deepestInner is how many strings of JSON a JSON text may be inside of: a tool
// result is one, its content as the protocol wraps it another.
const deepestInner = 2

// readJSON reads the JSON texts that begin at start, one or several in lines,
// and says where it ended.
func (x *Index) readJSON(src, root uint32, start int) (end int) {
	text := x.sources[src].text
	w := walker{x: x, text: text, at: start, src: src, inside: x.sources[src].depth, given: x.sources[src].Kind == Argument}
	w.keep()
	begin, paths := x.size(), len(x.paths)
	if !w.value(root, 0, 0) {
		x.forget(src, w.safe)
		return w.safe
	}
	end = w.at
	if w.space(); !w.opens() {
		return end
	}
	// Lines of JSON: they are the rows of one array.
	x.back(begin)
	x.paths = x.paths[:paths]
	key := x.paths[root].key
	x.paths[root] = path{key: key, src: src}
	w.at = start
	rows, element := 0, x.elements(root)
	for w.opens() {
		w.keep()
		if !w.value(element, 0, 1) {
			x.forget(src, w.safe)
			x.counted(root, rows, start)
			return w.safe
		}
		rows++
		end = w.at
		w.space()
	}
	x.counted(root, rows, start)
	return end
}

func (w *walker) opens() bool {
	return w.at < len(w.text) && (w.text[w.at] == '{' || w.text[w.at] == '[')
}

// jsonStart is where a JSON object or array seems to begin, -1 where none does.
func jsonStart(text string) int {
	for i := 0; i < len(text) && i < longestPrefix; i++ {
		if c := text[i]; c != '{' && c != '[' {
			continue
		}
		if i > 0 && !strings.ContainsRune(" \t\r\n:=", rune(text[i-1])) && !strings.HasPrefix(text, "\ufeff") {
			continue
		}
		rest := strings.TrimLeft(text[i+1:min(len(text), i+1+longestPrefix)], " \t\r\n")
		if rest == "" {
			continue
		}
		switch c := rest[0]; {
		case c == '"', c == '{', c == '[', c == '}', c == ']':
			return i
		case text[i] == '[' && (c == '-' || c >= '0' && c <= '9' || strings.HasPrefix(rest, "true") || strings.HasPrefix(rest, "false") || strings.HasPrefix(rest, "null")):
			return i
		}
	}
	return -1
}
