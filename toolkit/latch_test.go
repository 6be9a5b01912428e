package toolkit_test

import (
	"context"
	"errors"
	"runtime"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// service is a credential and something that wants the newest one.
type service struct {
	issued   atomic.Int32 // newest credential
	held     atomic.Int32 // the one that is sent
	refused  atomic.Int32
	refreshs atomic.Int32
}

func (s *service) call(context.Context, query) (invoice, error) {
	if s.held.Load() != s.issued.Load() {
		s.refused.Add(1)
		return invoice{}, refusedBy(fault.ReasonAuth, 401)
	}
	return invoice{"INV-1", 1200}, nil
}

func (s *service) refresh(context.Context) error {
	s.refreshs.Add(1)
	time.Sleep(100 * time.Millisecond)
	s.held.Store(s.issued.Load())
	return nil
}

func TestAnExpiredCredentialIsRefreshedOnce(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s service
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: s.refresh})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: crm, Call: s.call})
		ctx, _ := start(t, kit, runrecord.Task{})
		s.issued.Add(1)
		var all sync.WaitGroup
		for range 20 {
			all.Go(func() {
				res := get.Invoke(ctx, acme)
				require.True(t, res.Outcome.OK())
				require.Equal(t, 2, res.Attempts)
			})
		}
		all.Wait()
		require.EqualValues(t, 1, s.refreshs.Load(), "for all twenty")

		s.issued.Add(1) // it expires again, later in the same run
		require.True(t, get.Invoke(ctx, acme).Outcome.OK())
		require.EqualValues(t, 2, s.refreshs.Load())
	})
}

func TestAFailureOlderThanTheRefreshRefreshesNothing(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s service
		slow := func(ctx context.Context, q query) (invoice, error) {
			got, err := s.call(ctx, q)
			if q.Year == 1 && err != nil { // the refusal of the old credential takes its time
				time.Sleep(time.Minute)
			}
			return got, err
		}
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: s.refresh})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: crm, Call: slow})
		ctx, _ := start(t, kit, runrecord.Task{})
		s.issued.Add(1)
		var all sync.WaitGroup
		all.Go(func() { require.True(t, get.Invoke(ctx, query{"ACME", 1}).Outcome.OK()) })
		all.Go(func() { require.True(t, get.Invoke(ctx, query{"ACME", 2}).Outcome.OK()) })
		all.Wait()
		require.EqualValues(t, 2, s.refused.Load())
		require.EqualValues(t, 1, s.refreshs.Load())
	})
}

func TestARefreshThatDoesNotHelpEndsTheUpstreamForTheRun(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name     string
		refresh  func(context.Context) error
		attempts int
		recorded string // why there is no new credential
	}{
		{"there is none", nil, 1, ""},
		{"it fails", func(context.Context) error { return errors.New("the vault is sealed, password=hunter2") }, 1, "the vault is sealed"},
		{"it panics", func(context.Context) error { panic("no vault") }, 1, "the refresh hook panicked with a string: no vault"},
		{"it ends its goroutine", func(context.Context) error { runtime.Goexit(); return nil }, 1, "did not return"},
		{"the new one is refused, too", func(context.Context) error { return nil }, 2, ""},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: tt.refresh})
			kit := toolkit.New(toolkit.Config{})
			tool := ending(refusedBy(fault.ReasonAuth, 401))
			get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: crm, Call: tool.call})
			other := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_customer", Effect: fault.Read, Upstream: crm, Call: lookUp})
			alone := read(kit, "get_weather", lookUp)
			ctx, run := start(t, kit, runrecord.Task{})

			res := get.Invoke(ctx, acme)
			require.Equal(t, fault.ReasonAuth, res.Outcome.Reason())
			require.Equal(t, tt.attempts, res.Attempts)
			require.Equal(t, tt.recorded != "", errors.Is(res.Err(), toolkit.ErrRefresh))
			require.Contains(t, run.Calls()[0].Detail.Error, tt.recorded)
			require.NotContains(t, run.Calls()[0].Detail.Error, "hunter2")
			require.NotContains(t, res.String(), "vault")
			for range 2 {
				res = get.Invoke(ctx, acme)
				require.Equal(t, fault.KindNotRun, res.Outcome.Kind)
				require.Equal(t, fault.ReasonToolDead, res.Outcome.Reason())
				require.Contains(t, res.String(), "Do not call it again in this task")
			}
			require.EqualValues(t, tt.attempts, tool.entered.Load())
			require.Equal(t, fault.ReasonToolDead, other.Invoke(ctx, acme).Outcome.Reason(), "it shares the credential")
			require.True(t, alone.Invoke(ctx, acme).Outcome.OK())

			child, _, err := kit.Start(ctx, runrecord.Task{})
			require.NoError(t, err)
			require.Equal(t, fault.ReasonToolDead, other.Invoke(child, acme).Outcome.Reason(), "a sub-agent of the run")
			fresh, _ := start(t, kit, runrecord.Task{})
			require.True(t, other.Invoke(fresh, acme).Outcome.OK(), "another run looks for itself")
		})
	}
}

func TestWhatKillsAnUpstream(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name string
		end  error
		args []query
		dead bool
	}{
		{"an empty account", refusedBy(fault.ReasonBilling, 402), []query{{"A", 1}}, true},
		{"a used up quota", refusedBy(fault.ReasonQuota, 429), []query{{"A", 1}}, true},
		{"one forbidden record", refusedBy(fault.ReasonPermission, 403), []query{{"A", 1}}, false},
		{"the same record again", refusedBy(fault.ReasonPermission, 403), []query{{"A", 1}, {"A", 1}}, false},
		{"two forbidden records", refusedBy(fault.ReasonPermission, 403), []query{{"A", 1}, {"B", 1}}, true},
		{"a person's no", fault.Denied("not today"), []query{{"A", 1}, {"B", 1}}, false},
		{"not found", refusedBy(fault.ReasonNotFound, 404), []query{{"A", 1}, {"B", 1}}, false},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			kit := toolkit.New(toolkit.Config{})
			get := read(kit, "get_invoice", ending(tt.end).call)
			ctx, _ := start(t, kit, runrecord.Task{})
			for _, q := range tt.args {
				require.NotEqual(t, fault.ReasonToolDead, get.Invoke(ctx, q).Outcome.Reason())
			}
			last := get.Invoke(ctx, query{"C", 1})
			require.Equal(t, tt.dead, last.Outcome.Reason() == fault.ReasonToolDead)
		})
	}
}

func TestACallerWhoLeavesDoesNotEndTheRefreshOfTheOthers(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var s service
		crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm", Refresh: s.refresh})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: crm, Call: s.call})
		s.issued.Add(1)
		hasty, _ := start(t, kit, runrecord.Task{})
		hasty, cancel := context.WithCancel(hasty)
		patient, _ := start(t, kit, runrecord.Task{})
		var all sync.WaitGroup
		all.Go(func() { require.False(t, get.Invoke(hasty, acme).Outcome.OK()) })
		synctest.Wait()
		all.Go(func() { require.True(t, get.Invoke(patient, acme).Outcome.OK()) })
		cancel()
		all.Wait()
		require.EqualValues(t, 1, s.refreshs.Load())
	})
}

func TestTheLatchOfARunGoesWithTheRun(t *testing.T) {
	crm := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "crm"})
	kit := toolkit.New(toolkit.Config{})
	get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{Name: "get_invoice", Effect: fault.Read, Upstream: crm,
		Call: ending(refusedBy(fault.ReasonAuth, 401)).call})
	for range 100 {
		ctx, run, err := kit.Start(context.Background(), runrecord.Task{})
		require.NoError(t, err)
		get.Invoke(ctx, acme)
		run.End()
	}
	require.Eventually(t, func() bool { runtime.GC(); return toolkit.Latched(crm) <= 1 }, 10*time.Second, time.Millisecond)
}

// A hundred calls that come back with the same dead credential are told what the
// first refresh was: the hook is left alone for a while.
func TestAHookThatFailedIsLeftAlone(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var hooks atomic.Int32
		upstream := toolkit.NewUpstream(toolkit.UpstreamConfig{Name: "api", Refresh: func(context.Context) error {
			hooks.Add(1)
			return errors.New("vault sealed")
		}})
		kit := toolkit.New(toolkit.Config{})
		get := toolkit.Wrap(kit, toolkit.Tool[query, invoice]{
			Name: "get", Effect: fault.Read, Upstream: upstream,
			Call: func(_ context.Context, q query) (invoice, error) {
				time.Sleep(time.Duration(q.Year) * 10 * time.Millisecond)
				return invoice{}, refusedBy(fault.ReasonAuth, 401)
			},
		})
		var all sync.WaitGroup
		for i := range 100 {
			all.Go(func() {
				ctx, _ := start(t, kit, runrecord.Task{})
				res := get.Invoke(ctx, query{Customer: "ACME", Year: i})
				require.Equal(t, fault.ReasonAuth, res.Outcome.Reason())
				require.ErrorIs(t, res.Err(), toolkit.ErrRefresh)
			})
		}
		all.Wait()
		require.EqualValues(t, 1, hooks.Load())

		time.Sleep(time.Minute)
		ctx, _ := start(t, kit, runrecord.Task{})
		get.Invoke(ctx, acme)
		require.EqualValues(t, 2, hooks.Load(), "and then it is asked again")
	})
}
