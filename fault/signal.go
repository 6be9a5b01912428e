package fault

import (
	"encoding/json"
	"net/http"
)

// Signal is all that is known about the end of one attempt: what the function
// returned, and what was seen on the wire. Detectors read it; they do not
// change it. Fields that do not apply stay zero.
type Signal struct {
	Effect Effect
	Keyed  bool   // the request carried an idempotency key that the service honours
	Rules  *Rules // what the tool declares about its results; nil: nothing

	Err      error     // error the function returned
	Sent     Sent      // whether the request was written, where a transport could tell
	TimedOut bool      // the caller's own limit ended the attempt
	HTTP     *Response // HTTP response, also beside Err
	Exit     *Exit     // end of a command
	MCP      *MCP      // result of an MCP call
	Value    any       // Go value the function returned (already decoded JSON, or a typed value)
	HasValue bool      // distinguishes a nil Value from no value
	Text     string    // result as text, where it is text (tool output, stdout)
	HasText  bool      // distinguishes an empty text from none

	doc *document // the result as data, decoded at the first use
}

// Sent says whether a request left this process.
type Sent uint8

const (
	SentUnknown Sent = iota // nobody could tell
	SentNo                  // never written: nothing can have happened
	SentYes                 // written, at least in part
)

// Response is an HTTP response whose body was read.
type Response struct {
	Status    int         // as sent
	Header    http.Header // as sent, with the keys that net/http gives them
	Body      []byte      // at most the reader's limit
	Truncated bool        // the body was longer, or ended early
}

// Exit is the end of a command.
type Exit struct {
	Code   int    // -1 when killed by a signal
	Killed bool   // ended by a signal
	Output []byte // combined output, bounded
}

// MCP is the result of an MCP tool call, or its JSON-RPC error.
type MCP struct {
	IsError    bool            // the flag of the result
	Text       string          // joined text content
	Structured json.RawMessage // structuredContent
	Code       int             // JSON-RPC error code, 0 for a result
	ResultType string          // "input_required" and the like
}

// Detector looks at a signal for one kind of evidence. It returns false where
// it does not know; the first detector that knows decides. Detectors are called
// concurrently and must not keep the signal.
type Detector interface {
	// Detect returns the outcome and true, or false where it does not know.
	Detect(s *Signal) (Outcome, bool)
}

// DetectorFunc makes a function a [Detector].
type DetectorFunc func(s *Signal) (Outcome, bool)

// Detect calls f.
func (f DetectorFunc) Detect(s *Signal) (Outcome, bool) { return f(s) }
