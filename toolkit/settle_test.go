package toolkit_test

import (
	"context"
	"math"
	"strings"
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// awkward is what a ledger cannot always give back.
type awkward struct {
	Text   string
	Ratio  float64
	Any    any
	hidden string
}

func TestTheValueOfACheckReachesItsCallerAsItWasFound(t *testing.T) {
	t.Parallel()
	for name, found := range map[string]awkward{
		"larger than the ledger keeps":   {Text: strings.Repeat("x", 70<<10)},
		"no number of JSON":              {Ratio: math.Inf(1)},
		"a field that JSON does not see": {hidden: "7"},
		"an integer beyond a float":      {Any: int64(9007199254740993)},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				pay := toolkit.Wrap(toolkit.New(toolkit.Config{}), toolkit.Tool[payment, awkward]{
					Name: "pay", Effect: fault.Write, KeyOf: func(p payment) string { return p.Invoice },
					Call: func(context.Context, payment) (awkward, error) { return awkward{}, noAnswer() },
					Check: func(context.Context, payment) (toolkit.Checked[awkward], error) {
						return toolkit.Checked[awkward]{Happened: toolkit.Done, Result: found}, nil
					},
				})
				res := pay.Invoke(t.Context(), payment{Invoice: "4711"})
				require.Equal(t, fault.KindOK, res.Outcome.Kind)
				require.Equal(t, found, res.Value)
				require.Zero(t, res.Outcome.Qualifiers)
			})
		})
	}
}
