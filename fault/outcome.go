package fault

import (
	"strings"
	"time"
)

// Outcome is how one call ended. Everything else is derived from it: the line
// for the model, the record, the log, the metric, the breaker, the loop
// detector and the guard. None of them looks at the error again.
type Outcome struct {
	Kind       Kind
	Qualifiers Qualifier     // of a success, none of anything else
	Age        time.Duration // of a stale result; 0 when not known
	FallbackOf string        // name of the tool this result stands in for
	Fault      *Fault        // set for failed, not_run, unknown and denied, and for pending where it says why a call was put off; nil for ok
	Case       string        // id of the case a person has to settle; "" when there is none
}

// Qualifier marks a success that needs a word of caution. Values are joined by |.
type Qualifier uint16

const (
	Empty     Qualifier = 1 << iota // a correct empty answer
	Partial                         // part of what was asked for
	Truncated                       // cut by a limit, there is more
	Stale                           // older than asked for
	Replayed                        // the stored result of an earlier execution
	Fallback                        // another tool stood in, see Outcome.FallbackOf
	NoValue                         // it was done, and what it returned was not kept: the value is zero. Truncated is set too
)

var qualifierNames = [...]string{"empty", "partial", "truncated", "stale", "replayed", "fallback", "no_value"}

// Has reports whether all of q are set.
func (q Qualifier) Has(other Qualifier) bool { return q&other == other }

// Degraded reports whether the result is less than what was asked for.
func (q Qualifier) Degraded() bool { return q&(Partial|Truncated|Stale) != 0 }

// String returns the names joined by a comma, "" for none.
func (q Qualifier) String() string {
	var set []string
	for i, n := range qualifierNames {
		if q&(1<<i) != 0 {
			set = append(set, n)
		}
	}
	return strings.Join(set, ",")
}

// OK reports whether the call is evidence.
func (o Outcome) OK() bool { return o.Kind == KindOK }

// Reason is the stored cause, [ReasonNone] where nothing went wrong.
func (o Outcome) Reason() Reason {
	if o.Fault == nil {
		return ReasonNone
	}
	return o.Fault.Reason
}

// Failure reports whether the call did not do what it was asked to do. A
// pending call is neither a success nor a failure.
func (o Outcome) Failure() bool {
	return o.Kind != KindOK && o.Kind != KindPending && o.Kind != KindNone
}
