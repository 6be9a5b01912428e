package toolkit_test

import (
	"context"
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

// inside runs f as the function of a tool with a timeout of five seconds, and
// returns the context that it was given.
func inside(t *testing.T, parent context.Context, f func(ctx context.Context)) context.Context {
	t.Helper()
	var given context.Context
	kit := single()
	get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get", Effect: fault.Read, Timeout: 5 * time.Second,
		Call: func(ctx context.Context, _ query) (invoice, error) {
			given = ctx
			f(ctx)
			return invoice{}, ctx.Err()
		}})
	ctx, run, err := kit.Start(parent, runrecord.Task{})
	require.NoError(t, err)
	defer run.End()
	get.Invoke(ctx, acme)
	return given
}

type flavour struct{}

// The timeout of a call is a context like any other, however it is looked at.
func TestTheContextOfACall(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		use  func(t *testing.T, ctx context.Context)
	}{
		{"has the deadline", func(t *testing.T, ctx context.Context) {
			deadline, ok := ctx.Deadline()
			require.True(t, ok)
			require.Equal(t, 5*time.Second, time.Until(deadline))
		}},
		{"has the values of the caller", func(t *testing.T, ctx context.Context) {
			require.Equal(t, "lemon", ctx.Value(flavour{}))
			<-ctx.Done()
			require.Equal(t, "lemon", ctx.Value(flavour{}))
		}},
		{"ends by itself for a function that waits", func(t *testing.T, ctx context.Context) {
			began := time.Now()
			<-ctx.Done()
			require.Equal(t, 5*time.Second, time.Since(began))
			require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
			require.ErrorIs(t, context.Cause(ctx), context.DeadlineExceeded)
		}},
		{"ends for a function that only looks", func(t *testing.T, ctx context.Context) {
			began := time.Now()
			for ctx.Err() == nil {
				time.Sleep(time.Second)
			}
			require.Equal(t, 5*time.Second, time.Since(began))
			require.ErrorIs(t, ctx.Err(), context.DeadlineExceeded)
			<-ctx.Done()
		}},
		{"ends the contexts derived from it, without a goroutine each", func(t *testing.T, ctx context.Context) {
			before := runtime.NumGoroutine()
			var children []context.Context
			for range 100 {
				child, cancel := context.WithCancel(context.WithValue(ctx, flavour{}, "mint"))
				t.Cleanup(cancel)
				children = append(children, child)
			}
			require.Less(t, runtime.NumGoroutine(), before+50)
			for _, child := range children {
				<-child.Done()
				require.ErrorIs(t, child.Err(), context.DeadlineExceeded)
			}
		}},
		{"calls what was asked for at its end", func(t *testing.T, ctx context.Context) {
			called := make(chan struct{})
			context.AfterFunc(ctx, func() { close(called) })
			<-called
			require.Error(t, ctx.Err())
		}},
		{"is one, for many goroutines", func(t *testing.T, ctx context.Context) {
			var all sync.WaitGroup
			first := ctx.Done()
			for range 20 {
				all.Go(func() {
					require.Equal(t, first, ctx.Done())
					<-ctx.Done()
				})
			}
			all.Wait()
		}},
		{"is not looked at", func(*testing.T, context.Context) {}},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				parent, cancel := context.WithCancel(context.WithValue(t.Context(), flavour{}, "lemon"))
				defer cancel()
				given := inside(t, parent, func(ctx context.Context) { tt.use(t, ctx) })
				// Whoever keeps it finds it over.
				<-given.Done()
				require.Error(t, given.Err())
				late, cancel := context.WithCancel(given)
				defer cancel()
				require.Error(t, late.Err())
				require.Equal(t, "lemon", given.Value(flavour{}))
			})
		})
	}
}

func TestTheCallersCancellationReachesACallWithATimeout(t *testing.T) {
	t.Parallel()
	for _, waits := range []bool{true, false} {
		synctest.Test(t, func(t *testing.T) {
			parent, cancel := context.WithCancel(t.Context())
			time.AfterFunc(time.Second, cancel)
			inside(t, parent, func(ctx context.Context) {
				if waits {
					<-ctx.Done()
				} else {
					time.Sleep(2 * time.Second)
				}
				require.ErrorIs(t, ctx.Err(), context.Canceled)
			})
		})
	}
}

// A judge that is asked within a call has to know that this call cannot have
// ended; the run of a sub-agent that the call starts is not within it.
func TestAFunctionIsWithinACallOfItsRun(t *testing.T) {
	kit := toolkit.New(toolkit.Config{})
	tool := toolkit.Wrap(kit, toolkit.Tool[query, bool]{Name: "ask", Effect: fault.Read, Timeout: time.Minute, Call: func(ctx context.Context, _ query) (bool, error) {
		run := runrecord.FromContext(ctx)
		child, sub, err := kit.Start(ctx, runrecord.Task{})
		if err != nil {
			return false, err
		}
		defer sub.End()
		return runrecord.InCall(ctx, run) && !runrecord.InCall(child, sub) && !runrecord.InCall(ctx, sub), nil
	}})
	ctx, run, err := kit.Start(t.Context(), runrecord.Task{})
	require.NoError(t, err)
	defer run.End()
	require.True(t, tool.Invoke(ctx, acme).Value)
	require.False(t, runrecord.InCall(ctx, run))
	require.False(t, runrecord.InCall(t.Context(), nil))
}
