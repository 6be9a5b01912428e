package fault

import (
	"encoding/json"
	"strings"
)

const maxNesting = 10000 // levels of JSON, as in encoding/json

// jsonReader reads the JSON values of a text.
type jsonReader struct {
	s      string
	at     int
	depth  int
	batch  bool // lists may be the answers to the items of a request
	unsure bool // the envelope cannot be judged without the whole
}

// decodeJSON decodes one JSON value; a stream of several counts as its first.
// Numbers are [json.Number].
func decodeJSON(s string) (any, bool) {
	j := jsonReader{s: s}
	return j.document(viewAll)
}

func (j *jsonReader) document(v view) (any, bool) {
	root, ok := j.value(v)
	for ok {
		if j.blanks(); j.at == len(j.s) {
			return root, true
		}
		_, ok = j.value(viewSkip)
	}
	return nil, false
}

// blanks goes to the next byte that is not white space.
func (j *jsonReader) blanks() {
	for j.at < len(j.s) {
		switch j.s[j.at] {
		case ' ', '\n', '\t', '\r':
			j.at++
		default:
			return
		}
	}
}

// next goes past white space and reports whether the byte c is there, which it
// takes.
func (j *jsonReader) next(c byte) bool {
	j.blanks()
	if j.at < len(j.s) && j.s[j.at] == c {
		j.at++
		return true
	}
	return false
}

func (j *jsonReader) value(v view) (any, bool) {
	j.blanks()
	if j.at == len(j.s) {
		return nil, false
	}
	switch c := j.s[j.at]; c {
	case '{', '[':
		if j.depth == maxNesting {
			return nil, false
		}
		j.at++
		j.depth++
		read := j.list
		if c == '{' {
			read = j.object
		}
		root, ok := read(v)
		j.depth--
		return root, ok
	case '"':
		if v == viewSkip {
			_, _, ok := j.quoted()
			return nil, ok
		}
		s, ok := j.text()
		return s, ok
	case 't':
		return true, j.word("true")
	case 'f':
		return false, j.word("false")
	case 'n':
		return nil, j.word("null")
	}
	from := j.at
	if !j.number() {
		return nil, false
	}
	if v == viewSkip {
		return nil, true
	}
	return json.Number(j.s[from:j.at]), true
}

// object reads the members of an object up to its end.
func (j *jsonReader) object(v view) (any, bool) {
	var m map[string]any
	if v < viewBlank {
		m = map[string]any{}
	}
	if j.next('}') {
		if v >= viewBlank {
			return emptyObject, true
		}
		return m, true
	}
	for {
		var name string
		var ok bool
		if j.blanks(); j.at == len(j.s) || j.s[j.at] != '"' {
			return nil, false
		}
		if v >= viewBlank {
			_, _, ok = j.quoted()
		} else {
			name, ok = j.text()
		}
		if !ok || !j.next(':') {
			return nil, false
		}
		j.blanks()
		member, ok := j.value(j.memberView(v, name))
		if !ok {
			return nil, false
		}
		if m != nil {
			m[name] = member
			j.unsure = j.unsure || isTrue(member) && squash(name) == "errors" // a batch, whatever lists it
		}
		if j.next('}') {
			if m == nil {
				return filledObject, true
			}
			return m, true
		}
		if !j.next(',') {
			return nil, false
		}
	}
}

// list reads the items of a list up to its end.
func (j *jsonReader) list(v view) (any, bool) {
	if j.next(']') {
		return emptyList, true
	}
	items, filled, limit := emptyList, false, maxShell
	for {
		of := v
		switch {
		case v == viewShell && len(items) == limit:
			j.unsure = j.unsure || j.batch && haveVerdicts(items)
			of = viewSkip
		case v == viewShell && j.batch:
			of = viewBag
		case v == viewBag && len(items) > maxItems, v == viewBlank && filled:
			of = viewSkip
		}
		item, ok := j.value(of)
		if !ok {
			return nil, false
		}
		switch {
		case v == viewBlank:
			filled = filled || !blank(item)
		case of != viewSkip:
			if items = append(items, item); len(items) == 1 && !namesError(item) && !(j.batch && haveVerdicts(items)) {
				limit = 2 // the first shows that it is no list of errors or verdicts; that there are more is all
			}
		}
		if j.next(']') {
			break
		}
		if !j.next(',') {
			return nil, false
		}
	}
	switch {
	case v < viewBlank:
		return items, true
	case filled:
		return filledList, true
	}
	return blankList, true
}

// word takes one of the three words of JSON.
func (j *jsonReader) word(w string) bool {
	if !strings.HasPrefix(j.s[j.at:], w) {
		return false
	}
	j.at += len(w)
	return true
}

// number takes a number.
func (j *jsonReader) number() bool {
	if j.s[j.at] == '-' {
		j.at++
	}
	if !j.take('0') && !j.digits() {
		return false
	}
	if j.take('.') && !j.digits() {
		return false
	}
	if j.take('e') || j.take('E') {
		if !j.take('+') {
			j.take('-')
		}
		return j.digits()
	}
	return true
}

func (j *jsonReader) take(c byte) bool {
	if j.at < len(j.s) && j.s[j.at] == c {
		j.at++
		return true
	}
	return false
}

func (j *jsonReader) digits() bool {
	from := j.at
	for j.at < len(j.s) && j.s[j.at]-'0' <= 9 {
		j.at++
	}
	return j.at > from
}
