package grounding

import (
	"math"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// deepest is how deep a JSON text may nest; a deeper one is read as plain text.
const deepest = 200

// What the bytes of a string say about it.
const (
	hasDigit = 1 << iota
	hasAt    // an address is possible
	hasColon // a web address is possible
	hasEscape
	ends // the closing quote, or a byte that no string holds
)

var classes = func() (c [256]uint8) {
	for b := '0'; b <= '9'; b++ {
		c[b] = hasDigit
	}
	for b := range 0x20 {
		c[b] = ends
	}
	c['@'], c[':'], c['\\'], c['"'] = hasAt, hasColon, hasEscape, ends
	return c
}()

// walker reads one JSON text into the index. It builds nothing of the text but
// what the index keeps.
type walker struct {
	x      *Index
	text   string
	at     int
	src    uint32
	inside int  // how many strings of JSON this text was inside
	given  bool // it is what a call was given: see longestGiven
	safe   int  // the end of the last member or element that was read whole
}

// What a call was given says what was done: an amount, a name, a day. A long
// text or a long list among it is what the model wrote itself, a report or the
// rows of a sheet, and the model's own words are no evidence.
const (
	longestGiven = 160 // bytes of a text
	mostGiven    = 8   // elements of a list
)

// mark is a state of the index that it can go back to.
type mark struct{ figures, names, moments, flags, nouns int }

func (w *walker) keep() { w.safe = w.at }

func (x *Index) size() mark {
	return mark{len(x.figures), len(x.names), len(x.moments), len(x.flags), len(x.nouns)}
}

// forget drops what a source holds from a byte on, which is the last that was
// found.
func (x *Index) forget(src uint32, from int) {
	at := uint32(from)
	m := x.size()
	for m.figures > 0 && x.figures[m.figures-1].src == src && x.figures[m.figures-1].start >= at {
		m.figures--
	}
	for m.names > 0 && x.names[m.names-1].src == src && x.names[m.names-1].start >= at {
		m.names--
	}
	for m.moments > 0 && x.moments[m.moments-1].src == src && x.moments[m.moments-1].start >= at {
		m.moments--
	}
	for m.flags > 0 && x.flags[m.flags-1].src == src && x.flags[m.flags-1].start >= at {
		m.flags--
	}
	for m.nouns > 0 && int(x.nouns[m.nouns-1].figure) >= m.figures {
		m.nouns--
	}
	x.back(m)
}

func (x *Index) back(m mark) {
	x.figures, x.names, x.moments = x.figures[:m.figures], x.names[:m.names], x.moments[:m.moments]
	x.flags, x.nouns = x.flags[:m.flags], x.nouns[:m.nouns]
}

func (w *walker) space() {
	for w.at < len(w.text) {
		switch w.text[w.at] {
		case ' ', '\n', '\t', '\r':
			w.at++
		default:
			return
		}
	}
}

// value reads the value that begins at w.at, which stands at the path p in the
// given object. It reports whether it was JSON.
func (w *walker) value(p, object uint32, depth int) bool {
	if w.at >= len(w.text) || depth > deepest {
		return false
	}
	switch c := w.text[w.at]; {
	case c == '"':
		start := w.at
		end, class, ok := w.quoted()
		if ok {
			w.leaf(p, object, start+1, end, class)
		}
		return ok
	case c == '-' || c >= '0' && c <= '9':
		return w.number(p, object)
	case c == '{':
		return w.object(p, depth)
	case c == '[':
		return w.array(p, object, depth)
	case c == 't':
		return w.word("true", p)
	case c == 'f':
		return w.word("false", p)
	case c == 'n':
		return w.word("null", p)
	}
	return false
}

func (w *walker) object(p uint32, depth int) bool {
	w.at++
	x := w.x
	x.paths[p].objects++
	x.paths[p].next = 0
	object, from := x.newObject(), len(x.figures)
	w.space()
	if w.at < len(w.text) && w.text[w.at] == '}' {
		w.at++
		return true
	}
	for {
		if w.at >= len(w.text) || w.text[w.at] != '"' {
			return false
		}
		start := w.at + 1
		end, class, ok := w.quoted()
		if !ok {
			return false
		}
		key := w.text[start:end]
		if class&hasDigit != 0 && len(key) > 3 {
			w.scan(object, 0, start, end)
		}
		w.space()
		if w.at >= len(w.text) || w.text[w.at] != ':' {
			return false
		}
		w.at++
		w.space()
		if !w.value(x.member(p, key), object, depth+1) {
			return false
		}
		w.space()
		if w.at >= len(w.text) {
			return false
		}
		switch w.text[w.at] {
		case ',':
			w.at++
			w.keep()
			w.space()
		case '}':
			w.at++
			if len(x.units) > 0 {
				x.closed(object, from)
			}
			return true
		default:
			return false
		}
	}
}

func (w *walker) array(p, object uint32, depth int) bool {
	start, n := w.at, 0
	before := w.x.size()
	w.at++
	w.space()
	if w.at < len(w.text) && w.text[w.at] == ']' {
		w.at++
		w.x.counted(p, 0, start)
		return true
	}
	element := w.x.elements(p)
	for {
		if !w.value(element, object, depth+1) {
			return false
		}
		n++
		w.space()
		if w.at >= len(w.text) {
			return false
		}
		switch w.text[w.at] {
		case ',':
			w.at++
			w.keep()
			w.space()
		case ']':
			w.at++
			w.x.counted(p, n, start)
			if w.given && n > mostGiven {
				w.x.back(before)
			}
			return true
		default:
			return false
		}
	}
}

// quoted reads the string that begins at w.at: the end of what is between the
// quotes, and what its bytes say.
func (w *walker) quoted() (end int, class uint8, ok bool) {
	text := w.text
	for i := w.at + 1; i < len(text); i++ {
		c := classes[text[i]]
		if c&(ends|hasEscape) == 0 {
			class |= c
			continue
		}
		switch text[i] {
		case '"':
			w.at = i + 1
			return i, class, true
		case '\\':
			class |= hasEscape
			i++
		default:
			return 0, 0, false // a control character
		}
	}
	return 0, 0, false
}

func (w *walker) word(word string, p uint32) bool {
	if len(w.text)-w.at < len(word) || w.text[w.at:w.at+len(word)] != word {
		return false
	}
	if word != "null" {
		w.x.valued(p, word, w.at)
		w.x.addFlag(p, w.src, w.at, word == "true")
	}
	w.at += len(word)
	return true
}

// number reads a number. Only what JSON allows is one: a text that continues in
// another way is no JSON.
func (w *walker) number(p, object uint32) bool {
	text, start := w.text, w.at
	i := start
	if text[i] == '-' {
		i++
	}
	var mantissa uint64
	digits, fraction, exponent := 0, 0, 0
	plain := true
	for ; i < len(text) && text[i]-'0' <= 9; i++ {
		mantissa = mantissa*10 + uint64(text[i]-'0')
		digits++
	}
	if digits == 0 {
		return false
	}
	marks := integer
	if i < len(text) && text[i] == '.' {
		i++
		marks = 0
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			mantissa = mantissa*10 + uint64(text[i]-'0')
			digits++
			fraction++
		}
		if fraction == 0 {
			return false
		}
	}
	if i < len(text) && text[i]|0x20 == 'e' {
		plain = false
		i++
		if i < len(text) && (text[i] == '+' || text[i] == '-') {
			i++
		}
		for ; i < len(text) && text[i]-'0' <= 9; i++ {
			exponent++
		}
		if exponent == 0 {
			return false
		}
	}
	w.at = i
	value := float64(mantissa)
	if plain && digits <= 15 {
		value /= tens[fraction]
	} else {
		v, err := strconv.ParseFloat(text[start:i], 64)
		if err != nil && math.IsInf(v, 0) {
			return true // no answer states it
		}
		value = math.Abs(v)
	}
	if text[start] == '-' {
		value = -value
	}
	if digits >= longNumber && fraction == 0 {
		w.x.scan(w.src, object, 0, w.text[start:i], start, namesOnly)
	}
	w.x.addNumber(p, figure{
		value: value, start: uint32(start), src: w.src, path: p, object: object,
		kind: atom.Number, length: uint8(min(i-start, 255)), marks: marks,
	})
	return true
}

// longNumber is how many digits make a number that may be the name of
// something: it is kept as an identifier too.
const longNumber = 8

var tens = [...]float64{1, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15}

// leaf takes a string between its quotes: it may hold figures, another JSON
// text, or be one value of a few.
func (w *walker) leaf(p, object uint32, start, end int, class uint8) {
	text := w.text[start:end]
	if w.given && len(text) > longestGiven {
		return
	}
	if class&hasEscape == 0 {
		w.x.valued(p, text, start)
		w.x.unitOf(p, object, text)
		if m, ok := timestamp(text); ok {
			m.start, m.src, m.object, m.length = uint32(start), w.src, object, uint8(len(text))
			w.x.moments = append(w.x.moments, m)
			return
		}
		if class&(hasDigit|hasAt) != 0 || class&hasColon != 0 && strings.Contains(text, "://") {
			w.scan(object, p, start, end)
		}
		return
	}
	w.x.paths[p].freeText = true
	if class&(hasDigit|hasAt|hasColon) == 0 {
		return
	}
	w.x.inner(w.src, start, end, unescape(text), w.inside+1)
}

func (w *walker) scan(object, p uint32, start, end int) {
	w.x.scan(w.src, object, p, w.text[start:end], start, everything)
}
