package toolkit

import (
	"encoding"
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/breaker"
	"github.com/failloud/failloud/internal/similar"
)

// ErrTool is matched by every [ToolError].
var ErrTool = errors.New("toolkit: a tool cannot be used")

// ToolError says what is wrong with one tool, in one line. [Kit.Start] returns
// one for each such tool, joined.
type ToolError struct {
	Tool string // its name
	Err  error  // everything that is wrong with it, joined
}

// Error names the tool and all that is wrong with it.
func (e *ToolError) Error() string {
	return fmt.Sprintf("toolkit: tool %q: %s", e.Tool, strings.ReplaceAll(textOf(e.Err), "\n", "; "))
}

// Is matches [ErrTool].
func (e *ToolError) Is(target error) bool { return target == ErrTool }

// Unwrap returns what is wrong.
func (e *ToolError) Unwrap() error { return e.Err }

// ErrBreakerOpen is matched by the cause of a call that was refused because its
// upstream keeps failing; when it opens again is in the fault's Wait.
var ErrBreakerOpen = breaker.ErrOpen

// errUnmade says that a kit is nil or a zero value.
var errUnmade = errors.New("toolkit: the kit was not made by New")

// fieldsOf returns the names of the arguments that a schema allows, sorted; nil
// where it says nothing about them or leaves them open.
func fieldsOf(document any) []string {
	s, ok := document.(map[string]any)
	if !ok || s["additionalProperties"] != false {
		return nil
	}
	for _, word := range []string{"patternProperties", "$ref", "$dynamicRef", "allOf", "anyOf", "oneOf", "if"} {
		if _, used := s[word]; used {
			return nil
		}
	}
	properties, _ := s["properties"].(map[string]any)
	return slices.Sorted(maps.Keys(properties))
}

// misnamed says which of the paths begin with a field that is none of those that
// there are. setting is where they are named.
func misnamed(setting string, paths, fields []string) error {
	if fields == nil {
		return nil
	}
	var errs []error
	for _, path := range paths {
		name := strings.TrimPrefix(path, "/")
		if slices.Contains(fields, name) {
			continue
		}
		if end := strings.IndexAny(name, "./"); end >= 0 {
			name = name[:end]
		}
		if name = strings.NewReplacer("~1", "/", "~0", "~").Replace(name); slices.Contains(fields, name) {
			continue
		}
		hint := ""
		if near := similar.Names(name, slices.Values(fields), 1); len(near) > 0 {
			hint = "; did you mean " + near[0] + "?"
		}
		errs = append(errs, fmt.Errorf("its %s names %q, which is not among its arguments%s", setting, path, hint))
	}
	return errors.Join(errs...)
}

// unfit says why the tool can never be called by name.
func (c *core) unfit(in reflect.Type) error {
	if bad := unreadable(in, "", map[reflect.Type]bool{}); bad != "" {
		return fmt.Errorf("its arguments cannot be read from JSON: %s", bad)
	}
	if !c.schema.object {
		return errors.New("its arguments must be a JSON object: make its input a struct or a map")
	}
	return nil
}

// objects reports whether a schema lets objects through: models and the record
// speak of arguments by their names.
func objects(document any) bool {
	s, ok := document.(map[string]any)
	if !ok {
		return document == true
	}
	switch t := s["type"].(type) {
	case nil:
		return true
	case string:
		return t == "object"
	case []any:
		return slices.Contains(t, any("object"))
	}
	return true
}

var (
	jsonUnmarshaler = reflect.TypeFor[json.Unmarshaler]()
	textUnmarshaler = reflect.TypeFor[encoding.TextUnmarshaler]()
)

// unreadable returns the first part of a type that no JSON can fill, "" for none.
func unreadable(t reflect.Type, at string, seen map[reflect.Type]bool) string {
	if seen[t] || reflect.PointerTo(t).Implements(jsonUnmarshaler) || reflect.PointerTo(t).Implements(textUnmarshaler) {
		return ""
	}
	seen[t] = true
	switch t.Kind() {
	case reflect.Func, reflect.Chan, reflect.Complex64, reflect.Complex128, reflect.UnsafePointer:
		return strings.TrimPrefix(at+" is a "+t.String(), " ")
	case reflect.Pointer, reflect.Slice, reflect.Array, reflect.Map:
		return unreadable(t.Elem(), at, seen)
	case reflect.Struct:
		for i := range t.NumField() {
			f := t.Field(i)
			if f.Tag.Get("json") == "-" || !f.IsExported() && !f.Anonymous {
				continue
			}
			if bad := unreadable(f.Type, join(at, f.Name), seen); bad != "" {
				return bad
			}
		}
	}
	return ""
}
