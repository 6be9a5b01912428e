package main

import (
	"context"
	"fmt"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// rateQuery is what the model may ask. The schema of the arguments is made from
// it, and arguments that do not fit never reach the function.
type rateQuery struct {
	Currency string `json:"currency" jsonschema:"three letters, such as VND"`
}

var rates = map[string]float64{"EUR": 0.92, "VND": 26_300}

// exchangeRate is any function of yours. Its errors are classified as they are;
// it may say more about one where it knows more.
func exchangeRate(_ context.Context, q rateQuery) (float64, error) {
	rate, ok := rates[q.Currency]
	if !ok {
		return 0, &fault.Fault{
			Reason: fault.ReasonNotFound, Action: fault.FailFast, Ran: fault.RanNo, Correctable: true,
			Err: fmt.Errorf("no rate for %q", q.Currency),
		}
	}
	return rate, nil
}

// wrapFunction: a name, an effect and the function are enough.
func wrapFunction(kit *toolkit.Kit) {
	toolkit.Wrap(kit, toolkit.Tool[rateQuery, float64]{
		Name: "get_rate", Effect: fault.Read, Call: exchangeRate,
	})
}
