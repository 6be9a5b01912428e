package runrecord

import "github.com/failloud/failloud/fault"

// Tally is what the views count of the calls of one run and its children. Views
// make it themselves from events; whoever keeps events in another form makes it
// from that, and adds it to the views.
type Tally struct {
	Calls   int // that have ended
	OK      int // successes, and what was settled as one
	Bad     int // failures, see [Event.Fails], and what was settled as one
	Retries int // attempts beyond the first of a call
}

// Tally is what the counts of a run's end say to the views.
func (n *Counts) Tally() Tally {
	return Tally{Calls: n.Calls, OK: n.OK, Bad: plus(n.Failed, plus(n.NotRun, n.Unknown)), Retries: n.Retries}
}

// Fails reports whether the event says that the tool is to blame: what a person
// denied or a caller cancelled says nothing about it.
func (e *Event) Fails() bool {
	switch e.Outcome {
	case fault.KindFailed, fault.KindNotRun, fault.KindUnknown:
		return e.Reason != fault.ReasonCancelled
	}
	return false
}
