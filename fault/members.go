package fault

import (
	"encoding/json"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// Services spell the same member in many ways ("errorCode", "error_code",
// "ErrorCode"); members are looked up by [squash].

// object is a JSON object whose members are found whatever their spelling.
type object map[string]any

// asObject gives the members of a JSON object their squashed names. The object
// may be the map itself and is not changed.
func asObject(v any) (object, bool) {
	m, ok := v.(map[string]any)
	if !ok {
		return nil, false
	}
	if plainNames(m) {
		return m, true
	}
	if len(m) > maxItems {
		return squashed(m), true
	}
	o := make(object, len(m))
	for k, v := range m {
		if key := squash(k); len(key) > 0 && len(key) <= 40 {
			if _, taken := o[key]; taken {
				return squashed(m), true
			}
			o[key] = v
		}
	}
	return o, true
}

// squashed gives members their squashed names in the order of their own, so
// that of two with one name, and of too many, the same ones count every time.
func squashed(m map[string]any) object {
	o := make(object, min(len(m), maxItems))
	for _, k := range slices.Sorted(maps.Keys(m)) {
		if len(o) == maxItems {
			break
		}
		if key := squash(k); len(key) > 0 && len(key) <= 40 {
			if old, taken := o[key]; !taken || blank(old) {
				o[key] = m[k]
			}
		}
	}
	return o
}

// plainNames reports whether the members have their squashed names already.
func plainNames(m map[string]any) bool {
	if len(m) > maxItems {
		return false
	}
	for k := range m {
		if k == "" || len(k) > 40 || !isSquashed(k) {
			return false
		}
	}
	return true
}

// any returns the first of the named members that is there and not blank.
func (o object) any(names ...string) (any, bool) {
	for _, n := range names {
		if v, ok := o[n]; ok && !blank(v) {
			return v, true
		}
	}
	return nil, false
}

// hasAny reports whether one of the named members is there, blank or not.
func (o object) hasAny(names ...string) bool {
	for _, n := range names {
		if _, ok := o[n]; ok {
			return true
		}
	}
	return false
}

// blank reports whether a value says "nothing": null, false, 0, "", [], {},
// and the words people write for them.
func blank(v any) bool {
	switch v := v.(type) {
	case nil:
		return true
	case bool:
		return !v
	case string:
		switch strings.ToLower(strings.TrimSpace(v)) {
		case "", "none", "null", "nil", "no", "false", "0", "n/a", "ok", "success", "no error", "no errors", "undefined", "-":
			return true
		}
	case json.Number:
		f, err := v.Float64()
		return err == nil && f == 0
	case float64:
		return v == 0
	case []any:
		for _, item := range v {
			if !blank(item) {
				return false
			}
		}
		return true
	case map[string]any:
		return len(v) == 0
	}
	return false
}

// number reads an integer, also one that was sent as a string.
func number(v any) (int, bool) {
	var s string
	switch v := v.(type) {
	case json.Number:
		s = v.String()
	case string:
		s = strings.TrimSpace(v)
	case float64:
		if v != float64(int(v)) {
			return 0, false
		}
		return int(v), true
	default:
		return 0, false
	}
	if s == "" || len(s) > 19 || s[len(s)-1] < '0' || s[len(s)-1] > '9' {
		return 0, false // without the error that Atoi would make
	}
	n, err := strconv.Atoi(s)
	return n, err == nil
}

// isFalse reports whether a flag says no: false, "false", 0.
func isFalse(v any) bool {
	switch v := v.(type) {
	case bool:
		return !v
	case string:
		return strings.EqualFold(v, "false") || v == "0" || strings.EqualFold(v, "no")
	}
	return false
}

// isTrue reports whether a flag says yes.
func isTrue(v any) bool {
	switch v := v.(type) {
	case bool:
		return v
	case string:
		return strings.EqualFold(v, "true")
	}
	return false
}

// isIdentifier reports whether a string can be a machine-readable code: one
// token, short.
func isIdentifier(s string) bool {
	return s != "" && len(s) <= 96 && !strings.ContainsAny(s, " \t\r\n<>{}\"'")
}
