package fault

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"
)

// Condition is one compiled "PATH OP VALUE" over a result: [ParseCondition].
// The zero value holds for nothing. It is safe for concurrent use.
type Condition struct {
	path path
	op   string
	want any // decoded JSON for == and !=, a string for contains and starts with
}

// The operators of a condition.
const (
	opEqual    = "=="
	opNotEqual = "!="
	opContains = "contains"
	opStarts   = "starts with"
	opNotEmpty = "not empty"
)

// ParseCondition compiles a condition. PATH is a dotted path into the JSON
// result, "results[].content" for that member of each item, or "text" for the
// whole result as text. OP VALUE is one of
//
//	== JSON          the value is equal; a missing one equals null
//	!= JSON          the opposite
//	contains "…"     a string that contains it, or a list with such an item
//	starts with "…"  a string that begins with it
//	not empty        there, and not null, false, 0, "", [] or {}
//
// Over a path with [], a condition holds where it holds for one of the items,
// and != where it holds for all of them.
func ParseCondition(text string) (Condition, error) {
	text = strings.TrimSpace(text)
	fail := func(format string, args ...any) (Condition, error) {
		return Condition{}, fmt.Errorf("condition %q: %s", text, fmt.Sprintf(format, args...))
	}
	where, rest, _ := strings.Cut(text, " ")
	rest = strings.TrimSpace(rest)
	p, err := parsePath(where)
	if err != nil {
		return fail("%v", err)
	}
	if rest == "" {
		return fail("want PATH OP VALUE, for example: status == \"error\"")
	}
	if rest == opNotEmpty {
		return Condition{p, opNotEmpty, nil}, nil
	}
	for _, op := range []string{opEqual, opNotEqual, opContains, opStarts} {
		value, ok := strings.CutPrefix(rest, op)
		if !ok {
			continue
		}
		want, ok := decodeJSON(strings.TrimSpace(value))
		if !ok {
			return fail("the value after %s is not JSON: a text stands in double quotes", op)
		}
		if op == opContains || op == opStarts {
			if _, isText := want.(string); !isText {
				return fail("%s wants a text in double quotes", op)
			}
		}
		return Condition{p, op, want}, nil
	}
	return fail("unknown operator, want ==, !=, contains, starts with or not empty")
}

// Holds reports whether the condition holds for a result: its JSON form (as
// [Signal.JSON] decodes it) and its text.
func (c Condition) Holds(result any, text string) bool {
	if c.op == "" {
		return false
	}
	if c.path.text {
		return c.holds(text)
	}
	values := c.path.find(result)
	if c.op == opNotEqual {
		for _, v := range values {
			if !c.holds(v) {
				return false
			}
		}
		return len(values) > 0
	}
	for _, v := range values {
		if c.holds(v) {
			return true
		}
	}
	return false
}

// holds tests one value.
func (c Condition) holds(v any) bool {
	switch c.op {
	case opEqual:
		return equal(v, c.want)
	case opNotEqual:
		return !equal(v, c.want)
	case opNotEmpty:
		return !void(v)
	case opStarts:
		s, ok := v.(string)
		return ok && strings.HasPrefix(s, c.want.(string))
	case opContains:
		switch v := v.(type) {
		case string:
			return strings.Contains(v, c.want.(string))
		case []any:
			for _, item := range v {
				if item == c.want {
					return true
				}
			}
		}
	}
	return false
}

// void reports whether a value is empty for an owner's condition. Unlike
// [blank] it takes words at their word.
func void(v any) bool {
	if s, ok := v.(string); ok {
		return strings.TrimSpace(s) == ""
	}
	if list, ok := v.([]any); ok {
		return len(list) == 0
	}
	return blank(v)
}

// equal compares two decoded values; numbers by their value.
func equal(a, b any) bool {
	if x, ok := asFloat(a); ok {
		y, ok := asFloat(b)
		return ok && x == y
	}
	return reflect.DeepEqual(a, b)
}

func asFloat(v any) (float64, bool) {
	switch v := v.(type) {
	case json.Number:
		f, err := v.Float64()
		return f, err == nil
	case float64:
		return v, true
	}
	return 0, false
}

// path is a compiled dotted path.
type path struct {
	text  bool // the whole result as text
	steps []pathStep
}

type pathStep struct {
	name string // "" where the result itself is the list
	each bool   // of each item
}

func parsePath(s string) (path, error) {
	if s == "text" {
		return path{text: true}, nil
	}
	if s == "" {
		return path{}, fmt.Errorf("it has no path")
	}
	var p path
	for _, part := range strings.Split(s, ".") {
		name, each := strings.CutSuffix(part, "[]")
		if name == "" && !each || strings.ContainsAny(name, "[]\"'=!<>") {
			return path{}, fmt.Errorf("%q is not a path: want names joined by dots, and [] after a list", s)
		}
		p.steps = append(p.steps, pathStep{name, each})
	}
	return p, nil
}

// find returns the values at the path. Without [] that is exactly one, nil
// where the member is missing; with [] one for each item.
func (p path) find(root any) []any {
	values := []any{root}
	for _, step := range p.steps {
		next := make([]any, 0, len(values))
		for _, v := range values {
			if step.name != "" {
				m, _ := v.(map[string]any)
				v = m[step.name]
			}
			if !step.each {
				next = append(next, v)
				continue
			}
			items, _ := v.([]any)
			next = append(next, items...)
		}
		values = next
	}
	return values
}
