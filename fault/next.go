package fault

// Step is what code does after an attempt that did not succeed.
type Step uint8

const (
	Stop    Step = iota // no further attempt; the fault stands as it is
	Again               // repeat the call, with the same key where it has one
	CheckIt             // ask the tool's Check whether it happened, and do what it says
	Ask                 // stop: it may have happened, and only a person can tell
)

var stepNames = [...]string{"stop", "again", "check", "ask"}

// String returns the lower-case name.
func (s Step) String() string { return name(stepNames[:], uint8(s)) }

// Next decides whether a call may run again after the fault f. It is the only
// place where that is decided. keyValid says that the request carried an
// idempotency key which the service still honours; hasCheck, that the tool can
// look up whether an effect happened.
//
//	ran      Read, Idempotent        Write, Undeclared
//	no       transient: Again        transient: Again
//	         else Stop               else Stop
//	unknown  transient: Again        transient and keyValid: Again
//	         else Stop               else hasCheck: CheckIt
//	                                 else Ask
//	yes      transient: Again        final: Stop, the answer that came is kept
//	         else Stop               else lost reply and hasCheck: CheckIt
//	                                 else Ask
//
// A fault is transient where its action is [Retry] and final where it is
// [FailFast]. Three rules complete the table:
//
//   - A cancellation, and any other fault with [NoAction], stops: nobody is
//     waiting for another attempt.
//   - [Escalate], given by a detector, asks a person, except where there is
//     nothing to ask about: on a read, or where nothing ran.
//   - After a reply that was received and could not be read (ran yes), CheckIt
//     serves to find the lost result. A Check that then says "not done"
//     contradicts that reply, and is a case for a person, never a licence to
//     run again. Half of a batch ([ReasonPartial]) has no single answer to look
//     up, so it is not checked.
//
// Next is total: a nil fault stops, an effect out of range counts as a write
// and a Ran out of range as unknown. It says nothing about how often; attempts
// and waits belong to the caller.
func Next(effect Effect, f *Fault, keyValid, hasCheck bool) Step {
	if f == nil || f.Action == NoAction {
		return Stop
	}
	if effect == Read || effect == Idempotent {
		return nextHarmless(effect, f)
	}
	switch f.Ran {
	case RanNo:
		return againIf(f.Transient())
	case RanYes:
		switch {
		case f.Action == FailFast:
			return Stop
		case f.Reason == ReasonMalformedResponse && hasCheck:
			return CheckIt
		}
		return Ask
	default:
		switch {
		case f.Transient() && keyValid:
			return Again
		case hasCheck:
			return CheckIt
		}
		return Ask
	}
}

// nextHarmless decides for effects that a repetition cannot double.
func nextHarmless(effect Effect, f *Fault) Step {
	if f.Action == Escalate && effect == Idempotent && f.Ran != RanNo {
		return Ask
	}
	return againIf(f.Transient())
}

func againIf(transient bool) Step {
	if transient {
		return Again
	}
	return Stop
}
