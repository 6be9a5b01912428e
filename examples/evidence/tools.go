package main

import (
	"context"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

type stay struct {
	Hotel string `json:"hotel"`
}

type booking struct {
	Booking  string  `json:"booking"`
	Nights   int     `json:"nights"`
	Price    float64 `json:"price_per_night"`
	Currency string  `json:"currency"`
}

type mail struct {
	To      string `json:"to"`
	Booking string `json:"booking"`
}

// newKit wraps the agent's tools.
func newKit() *toolkit.Kit {
	kit := toolkit.New(toolkit.Config{})
	toolkit.Wrap(kit, toolkit.Tool[stay, booking]{
		Name: "get_booking", Effect: fault.Read,
		Call: func(context.Context, stay) (booking, error) {
			return booking{Booking: "RX-40718", Nights: 2, Price: 118.5, Currency: "USD"}, nil
		},
	})
	toolkit.Wrap(kit, toolkit.Tool[mail, string]{
		Name: "outbox", Effect: fault.Write,
		Claims: []string{"send"}, // its name does not say so
		KeyOf:  func(m mail) string { return m.To + "/" + m.Booking },
		Call:   func(context.Context, mail) (string, error) { return "queued as m-5521", nil },
	})
	return kit
}
