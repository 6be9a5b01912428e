package valuehash

import (
	"hash/maphash"
	"reflect"
	"strings"
)

func pointer(elem node) node {
	return func(v reflect.Value, depth int) uint64 {
		if v.IsNil() || depth == 0 {
			return tagNull
		}
		return elem(v.Elem(), depth-1)
	}
}

// dynamic hashes what an interface holds.
func dynamic(v reflect.Value, depth int) uint64 {
	if v.IsNil() || depth == 0 {
		return tagNull
	}
	v = v.Elem()
	return planFor(v.Type())(v, depth-1)
}

func list(t reflect.Type, open map[reflect.Type]*node) node {
	if t.Kind() == reflect.Slice && t.Elem().Kind() == reflect.Uint8 {
		return func(v reflect.Value, _ int) uint64 {
			if v.IsNil() {
				return tagNull
			}
			return mix(tagString, maphash.Bytes(seed, v.Bytes()))
		}
	}
	elem := build(t.Elem(), open)
	return func(v reflect.Value, depth int) uint64 {
		if v.Kind() == reflect.Slice && v.IsNil() {
			return tagNull
		}
		h := mix(tagArray, uint64(v.Len()))
		for i := 0; i < v.Len() && depth > 0; i++ {
			h = mix(h, elem(v.Index(i), depth-1))
		}
		return h
	}
}

// object adds up the hashes of the members, so that their order does not count.
func object(t reflect.Type, open map[reflect.Type]*node) node {
	key, elem := build(t.Key(), open), build(t.Elem(), open)
	return func(v reflect.Value, depth int) uint64 {
		if v.IsNil() {
			return tagNull
		}
		if depth == 0 {
			return tagObject
		}
		var sum uint64
		for members := v.MapRange(); members.Next(); {
			sum += mix(key(members.Key(), depth-1), elem(members.Value(), depth-1))
		}
		return mix(tagObject, sum)
	}
}

// field is one member of a struct as JSON would write it.
type field struct {
	index     int
	name      uint64
	hash      node
	omitEmpty bool
}

func fields(t reflect.Type, open map[reflect.Type]*node) node {
	var members []field
	for i := range t.NumField() {
		f := t.Field(i)
		name, options, _ := strings.Cut(f.Tag.Get("json"), ",")
		if name == "-" && options == "" || !f.IsExported() && !f.Anonymous {
			continue
		}
		if name == "" {
			name = f.Name
		}
		members = append(members, field{i, str(name), build(f.Type, open),
			strings.Contains(options, "omitempty") || strings.Contains(options, "omitzero")})
	}
	return func(v reflect.Value, depth int) uint64 {
		if depth == 0 {
			return tagObject
		}
		var sum uint64
		for i := range members {
			m := &members[i]
			value := v.Field(m.index)
			if m.omitEmpty && (value.IsZero() || value.Kind() == reflect.Slice && value.Len() == 0) {
				continue
			}
			sum += mix(m.name, m.hash(value, depth-1))
		}
		return mix(tagObject, sum)
	}
}
