package rawjson

import (
	"bytes"
	"iter"
	"strconv"
)

// Value is the text of one JSON value without spaces around it. The zero value
// is a missing one. All methods accept all values.
type Value []byte

// Kind is the kind of a JSON value.
type Kind uint8

// The kinds of values. None is a missing one.
const (
	None Kind = iota
	Null
	Bool
	Number
	String
	Array
	Object
)

// String returns the kind as one says it: "an object".
func (k Kind) String() string {
	switch k {
	case Null:
		return "null"
	case Bool:
		return "a boolean"
	case Number:
		return "a number"
	case String:
		return "a text"
	case Array:
		return "an array"
	case Object:
		return "an object"
	}
	return "nothing"
}

// Kind tells the kind from the first byte.
func (v Value) Kind() Kind {
	if len(v) == 0 {
		return None
	}
	switch v[0] {
	case '{':
		return Object
	case '[':
		return Array
	case '"':
		return String
	case 't', 'f':
		return Bool
	case 'n':
		return Null
	}
	return Number
}

// Present reports whether there is a value other than null.
func (v Value) Present() bool { return len(v) > 0 && v[0] != 'n' }

// Bool returns a boolean; ok is false for anything else.
func (v Value) Bool() (is, ok bool) { return len(v) > 0 && v[0] == 't', v.Kind() == Bool }

// Int returns a whole number; ok is false for anything else, a text of digits too.
func (v Value) Int() (n int64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	n, err := strconv.ParseInt(string(v), 10, 64)
	return n, err == nil
}

// Float returns a number; ok is false for anything else.
func (v Value) Float() (f float64, ok bool) {
	if v.Kind() != Number {
		return 0, false
	}
	f, err := strconv.ParseFloat(string(v), 64)
	return f, err == nil
}

// Is reports whether the value is this text. It does not decode escapes: want
// must be a word that needs none.
func (v Value) Is(want string) bool {
	return len(v) == len(want)+2 && v[0] == '"' && string(v[1:len(v)-1]) == want
}

// Get returns the first field of that name of an object, else the zero value.
// Of more than one field of the same value, an [Index] is the faster way.
func (v Value) Get(name string) Value {
	for key, field := range v.Fields() {
		if string(key) == name {
			return field
		}
	}
	return nil
}

// Fields yields the fields of an object in order, their names decoded; nothing
// for any other value. The names are valid until the next one.
func (v Value) Fields() iter.Seq2[[]byte, Value] {
	return func(yield func([]byte, Value) bool) {
		if v.Kind() != Object {
			return
		}
		for i := 1; ; {
			i = space(v, i)
			if i >= len(v) || v[i] != '"' {
				return
			}
			end := stringEnd(v, i)
			key := v[i+1 : max(end-1, i+1)]
			if bytes.IndexByte(key, '\\') >= 0 {
				key = []byte(unescape(key))
			}
			i = space(v, end)
			if i >= len(v) || v[i] != ':' {
				return
			}
			i = space(v, i+1)
			end = valueEnd(v, i)
			if end == i || !yield(key, v[i:end]) {
				return
			}
			i = space(v, end)
			if i >= len(v) || v[i] != ',' {
				return
			}
			i++
		}
	}
}

// Elements yields the elements of an array in order; nothing for any other value.
func (v Value) Elements() iter.Seq[Value] {
	return func(yield func(Value) bool) {
		if v.Kind() != Array {
			return
		}
		for i := 1; ; {
			i = space(v, i)
			end := valueEnd(v, i)
			if end == i || !yield(v[i:end]) {
				return
			}
			i = space(v, end)
			if i >= len(v) || v[i] != ',' {
				return
			}
			i++
		}
	}
}

// First returns the first element of an array, else the zero value.
func (v Value) First() Value {
	for e := range v.Elements() {
		return e
	}
	return nil
}

// space returns the index of the first byte from i on that is no space.
func space(b []byte, i int) int {
	for i < len(b) && (b[i] == ' ' || b[i] == '\n' || b[i] == '\t' || b[i] == '\r') {
		i++
	}
	return i
}

// valueEnd returns the index behind the value that begins at i, or i where
// none does.
func valueEnd(b []byte, i int) int {
	if i >= len(b) {
		return i
	}
	switch b[i] {
	case '"':
		return stringEnd(b, i)
	case '{', '[':
		depth := 0
		for i < len(b) {
			switch b[i] {
			case '"':
				i = stringEnd(b, i)
				continue
			case '{', '[':
				depth++
			case '}', ']':
				if depth--; depth == 0 {
					return i + 1
				}
			}
			i++
		}
		return i
	}
	for i < len(b) && scalarByte[b[i]] {
		i++
	}
	return i
}

// stringEnd returns the index behind the string that begins with the quote at i.
func stringEnd(b []byte, i int) int {
	for at := i + 1; ; at++ {
		quote := bytes.IndexByte(b[at:], '"')
		if quote < 0 {
			return len(b)
		}
		at += quote
		back := at - 1
		for b[back] == '\\' { // ends at the quote at i
			back--
		}
		if (at-back)&1 == 1 {
			return at + 1
		}
	}
}

// scalarByte are the bytes that numbers and the words true, false, null, NaN
// and Infinity are made of.
var scalarByte = func() (t [256]bool) {
	for _, c := range []byte("0123456789+-.abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ") {
		t[c] = true
	}
	return t
}()

// validScalar reports whether a token is a number or one of the words.
func validScalar(b []byte) bool {
	switch string(b) {
	case "true", "false", "null", "NaN", "Infinity", "-Infinity":
		return true
	}
	i := 0
	if i < len(b) && b[i] == '-' {
		i++
	}
	digits := func() bool {
		from := i
		for i < len(b) && b[i] >= '0' && b[i] <= '9' {
			i++
		}
		return i > from
	}
	if whole := i; !digits() || b[whole] == '0' && i > whole+1 {
		return false
	}
	if i < len(b) && b[i] == '.' {
		i++
		if !digits() {
			return false
		}
	}
	if i < len(b) && (b[i] == 'e' || b[i] == 'E') {
		i++
		if i < len(b) && (b[i] == '+' || b[i] == '-') {
			i++
		}
		if !digits() {
			return false
		}
	}
	return i == len(b)
}
