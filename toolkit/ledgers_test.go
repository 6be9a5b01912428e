package toolkit_test

import (
	"testing"
	"testing/synctest"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/idempotency"
)

// stores are those that the scenarios of approval, deferral and recovery run on. A
// new one is tested with the whole toolkit by a line here.
var stores = map[string]func(t *testing.T) idempotency.Store{
	"memory":   func(*testing.T) idempotency.Store { return idempotency.NewMemory() },
	"untaking": func(*testing.T) idempotency.Store { return untaking{idempotency.NewMemory()} },
}

// untaking is a store that lists, and cannot hand rows out.
type untaking struct{ *idempotency.Memory }

func (untaking) Take() {}

// ledgers runs a scenario on every store, in a bubble of time of its own. open
// makes a further ledger on the same rows, as another process has it.
func ledgers(t *testing.T, scenario func(t *testing.T, open func() *idempotency.Ledger)) {
	t.Parallel()
	for name, store := range stores {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				rows := store(t)
				scenario(t, func() *idempotency.Ledger {
					ledger, err := idempotency.New(idempotency.Config{Store: rows})
					require.NoError(t, err)
					return ledger
				})
			})
		})
	}
}
