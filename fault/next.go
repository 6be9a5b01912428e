package fault

// Step is what code does after an attempt that did not succeed.
type Step uint8

const (
	Stop    Step = iota // no further attempt
	Again               // repeat the call
	CheckIt             // ask the tool's Check whether it happened
	Ask                 // stop, and ask a person
)

// Next decides whether a call may run again. CONTRACT SKELETON.
func Next(effect Effect, f *Fault, keyValid, hasCheck bool) Step { return Stop }
