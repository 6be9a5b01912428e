package backoff_test

import (
	"math"
	"testing"
	"time"

	"github.com/stretchr/testify/require"
	"pgregory.net/rapid"

	"github.com/failloud/failloud/internal/backoff"
)

func TestDelaysOfThePresets(t *testing.T) {
	t.Parallel()
	for _, tt := range []struct {
		name        string
		policy      backoff.Policy
		failed      int
		least, most time.Duration
	}{
		{"tool, first", backoff.Tool, 1, time.Second, 2 * time.Second},
		{"tool, second", backoff.Tool, 2, 2 * time.Second, 3 * time.Second},
		{"tool, far", backoff.Tool, 50, 30 * time.Second, 31 * time.Second},
		{"zero value is tool", backoff.Policy{}, 2, 2 * time.Second, 3 * time.Second},
		{"gentle, third", backoff.Gentle, 3, 4 * time.Second, 4400 * time.Millisecond},
		{"model, first", backoff.Model, 1, 5 * time.Second, 7500 * time.Millisecond},
		{"model, far", backoff.Model, 9, 120 * time.Second, 180 * time.Second},
		{"never asked for zero attempts", backoff.Tool, 0, time.Second, 2 * time.Second},
	} {
		t.Run(tt.name, func(t *testing.T) {
			t.Parallel()
			require.Equal(t, tt.least, tt.policy.Delay(tt.failed, 0))
			top := tt.policy.Delay(tt.failed, math.Nextafter(1, 0))
			require.InDelta(t, float64(tt.most), float64(top), float64(time.Microsecond))
		})
	}
}

func TestADelayNeverOverflowsAndNeverShrinks(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		p := backoff.Policy{
			Base:   time.Duration(rapid.Int64Range(1, int64(time.Hour)).Draw(t, "base")),
			Max:    time.Duration(rapid.Int64Range(1, int64(24*time.Hour)).Draw(t, "max")),
			Jitter: time.Duration(rapid.Int64Range(0, int64(time.Minute)).Draw(t, "jitter")),
			Spread: rapid.Float64Range(0, 1).Draw(t, "spread"),
		}
		random := rapid.Float64Range(0, 0.999).Draw(t, "random")
		n := rapid.IntRange(1, 1000).Draw(t, "failed")
		require.NoError(t, p.Validate())
		require.Positive(t, p.Delay(n, random))
		require.GreaterOrEqual(t, p.Delay(n+1, random), p.Delay(n, random))
	})
}

func TestValidateRefusesWhatCannotBeWaited(t *testing.T) {
	t.Parallel()
	for _, p := range []backoff.Policy{{Base: -1}, {Max: -1}, {Jitter: -1}, {Spread: -0.1}, {Spread: 2}, {Spread: math.NaN()}} {
		require.Error(t, p.Validate(), "%+v", p)
	}
	require.NoError(t, backoff.Policy{}.Validate())
}
