package main

import (
	"context"
	"fmt"
	"net/http"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

// newLedger makes the memory of what was intended and what happened. This one
// lives as long as the process; give Config.Store a database and it outlives it.
func newLedger() (*idempotency.Ledger, error) {
	// "Not done" is believed after this long, in case the request is still on
	// its way. Default one second; short here, so that the story is.
	return idempotency.New(idempotency.Config{Settle: 100 * time.Millisecond})
}

// agent pays invoices. Its one tool is the provider's API.
type agent struct {
	kit     *toolkit.Kit
	pay     *toolkit.Wrapped[Payment, Receipt]
	answers *guard.Guard
	close   func()
}

// config is what the stories differ in.
type config struct {
	ledger    *idempotency.Ledger
	logger    *zap.Logger
	notify    escalation.Notifier
	withCheck bool
	// withKey names the payment by its invoice. Without it the key of the task
	// and the arguments are the key.
	withKey bool
}

func newAgent(provider *provider, cfg config) *agent {
	transport := toolkit.NewTransport(toolkit.TransportConfig{Base: &http.Transport{}})
	api := &client{base: provider.URL, http: &http.Client{Transport: transport}}
	kit := toolkit.New(toolkit.Config{
		Logger: cfg.logger, Ledger: cfg.ledger, Notify: cfg.notify,
		Backoff: toolkit.Backoff{Base: 50 * time.Millisecond, Max: time.Second}, // short, too
	})
	tool := toolkit.Tool[Payment, Receipt]{
		Name: "pay_invoice", Effect: fault.Write, Timeout: 10 * time.Second, Call: api.pay,
	}
	if cfg.withKey {
		tool.KeyOf = func(p Payment) string { return p.Invoice }
	}
	if cfg.withCheck {
		tool.Check = api.check
	}
	return &agent{
		kit: kit, pay: toolkit.Wrap(kit, tool), answers: guard.New(guard.Require("pay_invoice")),
		close: transport.CloseIdleConnections,
	}
}

// leg is what one leg of a run leaves behind.
type leg struct {
	number  int
	result  toolkit.Result[Receipt]
	verdict guard.Verdict
	state   runrecord.State
}

// start begins a run for the task of this key.
func (a *agent) start(ctx context.Context, key string) (context.Context, *runrecord.Run, error) {
	return a.kit.Start(ctx, runrecord.Task{Name: "pay-an-invoice", Key: key, Judge: a.answers})
}

// work is one leg of a run: the scripted model asks for the payment and then
// claims, whatever came back, that it was made.
func (a *agent) work(ctx context.Context, run *runrecord.Run, p Payment) leg {
	result := a.pay.Invoke(ctx, p)
	draft := fmt.Sprintf("Done: invoice %s is paid.", p.Invoice)
	if result.Err() == nil {
		draft = fmt.Sprintf("Done: invoice %s is paid, the receipt is %s.", p.Invoice, result.Value.Number)
	}
	verdict := a.answers.Final(ctx, draft)
	run.End()
	return leg{number: run.Leg(), result: result, verdict: verdict, state: run.State()}
}
