package toolkit_test

import (
	"context"
	"sync"
	"sync/atomic"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/toolkit"
)

type payment struct {
	Invoice string `json:"invoice"`
	Amount  int64  `json:"amount"`
	Memo    string `json:"memo,omitempty"`
}

type receipt struct {
	ID     string `json:"id"`
	Amount int64  `json:"amount"`
}

// bank is a service that pays. It counts real effects, and can lose the reply
// after one, or refuse before.
type bank struct {
	mu      sync.Mutex
	paid    map[string]receipt // by invoice
	effects atomic.Int32
	keys    []string                                  // the idempotency keys it was handed
	before  func(ctx context.Context, n int) error    // refuses the n-th request, before the effect
	after   func(ctx context.Context, n int) error    // loses the reply to it, after the effect
	checks  atomic.Int32                              // times Check was asked
	answer  func(p payment) (toolkit.Happened, error) // nil: the truth
}

func newBank() *bank { return &bank{paid: map[string]receipt{}} }

func (b *bank) pay(ctx context.Context, p payment) (receipt, error) {
	b.mu.Lock()
	b.keys = append(b.keys, toolkit.IdempotencyKey(ctx))
	n := len(b.keys)
	b.mu.Unlock()
	if b.before != nil {
		if err := b.before(ctx, n); err != nil {
			return receipt{}, err
		}
	}
	b.effects.Add(1)
	r := receipt{"R-" + p.Invoice, p.Amount}
	b.mu.Lock()
	b.paid[p.Invoice] = r
	b.mu.Unlock()
	if b.after != nil {
		if err := b.after(ctx, n); err != nil {
			return receipt{}, err
		}
	}
	return r, nil
}

func (b *bank) find(_ context.Context, p payment) (toolkit.Checked[receipt], error) {
	b.checks.Add(1)
	if b.answer != nil {
		h, err := b.answer(p)
		return toolkit.Checked[receipt]{Happened: h}, err
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	if r, ok := b.paid[p.Invoice]; ok {
		return toolkit.Checked[receipt]{Happened: toolkit.Done, Result: r}, nil
	}
	return toolkit.Checked[receipt]{Happened: toolkit.NotDone}, nil
}

// tool is the payment tool of a bank, without a Check.
func (b *bank) tool() toolkit.Tool[payment, receipt] {
	return toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write, Call: b.pay,
		KeyOf: func(p payment) string { return p.Invoice },
	}
}

func (b *bank) checked() toolkit.Tool[payment, receipt] {
	t := b.tool()
	t.Check = b.find
	return t
}

// first fails for the first n requests.
func first(n int, err error) func(context.Context, int) error {
	return func(_ context.Context, i int) error {
		if i <= n {
			return err
		}
		return nil
	}
}

var ticket = runrecord.Task{Name: "invoices", Key: "ticket-4711"}
