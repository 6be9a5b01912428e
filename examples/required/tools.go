package main

import (
	"context"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/faulttest"
	"github.com/failloud/failloud/toolkit"
)

type customer struct {
	Customer string `json:"customer"`
}

type query struct {
	Query string `json:"query"`
}

// newKit wraps the agent's tools. The web search and the rates are down.
func newKit() *toolkit.Kit {
	kit := toolkit.New(toolkit.Config{MaxAttempts: 1}) // no retries, so that the example is quick
	toolkit.Wrap(kit, toolkit.Tool[customer, []int]{
		Name: "get_invoices", Effect: fault.Read,
		Call: func(_ context.Context, c customer) ([]int, error) {
			if c.Customer == "Acme" {
				return []int{1200}, nil
			}
			return nil, nil // owes nothing, which is an answer
		},
	})
	toolkit.Wrap(kit, toolkit.Tool[query, []string]{
		Name: "search_news", Effect: fault.Read,
		Call: func(context.Context, query) ([]string, error) { return []string{"lamps sell well"}, nil },
	})
	web := faulttest.Tool(func(context.Context, query) ([]string, error) { return nil, nil }, faulttest.Always(faulttest.Reset()))
	toolkit.Wrap(kit, toolkit.Tool[query, []string]{Name: "search_web", Effect: fault.Read, Call: web.Call})
	rates := faulttest.Tool(func(context.Context, struct{}) (float64, error) { return 1.09, nil }, faulttest.Always(faulttest.Status(503)))
	toolkit.Wrap(kit, toolkit.Tool[struct{}, float64]{Name: "get_rates", Effect: fault.Read, Call: rates.Call})
	return kit
}
