package toolkit

import (
	"encoding/json"
	"math"
	"math/big"
	"reflect"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/google/jsonschema-go/jsonschema"
)

// derive writes the schema of what encoding/json reads into a type. It is
// stricter in what a model gets wrong: a member that is not declared, one that is
// missing though it is not omitempty or omitzero, null for a value that cannot be
// nil or left out, an array of another length, bytes that are not base64.
//
// What a type reads by a method of its own is not known: a text becomes "string",
// anything else may be anything, and the method decides.
func derive(in reflect.Type) json.RawMessage {
	for in.Kind() == reflect.Pointer && in.Name() == "" {
		in = in.Elem()
	}
	d := deriver{root: in, open: map[reflect.Type]bool{}, refs: map[reflect.Type]string{}, defs: map[string]*jsonschema.Schema{}}
	s := d.own(in)
	if s == nil {
		s = d.inside(in)
	}
	if len(d.defs) > 0 {
		s.Defs = d.defs
	}
	source, err := json.Marshal(s)
	if err != nil {
		return json.RawMessage(`{}`) // arguments are then checked by being read into the type
	}
	return source
}

// deriver is the work on one schema. A type that contains itself is written once
// and referred to, beside the arguments themselves, whose own schema refers to nothing.
type deriver struct {
	root reflect.Type
	open map[reflect.Type]bool   // types that are being written
	refs map[reflect.Type]string // addresses of those that contain themselves
	defs map[string]*jsonschema.Schema
}

// known are types of the standard library whose methods are known.
var known = map[reflect.Type]jsonschema.Schema{
	reflect.TypeFor[time.Time]():   {Type: "string", Format: "date-time"},
	reflect.TypeFor[big.Int]():     {Type: "integer"},
	reflect.TypeFor[json.Number](): {Types: []string{"number", "string"}},
}

// of is the schema of a value inside the arguments.
func (d *deriver) of(t reflect.Type) *jsonschema.Schema {
	if d.open[t] {
		return &jsonschema.Schema{Ref: d.refer(t)}
	}
	s := d.plain(t)
	if address, recursive := d.refs[t]; recursive {
		d.defs[strings.TrimPrefix(address, defsAddress)] = orNull(s)
		return &jsonschema.Schema{Ref: address}
	}
	switch t.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map:
		return orNull(s) // it may be nil
	}
	return s
}

const defsAddress = "#/$defs/"

// refer is the address of a type that contains itself. There null is let through
// for all who refer to it: a choice between null and the type would be explained to
// a model by the null that it has not written.
func (d *deriver) refer(t reflect.Type) string {
	if d.refs[t] == "" {
		word, _, _ := strings.Cut(t.Name(), "[")
		d.refs[t] = defsAddress + word + strconv.Itoa(len(d.refs)+1)
	}
	return d.refs[t]
}

// plain is the schema of a type without the null that may stand for it.
func (d *deriver) plain(t reflect.Type) *jsonschema.Schema {
	if s := d.own(t); s != nil {
		return s
	}
	if t.Name() != "" { // only a type with a name can contain itself
		d.open[t] = true
		defer delete(d.open, t)
	}
	return d.inside(t)
}

// own is the schema of a type that reads JSON by a method, or is known; nil for
// others.
func (*deriver) own(t reflect.Type) *jsonschema.Schema {
	if s, ok := known[t]; ok {
		return s.CloneSchemas()
	}
	switch to := reflect.PointerTo(t); {
	case to.Implements(jsonUnmarshaler):
		return &jsonschema.Schema{}
	case to.Implements(textUnmarshaler):
		return &jsonschema.Schema{Type: "string"}
	}
	return nil
}

// inside is the schema of a type that has no method of its own for it.
func (d *deriver) inside(t reflect.Type) *jsonschema.Schema {
	switch t.Kind() {
	default:
		if integral(t.Kind()) {
			return integers(t)
		}
	case reflect.Bool:
		return &jsonschema.Schema{Type: "boolean"}
	case reflect.Float32, reflect.Float64:
		return &jsonschema.Schema{Type: "number"}
	case reflect.String:
		return &jsonschema.Schema{Type: "string"}
	case reflect.Pointer:
		return d.of(t.Elem())
	case reflect.Slice, reflect.Array:
		return d.list(t)
	case reflect.Map:
		if keyed(t.Key()) {
			return &jsonschema.Schema{Type: "object", AdditionalProperties: d.of(t.Elem())}
		}
	case reflect.Struct:
		return d.object(t)
	case reflect.Interface:
		if t.NumMethod() == 0 {
			return &jsonschema.Schema{}
		}
	}
	return &jsonschema.Schema{Type: "null"} // nothing else can be read into it
}

// integers bounds a type of few bits. The bounds of 64 bits are beyond what every
// reader of schemas holds exactly; numbers beyond them are refused when they are read.
func integers(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{Type: "integer"}
	bits := t.Bits()
	low, high := -math.Ldexp(1, bits-1), math.Ldexp(1, bits-1)-1
	if unsigned(t) {
		low, high = 0, math.Ldexp(1, bits)-1
		s.Minimum = &low
	}
	if bits < 64 {
		s.Minimum, s.Maximum = &low, &high
	}
	return s
}

func unsigned(t reflect.Type) bool { return reflect.Uint <= t.Kind() && t.Kind() <= reflect.Uintptr }

func (d *deriver) list(t reflect.Type) *jsonschema.Schema {
	elem := t.Elem()
	if to := reflect.PointerTo(elem); t.Kind() == reflect.Slice && elem.Kind() == reflect.Uint8 &&
		!to.Implements(jsonUnmarshaler) && !to.Implements(textUnmarshaler) {
		return &jsonschema.Schema{Type: "string", ContentEncoding: "base64"}
	}
	s := &jsonschema.Schema{Type: "array", Items: d.of(elem)}
	if t.Kind() == reflect.Array {
		n := t.Len()
		s.MinItems, s.MaxItems = &n, &n
	}
	return s
}

// keyed reports whether encoding/json reads objects into maps with such keys.
func keyed(key reflect.Type) bool {
	k := key.Kind()
	return k == reflect.String || integral(k) || reflect.PointerTo(key).Implements(textUnmarshaler)
}

func (d *deriver) object(t reflect.Type) *jsonschema.Schema {
	s := &jsonschema.Schema{
		Type: "object", Properties: map[string]*jsonschema.Schema{},
		AdditionalProperties: &jsonschema.Schema{Not: &jsonschema.Schema{}}, // none
	}
	for _, m := range members(t) {
		if m.sealed {
			continue
		}
		value := d.of(m.Type)
		if m.quoted {
			value = quoted(m.Type)
		}
		switch {
		case m.optional:
			value = orNull(value)
		case value.Type != "null" && !d.leadsBack(m.Type):
			s.Required = append(s.Required, m.name)
		}
		if about := m.Tag.Get("jsonschema"); about != "" {
			value.Description = about
		}
		s.Properties[m.name] = value
		s.PropertyOrder = append(s.PropertyOrder, m.name)
	}
	return s
}

// leadsBack reports whether a type holds one that is being written. Such a member
// may be left out: it has to end somewhere.
func (d *deriver) leadsBack(t reflect.Type) bool {
	for range maxNesting {
		if d.open[t] || t == d.root {
			return true
		}
		switch t.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
			t = t.Elem()
		default:
			return false
		}
	}
	return true // a list of itself, say
}

// maxNesting is beyond every type that is a list of lists of lists.
const maxNesting = 32

// quoted is the schema of a value that is written inside a string.
func quoted(t reflect.Type) *jsonschema.Schema {
	inner := pointed(t)
	s := &jsonschema.Schema{Type: "string"}
	switch to := reflect.PointerTo(inner); {
	case to.Implements(jsonUnmarshaler), to.Implements(textUnmarshaler):
		return &jsonschema.Schema{}
	case inner.Kind() == reflect.Bool:
		s.Enum = []any{"true", "false"}
	case unsigned(inner):
		s.Pattern = `^[0-9]+$`
	case inner.Kind() != reflect.String && inner.Kind() < reflect.Uint:
		s.Pattern = `^-?[0-9]+$`
	}
	if inner != t {
		return orNull(s)
	}
	return s
}

// orNull also accepts null.
func orNull(s *jsonschema.Schema) *jsonschema.Schema {
	switch {
	case s.Type != "" && s.Type != "null":
		s.Types, s.Type = []string{"null", s.Type}, ""
	case len(s.Types) > 0 && !slices.Contains(s.Types, "null"):
		s.Types = append([]string{"null"}, s.Types...)
	}
	if s.Enum != nil {
		s.Enum = append(s.Enum, nil)
	}
	return s
}
