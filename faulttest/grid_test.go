package faulttest_test

import (
	"context"
	"strings"
	"testing"
	"time"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
)

func TestTheGridCoversEveryCorner(t *testing.T) {
	t.Parallel()
	names := map[string]bool{}
	corners := map[[3]bool]int{}
	for _, c := range faulttest.Grid() {
		require.False(t, names[c.Name], "%s is there twice", c.Name)
		names[c.Name] = true
		corners[[3]bool{c.Implicit, c.Permanent, c.AfterEffect}]++
	}
	require.Len(t, corners, 8, "implicit × permanent × after the effect")
	require.Contains(t, names, "reset-after-effect/transient")
	require.Contains(t, names, "login-page/permanent")
	require.Equal(t, fault.Rules{}, faulttest.LoginPage().Rules(), "visible without a rule")
	require.NotEqual(t, fault.Rules{}, faulttest.Empty().Rules())
	require.NotEqual(t, fault.Rules{}, faulttest.WrongType().Rules())
}

// TestEveryCellDoesWhatItSays runs the whole grid against both faces of the kit:
// a naive caller that repeats until it is told of success. The service knows
// what happened, and that is what the cell says.
func TestEveryCellDoesWhatItSays(t *testing.T) {
	t.Parallel()
	for _, cell := range faulttest.Grid() {
		t.Run(cell.Name, func(t *testing.T) {
			t.Parallel()
			s := faulttest.NewServer(t, faulttest.Config{})
			s.Script("POST /pay", cell.Plan(2))
			tool := faulttest.Tool(pay, cell.Plan(2))
			silent := strings.HasPrefix(cell.Name, "hang") || strings.HasPrefix(cell.Name, "slow-body")
			told := 0
			for i := range 4 {
				ctx, cancel := context.WithTimeout(t.Context(), 20*time.Second)
				if silent && (cell.Permanent || i < 2) {
					cancel() // of the tool; the service has to get its request first
					abandon(t, s, "POST", "/pay", payment)
				} else if r := doCtx(t, ctx, s, "POST", "/pay", payment); r.err == nil && r.status == 201 {
					told++
				}
				_, _ = tool.Call(ctx, "inv-1")
				cancel()
			}
			effects, successes := 0, 0
			if !cell.Permanent {
				effects, successes = 2, 2
			}
			if cell.AfterEffect {
				effects = 4
			}
			require.Equal(t, successes, told)
			require.Equal(t, effects, s.Effects("inv-1"))
			require.Equal(t, effects, tool.Effects("inv-1"))
			require.Equal(t, 4, s.Requests("POST /pay"))
			require.Equal(t, 4, tool.Calls())
		})
	}
}
