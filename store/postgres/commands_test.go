package postgres_test

import (
	"encoding/json"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// payment is the intent of the scenarios: a write that cannot be repeated.
func payment(invoice string) idempotency.Intent {
	return idempotency.Intent{
		Key:    idempotency.Key{Tool: "pay_invoice", Intent: "key:" + invoice},
		Effect: fault.Write, Args: json.RawMessage(`{"invoice":"` + invoice + `"}`), Dispatch: true,
	}
}

// acquire is a claim of a piece of work, as the ledger sends it.
func acquire(name, attempt string, lease time.Duration) (id string, cmd idempotency.Acquire) {
	key := idempotency.Key{Tool: "pay_invoice", Intent: "key:" + name}
	return key.ID(), idempotency.Acquire{Attempt: attempt, Lease: lease, Dispatch: true, Request: idempotency.Request{
		Key: key, Effect: fault.Write, Args: json.RawMessage(`{"a":1}`), Fingerprint: "f",
	}}
}

var receipt = json.RawMessage(`{"receipt":"R-1"}`)

func complete(epoch int64) idempotency.Complete {
	return idempotency.Complete{Epoch: epoch, Result: receipt, Size: len(receipt)}
}
