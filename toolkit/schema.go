package toolkit

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"
	"iter"
	"maps"
	"reflect"
	"slices"
	"strconv"
	"strings"

	validator "github.com/santhosh-tekuri/jsonschema/v6"
	"github.com/santhosh-tekuri/jsonschema/v6/kind"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/canonjson"
)

// schema is the JSON Schema of a tool's arguments, ready to validate.
type schema struct {
	source json.RawMessage
	rules  *validator.Schema
	quick  *glance         // nil: the schema is not that simple
	names  map[string]bool // every property that the schema declares
	fields []string        // names of the arguments, see [runrecord.ToolInfo]
	object bool            // it lets objects through
}

// takeSchema compiles the given schema, or one derived from the type of the
// arguments. A schema that is given is loaded from nowhere else: it may refer to
// itself and to the drafts, not to files or addresses.
func (c *core) takeSchema(given json.RawMessage, in reflect.Type) error {
	source := given
	if len(source) == 0 {
		source = derive(in)
	}
	document, err := validator.UnmarshalJSON(bytes.NewReader(source))
	if err != nil {
		return fmt.Errorf("its Schema is not JSON: %w", err)
	}
	compiler := validator.NewCompiler()
	compiler.UseLoader(noLoader{})
	if err := compiler.AddResource(address, document); err != nil {
		return badSchema(err)
	}
	rules, err := compiler.Compile(address)
	if err != nil {
		return badSchema(err)
	}
	names := map[string]bool{}
	collect(document, names)
	c.schema = &schema{source: source, rules: rules, quick: glanceAt(document), names: names, fields: fieldsOf(document), object: objects(document)}
	return nil
}

// address is where the compiler believes a schema to be.
const address = "tool:///schema.json"

// badSchema says where a schema breaks which rule of schemas, or why it cannot
// be used in one line.
func badSchema(err error) error {
	reason := err
	if broken, ok := errors.AsType[*validator.SchemaValidationError](err); ok {
		reason = broken.Err
	}
	if invalid, ok := errors.AsType[*validator.ValidationError](reason); ok {
		var found []fault.FieldError
		(&schema{}).leaves(invalid, &found)
		if len(found) > 0 {
			f := found[0]
			return fmt.Errorf("its Schema is none: at %q it breaks the rule %s", f.Field, strings.TrimSpace(f.Rule+" "+f.Want))
		}
	}
	text, _, _ := strings.Cut(strings.ReplaceAll(err.Error(), address, "itself"), "\n")
	return fmt.Errorf("its Schema: %s", text)
}

type noLoader struct{}

func (noLoader) Load(address string) (any, error) {
	return nil, errors.New("a schema must be complete: nothing is loaded from " + address)
}

// collect gathers the names below every "properties" of a schema.
func collect(node any, names map[string]bool) {
	switch n := node.(type) {
	case map[string]any:
		if declared, ok := n["properties"].(map[string]any); ok {
			for name := range declared {
				names[name] = true
			}
		}
		for _, child := range n {
			collect(child, names)
		}
	case []any:
		for _, child := range n {
			collect(child, names)
		}
	}
}

// maxFieldErrors bounds what is said about one set of arguments.
const maxFieldErrors = 8

// check returns which fields of the document break which rules, nil for none.
func (s *schema) check(document any) (fields []fault.FieldError) {
	defer func() {
		if recover() != nil { // the validator met a document it cannot judge
			fields = []fault.FieldError{{Rule: "schema"}}
		}
	}()
	if f := unwieldy(document, maxDepth); f != (fault.FieldError{}) {
		return []fault.FieldError{f}
	}
	err := s.rules.Validate(document)
	if err == nil {
		return nil
	}
	invalid, ok := errors.AsType[*validator.ValidationError](err)
	if !ok {
		return []fault.FieldError{{Rule: "schema"}}
	}
	var found []fault.FieldError
	s.leaves(invalid, &found)
	return found
}

// Limits of a document, beyond all that Go's types hold and tools ask for. The
// validator works with exact fractions, where an exponent of a million costs a
// million digits, and with the path to each value.
const (
	maxExponent = 400
	maxDigits   = 1000
	maxDepth    = canonjson.MaxDepth
)

// unwieldy says what is wrong with a document that cannot be worked with; zero for
// one that can.
func unwieldy(node any, depth int) fault.FieldError {
	switch n := node.(type) {
	case json.Number:
		if len(n) > maxDigits {
			return fault.FieldError{Rule: "number", Want: "at_most_" + strconv.Itoa(maxDigits) + "_digits"}
		}
		if at := strings.IndexAny(string(n), "eE"); at >= 0 {
			if exponent, err := strconv.Atoi(string(n[at+1:])); err != nil || exponent < -maxExponent || maxExponent < exponent {
				return fault.FieldError{Rule: "number", Want: "finite"}
			}
		}
	case []any:
		return eachOf(slices.Values(n), depth)
	case map[string]any:
		return eachOf(maps.Values(n), depth)
	}
	return fault.FieldError{}
}

func eachOf(children iter.Seq[any], depth int) fault.FieldError {
	if depth == 0 {
		return fault.FieldError{Rule: "depth", Want: "at_most_" + strconv.Itoa(maxDepth)}
	}
	for child := range children {
		if f := unwieldy(child, depth-1); f != (fault.FieldError{}) {
			return f
		}
	}
	return fault.FieldError{}
}

// leaves gathers the errors that have no cause of their own.
func (s *schema) leaves(e *validator.ValidationError, found *[]fault.FieldError) {
	if len(*found) == maxFieldErrors {
		return
	}
	for _, cause := range e.Causes {
		s.leaves(cause, found)
	}
	if len(e.Causes) > 0 {
		return
	}
	for _, f := range s.explain(e) {
		if len(*found) < maxFieldErrors && !slices.Contains(*found, f) {
			*found = append(*found, f)
		}
	}
}

// explain says what one error is about, from the schema alone: no value of the
// arguments, and no name that only the arguments have.
func (s *schema) explain(e *validator.ValidationError) []fault.FieldError {
	at := s.path(e.InstanceLocation)
	rule := "schema"
	if path := e.ErrorKind.KeywordPath(); len(path) > 0 {
		rule = path[len(path)-1]
	}
	f := fault.FieldError{Field: at, Rule: rule}
	switch k := e.ErrorKind.(type) {
	case *kind.Required:
		missing := make([]fault.FieldError, 0, len(k.Missing))
		for _, name := range k.Missing {
			missing = append(missing, fault.FieldError{Field: join(at, name), Rule: rule})
		}
		return missing
	case *kind.Type:
		f.Want = strings.Join(k.Want, "_or_")
	case *kind.Enum:
		f.Want = oneOf(k.Want)
	case *kind.Const:
		f.Want = oneOf([]any{k.Want})
	case *kind.Format:
		f.Want = k.Want
	case *kind.MinLength:
		f.Want = strconv.Itoa(k.Want)
	case *kind.MaxLength:
		f.Want = strconv.Itoa(k.Want)
	case *kind.MinItems:
		f.Want = strconv.Itoa(k.Want)
	case *kind.MaxItems:
		f.Want = strconv.Itoa(k.Want)
	case *kind.Minimum:
		f.Want = k.Want.RatString()
	case *kind.Maximum:
		f.Want = k.Want.RatString()
	case *kind.ExclusiveMinimum:
		f.Want = k.Want.RatString()
	case *kind.ExclusiveMaximum:
		f.Want = k.Want.RatString()
	case *kind.MultipleOf:
		f.Want = k.Want.RatString()
	}
	return []fault.FieldError{f}
}

// path writes where an error is. A name that the schema does not declare comes
// from the arguments, and becomes a star.
func (s *schema) path(location []string) string {
	var at string
	for _, step := range location {
		if _, err := strconv.ParseUint(step, 10, 32); err != nil && s.names != nil && !s.names[step] {
			step = "*"
		}
		at = join(at, step)
	}
	return at
}

func join(at, name string) string {
	if at == "" {
		return name
	}
	return at + "." + name
}

// oneOf lists allowed values of an enumeration that are plain.
func oneOf(values []any) string {
	var words []string
	for _, v := range values {
		words = append(words, fmt.Sprint(v))
	}
	return strings.Join(words, "/")
}
