package casefile

import (
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"reflect"
	"strings"

	"github.com/failloud/failloud/fault"
)

// seen is the signal as it is written down. Every field may be absent, which
// is not the same as empty: an empty body is evidence, no body is none.
type seen struct {
	HTTPStatus *int              `json:"http_status"`
	Headers    map[string]string `json:"headers"`
	Content    *string           `json:"content"`
	ErrorText  *string           `json:"error_text"`
	MCPIsError *bool             `json:"mcp_is_error"`
	ExitCode   *int              `json:"exit_code"`
	Timeout    bool              `json:"timeout"`
}

func parseSignal(raw json.RawMessage, kind string) (*fault.Signal, error) {
	known := names(reflect.TypeFor[seen]())
	if len(raw) == 0 || string(raw) == "null" {
		return nil, fmt.Errorf("signal: missing; an object with at least one of %s", strings.Join(known, ", "))
	}
	var in seen
	if err := strict(raw, &in); err != nil {
		return nil, explain("signal", err, known)
	}
	if in.HTTPStatus == nil && in.Content == nil && in.ErrorText == nil && in.MCPIsError == nil &&
		in.ExitCode == nil && !in.Timeout {
		return nil, fmt.Errorf("signal: says nothing; at least one of %s", strings.Join(known, ", "))
	}
	if s := in.HTTPStatus; s != nil && (*s < 100 || *s > 999) {
		return nil, fmt.Errorf("signal: http_status: %d is not a status", *s)
	}
	return in.signal(kind), nil
}

// signal puts every part where the matching adapter of the library would put
// it: a body into the response, tool text into the MCP result, output into the
// end of the command, and only what is none of these into plain text.
func (in *seen) signal(kind string) *fault.Signal {
	s := &fault.Signal{TimedOut: in.Timeout}
	content := deref(in.Content)
	if in.HTTPStatus != nil {
		s.HTTP = &fault.Response{Status: *in.HTTPStatus, Header: http.Header{}, Body: []byte(content)}
		for name, value := range in.Headers {
			s.HTTP.Header.Set(name, value)
		}
		s.Keyed = keyEchoed(s.HTTP.Header)
	}
	if in.ExitCode != nil {
		output := content
		if in.ErrorText != nil {
			output = strings.TrimPrefix(output+"\n"+*in.ErrorText, "\n")
		}
		s.Exit = &fault.Exit{Code: *in.ExitCode, Killed: *in.ExitCode < 0, Output: []byte(output)}
	} else if in.ErrorText != nil {
		s.Err = errors.New(*in.ErrorText)
	}
	elsewhere := s.HTTP != nil || s.Exit != nil
	switch {
	case in.MCPIsError != nil, kind == "mcp" && in.Content != nil && !elsewhere:
		s.MCP = &fault.MCP{IsError: in.MCPIsError != nil && *in.MCPIsError, Text: content}
	case in.Content != nil && !elsewhere:
		s.Text, s.HasText = content, true
	}
	return s
}

// keyEchoed reports whether the service sent the idempotency key back: a
// service that does has seen the key, so the request carried one that counts.
func keyEchoed(h http.Header) bool { return h.Get("Idempotency-Key") != "" }

func deref(s *string) string {
	if s == nil {
		return ""
	}
	return *s
}
