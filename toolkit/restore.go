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
	plain(reflect.ValueOf(out).Elem())
	return nil
}

// exact is up to where a float64 holds every integer; 2^53+1 is read as 2^53.
const exact = 1 << 53

// plain turns the numbers that were read into values of no given type into
// float64, where that is the same number.
func plain(v reflect.Value) {
	switch v.Kind() {
	case reflect.Interface:
		switch held := v.Interface().(type) {
		case json.Number:
			if f, ok := float(held); ok && v.CanSet() {
				v.Set(reflect.ValueOf(f))
			}
		case map[string]any, []any:
			plain(reflect.ValueOf(held))
		}
	case reflect.Map:
		for _, key := range v.MapKeys() {
			// An element of a map cannot be changed where it is.
			item := reflect.New(v.Type().Elem()).Elem()
			item.Set(v.MapIndex(key))
			plain(item)
			v.SetMapIndex(key, item)
		}
	case reflect.Slice, reflect.Array:
		for i := range v.Len() {
			plain(v.Index(i))
		}
	case reflect.Pointer:
		if !v.IsNil() {
			plain(v.Elem())
		}
	case reflect.Struct:
		for i := range v.NumField() {
			if v.Type().Field(i).IsExported() {
				plain(v.Field(i))
			}
		}
	}
}

// float is the number as a float64; ok is false for an integer that this changes.
func float(n json.Number) (f float64, ok bool) {
	f, err := n.Float64()
	whole := !strings.ContainsAny(string(n), ".eE")
	return f, err == nil && !(whole && (f <= -exact || f >= exact))
}
