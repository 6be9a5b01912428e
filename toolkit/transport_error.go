package toolkit

import (
	"fmt"
	"io"
	"net/http"

	"github.com/failloud/failloud/fault"
)

// HTTPError is an HTTP response that is a failure, for tools whose requests do
// not go through a [Transport]. The classifier reads all of it; its text has
// the status and nothing that the server wrote.
type HTTPError struct {
	Status    int         // of the response
	Header    http.Header // of the response
	Body      []byte      // at most DefaultKeepBody bytes
	Truncated bool        // the body was longer, or ended early
}

// StatusError returns an [*HTTPError] for a response with a status of 400 or
// more, and nil for any other. It reads the beginning of the body and leaves
// closing it to the caller:
//
//	defer resp.Body.Close()
//	if err := toolkit.StatusError(resp); err != nil {
//		return Invoice{}, err
//	}
func StatusError(resp *http.Response) error {
	if resp == nil || resp.StatusCode < http.StatusBadRequest {
		return nil
	}
	e := &HTTPError{Status: resp.StatusCode, Header: resp.Header.Clone(), Body: []byte{}}
	if resp.Body != nil {
		body, err := io.ReadAll(io.LimitReader(resp.Body, DefaultKeepBody+1))
		e.Body, e.Truncated = body, err != nil || len(body) > DefaultKeepBody
		if len(body) > DefaultKeepBody {
			e.Body = body[:DefaultKeepBody]
		}
	}
	return e
}

// Error names the status.
func (e *HTTPError) Error() string {
	if text := http.StatusText(e.Status); text != "" {
		return fmt.Sprintf("http status %d %s", e.Status, text)
	}
	return fmt.Sprintf("http status %d", e.Status)
}

// StatusCode is the status.
func (e *HTTPError) StatusCode() int { return e.Status }

// HTTPResponse is the response as the classifier reads it.
func (e *HTTPError) HTTPResponse() *fault.Response {
	return &fault.Response{Status: e.Status, Header: e.Header, Body: e.Body, Truncated: e.Truncated}
}

// Detail is the body, for a tool that shows its model more than the line.
func (e *HTTPError) Detail() string { return string(e.Body) }
