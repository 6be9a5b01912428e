package breaker_test

import (
	"runtime"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/breaker"
)

// call asks for a ticket and hands it back at once.
func call(t require.TestingT, b *breaker.Breaker, r breaker.Result) {
	ticket, err := b.Allow()
	require.NoError(t, err)
	ticket.Done(r, time.Now())
}

// opened returns a breaker that has just opened.
func opened(t *testing.T) *breaker.Breaker {
	t.Helper()
	b := breaker.New(breaker.Config{})
	for range 10 {
		call(t, b, breaker.Failure)
	}
	require.Equal(t, "open", b.String())
	return b
}

func TestOpensAboveHalfOfTenCalls(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name               string
		successes, failed  int
		neutral            int
		open               bool
		before             time.Duration // the first call
		pause              time.Duration // between the successes and the failures
		betweenEachFailure time.Duration
	}{
		{name: "nine failures are too few to tell", failed: 9},
		{name: "ten failures", failed: 10, open: true},
		{name: "exactly half", successes: 10, failed: 10},
		{name: "one more than half", successes: 10, failed: 11, open: true},
		{name: "neutral calls count for nothing", failed: 9, neutral: 50},
		{name: "neutral calls reset nothing", failed: 10, neutral: 50, open: true},
		{name: "successes of long ago are forgotten", successes: 100, failed: 10, pause: 61 * time.Second, open: true},
		{name: "successes count however long it has been in use", successes: 10, failed: 10, before: time.Hour},
		{name: "failures far apart", failed: 20, betweenEachFailure: 15 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				b := breaker.New(breaker.Config{})
				time.Sleep(tt.before)
				for range tt.successes {
					call(t, b, breaker.Success)
				}
				time.Sleep(tt.pause)
				for range tt.neutral {
					call(t, b, breaker.Neutral)
				}
				for range tt.failed {
					call(t, b, breaker.Failure)
					time.Sleep(tt.betweenEachFailure)
				}
				_, open := b.Open()
				require.Equal(t, tt.open, open)
			})
		})
	}
}

func TestOpenRefusesAndSaysForHowLong(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := opened(t)
		time.Sleep(10 * time.Second)
		_, err := b.Allow()
		require.ErrorIs(t, err, breaker.ErrOpen)
		var refusal *breaker.OpenError
		require.ErrorAs(t, err, &refusal)
		require.InDelta(t, 20, refusal.After.Seconds(), 0.01)
	})
}

func TestOneProbeDecides(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		result breaker.Result
		state  string
	}{{breaker.Success, "closed"}, {breaker.Failure, "open"}} {
		synctest.Test(t, func(t *testing.T) {
			b := opened(t)
			time.Sleep(31 * time.Second)
			probe, err := b.Allow()
			require.NoError(t, err)
			_, err = b.Allow()
			require.ErrorIs(t, err, breaker.ErrOpen, "a second call beside the probe")
			probe.Done(tt.result, time.Now())
			require.Equal(t, tt.state, b.String())
		})
	}
}

func TestANeutralProbeLeavesItsPlaceToTheNext(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := opened(t)
		time.Sleep(31 * time.Second)
		for range 5 {
			call(t, b, breaker.Neutral)
			require.Equal(t, "half-open", b.String())
		}
		call(t, b, breaker.Success)
		require.Equal(t, "closed", b.String())
	})
}

func TestALateResultOfBeforeIsIgnored(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := breaker.New(breaker.Config{})
		slowFailure, err := b.Allow()
		require.NoError(t, err)
		for range 10 {
			call(t, b, breaker.Failure)
		}
		time.Sleep(31 * time.Second)
		require.Equal(t, "half-open", b.String())
		slowFailure.Done(breaker.Failure, time.Now())
		require.Equal(t, "half-open", b.String(), "it says nothing about now, and takes no probe")
		call(t, b, breaker.Success)
		require.Equal(t, "closed", b.String())
	})
}

func TestClosedAgainItStartsToCountAfresh(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		b := opened(t)
		time.Sleep(31 * time.Second)
		call(t, b, breaker.Success)
		for range 9 {
			call(t, b, breaker.Failure)
		}
		require.Equal(t, "closed", b.String())
		call(t, b, breaker.Failure)
		require.Equal(t, "open", b.String())
	})
}

func TestManyGoroutinesLoseNoCount(t *testing.T) {
	t.Parallel()
	b := breaker.New(breaker.Config{Window: time.Hour})
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			for range 1000 {
				ticket, err := b.Allow()
				if err == nil {
					ticket.Done(breaker.Success, time.Now())
				}
				runtime.Gosched()
			}
		})
	}
	all.Wait()
	for range 16000 { // exactly half
		call(t, b, breaker.Failure)
	}
	require.Equal(t, "closed", b.String())
	call(t, b, breaker.Failure)
	require.Equal(t, "open", b.String())
}

func TestStatesFollowTheRules(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(rt *rapid.T) {
		steps := rapid.SliceOfN(rapid.IntRange(0, 3), 1, 200).Draw(rt, "steps")
		synctest.Test(t, func(t *testing.T) {
			b := breaker.New(breaker.Config{MinCalls: 3, OpenFor: 10 * time.Second})
			for _, step := range steps {
				before := b.String()
				if step == 3 {
					time.Sleep(11 * time.Second)
					continue
				}
				ticket, err := b.Allow()
				if before == "open" {
					require.ErrorIs(t, err, breaker.ErrOpen)
					continue
				}
				require.NoError(t, err)
				ticket.Done(breaker.Result(step), time.Now())
				switch after := b.String(); {
				case before == "half-open" && step == int(breaker.Success):
					require.Equal(t, "closed", after)
				case before == "half-open" && step == int(breaker.Failure):
					require.Equal(t, "open", after)
				case before == "half-open":
					require.Equal(t, "half-open", after)
				case step != int(breaker.Failure):
					require.Equal(t, "closed", after, "only a failure opens it")
				}
			}
		})
	})
}

func TestASuccessDoesNotAllocate(t *testing.T) {
	b := breaker.New(breaker.Config{})
	require.Zero(t, testing.AllocsPerRun(100, func() { call(t, b, breaker.Success) }))
}

func TestConfigThatCannotWorkIsNamed(t *testing.T) {
	t.Parallel()
	for _, c := range []breaker.Config{{Ratio: -1}, {Ratio: 1}, {MinCalls: -1}, {Window: -1}, {OpenFor: -1}} {
		require.Error(t, c.Validate(), "%+v", c)
	}
	require.NoError(t, breaker.Config{}.Validate())
}

func BenchmarkSuccess(b *testing.B) {
	br := breaker.New(breaker.Config{})
	b.ReportAllocs()
	for b.Loop() {
		ticket, _ := br.Allow()
		ticket.Done(breaker.Success, time.Now())
	}
}
