package valuehash

import (
	"encoding"
	"encoding/json"
	"hash/maphash"
	"math"
	"reflect"
	"sync"

	"github.com/failloud/failloud/internal/canonjson"
)

// Func hashes the value that a pointer points to. It is safe for concurrent use.
// The hash is never 0, which records take for "not computed".
type Func func(pointer any) uint64

// For returns the hash function of the values of a type.
func For(t reflect.Type) Func {
	plan := planFor(t)
	return func(pointer any) uint64 {
		h := plan(reflect.ValueOf(pointer).Elem(), maxDepth)
		if h == 0 {
			return 1
		}
		return h
	}
}

// maxDepth bounds pointers that lead back to themselves; what is deeper is not
// told apart.
const maxDepth = 64

// node hashes one value of one type.
type node func(v reflect.Value, depth int) uint64

var (
	seed  = maphash.MakeSeed()
	plans sync.Map // reflect.Type → node

	marshaler     = reflect.TypeFor[json.Marshaler]()
	textMarshaler = reflect.TypeFor[encoding.TextMarshaler]()
)

// What a value is goes into its hash, so that "1", 1 and [1] differ.
const (
	tagNull uint64 = iota + 1
	tagFalse
	tagTrue
	tagNumber
	tagString
	tagArray
	tagObject
	tagOpaque
)

func mix(h, next uint64) uint64 {
	h ^= next + 0x9e3779b97f4a7c15 + h<<6 + h>>2
	h *= 0xff51afd7ed558ccd
	return h ^ h>>33
}

func str(s string) uint64 { return mix(tagString, maphash.String(seed, s)) }

// planFor builds the node of a type once. A type that contains itself finds
// the promise of its own node, which is kept before anybody can call it.
func planFor(t reflect.Type) node {
	if found, ok := plans.Load(t); ok {
		return found.(node)
	}
	return build(t, map[reflect.Type]*node{})
}

func build(t reflect.Type, open map[reflect.Type]*node) node {
	if found, ok := plans.Load(t); ok {
		return found.(node)
	}
	if promised, ok := open[t]; ok {
		return func(v reflect.Value, depth int) uint64 { return (*promised)(v, depth) }
	}
	promise := new(node)
	open[t] = promise
	*promise = compile(t, open)
	plans.Store(t, *promise)
	return *promise
}

func compile(t reflect.Type, open map[reflect.Type]*node) node {
	if t.Implements(marshaler) || t.Implements(textMarshaler) ||
		t.Kind() != reflect.Pointer && (reflect.PointerTo(t).Implements(marshaler) || reflect.PointerTo(t).Implements(textMarshaler)) {
		return opaque
	}
	switch t.Kind() {
	case reflect.Bool:
		return func(v reflect.Value, _ int) uint64 {
			if v.Bool() {
				return tagTrue
			}
			return tagFalse
		}
	case reflect.Int, reflect.Int8, reflect.Int16, reflect.Int32, reflect.Int64:
		return func(v reflect.Value, _ int) uint64 { return integer(v.Int()) }
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64, reflect.Uintptr:
		return func(v reflect.Value, _ int) uint64 { return unsigned(v.Uint()) }
	case reflect.Float32, reflect.Float64:
		return func(v reflect.Value, _ int) uint64 { return float(v.Float()) }
	case reflect.String:
		if t == reflect.TypeFor[json.Number]() {
			return number
		}
		return func(v reflect.Value, _ int) uint64 { return str(v.String()) }
	case reflect.Pointer:
		return pointer(build(t.Elem(), open))
	case reflect.Interface:
		return dynamic
	case reflect.Slice, reflect.Array:
		return list(t, open)
	case reflect.Map:
		return object(t, open)
	case reflect.Struct:
		return fields(t, open)
	}
	return opaque
}

func integer(i int64) uint64 {
	if i >= 0 {
		return unsigned(uint64(i))
	}
	return mix(mix(tagNumber, 1), uint64(i))
}

func unsigned(u uint64) uint64 { return mix(tagNumber, u) }

// float hashes a whole number as the integer it is.
func float(f float64) uint64 {
	if f == math.Trunc(f) && math.Abs(f) < 1<<53 {
		return integer(int64(f))
	}
	return mix(mix(tagNumber, 2), math.Float64bits(f))
}

// number hashes an integer of any size exactly, anything else as a float.
func number(v reflect.Value, _ int) uint64 {
	n := json.Number(v.String())
	if i, err := n.Int64(); err == nil {
		return integer(i)
	}
	if f, err := n.Float64(); err == nil && !isInteger(string(n)) {
		return float(f)
	}
	return mix(tagNumber, maphash.String(seed, string(n)))
}

func isInteger(s string) bool {
	for _, c := range s {
		if c == '.' || c == 'e' || c == 'E' {
			return false
		}
	}
	return true
}

// opaque is for types that write their own JSON. One that panics is not told apart.
func opaque(v reflect.Value, _ int) (h uint64) {
	defer func() {
		if recover() != nil {
			h = tagOpaque
		}
	}()
	var document []byte
	var err error
	if v.CanAddr() && v.Kind() != reflect.Pointer {
		document, err = json.Marshal(v.Addr().Interface())
	} else {
		document, err = json.Marshal(v.Interface())
	}
	if err != nil {
		return tagOpaque
	}
	if canonical, err := canonjson.Canonicalize(document); err == nil {
		document = canonical
	}
	return mix(tagOpaque, maphash.Bytes(seed, document))
}
