package idempotency

import "fmt"

// State is where a piece of work stands. The zero value is a row that does not
// exist yet.
type State uint8

const (
	Absent           State = iota // never seen
	Ready                         // may be claimed: proven not done, or safe to repeat
	Running                       // claimed under a lease
	AwaitingApproval              // a person must allow it first
	Deferred                      // refused before it was dispatched, waits for its upstream
	Unknown                       // it may have happened
	Escalated                     // it may have happened and only a person can tell
	Succeeded                     // done: terminal
	Failed                        // proven not done and given up, or answered with a failure: terminal
	Rejected                      // a person said no, or nobody answered in time: terminal
)

var stateNames = [...]string{
	"absent", "ready", "running", "awaiting_approval", "deferred", "unknown", "escalated", "succeeded", "failed", "rejected",
}

// Terminal reports whether the state has no exit.
func (s State) Terminal() bool { return s >= Succeeded }

// Open reports whether a case about the row is open: a person is asked.
func (s State) Open() bool { return s == Escalated || s == AwaitingApproval }

// String returns the lower-case name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("invalid(%d)", uint8(s))
}

// MarshalText writes the lower-case name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a lower-case name.
func (s *State) UnmarshalText(text []byte) error {
	for i, name := range stateNames {
		if name == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("idempotency: unknown state %q", text)
}
