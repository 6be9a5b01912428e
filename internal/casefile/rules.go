package casefile

import (
	"encoding/json"
	"fmt"
	"reflect"
	"strings"

	"github.com/failloud/failloud/fault"
)

// declared is every rule a tool's owner can declare. The ones beside
// [fault.Rules] are about arguments and runs: they say nothing about how a
// result is read, so they are accepted and have no part in a verdict.
type declared struct {
	fault.Rules
	Schema   json.RawMessage `json:"schema"`
	Volatile []string        `json:"volatile"`
	Refresh  bool            `json:"refresh"`
	Poller   bool            `json:"poller"`
}

// ParseRules reads the rules of a tool's owner. It refuses names it does not
// know and rules that cannot work.
func ParseRules(raw []byte) (*fault.Rules, error) {
	var in declared
	if err := strict(raw, &in); err != nil {
		return nil, explain("declares.rules", err, names(reflect.TypeFor[declared]()))
	}
	if err := in.Rules.Validate(); err != nil {
		return nil, fmt.Errorf("declares.rules: %w", err)
	}
	return &in.Rules, nil
}

// names lists the JSON names of a struct's fields, embedded ones included.
func names(t reflect.Type) []string {
	var out []string
	for _, f := range reflect.VisibleFields(t) {
		if name, _, _ := strings.Cut(f.Tag.Get("json"), ","); name != "" {
			out = append(out, name)
		}
	}
	return out
}

// jsonKind names the JSON type that decodes into a Go kind.
func jsonKind(k reflect.Kind) string {
	switch k {
	case reflect.String:
		return "a string"
	case reflect.Bool:
		return "true or false"
	case reflect.Int, reflect.Int64:
		return "a whole number"
	case reflect.Slice:
		return "a list"
	default:
		return "an object"
	}
}
