package fault

import (
	"strings"
	"time"
)

// Fault is what went wrong with one call. Its text is made from enumerations
// only: no byte of an upstream's answer is in it. The cause is reached by
// [Fault.Unwrap]; whoever prints the cause is responsible for redaction.
//
// A Fault is not changed after it was made and is safe for concurrent use.
type Fault struct {
	Reason      Reason
	Action      Action
	Ran         Ran
	Correctable bool          // the model may try a changed call; code will not repeat the same one
	Wait        time.Duration // what the upstream asked for; 0 when it did not say
	Status      int           // HTTP status, 0 where there was none
	Code        string        // machine-readable code found in the answer, at most 64 bytes of [A-Za-z0-9._:/-]
	Rule        string        // name of the detector or rule that decided
	Fields      []FieldError  // for invalid arguments: which field broke which rule
	Err         error         // the cause, nil where the failure was a value
}

// FieldError names one argument that broke one rule of the schema. Both parts
// come from the tool's own schema, never from the arguments.
type FieldError struct {
	Field string // JSON path, "customer.id"; "" for the whole
	Rule  string // keyword of the schema: "required", "type", "enum", …
	Want  string // what the schema asks for, "string"; may be empty
}

// Error describes the fault in enumerations only.
func (f *Fault) Error() string {
	var b strings.Builder
	b.WriteString(f.Reason.String())
	if f.Code != "" {
		b.WriteString(" (" + f.Code + ")")
	}
	b.WriteString(": " + f.Action.String() + ", ran " + f.Ran.String())
	return b.String()
}

// Unwrap returns the cause.
func (f *Fault) Unwrap() error { return f.Err }

// Shown is the reason as people and models see it: [ReasonUnknownOutcome]
// stands in for a timeout, a network or server error or an unreadable answer
// whose effect is in doubt.
func (f *Fault) Shown(kind Kind) Reason {
	if kind == KindUnknown {
		switch f.Reason {
		case ReasonTimeout, ReasonNetwork, ReasonServerError, ReasonOverloaded, ReasonMalformedResponse:
			return ReasonUnknownOutcome
		}
	}
	return f.Reason
}

// Transient reports whether the same call may work in a while.
func (f *Fault) Transient() bool { return f.Action == Retry }
