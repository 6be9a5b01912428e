package main

import (
	"context"
	"encoding/json"
	"errors"

	"go.uber.org/zap"

	"github.com/failloud/failloud/escalation"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/toolkit"
)

// told is what a story leaves behind.
type told struct {
	legs      []leg
	asked     escalation.Case    // what the person was shown, in the story that asks one
	choice    idempotency.Choice // and decided
	recovered toolkit.Recovery   // what the restarted agent found out, in the story that restarts
}

// story is one run of an agent, or two, against a provider that loses things.
type story func(ctx context.Context, provider *provider, p Payment, logger *zap.Logger) (told, error)

// checked: the tool has a Check, which is asked what became of the payment. Where
// it was made, its receipt is the result; where it was not, it is made again.
func checked(ctx context.Context, provider *provider, p Payment, logger *zap.Logger) (told, error) {
	ledger, err := newLedger()
	if err != nil {
		return told{}, err
	}
	a := newAgent(provider, config{ledger: ledger, logger: logger, withKey: true, withCheck: true})
	defer a.close()
	ctx, run, err := a.start(ctx, "ticket-1")
	if err != nil {
		return told{}, err
	}
	defer run.End()
	return told{legs: []leg{a.work(ctx, run, p)}}, nil
}

// asked: there is no Check, so a person is asked, looks at the provider's own
// pages and decides. The run that waits goes on as a new leg.
func asked(ctx context.Context, provider *provider, p Payment, logger *zap.Logger) (told, error) {
	ledger, err := newLedger()
	if err != nil {
		return told{}, err
	}
	var out told
	pager := escalation.NotifierFunc(func(_ context.Context, c escalation.Case) error {
		if out.asked.ID == "" {
			out.asked = c // in production a mail, a message, a pager
		}
		return nil
	})
	a := newAgent(provider, config{ledger: ledger, logger: logger, withKey: true, notify: pager})
	defer a.close()
	ctx, run, err := a.start(ctx, "ticket-2")
	if err != nil {
		return told{}, err
	}
	defer run.End()
	out.legs = append(out.legs, a.work(ctx, run, p))
	if out.asked.ID == "" {
		return out, errors.New("nobody was asked")
	}

	// The person looks for the payment on the provider's own pages.
	decision := out.asked.Decide(idempotency.RunAgain, "maria")
	if found := provider.paid(p.Invoice); len(found) > 0 {
		decision.Choice = idempotency.WentThrough
		if decision.Result, err = json.Marshal(found[0]); err != nil {
			return out, err
		}
	}
	out.choice = decision.Choice
	if _, err := a.kit.Cases().Resolve(ctx, decision); err != nil {
		return out, err
	}
	out.legs = append(out.legs, a.work(ctx, run, p)) // the same run, its second leg
	return out, nil
}

// restarted: the process of the first agent ends while it waits for the reply.
// The second one has nothing of the first but its ledger and the key of the task.
func restarted(ctx context.Context, provider *provider, p Payment, logger *zap.Logger) (told, error) {
	ledger, err := newLedger() // stands for a store that outlives the process
	if err != nil {
		return told{}, err
	}
	var out told
	cfg := config{ledger: ledger, logger: logger, withCheck: true}

	first := newAgent(provider, cfg)
	defer first.close()
	dying, die := context.WithCancel(ctx)
	defer die()
	go func() {
		select {
		case <-provider.booked:
			die() // the money has moved, and nobody was told
		case <-dying.Done():
		}
	}()
	firstCtx, run, err := first.start(dying, "ticket-3")
	if err != nil {
		return told{}, err
	}
	out.legs = append(out.legs, first.work(firstCtx, run, p))

	second := newAgent(provider, cfg)
	defer second.close()
	if out.recovered, err = second.kit.Recover(ctx); err != nil { // at the start, and every minute
		return out, err
	}
	ctx, run, err = second.start(ctx, "ticket-3")
	if err != nil {
		return out, err
	}
	defer run.End()
	out.legs = append(out.legs, second.work(ctx, run, p))
	return out, nil
}
