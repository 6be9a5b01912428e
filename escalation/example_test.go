package escalation_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// Somebody looks at the bank's site and says that the payment went through.
func Example() {
	ctx := context.Background()
	ledger, err := idempotency.New(idempotency.Config{})
	if err != nil {
		fmt.Println(err)
		return
	}
	desk, err := escalation.New(escalation.Config{Ledger: ledger})
	if err != nil {
		fmt.Println(err)
		return
	}
	pay := idempotency.Intent{
		Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:INV-4711"}, Effect: fault.Write,
		Args: json.RawMessage(`{"amount":10}`), Dispatch: true,
	}
	claim, _ := ledger.Claim(ctx, pay)
	_ = claim.Doubt(ctx, idempotency.Trouble{Reason: fault.ReasonTimeout})
	_, _, _ = ledger.Escalate(ctx, claim.Row, "the reply was lost and the tool has no Check", 0)

	cases, _ := desk.List(ctx, escalation.Filter{})
	c := cases[0]
	fmt.Println(c.Tool, c.BusinessKey, c.State, c.Attempts[0].Reason)
	for _, o := range c.Options {
		fmt.Println("-", o.Choice)
	}

	d := c.Decide(idempotency.WentThrough, "maria")
	d.Result = json.RawMessage(`{"receipt":"R-1"}`)
	c, err = desk.Resolve(ctx, d)
	fmt.Println(c.Status, err)

	claim, _ = ledger.Claim(ctx, pay)
	fmt.Println(claim.Answer, string(claim.Result))
	// Output:
	// pay_invoice INV-4711 escalated timeout
	// - went_through
	// - run_again
	// - give_up
	// - abort
	// decided <nil>
	// replay {"receipt":"R-1"}
}
