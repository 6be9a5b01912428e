package idempotency_test

import (
	"context"
	"encoding/json"
	"fmt"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// A payment whose reply is lost is in doubt: nothing is started for it until it
// is known what became of it.
func Example() {
	ctx := context.Background()
	ledger, err := idempotency.New(idempotency.Config{Settle: -1})
	if err != nil {
		fmt.Println(err)
		return
	}
	key, err := idempotency.Derive(ctx, idempotency.Piece{Tool: "pay_invoice", Keyed: true, Business: "INV-4711"})
	if err != nil {
		fmt.Println(err)
		return
	}
	pay := idempotency.Intent{Key: key, Effect: fault.Write, Args: json.RawMessage(`{"amount": 10}`), Dispatch: true}

	claim, _ := ledger.Claim(ctx, pay)
	fmt.Println("first claim:", claim.Answer)
	_ = claim.Doubt(ctx, idempotency.Trouble{Reason: fault.ReasonTimeout})

	claim, _ = ledger.Claim(ctx, pay)
	fmt.Println("after the reply was lost:", claim.Answer)

	_, _ = ledger.Check(ctx, claim.Row, idempotency.Done, json.RawMessage(`{"receipt":"R-1"}`), "")
	claim, _ = ledger.Claim(ctx, pay)
	fmt.Println("after a look at the bank:", claim.Answer, string(claim.Result))
	// Output:
	// first claim: execute
	// after the reply was lost: in_doubt
	// after a look at the bank: replay {"receipt":"R-1"}
}
