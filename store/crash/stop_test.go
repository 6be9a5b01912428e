//go:build unix

package crash_test

import (
	"syscall"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

func init() {
	stop := func(pid int) { _ = syscall.Kill(pid, syscall.SIGSTOP) }
	signals[string(stoppedBefore)], signals[string(stoppedAfter)] = stop, stop
}

// stopped waits until the process is.
func (s *session) stopped(t testing.TB) {
	t.Helper()
	var status syscall.WaitStatus
	_, err := syscall.Wait4(s.cmd.Process.Pid, &status, syscall.WUNTRACED, nil)
	require.NoError(t, err)
	require.True(t, status.Stopped(), "it has ended: %v", status)
}

// A worker that is stopped for longer than its lease, as a machine that was suspended
// is, comes back to work that another has looked after meanwhile.
func TestAWorkerThatWasStopped(t *testing.T) {
	t.Parallel()
	for _, kind := range kinds {
		for _, of := range []effect{checked, keyed, bare} {
			t.Run(kind+" "+string(of)+" "+string(stoppedAfter), func(t *testing.T) {
				t.Parallel()
				s := newStop(t, kind, of, stoppedAfter, true)
				found := s.second.hear(t)
				if of == bare {
					require.Equal(t, fault.KindUnknown, found.Told.Kind, "nobody knows whether it happened")
					require.Equal(t, []string{found.Told.Case}, found.Open)
				} else {
					require.Equal(t, fault.KindOK, found.Told.Kind)
				}
				require.NoError(t, s.first.cmd.Process.Signal(syscall.SIGCONT))
				late := s.first.hear(t)
				require.Equal(t, fault.KindOK, late.Told.Kind, "%s", late.Told.Line)
				require.Equal(t, 1, late.Told.Truth.Effects)

				// The late success has settled the row, and the run of the one who asked.
				s.second.ask(t, request{Recover: true})
				found = s.second.hear(t)
				require.Equal(t, fault.KindOK, found.Record)
				require.Equal(t, runrecord.Running, found.State)
				require.Empty(t, found.Open)
				row := s.row(t)
				require.Equal(t, idempotency.Succeeded, row.State)
				require.False(t, row.PossibleDuplicate)
			})
		}
		t.Run(kind+" bare "+string(stoppedBefore), func(t *testing.T) {
			t.Parallel()
			s := newStop(t, kind, bare, stoppedBefore, false)
			found := s.second.hear(t)
			require.Equal(t, fault.KindUnknown, found.Told.Kind)
			require.NotEmpty(t, found.Told.Case)
			require.Zero(t, found.Told.Truth.Effects, "nothing is started while it may yet happen")
			require.NoError(t, s.first.cmd.Process.Signal(syscall.SIGCONT))
			late := s.first.hear(t)
			row := s.row(t)
			require.False(t, row.PossibleDuplicate)
			// It may have heard in time that it had lost its claim, or not.
			if late.Told.Kind == fault.KindOK {
				require.Equal(t, 1, late.Told.Truth.Effects)
				require.Equal(t, idempotency.Succeeded, row.State)
			} else {
				require.Equal(t, fault.KindUnknown, late.Told.Kind, "%s", late.Told.Line)
				require.Equal(t, idempotency.Escalated, row.State)
			}
		})
		// No ledger can hold a request back that a worker sends who was stopped between
		// being allowed to and sending: a look-up has found nothing meanwhile, and another
		// has made the call. Who decides about money then must at least be able to see it.
		t.Run(kind+" checked "+string(stoppedBefore), func(t *testing.T) {
			t.Parallel()
			s := newStop(t, kind, checked, stoppedBefore, true)
			found := s.second.hear(t)
			require.Equal(t, fault.KindOK, found.Told.Kind, "%s", found.Told.Line)
			require.Equal(t, 1, found.Told.Truth.Effects)
			require.NoError(t, s.first.cmd.Process.Signal(syscall.SIGCONT))
			late := s.first.hear(t)
			require.Equal(t, fault.KindOK, late.Told.Kind, "%s", late.Told.Line)
			require.Equal(t, 2, late.Told.Truth.Effects)
			row := s.row(t)
			require.Equal(t, idempotency.Succeeded, row.State)
			require.True(t, row.PossibleDuplicate, "it was done twice, and the row does not say so")
			require.Len(t, row.Evidence, 1)
		})
	}
}

type stop struct {
	first, second *session
	of            effect
	job           job
	store         storeConfig
}

// newStop stops a worker in its call, and lets another make the same call.
func newStop(t *testing.T, kind string, of effect, at point, stubborn bool) *stop {
	t.Helper()
	o := order{Service: newService(t), Store: newStore(t, kind)}
	o.Store.Lease, o.Store.Settle = 1500*time.Millisecond, 10*time.Millisecond
	s := &stop{of: of, job: job{Item: "4711"}, store: o.Store, first: newSession(t, o), second: newSession(t, o)}
	s.first.ask(t, request{Effect: of, Job: s.job, At: at, Stubborn: stubborn})
	s.first.stopped(t)
	require.NoError(t, newClient(o.Service).let(t.Context(), s.job.Item))
	s.second.ask(t, request{Effect: of, Job: s.job})
	return s
}

func (s *stop) row(t *testing.T) idempotency.Row {
	t.Helper()
	db, err := s.store.open(t.Context())
	require.NoError(t, err)
	defer db.Close()
	row, err := db.Load(t.Context(), rowOf(s.of, s.job))
	require.NoError(t, err)
	return row
}
