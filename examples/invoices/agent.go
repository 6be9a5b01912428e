package main

import (
	"context"
	"encoding/json"
	"fmt"
	"strings"
)

// The agent of the story is a script, so that the demonstration is the same on
// every machine and needs no model provider. It does what models do: it asks
// its tool, asks again in other words when the answer looks odd, gives the tool
// up, and then writes about all customers with the same confidence.

// lookup is the agent's one tool as the loop hands it over: the text that comes
// back is all that the agent sees.
type lookup func(ctx context.Context, customer string) string

var customers = []string{"Acme", "Birch", "Cedar", "Dogwood"}

// answer works through the customers and returns the agent's draft.
func answer(ctx context.Context, ask lookup) string {
	var lines []string
	for _, customer := range customers {
		text := ask(ctx, customer)
		if total, ok := readTotal(text); ok {
			lines = append(lines, fmt.Sprintf("%s owes %.2f", customer, total))
			continue
		}
		// The model does not know that the tool is dead. It tries another
		// phrasing, as if the service had disliked the first one.
		if total, ok := readTotal(ask(ctx, customer+" Ltd")); ok {
			lines = append(lines, fmt.Sprintf("%s owes %.2f", customer, total))
			continue
		}
		lines = append(lines, customer+" has no open invoices") // a guess, told as a fact
	}
	return "Here is the overview you asked for: " + strings.Join(lines, "; ") + "."
}

// readTotal adds up a list of invoices; anything else is "not helpful".
func readTotal(text string) (float64, bool) {
	var invoices []Invoice
	if err := json.NewDecoder(strings.NewReader(text)).Decode(&invoices); err != nil {
		return 0, false
	}
	total := 0.0
	for _, invoice := range invoices {
		total += invoice.Amount
	}
	return total, true
}
