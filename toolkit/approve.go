package toolkit

import (
	"context"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// Approval is what a policy says about whether a person must allow the calls of a
// tool. The zero value leaves it to the tool's Approve.
type Approval uint8

const (
	ApprovalByTool Approval = iota // as [Tool].Approve says
	ApprovalAlways                 // every call, for the reason of the tool's Approve where it has one
	ApprovalNever                  // none, whatever the tool's Approve says
)

// byPolicy is why a person is asked where the tool itself gives no reason.
const byPolicy = "every call of this tool must be allowed by a person"

// approving lets what a policy says hold over the tool's own Approve.
func approving[In any](said Approval, own func(In) string) func(In) string {
	switch said {
	case ApprovalNever:
		return nil
	case ApprovalAlways:
		return func(in In) string {
			if own != nil {
				if why := own(in); why != "" {
					return why
				}
			}
			return byPolicy
		}
	}
	return own
}

// ledgers reports whether the call goes through the ledger: it may do something, a
// person must allow it, or it comes from there.
func (ex *execution) ledgers() bool {
	return ex.tool.effect() != fault.Read || ex.why != "" || ex.claimed != nil
}

// weigh asks the tool whether a person must allow the call.
func (ex *execution) weigh() {
	if ex.tool.approve != nil {
		ex.why = ex.tool.approve(ex.in)
	}
}

// held reports whether the call waits for a person, and asks where nobody has
// been asked about these arguments yet, or too long ago.
func (k *Kit) held(ctx context.Context, ex *execution, why string) (o fault.Outcome, held bool) {
	claim, opened, err := k.ledger.Hold(ctx, ex.claimed.intent, why, k.cfg.DecideWithin)
	if err != nil {
		return unclaimed(err), true
	}
	if claim.Answer != idempotency.Held {
		return o, false // allowed, or of no use any more: the claim will say which
	}
	ex.claimed.row = claim.Row
	o = k.answered(ex, claim)
	if opened {
		k.announce(ctx, claim.Row)
	}
	return o, true
}
