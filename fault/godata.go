package fault

import (
	"encoding/json"
	"strconv"
)

// Functions return maps that hold Go values: an int, an error, a slice of maps.
// Detectors want data, so such values are brought into the form that decoding
// JSON gives. What already has it is not copied.

const maxNodes = 4096 // values of a map that are looked at

// goData returns a map or list in the form of decoded JSON.
func goData(v any) any {
	budget := maxNodes
	if isData(v, &budget) {
		return v
	}
	budget = maxNodes
	return asData(v, &budget)
}

// isData reports whether everything in v has the form of decoded JSON.
func isData(v any, budget *int) bool {
	if *budget--; *budget < 0 {
		return true
	}
	switch v := v.(type) {
	case nil, bool, string, float64, json.Number:
		return true
	case map[string]any:
		for _, member := range v {
			if !isData(member, budget) {
				return false
			}
		}
		return true
	case []any:
		for _, item := range v {
			if !isData(item, budget) {
				return false
			}
		}
		return true
	}
	return false
}

// asData copies v into the form of decoded JSON. An error becomes its text,
// where JSON would lose it; other Go values take the way through their JSON.
func asData(v any, budget *int) any {
	if *budget--; *budget < 0 {
		return v
	}
	switch v := v.(type) {
	case nil, bool, string, float64, json.Number:
		return v
	case int:
		return json.Number(strconv.Itoa(v))
	case map[string]any:
		out := make(map[string]any, len(v))
		for name, member := range v {
			out[name] = asData(member, budget)
		}
		return out
	case []any:
		out := make([]any, len(v))
		for i, item := range v {
			out[i] = asData(item, budget)
		}
		return out
	case error:
		return v.Error()
	}
	body, err := json.Marshal(v)
	if err != nil || len(body) > maxJSON {
		return nil
	}
	decoded, _ := decodeJSON(string(body))
	return decoded
}
