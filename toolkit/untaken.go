package toolkit

import (
	"encoding/json"
	"reflect"
	"strconv"
	"strings"

	"github.com/failloud/failloud/fault"
)

// maxUntaken bounds how deep the part that does not fit is looked for: each level
// reads what is below it once more.
const maxUntaken = 16

// untaken names the innermost part of a document that the type does not take, of a
// document as a whole that is known not to fit. encoding/json knows the place only
// where the kind of JSON is wrong, not where a method of the type has refused it.
func untaken(raw []byte, t reflect.Type, at string, depth int) fault.FieldError {
	t = pointed(t)
	whole := fault.FieldError{Field: at, Rule: "type", Want: wanted(t, raw)}
	if to := reflect.PointerTo(t); depth == 0 || to.Implements(jsonUnmarshaler) || to.Implements(textUnmarshaler) {
		return whole
	}
	switch t.Kind() {
	case reflect.Slice, reflect.Array:
		var items []json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return whole
		}
		for i, item := range items {
			if !takes(t.Elem(), item) {
				return untaken(item, t.Elem(), join(at, strconv.Itoa(i)), depth-1)
			}
		}
	case reflect.Map:
		var items map[string]json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return whole
		}
		for _, item := range items {
			if !takes(t.Elem(), item) {
				return untaken(item, t.Elem(), join(at, "*"), depth-1) // the name comes from the arguments
			}
		}
	case reflect.Struct:
		var items map[string]json.RawMessage
		if json.Unmarshal(raw, &items) != nil {
			return whole
		}
		for _, m := range members(t) {
			switch item, given := items[m.name]; {
			case !given:
			case m.quoted && !takesQuoted(m.Type, item):
				return fault.FieldError{Field: join(at, m.name), Rule: "type", Want: wanted(pointed(m.Type), nil) + "_in_a_string"}
			case !m.quoted && !takes(m.Type, item):
				return untaken(item, m.Type, join(at, m.name), depth-1)
			}
		}
	}
	return whole
}

func takes(t reflect.Type, raw []byte) bool { return unmarshal(raw, reflect.New(t).Interface()) == nil }

// takesQuoted is the same for a value that is written inside a string.
func takesQuoted(t reflect.Type, raw []byte) bool {
	holder := reflect.StructOf([]reflect.StructField{{Name: "V", Type: t, Tag: `json:",string"`}})
	document, err := json.Marshal(map[string]json.RawMessage{"V": raw})
	return err == nil && takes(holder, document)
}

// wanted says what a type wants in the place of raw.
func wanted(t reflect.Type, raw []byte) string {
	if integral(t.Kind()) && strings.ContainsAny(string(raw), ".eE") && json.Valid(raw) && raw[0] != '"' {
		return "integer_in_plain_digits"
	}
	if s := known[t]; s.Format != "" {
		return s.Format
	}
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 && t.Name() == "" {
		return "base64"
	}
	if t.PkgPath() != "" && t.Kind() != reflect.Struct || known[t].Type != "" {
		return t.String()
	}
	return t.Kind().String()
}

func integral(k reflect.Kind) bool { return reflect.Int <= k && k <= reflect.Uintptr }
