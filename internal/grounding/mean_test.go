package grounding_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// The same field of several results has a mean as it has a sum.
func TestMeanOfOneFieldOfSeveralResults(t *testing.T) {
	months := []string{`{"usd":4120.4}`, `{"usd":3980.1}`, `{"usd":4399.5}`}
	require.Equal(t, []grounding.Verdict{derived, derived}, check("You spent $12,500.00, about $4,166.67 a month.", months...))
	require.Equal(t, []grounding.Verdict{derived, unsupported}, check("You spent $12,500.00, about $4,616.67 a month.", months...))
	require.Equal(t, []grounding.Verdict{unsupported}, check("You spent $4,166.67 a month.", `{"usd":4120.4}`, `{"hours":3980.1}`, `{"usd":4399.5}`))
}
