package toolkit

import (
	"errors"
	"reflect"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/redact"
)

// A tool may return what it got from the other side as it came: the result of an
// MCP call, the end of a command, an HTTP response. It is then judged as what it
// is, and the model sees its text.

// carries reports whether values of a type are such evidence. An interface may
// hold it, and is inspected anyway.
func carries(t reflect.Type) bool {
	if t.Kind() == reflect.Pointer {
		t = t.Elem()
	}
	switch t {
	case reflect.TypeFor[fault.MCP](), reflect.TypeFor[fault.Exit](), reflect.TypeFor[fault.Response]():
		return true
	}
	return false
}

// carried returns the evidence in a value, as a pointer; nil for other values.
func carried(value any) any {
	switch v := value.(type) {
	case fault.MCP:
		return &v
	case fault.Exit:
		return &v
	case fault.Response:
		return &v
	case *fault.MCP:
		if v != nil {
			return v
		}
	case *fault.Exit:
		if v != nil {
			return v
		}
	case *fault.Response:
		if v != nil {
			return v
		}
	}
	return nil
}

// take puts the result into the signal: as the evidence it carries, or as a value.
func take(s *fault.Signal, value any) {
	switch v := carried(value).(type) {
	case *fault.MCP:
		s.MCP = v
	case *fault.Exit:
		s.Exit = v
	case *fault.Response:
		s.HTTP = v
	default:
		s.Value, s.HasValue = value, true
	}
}

// carriedText is what a model sees of evidence that was no failure.
func carriedText(value any) (text string, ok bool) {
	switch v := carried(value).(type) {
	case *fault.MCP:
		if v.Text == "" {
			return string(v.Structured), true
		}
		return v.Text, true
	case *fault.Exit:
		return string(v.Output), true
	case *fault.Response:
		return string(v.Body), true
	}
	return "", false
}

// carriedCause is the cause of a failure that came as a value. The text of an MCP
// error is an error text like any other and goes to the record; what a command
// printed and a service answered is only for tools that show it.
func carriedCause(value any) error {
	text, _ := carriedText(value)
	text = redact.Cut(text, maxErrorText)
	if _, ok := carried(value).(*fault.MCP); ok && text != "" {
		return errors.New(text)
	}
	return &carriedError{text}
}

type carriedError struct{ detail string }

func (e *carriedError) Error() string {
	return "toolkit: the tool returned a result that says it failed"
}
func (e *carriedError) Detail() string { return e.detail }
