package runrecord

import (
	"time"

	"github.com/failloud/failloud/fault"
)

// Call is one finished request to use a tool, without its payload. It is a
// value; the copy a caller holds is not changed by a later settlement. The
// fields are ordered so that a call takes 80 bytes.
type Call struct {
	Tool       *ToolInfo       // nil for a name that no tool has
	ArgsHash   uint64          // of the canonical arguments, stable within the process; 0: not known
	ResultHash uint64          // of the result or failure, for loop detection; 0: not computed
	Start      time.Duration   // since the start of the run
	Duration   time.Duration   // from the start of the call to its end or settlement
	Waited     time.Duration   // slept between attempts
	Detail     *Detail         // nil for a plain success
	Seq        uint32          // 1 for the first call of the run; children continue their parent's numbers
	Batch      uint32          // Seq of the first call of the batch it was asked for with; 0: asked for alone
	Attempts   uint16          // executions of the function
	Status     int16           // HTTP status of the last attempt, 0 for none
	Leg        uint16          // of the run
	Qualifiers fault.Qualifier // of a success
	Kind       fault.Kind      // how it ended
	Reason     fault.Reason
	Action     fault.Action
	Ran        fault.Ran
}

// ToolName is the name of the tool, or "" for a call of a name that no tool
// has; that name is in Detail.Name.
func (c *Call) ToolName() string {
	if c.Tool == nil {
		return ""
	}
	return c.Tool.Name
}

// Unresolved reports whether the call has not come to its end yet: it is
// pending or of unknown outcome, and [Run.Settle] can still say what it was.
func (c *Call) Unresolved() bool {
	return c.Kind == fault.KindPending || c.Kind == fault.KindUnknown
}

// Detail is what only some calls have. The record keeps its own copy, in which
// text that came from a model or an upstream is redacted, bounded and free of
// control characters. A Detail that was handed out is not changed.
type Detail struct {
	CallID      string             // the model's id of the call, "" where it has none
	Name        string             // the name the model used, where it is not the tool's
	FallbackOf  string             // the tool this result stands in for
	FallbackWhy fault.Reason       // why that tool could not do it itself
	Case        string             // id of the case a person has to settle
	Key         string             // business key in the ledger; never sent to sinks
	Code        string             // machine-readable code of the fault
	Rule        string             // detector that decided
	Error       string             // redacted and bounded text of the cause
	Wait        time.Duration      // what the upstream asked for
	Age         time.Duration      // of a stale result
	Args        map[string]string  // argument fields that a judge asked to keep, see [Run.Keep]; never sent to sinks
	Settled     bool               // the outcome was changed by [Run.Settle]
	Fields      []fault.FieldError // of invalid arguments: which broke which rule
	Correctable bool               // a changed call may work
}
