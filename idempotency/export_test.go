package idempotency

import "context"

// Canonical is what Claim does with the arguments before it asks the store.
func (l *Ledger) Canonical(ctx context.Context, in Intent) error {
	_, err := l.request(ctx, in)
	return err
}
