package toolkit_test

import (
	"context"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/stretchr/testify/require"
	"go.uber.org/goleak"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

// script is a tool's function that ends as told, once per call; the last entry
// stays. It counts how often it was entered.
type script struct {
	mu      sync.Mutex
	ends    []error
	entered atomic.Int32
}

func ending(ends ...error) *script { return &script{ends: ends} }

func (s *script) call(context.Context, query) (invoice, error) {
	s.entered.Add(1)
	s.mu.Lock()
	defer s.mu.Unlock()
	end := s.ends[0]
	if len(s.ends) > 1 {
		s.ends = s.ends[1:]
	}
	return invoice{"INV-1", 1200}, end
}

// Faults that a tool can return to say exactly what happened.
func overloaded() error {
	return &fault.Fault{Reason: fault.ReasonOverloaded, Action: fault.Retry, Ran: fault.RanNo, Status: 503}
}

func noAnswer() error {
	return &fault.Fault{Reason: fault.ReasonNetwork, Action: fault.Retry, Ran: fault.RanUnknown}
}

func refusedBy(reason fault.Reason, status int) error {
	return &fault.Fault{Reason: reason, Action: fault.FailFast, Ran: fault.RanNo, Status: status}
}

// start begins a run of kit that ends with the test.
func start(t *testing.T, kit *toolkit.Kit, task runrecord.Task) (context.Context, *runrecord.Run) {
	t.Helper()
	ctx, run, err := kit.Start(t.Context(), task)
	require.NoError(t, err)
	t.Cleanup(run.End)
	return ctx, run
}

// read wraps a function as a tool that reads.
func read(kit *toolkit.Kit, name string, call func(context.Context, query) (invoice, error)) *toolkit.Wrapped[query, invoice] {
	return toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: name, Effect: fault.Read, Call: call})
}

var acme = query{"ACME", 2026}
