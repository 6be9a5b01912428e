package fault

import (
	"fmt"
	"strconv"
)

// The enumerations of this package are small integers, so that a record of a
// call stays small, and travel as their lower-case names in text and JSON.
// Each zero value is meaningful and documented.

// Effect says what a tool does to the world. The zero value, [Undeclared], is
// treated as a [Write] everywhere and reported once at the first start.
type Effect uint8

const (
	Undeclared Effect = iota // not declared by the owner: counts as a Write
	Read                     // changes nothing
	Idempotent               // a repetition changes nothing more
	Write                    // a repetition may do the thing twice
)

var effectNames = [...]string{"undeclared", "read", "idempotent", "write"}

// Writes reports whether a repetition of the call may do something twice.
func (e Effect) Writes() bool { return e == Write || e == Undeclared }

// String returns the lower-case name.
func (e Effect) String() string { return name(effectNames[:], uint8(e)) }

// MarshalText writes the lower-case name.
func (e Effect) MarshalText() ([]byte, error) { return []byte(e.String()), nil }

// UnmarshalText reads a lower-case name; the empty text is [Undeclared].
func (e *Effect) UnmarshalText(text []byte) error {
	return parse(effectNames[:], "effect", text, (*uint8)(e))
}

// Ran says whether the effect of a call happened.
type Ran uint8

const (
	RanUnknown Ran = iota // nobody can tell from here: the zero value, on purpose
	RanNo                 // it did not happen
	RanYes                // it happened, at least in part
)

var ranNames = [...]string{"unknown", "no", "yes"}

// String returns the lower-case name.
func (r Ran) String() string { return name(ranNames[:], uint8(r)) }

// MarshalText writes the lower-case name.
func (r Ran) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a lower-case name.
func (r *Ran) UnmarshalText(text []byte) error { return parse(ranNames[:], "ran", text, (*uint8)(r)) }

// Action is what code does about a fault. Whether a repetition is allowed for
// a given effect is decided by [Next], never by the action alone.
type Action uint8

const (
	NoAction Action = iota // not a fault of the tool: a success, a cancellation
	Retry                  // the same call may work in a while
	FailFast               // the same call cannot work
	Escalate               // it may have happened and code cannot tell: ask a person
)

var actionNames = [...]string{"none", "retry", "fail_fast", "escalate"}

// String returns the lower-case name.
func (a Action) String() string { return name(actionNames[:], uint8(a)) }

// MarshalText writes the lower-case name.
func (a Action) MarshalText() ([]byte, error) { return []byte(a.String()), nil }

// UnmarshalText reads a lower-case name.
func (a *Action) UnmarshalText(text []byte) error {
	return parse(actionNames[:], "action", text, (*uint8)(a))
}

// Reason is the cause of a fault, from a closed list. A stored reason is
// always the cause; [ReasonUnknownOutcome] is only ever shown in its place,
// see [Fault.Shown].
type Reason uint8

const (
	ReasonNone              Reason = iota // no fault
	ReasonRateLimit                       // too many requests; it passes
	ReasonOverloaded                      // the service has no room for now
	ReasonTimeout                         // no answer in time
	ReasonNetwork                         // no connection, or one that broke
	ReasonServerError                     // the service failed
	ReasonAuth                            // a credential is missing, wrong or expired
	ReasonPermission                      // the credential does not allow it
	ReasonNotFound                        // there is no such thing
	ReasonInvalidArgs                     // the service or the schema refused the arguments
	ReasonConflict                        // it does not fit the state of the thing
	ReasonBilling                         // the account is empty: a person must pay or raise a limit
	ReasonQuota                           // a budget that ends at a later, known time
	ReasonPaymentRequired                 // a money or plan decision
	ReasonPayloadTooLarge                 // too much was sent
	ReasonMalformedResponse               // an answer that cannot be read
	ReasonSoftError                       // a result that says it failed, of no other known cause
	ReasonPartial                         // a part of it failed
	ReasonCommandFailed                   // a command ended with an exit code other than 0
	ReasonContentPolicy                   // a provider refuses the content
	ReasonCancelled                       // the caller gave up
	ReasonPanic                           // the function panicked
	ReasonUnknownTool                     // no tool has this name
	ReasonLoop                            // the same call with the same result, again and again
	ReasonBudget                          // a limit of the run is reached
	ReasonBreakerOpen                     // the upstream failed too often and is left alone for a while
	ReasonToolDead                        // the upstream is dead for the rest of the run
	ReasonUnknownOutcome                  // shown instead of timeout, network, server_error where an effect is in doubt
	ReasonUnknown                         // nothing is known about the cause
	ReasonContextOverflow                 // the context is full; from here on: model calls only
	ReasonOutputTooLong                   // the answer reached the output limit
	ReasonThinkingExhausted               // reasoning used up the output
	ReasonModelNotFound                   // the provider has no such model
	ReasonInvalidRequest                  // the provider refuses the request
	ReasonMalformedOutput                 // the answer is not what was asked for
)

var reasonNames = [...]string{
	"none", "rate_limit", "overloaded", "timeout", "network", "server_error", "auth", "permission", "not_found",
	"invalid_args", "conflict", "billing", "quota", "payment_required", "payload_too_large", "malformed_response",
	"soft_error", "partial", "command_failed", "content_policy", "cancelled", "panic", "unknown_tool", "loop", "budget",
	"breaker_open", "tool_dead", "unknown_outcome", "unknown", "context_overflow", "output_too_long",
	"thinking_exhausted", "model_not_found", "invalid_request", "malformed_output",
}

// String returns the lower-case name.
func (r Reason) String() string { return name(reasonNames[:], uint8(r)) }

// MarshalText writes the lower-case name.
func (r Reason) MarshalText() ([]byte, error) { return []byte(r.String()), nil }

// UnmarshalText reads a lower-case name.
func (r *Reason) UnmarshalText(text []byte) error {
	return parse(reasonNames[:], "reason", text, (*uint8)(r))
}

// Kind is the way a call ended.
type Kind uint8

const (
	KindNone    Kind = iota // not ended
	KindOK                  // it did what it was asked; see [Qualifier]
	KindFailed              // it failed, and the fault says how
	KindDenied              // a person or a policy said no
	KindNotRun              // the tool was never entered
	KindPending             // accepted, not done
	KindUnknown             // it may have run: never a success, never a plain failure
)

var kindNames = [...]string{"none", "ok", "failed", "denied", "not_run", "pending", "unknown"}

// String returns the lower-case name.
func (k Kind) String() string { return name(kindNames[:], uint8(k)) }

// MarshalText writes the lower-case name.
func (k Kind) MarshalText() ([]byte, error) { return []byte(k.String()), nil }

// UnmarshalText reads a lower-case name.
func (k *Kind) UnmarshalText(text []byte) error {
	return parse(kindNames[:], "outcome", text, (*uint8)(k))
}

func name(names []string, v uint8) string {
	if int(v) < len(names) {
		return names[v]
	}
	return "invalid(" + strconv.Itoa(int(v)) + ")"
}

func parse(names []string, what string, text []byte, into *uint8) error {
	if len(text) == 0 {
		*into = 0
		return nil
	}
	for i, n := range names {
		if n == string(text) {
			*into = uint8(i)
			return nil
		}
	}
	return fmt.Errorf("fault: unknown %s %q", what, text)
}
