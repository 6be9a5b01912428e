package casefile

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
)

// Case is one call whose end was seen.
type Case struct {
	ID     string // "" where the input names none
	Tool   string // "" where the input names none
	Signal *fault.Signal
}

// Parse reads one JSON object. An error names the field and, for a closed
// list, the values that are valid.
func Parse(line []byte) (Case, error) {
	var in struct {
		ID       label           `json:"id"`
		Tool     string          `json:"tool"`
		Kind     string          `json:"tool_kind"`
		Effect   string          `json:"effect"`
		Declares json.RawMessage `json:"declares"`
		Signal   json.RawMessage `json:"signal"`
	}
	if err := json.Unmarshal(line, &in); err != nil {
		return Case{}, explain("", err, nil)
	}
	c := Case{ID: string(in.ID), Tool: in.Tool}
	if in.Kind != "" && !slices.Contains(kinds, in.Kind) {
		return c, fmt.Errorf("tool_kind: unknown %q, valid are %s", in.Kind, strings.Join(kinds, ", "))
	}
	effect, err := ParseEffect(in.Effect)
	if err != nil {
		return c, err
	}
	rules, err := parseDeclares(in.Declares)
	if err != nil {
		return c, err
	}
	if c.Signal, err = parseSignal(in.Signal, in.Kind); err != nil {
		return c, err
	}
	c.Signal.Effect, c.Signal.Rules = effect, rules
	return c, nil
}

// kinds are the values of tool_kind. Only "mcp" changes how a signal is read:
// its content is the text of a tool result even where no flag came with it.
var kinds = []string{"http", "mcp", "exec", "cloud", "graphql", "sql", "grpc", "fs"}

// effects maps the names of the case files and the library's own.
var effects = []struct {
	name   string
	effect fault.Effect
}{
	{"read", fault.Read},
	{"idempotent_write", fault.Idempotent},
	{"non_idempotent_write", fault.Write},
	{"unknown", fault.Undeclared},
	{"idempotent", fault.Idempotent},
	{"write", fault.Write},
	{"undeclared", fault.Undeclared},
}

// ParseEffect reads the name of an effect; the empty name is [fault.Undeclared].
func ParseEffect(name string) (fault.Effect, error) {
	if name == "" {
		return fault.Undeclared, nil
	}
	valid := make([]string, len(effects))
	for i, e := range effects {
		if e.name == name {
			return e.effect, nil
		}
		valid[i] = e.name
	}
	return fault.Undeclared, fmt.Errorf("effect: unknown %q, valid are %s", name, strings.Join(valid, ", "))
}

func parseDeclares(raw json.RawMessage) (*fault.Rules, error) {
	if len(raw) == 0 {
		return nil, nil
	}
	var in struct {
		Rules json.RawMessage `json:"rules"`
	}
	if err := strict(raw, &in); err != nil {
		return nil, explain("declares", err, []string{"rules"})
	}
	if len(in.Rules) == 0 {
		return nil, nil
	}
	rules, err := ParseRules(in.Rules)
	return rules, err
}

// label is an id: a string, or a number that is kept as it was written.
type label string

func (l *label) UnmarshalJSON(raw []byte) error {
	var s string
	if err := json.Unmarshal(raw, &s); err == nil {
		*l = label(s)
		return nil
	}
	var n json.Number
	if err := json.Unmarshal(raw, &n); err != nil {
		return errors.New("id: want a string")
	}
	*l = label(n)
	return nil
}

// strict decodes an object and refuses names it does not know.
func strict(raw []byte, into any) error {
	dec := json.NewDecoder(bytes.NewReader(raw))
	dec.DisallowUnknownFields()
	return dec.Decode(into)
}

// explain puts an error of the decoder into the words of the input. where is
// the object that was read, known the names that are valid in it.
func explain(where string, err error, known []string) error {
	if where != "" {
		where += ": "
	}
	if wrong, ok := errors.AsType[*json.UnmarshalTypeError](err); ok {
		if wrong.Field == "" {
			return fmt.Errorf("%swant a JSON object, got a %s", where, wrong.Value)
		}
		return fmt.Errorf("%s%s: got a %s, want %s", where, wrong.Field, wrong.Value, jsonKind(wrong.Type.Kind()))
	}
	if name, ok := strings.CutPrefix(err.Error(), "json: unknown field "); ok {
		return fmt.Errorf("%sunknown field %s, valid are %s", where, name, strings.Join(known, ", "))
	}
	if _, ok := errors.AsType[*json.SyntaxError](err); ok {
		return fmt.Errorf("%snot valid JSON: %w", where, err)
	}
	return fmt.Errorf("%s%w", where, err)
}
