package fault

import (
	"encoding/json"
	"strings"
	"unicode/utf16"
	"unicode/utf8"
)

// Most results are successes, and most of the bytes of one cannot change that:
// the rows of a list, the text of a page. So JSON is checked to its end, as
// encoding/json does, but only what the detectors look at is made into values.

// view is how much of a JSON value is made into Go values.
type view uint8

const (
	viewAll   view = iota // everything
	viewShell             // an envelope: members by their name, see memberView; the first items of a list
	viewBag               // things by name or in a row, each an envelope
	viewBlank             // only whether it is blank, see [blank]
	viewSkip              // nothing
)

const (
	maxNesting = 10000 // levels of JSON, as in encoding/json
	maxShell   = 17    // items of a list of envelopes: one more than [listEnvelope] takes
)

// Stand-ins for what was not made into values. They are shared and never
// changed.
var (
	emptyObject  = map[string]any{}
	filledObject = map[string]any{"…": true}
	emptyList    = []any{}
	blankList    = []any{nil}
	filledList   = []any{true}
)

// Members of an envelope of which more is looked at than whether they are
// blank, as objects and as lists.
var (
	shellObjects = map[string]view{
		"response": viewShell, "result": viewShell, "body": viewShell, "payload": viewShell, "meta": viewShell, "responsestatus": viewShell,
		"head": viewShell, "task": viewShell, "properties": viewShell, "data": viewBag, "errors": viewAll,
	}
	shellLists = map[string]view{"content": viewShell, "responses": viewBag, "errors": viewAll, "detail": viewAll}
	batchLists = map[string]view{"results": viewBag, "items": viewBag, "operations": viewBag, "outcomes": viewBag}
)

// memberView returns how much of a member is looked at, where of the object it
// is v. The reader stands at the member.
func (j *jsonReader) memberView(v view, name string) view {
	if v == viewAll || v == viewSkip {
		return v
	}
	if v == viewBlank {
		return viewSkip
	}
	isObject := strings.HasPrefix(j.s[j.at:], "{")
	if !isObject && !strings.HasPrefix(j.s[j.at:], "[") {
		return v // a scalar
	}
	if v == viewBag {
		if isObject {
			return viewShell
		}
		return viewBlank
	}
	key := squash(name)
	if !isObject {
		if of, ok := shellLists[key]; ok {
			return of
		}
		if of, ok := batchLists[key]; ok && j.batch {
			return of
		}
		return viewBlank
	}
	if of, ok := shellObjects[key]; ok {
		return of
	}
	if strings.HasSuffix(key, "metadata") || strings.HasSuffix(key, "error") || strings.HasSuffix(key, "exception") || namesAnswer(name) {
		return viewShell
	}
	return viewBlank
}

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

// outlineJSON decodes as much of a JSON value as tells whether it is a plain
// success of a call with that effect. Where it may not be, the whole has to be
// decoded. The third result is false where only the whole can tell.
func outlineJSON(s string, effect Effect) (root any, valid, sure bool) {
	j := jsonReader{s: s, batch: effect != Read}
	root, valid = j.document(viewShell)
	return root, valid, !j.unsure
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
		name, ok := "", false
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
	items, filled := emptyList, false
	for {
		of := v
		switch {
		case v == viewShell && len(items) == maxShell:
			j.unsure = j.unsure || j.batch && haveVerdicts(items)
			of = viewSkip
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
			items = append(items, item)
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

// special marks the bytes that mean something in a string.
var special = func() (t [256]bool) {
	for i := range 0x20 {
		t[i] = true
	}
	t['"'], t['\\'] = true, true
	return t
}()

// quoted takes a string and returns what stands between its quotes, and
// whether there are escapes in it.
func (j *jsonReader) quoted() (inner string, escaped, ok bool) {
	s, i := j.s, j.at+1
	for i < len(s) {
		if !special[s[i]] {
			i++
			continue
		}
		switch s[i] {
		case '"':
			inner, j.at = s[j.at+1:i], i+1
			return inner, escaped, true
		case '\\':
			n := escape(s[i:])
			if n == 0 {
				return "", false, false
			}
			i, escaped = i+n, true
		default:
			return "", false, false
		}
	}
	return "", false, false
}

// escape is the length of the escape that s begins with, 0 for none.
func escape(s string) int {
	if len(s) < 2 {
		return 0
	}
	switch s[1] {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		return 2
	case 'u':
		if _, ok := hex4(s); ok {
			return 6
		}
	}
	return 0
}

// hex4 reads an escape of four hexadecimal digits.
func hex4(s string) (rune, bool) {
	if len(s) < 6 || s[0] != '\\' || s[1] != 'u' {
		return 0, false
	}
	var r rune
	for i := 2; i < 6; i++ {
		switch c := s[i]; {
		case c >= '0' && c <= '9':
			r = r<<4 | rune(c-'0')
		case c|0x20 >= 'a' && c|0x20 <= 'f':
			r = r<<4 | rune(c|0x20-'a'+10)
		default:
			return 0, false
		}
	}
	return r, true
}

// text takes a string and returns what it says. Bytes that are no UTF-8 become
// U+FFFD.
func (j *jsonReader) text() (string, bool) {
	s, escaped, ok := j.quoted()
	if escaped {
		s = unescape(s)
	}
	if !utf8.ValidString(s) {
		s = string([]rune(s))
	}
	return s, ok
}

// unescape resolves the escapes of a string that was checked.
func unescape(s string) string {
	out := make([]byte, 0, len(s))
	for {
		i := strings.IndexByte(s, '\\')
		if i < 0 {
			return string(append(out, s...))
		}
		out = append(out, s[:i]...)
		c := s[i+1]
		switch c {
		case 'u':
			r, _ := hex4(s[i:])
			s = s[i+6:]
			if low, ok := hex4(s); ok && utf16.IsSurrogate(r) {
				if both := utf16.DecodeRune(r, low); both != utf8.RuneError {
					r, s = both, s[6:]
				}
			}
			out = utf8.AppendRune(out, r) // half a pair becomes U+FFFD
			continue
		case 'b':
			c = '\b'
		case 'f':
			c = '\f'
		case 'n':
			c = '\n'
		case 'r':
			c = '\r'
		case 't':
			c = '\t'
		}
		out, s = append(out, c), s[i+2:]
	}
}
