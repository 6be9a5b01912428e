package idempotency_test

import (
	"testing"

	"go.uber.org/goleak"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/idempotency/idempotencytest"
)

func TestMain(m *testing.M) { goleak.VerifyTestMain(m) }

func TestMemoryStore(t *testing.T) {
	idempotencytest.Run(t, func(*testing.T) idempotency.Store { return idempotency.NewMemory() })
}

// plain hides the optional abilities: the ledger then polls.
type plain struct{ idempotency.Store }

func TestStoreWithoutOptionalAbilities(t *testing.T) {
	idempotencytest.Run(t, func(*testing.T) idempotency.Store { return plain{idempotency.NewMemory()} })
}
