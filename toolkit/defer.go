package toolkit

import (
	"context"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// A call that may wait ends pending instead of failing when its upstream is down.
// Its row keeps it, under the name of the upstream as its gate, until a pass of
// [Kit.Drain] finds the upstream well again.

// ruleDeferred signs the fault of a call that is kept for later: why it could not
// be made at once.
const ruleDeferred = "ledger:deferred"

// drained is what a deferred call brings along when it is released.
type drained struct {
	notAfter time.Time // zero: it never goes stale
}

// putOff keeps a call for later whose upstream is down, where it may wait.
func (ex *execution) putOff(ctx context.Context) {
	if !ex.mayWait(ctx) {
		return
	}
	k := ex.tool.kit
	if ex.keeps = true; ex.claimed == nil {
		claimed, err := ex.claimFor(ctx)
		if err != nil {
			return // nothing by which it could be found again
		}
		ex.claimed = claimed
	}
	intent := ex.claimed.intent
	intent.Dispatch = false
	claim, err := k.ledger.Claim(ctx, intent)
	if err != nil {
		k.saved(ex, err)
		return
	}
	ex.claimed.row = claim.Row
	switch claim.Answer {
	case idempotency.Execute:
		ex.postponed(ctx, claim)
	case idempotency.Busy:
		ex.claimed.busy = true
		ex.outcome = fault.Outcome{Kind: fault.KindPending}
	case idempotency.InDoubt:
	default:
		ex.outcome = k.answered(ex, claim)
	}
}

func (ex *execution) postponed(ctx context.Context, claim *idempotency.Claim) {
	k, f := ex.tool.kit, *ex.outcome.Fault
	text := ""
	if f.Err != nil {
		text = k.kept(f.Err)
	}
	notAfter := claim.Row.Updated.Add(ex.tool.defers) // by the clock of the store
	if ex.drained != nil {
		notAfter = ex.drained.notAfter
	}
	if err := claim.Postpone(ctx, idempotency.TroubleOf(&f, text), ex.up.Name(), notAfter); err != nil {
		k.saved(ex, err)
		return
	}
	f.Rule = ruleDeferred
	ex.outcome = fault.Outcome{Kind: fault.KindPending, Fault: &f}
	ex.handle = claim.Row.ID
	ex.claimed.row.State = idempotency.Deferred
	ex.tool.clear(ex.out)
	if k.cfg.Logger == nil {
		return
	}
	fields := []zap.Field{
		zap.String("tool", ex.tool.name), zap.String("upstream", ex.up.Name()), zap.Int("status", f.Status),
		zap.Stringer("reason", f.Reason), zap.Time("not_after", notAfter), zap.String("row", claim.Row.ID),
	}
	if ex.run != nil {
		fields = append(fields, zap.String("run_id", ex.run.ID()), zap.String("task", ex.run.Task().Name))
	}
	k.cfg.Logger.Warn("tool call deferred", fields...)
}

// mayWait reports whether the call is one that may wait, has done nothing, and has
// not been made because its upstream is down: for everybody, or for the credential
// of the run.
func (ex *execution) mayWait(ctx context.Context) bool {
	f := ex.outcome.Fault
	if ex.tool.defers == 0 && ex.drained == nil || f == nil || f.Ran != fault.RanNo || ex.doubt || ex.stopped(ctx) != nil {
		return false
	}
	switch ex.outcome.Kind {
	case fault.KindNotRun:
		switch f.Rule {
		case "toolkit:breaker", "toolkit:cooling", "toolkit:rate", "toolkit:concurrency", "toolkit:latch":
			return true
		}
	case fault.KindFailed:
		return f.Transient() || ex.drained != nil && lethal(f.Reason)
	}
	return false
}

// lethal reports whether what a call was refused for holds for every other call to
// the upstream, too.
func lethal(r fault.Reason) bool {
	switch r {
	case fault.ReasonAuth, fault.ReasonBilling, fault.ReasonQuota, fault.ReasonPaymentRequired:
		return true
	}
	return false
}
