package toolkit

import (
	"context"
	"errors"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// ErrLeaseLost is matched by every [LeaseLostError].
var ErrLeaseLost = errors.New("toolkit: the claim on this work was lost")

// LeaseLostError is the cause by which the context of an attempt ends that went
// on while the ledger could not be told so: another process may have taken the
// work over by now. A function that stops for it should say how far it came; a
// success is kept all the same.
type LeaseLostError struct {
	Tool  string        // its name
	Lease time.Duration // how long a claim holds without a sign of life
}

// Error names the tool and how long nothing was heard of it.
func (e *LeaseLostError) Error() string {
	return ErrLeaseLost.Error() + ": the ledger heard nothing of " + e.Tool + " for " + e.Lease.String()
}

// Unwrap returns [ErrLeaseLost] and [context.Canceled].
func (e *LeaseLostError) Unwrap() []error { return []error{ErrLeaseLost, context.Canceled} }

// whileHeld is the context of an attempt, which ends when its claim is lost.
// Nothing is watched before the claim could first have been extended.
func whileHeld(ctx context.Context, tool string, claim *idempotency.Claim) (_ context.Context, end func()) {
	ctx, cancel := context.WithCancelCause(ctx)
	watch := time.AfterFunc(claim.Row.Lease/3, func() {
		select {
		case <-claim.Lost():
			cancel(&LeaseLostError{Tool: tool, Lease: claim.Row.Lease})
		case <-ctx.Done():
		}
	})
	return ctx, func() {
		watch.Stop()
		cancel(nil)
	}
}
