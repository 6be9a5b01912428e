package policy

import (
	"encoding/json"
	"reflect"
	"slices"
)

// Shape lists the keys that the file may have, by the path to them: "" for the
// file, "tools.*" for an entry of tools, "guard.require[]" for an item of a list.
func Shape() map[string][]string {
	all := map[string][]string{}
	describe(reflect.TypeFor[document](), "", all)
	return all
}

func describe(t reflect.Type, path string, all map[string][]string) {
	if s, ok := reflect.Zero(t).Interface().(interface{ shape() any }); ok && t.Kind() != reflect.Pointer {
		t = reflect.TypeOf(s.shape())
	}
	_, itself := reflect.New(t).Interface().(setting)
	switch {
	case t == reflect.TypeFor[json.RawMessage](), itself:
	case t.Kind() == reflect.Pointer:
		describe(t.Elem(), path, all)
	case t.Kind() == reflect.Map:
		describe(t.Elem(), path+".*", all)
	case t.Kind() == reflect.Slice:
		describe(t.Elem(), path+"[]", all)
	case t.Kind() == reflect.Struct:
		for key, index := range fieldsOf(t) {
			all[path] = append(all[path], key)
			below := key
			if path != "" {
				below = path + "." + key
			}
			describe(t.FieldByIndex(index).Type, below, all)
		}
		slices.Sort(all[path])
	}
}

const (
	RatePattern     = ratePattern
	DurationPattern = durationPattern
)

var Choices = map[string][]string{
	"effect": effects, "capture": captures, "mode": modes, "reaction": reactions, "language": languages, "backoff": presets,
}
