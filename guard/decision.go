package guard

import (
	"strconv"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// Decision says what may happen to a draft. The zero value is [Answer].
type Decision uint8

const (
	Answer   Decision = iota // the draft leaves as it is
	Disclose                 // the draft leaves with a sentence about what it hides
	Refuse                   // the draft stays; a text written by code leaves
	Escalate                 // a person has to settle a case first
	Defer                    // something that was accepted is not done yet
)

var decisionNames = [...]string{"answer", "disclose", "refuse", "escalate", "defer"}

// String returns the lower-case name.
func (d Decision) String() string {
	if int(d) < len(decisionNames) {
		return decisionNames[d]
	}
	return "decision(" + strconv.Itoa(int(d)) + ")"
}

// state is what a run ends as after this decision.
func (d Decision) state() runrecord.State {
	switch d {
	case Disclose:
		return runrecord.Disclosed
	case Refuse:
		return runrecord.Refused
	case Escalate:
		return runrecord.Waiting
	case Defer:
		return runrecord.Deferred
	default:
		return runrecord.Answered
	}
}

// The steps of a judgment, in order. The first decides alone where it applies;
// of the others the strictest decision wins and every finding is kept.
const (
	StepWaiting  = 1 // a case is open, or what is needed is still pending
	StepRequired = 2 // a requirement is not met
	StepEvidence = 3 // calls were made and none succeeded
	StepHidden   = 4 // something failed and the draft does not say so
	StepClaims   = 5 // the draft says that something was done, and no call did it
	StepSources  = 6 // figures that no evidence has, failures and attempts that never were

	lastStep = StepSources
)

// Policy is what a step does where it applies, set by [OnStep].
type Policy uint8

const (
	PolicyDefault  Policy = iota // what the step does by itself: escalate or defer, refuse, refuse, disclose, refuse, report
	PolicyOff                    // the step is not looked at
	PolicyReport                 // its findings are kept and decide nothing
	PolicyDisclose               // the draft leaves with a sentence for each finding
	PolicyRefuse                 // the draft does not leave
)

// decide applies the policy to what the step would do by itself.
func (p Policy) decide(own Decision) Decision {
	switch p {
	case PolicyReport:
		return Answer
	case PolicyDisclose:
		return Disclose
	case PolicyRefuse:
		return Refuse
	default:
		return own
	}
}

// Finding is one thing that a step noticed. It holds no payload but Evidence.
type Finding struct {
	Step int    // step that noticed it, 0 where it explains and decides nothing
	Kind Kind   // what it is, for programs
	Tool string // name of the tool, "" where no bound tool is meant
	Call uint32 // sequence number of the call, 0 where no single call is meant
	What string // what was noticed, in a few plain words

	// Start and End are the bytes of [Verdict.Draft] that it is about; 0 and 0
	// where it is about no part of it, or that part was not found.
	Start, End int

	// Evidence is what the evidence of the run has instead, of at most 200 bytes;
	// "" where nothing comes near. It is payload: it is not in [Finding.String]
	// and not in the record.
	Evidence string

	// Asks is what it asks for under the policy of its step; [Answer] where it
	// decides nothing.
	Asks Decision
}

// Kind is what a [Finding] is. Kinds are stable words of records and reports.
type Kind string

// The kinds of findings, by step.
const (
	KindNote         Kind = "note"                // explains and decides nothing
	KindLoop         Kind = "loop"                // the same call again and again; of report mode
	KindWaiting      Kind = "waiting"             // step 1: a case is open, or something is still pending
	KindRequired     Kind = "required"            // step 2: a requirement is not met
	KindSettings     Kind = "settings"            // step 2: the guard itself is not set up
	KindNoEvidence   Kind = "no_evidence"         // step 3: nothing succeeded
	KindHidden       Kind = "hidden_failure"      // step 4: a call failed and the draft does not say so
	KindRunning      Kind = "still_running"       // step 4: calls had not ended
	KindShort        Kind = "short_result"        // step 4: a result was cut or old, and the draft speaks for the whole, or for now
	KindCutShort     Kind = "cut_short"           // step 4: the run was ended early
	KindClaim        Kind = "claim_not_done"      // step 5
	KindUnsupported  Kind = "unsupported_figure"  // step 6: no evidence has it
	KindContradicted Kind = "contradicted_figure" // step 6: the evidence has another one
	KindUnchecked    Kind = "unchecked"           // no step: not all evidence was kept, so step 6 cannot tell
	KindOwnKnowledge Kind = "own_knowledge"       // step 6: the draft says that its figures come from the model
	KindAttempts     Kind = "invented_attempts"   // step 6: more attempts than the record has
	KindFailure      Kind = "invented_failure"    // step 6: a failure that the record does not have
)

// String is the line that the run record keeps.
func (f Finding) String() string {
	s := ""
	if f.Step != 0 {
		s = "step " + strconv.Itoa(f.Step) + ": "
	}
	if f.Tool != "" {
		s += f.Tool
		if f.Call != 0 {
			s += " #" + strconv.FormatUint(uint64(f.Call), 10)
		}
		s += " "
	}
	return s + f.What
}

// Unmet is one requirement that the record does not support.
type Unmet struct {
	Requirement string   // as it was declared: "get_invoices at least 3"
	Tools       []string // the tools it names
	Missing     []string // values of ForEach that are missing, as declared
	Pending     bool     // a call that may still meet it is pending
}

// Verdict is the judgment of one draft. It is a value and belongs to the caller.
type Verdict struct {
	Decision Decision  // what to do with the draft
	Would    Decision  // what Decision would be if the guard were enforcing; the same unless Reported
	Step     int       // step that decided, 0 for a plain answer
	Text     string    // what may leave
	Draft    string    // the model's own words, for the record of whoever wants them; do not send them
	Findings []Finding // of every step that is on, in their order
	Unmet    []Unmet   // requirements that the record does not support
	Cases    []string  // open cases, where a person is asked
	Reported bool      // report mode: the draft leaves whatever was found

	// By number, in order, for an audit; calls that the record no longer holds are
	// not in them. Where step 1 decides, or step 4 is off, Disclosed is nil.
	Failed      []uint32 // calls that failed, were denied, never entered their tool or are of unknown outcome
	Unrecovered []uint32 // those of them that were never made good
	Disclosed   []uint32 // those of Unrecovered that the draft admits

	// StatesNothing is whether no call succeeded and the draft neither states a fact
	// nor hides that, which keeps step 3 from refusing it.
	StatesNothing bool
}

// reasonOf names what went wrong with a call the way people read it.
func reasonOf(c *runrecord.Call) fault.Reason {
	f := fault.Fault{Reason: c.Reason}
	return f.Shown(c.Kind)
}
