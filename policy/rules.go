package policy

import (
	"encoding/json"
	"reflect"
	"strings"

	"go.yaml.in/yaml/v4"

	"github.com/failloud/failloud/fault"
)

// rules are [fault.Rules]: their names are the keys, so whatever can be declared
// in code can be declared in the file.
type rules struct{ fault.Rules }

func (u *rules) read(r *reader, n *yaml.Node, where string) {
	all := reflect.ValueOf(&u.Rules).Elem()
	known := fieldsOf(all.Type())
	for key, value := range r.pairs(n, where) {
		index, ok := known[key.Value]
		if !ok {
			r.unknown(key, where, known)
			continue
		}
		of := inside(key.Value, where)
		var one fault.Rules // what is wrong with it is said where it stands
		field := reflect.ValueOf(&one).Elem().FieldByIndex(index)
		before := len(r.found) + r.more
		if field.Type() == reflect.TypeFor[json.RawMessage]() {
			r.switchOrPath(value, field, of)
		} else {
			r.into(value, field, of)
		}
		if r.count() > before {
			continue
		}
		if err := one.Validate(); err != nil {
			r.add(markOf(value), "", "%s: %s", of, strings.TrimPrefix(err.Error(), key.Value+": "))
			continue
		}
		all.FieldByIndex(index).Set(field)
	}
	_ = u.Compile() // each rule is valid, or was left out
}

func (rules) shape() any { return fault.Rules{} }

// switchOrPath reads empty_is_failure: true, false or a path.
func (r *reader) switchOrPath(n *yaml.Node, v reflect.Value, where string) {
	var text string
	var on bool
	switch kindOf(n) {
	case aBool:
		r.into(n, reflect.ValueOf(&on).Elem(), where)
		text = map[bool]string{true: "true", false: "false"}[on]
	case aText:
		path, ok := r.text(n, where)
		if !ok {
			return
		}
		raw, err := json.Marshal(path)
		if err != nil {
			r.add(markOf(n), "", "%s: %v", where, err)
			return
		}
		text = string(raw)
	default:
		r.wants(n, where, "true or a path")
		return
	}
	v.SetBytes([]byte(text))
}
