package fault

import (
	"bytes"
	"encoding/json"
	"io"
	"strings"
)

const (
	maxJSON    = 1 << 20  // bytes of a body that are parsed as JSON
	maxHead    = 64 << 10 // bytes of a longer body whose first members are read
	maxLiteral = 64 << 10 // bytes of a nested string that are parsed
	maxDepth   = 6        // levels of nesting at which a failure is looked for
	maxItems   = 256      // items of a list, members of an object that are looked at
)

// document is the result of one attempt as data: the JSON of a body, of a
// text, or of a Go value, decoded once for all detectors.
type document struct {
	root    any
	valid   bool // root holds the result
	partial bool // only the first members of a long body were read
	text    string
	hasText bool // the result is text, JSON or not
}

// JSON returns the result of the attempt decoded from JSON (numbers as
// [json.Number]) and whether it is JSON. It is decoded once, at most 1 MiB of
// it. Detectors share the value and must not change it.
func (s *Signal) JSON() (any, bool) {
	d := s.document()
	return d.root, d.valid && !d.partial
}

// document decodes the result at the first use.
func (s *Signal) document() *document {
	if s.doc == nil {
		s.doc = s.decode()
	}
	return s.doc
}

func (s *Signal) decode() *document {
	switch {
	case s.HTTP != nil && (len(s.HTTP.Body) > 0 || !s.HasValue && !s.HasText && s.MCP == nil):
		return textDocument(s.HTTP.Body)
	case s.MCP != nil:
		if len(s.MCP.Structured) > 0 && string(s.MCP.Structured) != "null" {
			d := textDocument(s.MCP.Structured)
			d.text = s.MCP.Text
			return d
		}
		return textDocument([]byte(s.MCP.Text))
	case s.HasValue:
		return valueDocument(s.Value)
	case s.HasText || s.Text != "":
		return textDocument([]byte(s.Text))
	}
	return &document{}
}

func textDocument(body []byte) *document {
	body = trimJSON(body)
	d := &document{hasText: true}
	if len(body) > maxJSON {
		d.text = string(body[:maxHead])
		d.root, d.valid = headObject(body[:maxHead])
		d.partial = d.valid
		return d
	}
	d.text = string(body)
	if looksLikeJSON(body) {
		d.root, d.valid = decodeJSON(body)
	}
	return d
}

// valueDocument turns a Go value into data. What is already data is taken as
// it is; anything else takes the way through its JSON form.
func valueDocument(v any) *document {
	switch v := v.(type) {
	case nil:
		return &document{valid: true}
	case map[string]any, []any:
		return &document{root: goData(v), valid: true}
	case bool, json.Number, float64:
		return &document{root: v, valid: true}
	case string:
		return textDocument([]byte(v))
	case []byte:
		return textDocument(v)
	case json.RawMessage:
		return textDocument(v)
	}
	body, err := json.Marshal(v)
	if err != nil {
		return &document{}
	}
	d := textDocument(body)
	if s, ok := d.root.(string); ok {
		return textDocument([]byte(s))
	}
	d.hasText = false
	return d
}

// trimJSON takes off what may stand before JSON: blanks, a byte order mark,
// and the guard ")]}'" that some services send against script inclusion.
func trimJSON(b []byte) []byte {
	b = bytes.TrimSpace(bytes.TrimPrefix(b, []byte("\xef\xbb\xbf")))
	return bytes.TrimSpace(bytes.TrimPrefix(b, []byte(")]}'")))
}

func looksLikeJSON(b []byte) bool {
	if len(b) == 0 {
		return false
	}
	switch b[0] {
	case '{', '[', '"':
		return true
	}
	return string(b) == "null" || string(b) == "true" || string(b) == "false"
}

// decodeJSON decodes one JSON value; a stream of several counts as its first.
func decodeJSON(b []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(b))
	dec.UseNumber()
	var root any
	if dec.Decode(&root) != nil {
		return nil, false
	}
	if dec.InputOffset() == int64(len(b)) {
		return root, true
	}
	for {
		var more json.RawMessage
		switch err := dec.Decode(&more); err {
		case nil:
		case io.EOF:
			return root, true
		default:
			return nil, false
		}
	}
}

// headObject reads the first members of an object that is too long to parse.
func headObject(head []byte) (any, bool) {
	dec := json.NewDecoder(bytes.NewReader(head))
	dec.UseNumber()
	if t, err := dec.Token(); err != nil || t != json.Delim('{') {
		return nil, false
	}
	root := map[string]any{}
	for dec.More() && len(root) < maxItems {
		key, err := dec.Token()
		name, ok := key.(string)
		if err != nil || !ok {
			break
		}
		var v any
		if dec.Decode(&v) != nil {
			break
		}
		root[name] = v
	}
	return root, len(root) > 0
}

// nested decodes a string that holds data: JSON, or the way Python prints it.
func nested(s string) (any, bool) {
	s = strings.TrimSpace(s)
	if len(s) < 2 || len(s) > maxLiteral || !looksNested(s) {
		return nil, false
	}
	if v, ok := decodeJSON([]byte(s)); ok {
		return v, true
	}
	return decodeJSON(fromPython(s))
}

// looksNested reports whether a string can only be meant as data: an object, or
// a list of objects, lists or strings. "[ERROR] …" is a sentence.
func looksNested(s string) bool {
	if s[0] == '[' && len(s) > 1 {
		rest := strings.TrimSpace(s[1:])
		return rest != "" && strings.IndexByte(`{["']`, rest[0]) >= 0
	}
	return s[0] == '{'
}

// fromPython rewrites the printed form of a Python dict or list as JSON:
// strings in either quote, True, False and None. What is neither stays, and
// then fails to decode.
func fromPython(s string) []byte {
	out := make([]byte, 0, len(s)+16)
	for i := 0; i < len(s); {
		switch b := s[i]; {
		case b == '\'' || b == '"':
			i = pythonString(&out, s, i)
		case strings.HasPrefix(s[i:], "None"):
			out, i = append(out, "null"...), i+4
		case strings.HasPrefix(s[i:], "True"):
			out, i = append(out, "true"...), i+4
		case strings.HasPrefix(s[i:], "False"):
			out, i = append(out, "false"...), i+5
		case b == '(':
			out, i = append(out, '['), i+1
		case b == ')':
			out, i = append(out, ']'), i+1
		default:
			out, i = append(out, b), i+1
		}
	}
	return out
}

// pythonString copies the string literal that begins at i and returns the
// index after it.
func pythonString(out *[]byte, s string, i int) int {
	quote := s[i]
	*out = append(*out, '"')
	for i++; i < len(s) && s[i] != quote; i++ {
		switch b := s[i]; {
		case b == '\\' && i+1 < len(s):
			i++
			switch s[i] {
			case '\'':
				*out = append(*out, '\'')
			case 'x':
				*out = append(*out, '?')
			default:
				*out = append(*out, '\\', s[i])
			}
		case b == '"':
			*out = append(*out, '\\', '"')
		case b < 0x20:
			*out = append(*out, ' ')
		default:
			*out = append(*out, b)
		}
	}
	*out = append(*out, '"')
	return i + 1
}
