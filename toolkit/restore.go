package toolkit

import (
	"bytes"
	"encoding/json"
	"reflect"
	"strings"
)

// restore reads a result back that was written as JSON, into out, a *Out. Where
// Out has room for numbers of no given type they are float64, as always, but for
// integers that a float64 would change: an id must not come back as another.
func (c *core) restore(raw []byte, out any) (err error) {
	if !c.looseOut {
		return unmarshal(raw, out)
	}
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("a value that is read from JSON", p)
		}
	}()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	if err := decoder.Decode(out); err != nil {
		return err
	}
	p := plainer{seen: map[place]bool{}}
	p.plain(reflect.ValueOf(out).Elem(), 0)
	return nil
}

// exact is up to where a float64 holds every integer; 2^53+1 is read as 2^53.
const exact = 1 << 53

// deepest bounds how far numbers are looked for: JSON is nested 10,000 deep at
// most, and each level is a few values within each other.
const deepest = 1 << 16

// plainer turns the numbers that were read into values of no given type into
// float64, where that is the same number. A type that reads itself may lead back
// to where it began, by a pointer to its parent, say: nothing is entered twice.
type plainer struct{ seen map[place]bool }

// place is what a pointer, a map or a slice points at.
type place struct {
	at  uintptr
	of  reflect.Type
	len int
}

// entered reports whether v was entered before, and remembers it.
func (p plainer) entered(v reflect.Value) bool {
	at := place{at: v.Pointer(), of: v.Type()}
	if v.Kind() == reflect.Slice {
		at.len = v.Len()
	}
	before := p.seen[at]
	p.seen[at] = true
	return before
}

func (p plainer) plain(v reflect.Value, depth int) {
	if depth++; depth > deepest {
		return
	}
	switch v.Kind() {
	case reflect.Interface:
		switch held := v.Interface().(type) {
		case json.Number:
			if f, ok := float(held); ok && v.CanSet() {
				v.Set(reflect.ValueOf(f))
			}
		case map[string]any, []any:
			p.plain(reflect.ValueOf(held), depth)
		}
	case reflect.Map:
		if p.entered(v) {
			return
		}
		for _, key := range v.MapKeys() {
			// An element of a map cannot be changed where it is.
			item := reflect.New(v.Type().Elem()).Elem()
			item.Set(v.MapIndex(key))
			p.plain(item, depth)
			v.SetMapIndex(key, item)
		}
	case reflect.Slice:
		if !p.entered(v) {
			p.elements(v, depth)
		}
	case reflect.Array:
		p.elements(v, depth)
	case reflect.Pointer:
		if !v.IsNil() && !p.entered(v) {
			p.plain(v.Elem(), depth)
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				p.plain(v.Field(i), depth)
			}
		}
	}
}

func (p plainer) elements(v reflect.Value, depth int) {
	for i := range v.Len() {
		p.plain(v.Index(i), depth)
	}
}

// float is the number as a float64; ok is false for an integer that this changes.
func float(n json.Number) (f float64, ok bool) {
	f, err := n.Float64()
	whole := !strings.ContainsAny(string(n), ".eE")
	return f, err == nil && !(whole && (f <= -exact || f >= exact))
}
