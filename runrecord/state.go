package runrecord

import "fmt"

// State is where a run stands. The zero value is [Running]; every state from
// [Answered] on is an end that has no exit.
type State uint8

// The states of a run. A run leaves Waiting and Deferred by [Run.Resume], as a
// new leg under the same id.
const (
	Running   State = iota
	Waiting         // a case is open; resumes as a new leg
	Deferred        // work was accepted for later; resumes as a new leg
	Answered        // ended: the answer left as it was drafted
	Disclosed       // ended: the answer left with its failures stated
	Refused         // ended: the answer did not leave
	Aborted         // ended early: loop, budget, stuck, error, cancelled
	Unjudged        // ended without asking the guard
)

var stateNames = [...]string{
	"running", "waiting", "deferred", "answered", "disclosed", "refused", "aborted", "unjudged",
}

// Ended reports whether the run has ended for good, which Waiting and Deferred
// have not.
func (s State) Ended() bool { return s >= Answered }

// String returns the lower-case name.
func (s State) String() string {
	if int(s) < len(stateNames) {
		return stateNames[s]
	}
	return fmt.Sprintf("invalid(%d)", uint8(s))
}

// MarshalText writes the lower-case name.
func (s State) MarshalText() ([]byte, error) { return []byte(s.String()), nil }

// UnmarshalText reads a lower-case name; the empty text is [Running].
func (s *State) UnmarshalText(text []byte) error {
	if len(text) == 0 {
		*s = Running
		return nil
	}
	for i, n := range stateNames {
		if n == string(text) {
			*s = State(i)
			return nil
		}
	}
	return fmt.Errorf("runrecord: unknown state %q", text)
}
