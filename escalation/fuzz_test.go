package escalation_test

import (
	"errors"
	"testing"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
)

// FuzzCaseID: the id of a case comes back from pagers, mails and forms. Any text
// but the case's own id is no case, and decides nothing.
func FuzzCaseID(f *testing.F) {
	const row = "0123456789abcdef0123456789abcdef"
	for _, seed := range []string{"", "-", "-1", row, row + "-", row + "-1", row + "--1", row + "-01", row + "-9223372036854775808", "a-b-1", "\x00-1"} {
		f.Add(seed)
	}
	ledger, err := idempotency.New(idempotency.Config{Settle: -1})
	if err != nil {
		f.Fatal(err)
	}
	desk, err := escalation.New(escalation.Config{Ledger: ledger})
	if err != nil {
		f.Fatal(err)
	}
	opened := doubted(f, ledger, desk)
	f.Fuzz(func(t *testing.T, id string) {
		if id == opened.ID {
			return
		}
		if _, err := desk.Case(t.Context(), id); !errors.Is(err, escalation.ErrNoCase) {
			t.Fatalf("%q: %v", id, err)
		}
		decision := opened.Decide(idempotency.WentThrough, "maria")
		decision.Case = id
		if _, err := desk.Resolve(t.Context(), decision); err == nil {
			t.Fatalf("%q was decided", id)
		}
		if still, err := desk.Case(t.Context(), opened.ID); err != nil || still.Status != escalation.Open {
			t.Fatalf("%q decided another case: %v, %v", id, still.Status, err)
		}
	})
}
