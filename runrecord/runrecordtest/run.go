package runrecordtest

import (
	"testing"

	"github.com/failloud/failloud/runrecord"
)

// Harness is one fresh, empty sink under test.
type Harness struct {
	// Sink is what is tested.
	Sink runrecord.Sink
	// Read returns all events that the sink holds; those of one run in the
	// order in which they were written. It is called after the last write, and
	// again after Close. A line that had to be passed over is an error.
	Read func() ([]runrecord.Event, error)
	// Close is called once, where the sink has one; a write after it must
	// return an error. Nil: there is nothing to close.
	Close func() error
}

// Run runs the suite, each part on a sink of its own.
func Run(t *testing.T, open func(t *testing.T) Harness) {
	t.Helper()
	for _, c := range checks {
		t.Run(c.name, func(t *testing.T) {
			h := open(t)
			if err := c.check(h); err != nil {
				t.Error(err)
			}
		})
	}
}
