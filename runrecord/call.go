package runrecord

import (
	"time"

	"github.com/failloud/failloud/fault"
)

// Call is one finished request to use a tool, without its payload. It is a
// value; the copy a caller holds is not changed by a later settlement.
type Call struct {
	Seq        uint32 // 1 for the first call of the run
	Tool       *ToolInfo
	ArgsHash   uint64 // of the canonical arguments, stable within the process; 0: not known
	ResultHash uint64 // of the result or failure, for loop detection; 0: not computed
	Start      time.Duration
	Duration   time.Duration
	Waited     time.Duration // slept between attempts
	Attempts   uint16
	Status     int16 // HTTP status of the last attempt, 0 for none
	Kind       fault.Kind
	Reason     fault.Reason
	Action     fault.Action
	Ran        fault.Ran
	Qualifiers fault.Qualifier
	Leg        uint16
	Detail     *Detail // nil for a plain success
}

// Detail is what only some calls have.
type Detail struct {
	CallID      string            // the model's id of the call, "" where it has none
	Name        string            // the name the model used, where it is not the tool's
	FallbackOf  string            // the tool this result stands in for
	Case        string            // id of the case a person has to settle
	Key         string            // business key in the ledger
	Code        string            // machine-readable code of the fault
	Rule        string            // detector that decided
	Error       string            // redacted and bounded text of the cause
	Wait        time.Duration     // what the upstream asked for
	Age         time.Duration     // of a stale result
	Args        map[string]string // argument fields that a judge asked to keep, see [Run.Keep]; never sent to sinks
	Settled     bool              // the outcome was changed by [Run.Settle]
	Fields      []fault.FieldError
	Correctable bool
}
