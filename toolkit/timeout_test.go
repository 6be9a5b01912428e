package toolkit_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// patient waits for its context.
func patient(ctx context.Context, _ query) (invoice, error) {
	<-ctx.Done()
	return invoice{}, ctx.Err()
}

func TestATimeoutSaysWhoseItWas(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name             string
		timeout, callers time.Duration
		call             func(context.Context, query) (invoice, error)
		code             string
		after            time.Duration
	}{
		{"the tool's", 5 * time.Second, time.Minute, patient, "tool_timeout", 5 * time.Second},
		{"the caller's", 5 * time.Second, 2 * time.Second, patient, "caller_deadline", 2 * time.Second},
		{"the caller's, where the tool has none", 0, 2 * time.Second, patient, "caller_deadline", 2 * time.Second},
		{"an error that does not say so", 5 * time.Second, time.Minute, func(ctx context.Context, _ query) (invoice, error) {
			<-ctx.Done()
			return invoice{}, errors.New("aborted")
		}, "tool_timeout", 5 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				kit := single()
				get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Timeout: tt.timeout, Call: tt.call})
				ctx, _ := start(t, kit, runrecord.Task{})
				ctx, cancel := context.WithTimeout(ctx, tt.callers)
				defer cancel()
				began := time.Now()
				res := get.Invoke(ctx, acme)
				require.Equal(t, tt.after, time.Since(began))
				require.Equal(t, fault.ReasonTimeout, res.Outcome.Reason())
				require.Equal(t, tt.code, res.Outcome.Fault.Code)
				require.ErrorIs(t, res.Err(), toolkit.ErrTimeout)
			})
		})
	}
}

func TestACancelledCallIsNotTheToolsFault(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := single()
		get := read(kit, "get", patient)
		for range 20 {
			ctx, run := start(t, kit, runrecord.Task{})
			ctx, cancel := context.WithCancel(ctx)
			time.AfterFunc(time.Second, cancel)
			require.Equal(t, fault.ReasonCancelled, get.Invoke(ctx, acme).Outcome.Reason())
			run.End()
		}
		ctx, _ := start(t, kit, runrecord.Task{})
		ctx, cancel := context.WithTimeout(ctx, time.Second)
		defer cancel()
		require.Equal(t, fault.ReasonTimeout, get.Invoke(ctx, acme).Outcome.Reason(), "the breaker has counted none of them")
	})
}

func TestAResultThatArrivedIsKept(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		kit := single()
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Timeout: time.Second,
			Call: func(context.Context, query) (invoice, error) {
				time.Sleep(time.Minute) // deaf to its context
				return invoice{"INV-1", 1}, nil
			}})
		ctx, _ := start(t, kit, runrecord.Task{})
		ctx, cancel := context.WithTimeout(ctx, 2*time.Second)
		defer cancel()
		res := get.Invoke(ctx, acme)
		require.True(t, res.Outcome.OK())
		require.Equal(t, "INV-1", res.Value.ID)
	})
}

func TestAnIsolatedFunctionIsLeftBehindAndCounted(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		kit := single()
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Timeout: time.Second, Isolate: true,
			Call: func(_ context.Context, q query) (invoice, error) {
				switch q.Year {
				case 1:
					<-release
				case 2:
					panic("boom")
				case 3:
					runtime.Goexit()
				}
				return invoice{"INV-1", 1}, nil
			}})
		ctx, _ := start(t, kit, runrecord.Task{})
		res := get.Invoke(ctx, query{"ACME", 0})
		require.Equal(t, "INV-1", res.Value.ID)
		res = get.Invoke(ctx, query{"ACME", 1})
		require.Equal(t, fault.ReasonTimeout, res.Outcome.Reason())
		require.Equal(t, 1, kit.Abandoned())
		close(release)
		synctest.Wait()
		require.Zero(t, kit.Abandoned())
		require.False(t, get.Invoke(ctx, query{"ACME", 2}).Outcome.OK())
		require.False(t, get.Invoke(ctx, query{"ACME", 3}).Outcome.OK())
	})
}

func TestAPanicEndsTheCallAndNothingElse(t *testing.T) {
	t.Parallel()
	kit := single()
	secret := "password=hunter2"
	get := read(kit, "get", func(context.Context, query) (invoice, error) { panic(secret) })
	pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "pay", Effect: fault.Write,
		Call: func(context.Context, query) (invoice, error) { panic(secret) }})
	ctx, run := start(t, kit, runrecord.Task{Key: "ticket-1"})
	res := get.Invoke(ctx, acme)
	require.Equal(t, fault.KindFailed, res.Outcome.Kind)
	var p *toolkit.PanicError
	require.ErrorAs(t, res.Err(), &p)
	require.Equal(t, secret, p.Value)
	require.Contains(t, string(p.Stack), "timeout_test.go")
	require.NotContains(t, res.String(), "hunter2")
	recorded := run.Calls()[0].Detail.Error
	require.NotContains(t, recorded, "hunter2")
	require.Contains(t, recorded, "the tool panicked with a string")
	require.Regexp(t, `TestAPanicEndsTheCallAndNothingElse\.func1 \(timeout_test\.go:\d+\)`, recorded, "where to look for the bug")
	require.Equal(t, fault.KindUnknown, pay.Invoke(ctx, acme).Outcome.Kind, "nobody knows how far it came")
}

func TestAGoroutineThatIsEndedLeavesItsRecord(t *testing.T) {
	t.Parallel()
	kit := single()
	get := read(kit, "get", func(context.Context, query) (invoice, error) { runtime.Goexit(); return invoice{}, nil })
	ctx, run := start(t, kit, runrecord.Task{})
	var gone sync.WaitGroup
	gone.Go(func() { get.Invoke(ctx, acme) })
	gone.Wait()
	require.Len(t, run.Calls(), 1)
	require.Equal(t, fault.KindFailed, run.Calls()[0].Kind)
	require.Equal(t, fault.ReasonPanic, run.Calls()[0].Reason)
}

func TestACallbackThatPanicsEndsTheCall(t *testing.T) {
	t.Parallel()
	kit := single()
	get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Call: lookUp,
		Part: func(query) string { panic("boom") }})
	ctx, run := start(t, kit, runrecord.Task{})
	require.Equal(t, fault.KindNotRun, get.Invoke(ctx, acme).Outcome.Kind)
	require.Len(t, run.Calls(), 1)
}

func TestSuccessesUnderOneLongLivedContextLeaveNothing(t *testing.T) {
	kit := toolkit.New(toolkit.Config{KeepCalls: 16})
	get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Timeout: time.Hour, Call: lookUp})
	parent, cancel := context.WithCancel(context.Background())
	defer cancel()
	ctx, run, err := kit.Start(parent, runrecord.Task{})
	require.NoError(t, err)
	defer run.End()
	inUse := func() uint64 {
		var m runtime.MemStats
		runtime.GC()
		runtime.ReadMemStats(&m)
		return m.HeapAlloc
	}
	for range 100 {
		get.Invoke(ctx, acme)
	}
	before := inUse()
	for range 10_000 {
		get.Invoke(ctx, acme)
	}
	require.Less(t, int64(inUse())-int64(before), int64(256<<10), "about 700 B a call would be 7 MB")
}

// A service that refused in the last moment has refused: nobody is asked whether
// it was done. An answer that only says that time was up is no such answer.
func TestAnAnswerThatCameWithTheEndOfTimeIsKept(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		err    error
		kind   fault.Kind
		reason fault.Reason
	}{
		{&toolkit.HTTPError{Status: 402}, fault.KindFailed, fault.ReasonPaymentRequired},
		{fmt.Errorf("pay: %w", &toolkit.HTTPError{Status: 404}), fault.KindFailed, fault.ReasonNotFound},
		{&toolkit.HTTPError{Status: 408}, fault.KindUnknown, fault.ReasonTimeout},
		{errors.New("interrupted"), fault.KindUnknown, fault.ReasonTimeout},
	} {
		synctest.Test(t, func(t *testing.T) {
			kit := toolkit.New(toolkit.Config{})
			pay := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
				Name: "pay", Effect: fault.Write, Timeout: time.Second, KeyOf: func(q query) string { return q.Customer },
				Call: func(ctx context.Context, _ query) (invoice, error) {
					<-ctx.Done()
					return invoice{}, tt.err
				},
			})
			o := pay.Invoke(t.Context(), acme).Outcome
			require.Equal(t, tt.kind, o.Kind, "%v", tt.err)
			require.Equal(t, tt.reason, o.Reason(), "%v", tt.err)
		})
	}
}
