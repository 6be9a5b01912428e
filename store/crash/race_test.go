package crash_test

import (
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
)

// As many processes as a busy service has make the same payment at once.
func TestSixtyFourProcessesPayOnce(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		t.Run(kind, func(t *testing.T) {
			o := order{Service: newService(t), Store: newStore(t, kind)}
			o.Store.Lease, o.Store.Settle = 30*time.Second, time.Second
			var all [64]*session
			for i := range all {
				all[i] = newSession(t, o)
			}
			for _, s := range all {
				s.ask(t, request{Effect: bare, Job: job{Item: "4711"}})
			}
			for _, s := range all {
				r := s.hear(t)
				require.Equal(t, fault.KindOK, r.Told.Kind, "%s", r.Told.Line)
				require.Equal(t, account{Effects: 1, Receipt: r.Told.Receipt}, r.Told.Truth)
			}
		})
	}
}
