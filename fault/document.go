package fault

import (
	"encoding/json"
	"strings"
)

const (
	maxJSON    = 1 << 20  // bytes of a body that are parsed as JSON
	maxHead    = 64 << 10 // bytes of a longer body whose first members are read
	maxDepth   = 6        // levels of nesting at which a failure is looked for
	maxItems   = 256      // items of a list, members of an object that are looked at
	minOutline = 512      // bytes of JSON below which all of it is decoded at once
)

// document is the result of one attempt as data: the JSON of a body, of a
// text, or of a Go value, decoded once for all detectors.
type document struct {
	root    any
	valid   bool   // root holds the result
	partial bool   // only the first members of a long body were read
	outline bool   // root holds only what tells whether it is a plain success; json holds the rest
	json    string // what an outline was made from
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
		s.doc = s.decode(textDocument)
	}
	if s.doc.outline {
		s.doc.root, s.doc.valid = decodeJSON(s.doc.json)
		s.doc.outline = false
	}
	return s.doc
}

// glance decodes as much of the result as tells whether it is a plain success.
func (s *Signal) glance() *document {
	if s.doc == nil {
		s.doc = s.decode(func(body string) *document { return outlineDocument(body, s.Effect) })
	}
	return s.doc
}

func (s *Signal) decode(read func(body string) *document) *document {
	switch {
	case s.HTTP != nil && (len(s.HTTP.Body) > 0 || !s.HasValue && !s.HasText && s.MCP == nil):
		return read(string(s.HTTP.Body))
	case s.MCP != nil:
		if len(s.MCP.Structured) > 0 && string(s.MCP.Structured) != "null" {
			d := read(string(s.MCP.Structured))
			d.text = s.MCP.Text
			return d
		}
		return read(s.MCP.Text)
	case s.HasValue:
		return valueDocument(s.Value, read)
	case s.HasText || s.Text != "":
		return read(s.Text)
	}
	return &document{}
}

func textDocument(body string) *document {
	body = trimJSON(body)
	d := &document{hasText: true, text: body}
	if len(body) > maxJSON {
		d.text = body[:maxHead]
		d.root, d.valid = headObject(d.text)
		d.partial = d.valid
		return d
	}
	if looksLikeJSON(body) {
		d.root, d.valid = decodeJSON(body)
	}
	return d
}

// outlineDocument is [textDocument] for a body of which, where it is long, not
// all has to be decoded.
func outlineDocument(body string, effect Effect) *document {
	trimmed := trimJSON(body)
	if len(trimmed) < minOutline || len(trimmed) > maxJSON || !looksLikeJSON(trimmed) {
		return textDocument(trimmed)
	}
	d := &document{hasText: true, text: trimmed, json: trimmed}
	var sure bool
	if d.root, d.valid, sure = outlineJSON(trimmed, effect); d.valid {
		d.outline = true
	}
	if d.valid && !sure {
		d.root, _ = decodeJSON(trimmed)
		d.outline = false
	}
	return d
}

// valueDocument turns a Go value into data. What is already data is taken as
// it is; anything else takes the way through its JSON form.
func valueDocument(v any, read func(body string) *document) *document {
	switch v := v.(type) {
	case nil:
		return &document{valid: true}
	case map[string]any, []any:
		return &document{root: goData(v), valid: true}
	case bool, json.Number, float64:
		return &document{root: v, valid: true}
	case string:
		return read(v)
	case []byte:
		return read(string(v))
	case json.RawMessage:
		return read(string(v))
	}
	body, err := json.Marshal(v)
	if err != nil {
		return &document{}
	}
	d := read(string(body))
	if s, ok := d.root.(string); ok {
		return read(s)
	}
	d.hasText = false
	return d
}

// trimJSON takes off what may stand before JSON: blanks, a byte order mark,
// and the guard ")]}'" that some services send against script inclusion.
func trimJSON(s string) string {
	s = strings.TrimSpace(strings.TrimPrefix(s, "\xef\xbb\xbf"))
	return strings.TrimSpace(strings.TrimPrefix(s, ")]}'"))
}

func looksLikeJSON(s string) bool {
	if s == "" {
		return false
	}
	switch s[0] {
	case '{', '[', '"':
		return true
	}
	return s == "null" || s == "true" || s == "false"
}

// headObject reads the first members of an object that is too long to parse.
func headObject(head string) (any, bool) {
	dec := json.NewDecoder(strings.NewReader(head))
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
