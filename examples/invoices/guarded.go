package main

import (
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// invoiceQuery is what the model may ask.
type invoiceQuery struct {
	Customer string `json:"customer"`
}

// client is the code an agent's owner already has: it knows nothing of failloud
// but the error for a status that is not 200.
type client struct {
	base string
	http *http.Client
}

func (c *client) invoices(ctx context.Context, q invoiceQuery) ([]Invoice, error) {
	request, err := http.NewRequestWithContext(ctx, http.MethodGet, c.base+"/invoices?customer="+url.QueryEscape(q.Customer), nil)
	if err != nil {
		return nil, err
	}
	request.Header.Set("Authorization", "Bearer demo")
	response, err := c.http.Do(request)
	if err != nil {
		return nil, err
	}
	defer response.Body.Close()
	if err := toolkit.StatusError(response); err != nil {
		return nil, err
	}
	var found []Invoice
	if err := json.NewDecoder(response.Body).Decode(&found); err != nil {
		return nil, err
	}
	return found, nil
}

// guardedRun is what the same agent leaves behind with failloud around its tool.
type guardedRun struct {
	verdict guard.Verdict
	seen    []string         // what the model saw, call by call
	calls   []runrecord.Call // the record
	state   runrecord.State
}

// guarded runs the same agent with its one tool wrapped and required.
func guarded(ctx context.Context, service *invoiceService, logger *zap.Logger) (guardedRun, error) {
	transport := toolkit.NewTransport(toolkit.TransportConfig{})
	defer transport.CloseIdleConnections()
	api := &client{base: service.URL, http: &http.Client{Transport: transport}}

	kit := toolkit.New(toolkit.Config{Logger: logger})
	invoices := toolkit.Wrap(kit, toolkit.Tool[invoiceQuery, []Invoice]{
		Name: "get_invoices", Effect: fault.Read, Timeout: 10 * time.Second, Call: api.invoices,
	})
	answers := guard.New(guard.Require("get_invoices"))

	ctx, run, err := kit.Start(ctx, runrecord.Task{Name: "invoice-question", Key: "ticket-4711", Judge: answers})
	if err != nil {
		return guardedRun{}, err
	}
	defer run.End()

	var out guardedRun
	draft := answer(ctx, func(ctx context.Context, customer string) string {
		text := invoices.Invoke(ctx, invoiceQuery{Customer: customer}).String()
		out.seen = append(out.seen, text)
		return text
	})
	out.verdict = answers.Final(ctx, draft)
	run.End()
	out.calls, out.state = run.Calls(), run.State()
	return out, nil
}
