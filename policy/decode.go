package policy

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// maxNodes bounds what is read once aliases are followed: a list that many
// tasks share is counted for each of them.
const maxNodes = 1 << 17

// reader fills the structs of this package from nodes. It goes on after a
// problem, so that one look at the errors shows all of them.
type reader struct {
	problems
	nodes int
}

// setting is a value of the file that reads itself. where is how an error names
// it: "timeout of tool \"get_invoices\"".
type setting interface {
	read(r *reader, n *yaml.Node, where string)
}

// marked remembers where it stands.
type marked interface{ stand(at mark) }

func (m *mark) stand(at mark) { *m = at }

// into reads n into v, which is addressable.
func (r *reader) into(n *yaml.Node, v reflect.Value, where string) {
	if r.spent(n) {
		return
	}
	for n.Kind == yaml.AliasNode {
		n = n.Alias
	}
	if s, ok := v.Addr().Interface().(setting); ok {
		s.read(r, n, where)
		return
	}
	switch v.Kind() {
	case reflect.Pointer:
		p := reflect.New(v.Type().Elem())
		r.into(n, p.Elem(), where)
		v.Set(p)
	case reflect.Struct:
		r.object(n, v, where)
	case reflect.Map:
		r.entries(n, v, where)
	case reflect.Slice:
		r.list(n, v, where)
	case reflect.String:
		if s, ok := r.text(n, where); ok {
			v.SetString(s)
		}
	case reflect.Bool:
		if kindOf(n) != aBool || n.Decode(v.Addr().Interface()) != nil {
			r.wants(n, where, "true or false")
		}
	case reflect.Int:
		if i, ok := r.between(n, where, -maxCount, maxCount); ok {
			v.SetInt(i)
		}
	default:
		r.add(markOf(n), "", "%s: cannot be set in a file", where) // a test reads every field
	}
}

// spent counts a node, and reports whether no more of them are read.
func (r *reader) spent(n *yaml.Node) bool {
	r.nodes++
	if r.nodes == maxNodes+1 {
		r.add(markOf(n), "", "more than %d settings once aliases are followed", maxNodes)
	}
	return r.nodes > maxNodes
}

// object reads a map whose keys are the fields of a struct.
func (r *reader) object(n *yaml.Node, v reflect.Value, where string) {
	known := fieldsOf(v.Type())
	for key, value := range r.pairs(n, where) {
		f, ok := known[key.Value]
		if !ok {
			r.unknown(key, where, known)
			continue
		}
		r.into(value, v.FieldByIndex(f), inside(key.Value, where))
	}
}

// entries reads a map whose keys are names that the user gave.
func (r *reader) entries(n *yaml.Node, v reflect.Value, where string) {
	into := reflect.MakeMap(v.Type())
	for key, value := range r.pairs(n, where) {
		if !r.name(key, where) {
			continue
		}
		entry := reflect.New(v.Type().Elem()).Elem()
		of := inside(quoted(key.Value), where)
		if k, ok := entry.Addr().Interface().(interface{ kind() string }); ok {
			of = k.kind() + " " + quoted(key.Value)
		}
		if m, ok := entry.Addr().Interface().(marked); ok {
			m.stand(markOf(key))
		}
		r.into(value, entry, of)
		into.SetMapIndex(reflect.ValueOf(key.Value), entry)
	}
	v.Set(into)
}

func (r *reader) list(n *yaml.Node, v reflect.Value, where string) {
	if kindOf(n) == aNull {
		return
	}
	if kindOf(n) != aList {
		r.wants(n, where, "a list")
		return
	}
	list := reflect.MakeSlice(v.Type(), len(n.Content), len(n.Content))
	for i, item := range n.Content {
		r.into(item, list.Index(i), inside(fmt.Sprintf("item %d", i+1), where))
	}
	v.Set(list)
}

// pairs yields the entries of a map, each key once. Nothing is an empty map.
func (r *reader) pairs(n *yaml.Node, where string) func(yield func(key, value *yaml.Node) bool) {
	return func(yield func(key, value *yaml.Node) bool) {
		if kindOf(n) == aNull {
			return
		}
		if kindOf(n) != aMap {
			r.wants(n, where, "a map")
			return
		}
		seen := map[string]int{}
		for i := 0; i+1 < len(n.Content); i += 2 {
			key, value := n.Content[i], n.Content[i+1]
			if r.spent(key) {
				return
			}
			for key.Kind == yaml.AliasNode {
				key = key.Alias
			}
			switch {
			case key.ShortTag() == "!!merge":
				r.add(markOf(key), "", "merge keys are not supported, say it again or use an alias")
				continue
			case key.Kind != yaml.ScalarNode || kindOf(key) == aNull || kindOf(key) == odd:
				r.add(markOf(key), "", "%sa key has to be a text", start(where))
				continue
			}
			if line, twice := seen[key.Value]; twice {
				r.add(markOf(key), "", "key %s%s is there twice, first in line %d", quoted(key.Value), in(where), line)
				continue
			}
			seen[key.Value] = key.Line
			if !yield(key, value) {
				return
			}
		}
	}
}

// unknown complains about a key that a struct does not have.
func (r *reader) unknown(key *yaml.Node, where string, known map[string][]int) {
	if len(r.found) == maxProblems {
		r.more++
		return
	}
	names := sortedKeys(known)
	if nearestTo(key.Value, slices.Values(names)) == "" {
		r.add(markOf(key), "", "unknown key %s%s, want %s", quoted(key.Value), in(where), oneOf(names))
		return
	}
	r.addNear(markOf(key), key.Value, slices.Values(names), "unknown key %s%s", quoted(key.Value), in(where))
}

// fieldsOf are the fields of a struct by their keys, those of embedded structs
// included.
func fieldsOf(t reflect.Type) map[string][]int {
	fields := map[string][]int{}
	for _, f := range reflect.VisibleFields(t) {
		tag := f.Tag.Get("yaml")
		if tag == "" {
			tag, _, _ = strings.Cut(f.Tag.Get("json"), ",") // fault.Rules
		}
		if tag != "" {
			fields[tag] = f.Index
		}
	}
	return fields
}

// inside names a part of a setting.
func inside(part, where string) string {
	if where == "" {
		return part
	}
	return part + " of " + where
}

func in(where string) string {
	if where == "" {
		return ""
	}
	return " in " + where
}

func start(where string) string {
	if where == "" {
		return ""
	}
	return where + ": "
}
