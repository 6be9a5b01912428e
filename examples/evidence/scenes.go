package main

import (
	"encoding/json"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/toolkit"
)

// scene is one run: what the user asks, what the agent calls, and what it then
// wants to say.
type scene struct {
	title    string
	guard    *guard.Guard
	question string
	calls    []toolkit.Request
	draft    string
}

const (
	costs = "My budget is 300 USD. What does my stay at the Lotus cost?"
	send  = "Send the confirmation of my stay to ana@example.com."

	// Of the tool's result: the booking with two digits exchanged, and twice the
	// price of a night. Of the question: 300. Of nothing: the tax.
	invented = "Booking RX-40781: two nights cost 237.00 USD, and the city tax is 14.20 USD. That is within your 300 USD."
	claimed  = "I have sent the confirmation of RX-40718 to ana@example.com."
)

func scenes() []scene {
	call := func(tool, args string) toolkit.Request {
		return toolkit.Request{Name: tool, Args: json.RawMessage(args)}
	}
	lookup := call("get_booking", `{"hotel":"Lotus"}`)
	mail := call("outbox", `{"to":"ana@example.com","booking":"RX-40718"}`)
	return []scene{
		{"an invented figure: by default it is reported, and the draft leaves",
			guard.New(), costs, []toolkit.Request{lookup}, invented},
		{"the same, where step 6 asks for a sentence",
			guard.New(guard.OnStep(guard.StepSources, guard.PolicyDisclose)), costs, []toolkit.Request{lookup}, invented},
		{"the tax is declared to be known, and the booking is right",
			guard.New(guard.Known("City tax for two nights: 14.20 USD.")), costs, []toolkit.Request{lookup},
			"Booking RX-40718: two nights cost 237.00 USD, and the city tax is 14.20 USD."},
		{"an action that was claimed and never done",
			guard.New(), send, []toolkit.Request{lookup}, claimed},
		{"the same in report mode",
			guard.New(guard.Report()), send, []toolkit.Request{lookup}, claimed},
		{"the same words, and it was done",
			guard.New(), send, []toolkit.Request{lookup, mail}, claimed},
	}
}
