package toolkit

import (
	"encoding"
	"encoding/json"
	"fmt"
	"reflect"
	"strconv"
	"unicode/utf8"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
)

// The key of a write is made from the JSON of its arguments. Arguments that their
// JSON does not tell apart would be one piece of work, and the second payment
// would be answered with the receipt of the first.

// unkeyed says which part of the arguments of a type their JSON leaves out.
func unkeyed(in reflect.Type) error {
	if field := unsaid(in, "", map[reflect.Type]bool{}); field != "" {
		return fmt.Errorf("its argument %s stays out of the key: export it, or give KeyOf", field)
	}
	return nil
}

// unsaid is the first field of a type that is not written to JSON, "" for none. A
// type that writes its own JSON is trusted to say all there is.
func unsaid(t reflect.Type, at string, seen map[reflect.Type]bool) string {
	if seen[t] || writesItself(t) {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Map:
		if field := unsaid(t.Key(), at, seen); field != "" {
			return field
		}
		return unsaid(t.Elem(), at, seen)
	case reflect.Pointer, reflect.Slice, reflect.Array:
		return unsaid(t.Elem(), at, seen)
	case reflect.Struct:
		said := map[string]reflect.Type{} // by the index that leads there
		for _, m := range members(t) {
			said[fmt.Sprint(m.Index)] = m.Type
		}
		return hidden(t, nil, at, said, seen)
	}
	return ""
}

// hidden looks through the fields of a struct, and of those that are embedded.
func hidden(t reflect.Type, index []int, at string, said map[string]reflect.Type, seen map[reflect.Type]bool) string {
	for i := range t.NumField() {
		f := t.Field(i)
		place, path := append(index[:len(index):len(index)], i), join(at, f.Name)
		inner := pointed(f.Type)
		var field string
		switch {
		case said[fmt.Sprint(place)] != nil:
			field = unsaid(f.Type, path, seen)
		case f.Type.Size() == 0 || f.Name == "_": // holds nothing
		case f.Anonymous && inner.Kind() == reflect.Struct && f.Tag.Get("json") != "-" && !seen[inner]:
			seen[inner] = true
			field = hidden(inner, place, path, said, seen)
		default:
			field = path
		}
		if field != "" {
			return field
		}
	}
	return ""
}

var (
	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

func writesItself(t reflect.Type) bool {
	to := reflect.PointerTo(t)
	return to.Implements(marshaler) || to.Implements(textMarshaler)
}

// blurError says that two different arguments may have the same JSON.
type blurError struct {
	field fault.FieldError
	why   string
}

func (e *blurError) Error() string { return "toolkit: the argument " + e.field.Field + " " + e.why }

// keyArgs returns the arguments that a key is made from, once it is sure that no
// other arguments are written the same.
func (ex *execution) keyArgs() (json.RawMessage, error) {
	args, err := ex.args()
	if err != nil {
		return nil, err
	}
	l := looker{members: map[reflect.Type][]member{}, unsaid: map[reflect.Type]string{}, keyed: ex.tool.keyOf != nil}
	if blur := l.look(reflect.ValueOf(ex.in).Elem(), ""); blur != nil {
		return nil, blur
	}
	return args, nil
}

// looker looks through the arguments of one call.
type looker struct {
	members map[reflect.Type][]member
	unsaid  map[reflect.Type]string // of the types behind interfaces
	keyed   bool                    // what JSON leaves out is the business of a KeyOf
}

// look finds text that is not UTF-8, for which JSON has a replacement, and values
// behind interfaces that have more to say than their JSON. The value has been
// written as JSON, so it does not contain itself.
func (l *looker) look(v reflect.Value, at string) *blurError {
	switch v.Kind() {
	case reflect.String:
		if !utf8.ValidString(v.String()) {
			return &blurError{fault.FieldError{Field: at, Rule: "utf8"}, "is not valid UTF-8"}
		}
		return nil
	case reflect.Interface:
		if v.IsNil() {
			return nil
		}
		if field := l.behind(v.Elem().Type()); field != "" && !l.keyed {
			return &blurError{fault.FieldError{Field: at, Rule: "type"}, "has a field " + field + " that is not part of its JSON: export it, or give KeyOf"}
		}
		return l.look(v.Elem(), at)
	}
	if writesItself(v.Type()) {
		return nil
	}
	switch v.Kind() {
	case reflect.Pointer:
		if !v.IsNil() {
			return l.look(v.Elem(), at)
		}
	case reflect.Slice, reflect.Array:
		if k := v.Type().Elem().Kind(); scalar(k) && k != reflect.String {
			return nil
		}
		for i := range v.Len() {
			if blur := l.look(v.Index(i), join(at, strconv.Itoa(i))); blur != nil {
				return blur
			}
		}
	case reflect.Map:
		for items := v.MapRange(); items.Next(); {
			for _, part := range []reflect.Value{items.Key(), items.Value()} {
				if blur := l.look(part, join(at, "*")); blur != nil {
					return blur
				}
			}
		}
	case reflect.Struct:
		return l.fields(v, at)
	}
	return nil
}

func (l *looker) behind(t reflect.Type) string {
	field, known := l.unsaid[t]
	if !known {
		field = unsaid(t, "", map[reflect.Type]bool{})
		l.unsaid[t] = field
	}
	return field
}

func (l *looker) fields(v reflect.Value, at string) *blurError {
	all, known := l.members[v.Type()]
	if !known {
		all = members(v.Type())
		l.members[v.Type()] = all
	}
	for _, m := range all {
		field, err := v.FieldByIndexErr(m.Index)
		if err != nil {
			continue // an embedded pointer that is nil
		}
		if blur := l.look(field, join(at, m.name)); blur != nil {
			return blur
		}
	}
	return nil
}

// ambiguous says why the arguments of a write, as a model wrote them, can be read
// in two ways: text that is not UTF-8, or two members of one name.
func ambiguous(raw []byte) *fault.FieldError {
	_, err := canonjson.Canonicalize(raw)
	if err == nil {
		return nil
	}
	return &fault.FieldError{Rule: "json", Want: canonjson.Wants(err)}
}
