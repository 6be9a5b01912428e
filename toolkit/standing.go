package toolkit

import (
	"context"
	"errors"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// A substitute that writes does the work of the tool it stands in for, at another
// service and under a key of its own. So that the work is not done at both, the
// tool's own row stands for it: it is held while a substitute works, ends as the
// substitute has ended, and where it is in doubt the substitute's row is asked
// before anything else.

// codeStandIn marks the trouble of a row whose own tool did nothing, and whose
// substitute may have done the work.
const codeStandIn = "fallback"

// heldFallback tries the substitutes of a tool that writes, under a claim on the
// tool's own key. Where that is not granted somebody else has the work, and the
// claim's answer is the outcome.
func (ex *execution) heldFallback(ctx context.Context, own fault.Outcome) (end fault.Outcome, acting *execution) {
	if ex.claimed == nil {
		claimed, err := ex.claimFor(ctx)
		if err != nil {
			return own, ex // no key for the tool, none for the work
		}
		ex.claimed = claimed
	}
	// The tool's key protects nothing that is done elsewhere: a doubt about the
	// substitute must not be repeated on its account.
	ex.claimed.intent.KeyTTL = 0
	defer func() { ex.claimed.intent.KeyTTL = ex.tool.keyTTL }()
	answer := ex.tool.kit.ledgered(ctx, ex, func(ctx context.Context) fault.Outcome {
		end, acting = ex.substitutes(ctx, own)
		return ex.standsFor(end, acting)
	})
	if acting == nil {
		return answer, ex
	}
	return end, acting
}

// standsFor is what the end of a substitute means for the row of the tool.
func (ex *execution) standsFor(end fault.Outcome, acting *execution) fault.Outcome {
	if acting == ex {
		return end
	}
	ex.adopt(acting)
	if end.Fault == nil || end.Fault.Ran == fault.RanNo && end.Kind != fault.KindUnknown {
		return end
	}
	return fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{
		Reason: end.Fault.Reason, Action: fault.Escalate, Ran: fault.RanUnknown, Code: codeStandIn,
	}}
}

// stoodIn settles a doubt about the tool's row by the rows of its substitutes.
// known is false where they do not tell; again, where the work was not done.
func (k *Kit) stoodIn(ctx context.Context, ex *execution) (o fault.Outcome, again, known bool) {
	row := &ex.claimed.row
	for _, link := range ex.tool.links {
		sub := ex.substitute(k.tools.Load().byName[link.Tool], link)
		if sub == nil || sub.tool.effect() == fault.Read {
			continue
		}
		other, err := k.rowOf(ctx, sub, row.Key)
		switch {
		case errors.Is(err, idempotency.ErrNotFound), errors.Is(err, idempotency.ErrNoKey):
			continue
		case err != nil:
			return k.open(ctx, ex, fault.Outcome{Fault: earlier(row)}), false, true
		}
		sub.claimed = &claimed{intent: idempotency.Intent{Key: other.Key}, row: other}
		o = k.standing(ctx, sub)
		if sub.waits != "" {
			ex.waits = sub.waits
		}
		switch o.Kind {
		case fault.KindOK:
			return k.doneBy(ctx, ex, sub, o), false, true
		case fault.KindPending, fault.KindUnknown:
			o.FallbackOf = ex.tool.name
			return o, false, true
		}
	}
	if lastTrouble(row).Code != codeStandIn {
		return fault.Outcome{}, false, false
	}
	settled, err := k.ledger.Check(context.WithoutCancel(ctx), *row, idempotency.NotDone, nil, "")
	if err == nil {
		*row = settled
	}
	if err != nil || settled.State != idempotency.Ready {
		return k.open(ctx, ex, fault.Outcome{Fault: earlier(row)}), false, true
	}
	return fault.Outcome{}, true, true
}

// standing is how far the substitute's own row has come: ok, pending, unknown,
// or none where the work was not done.
func (k *Kit) standing(ctx context.Context, sub *execution) fault.Outcome {
	row := &sub.claimed.row
	switch row.State {
	case idempotency.Succeeded:
		return sub.replayed(row)
	case idempotency.Running, idempotency.AwaitingApproval, idempotency.Deferred:
		return fault.Outcome{Kind: fault.KindPending}
	case idempotency.Unknown, idempotency.Escalated:
		o, again := k.doubted(ctx, sub)
		if again {
			return fault.Outcome{}
		}
		return o
	}
	if row.MayHaveApplied {
		return closedOutcome(row)
	}
	return fault.Outcome{}
}

// doneBy ends the tool's row with what its substitute has done.
func (k *Kit) doneBy(ctx context.Context, ex, sub *execution, o fault.Outcome) fault.Outcome {
	ex.adopt(sub)
	result, err := marshal(ex.out)
	if err != nil {
		result = nil // done all the same
	}
	row, err := k.ledger.Check(context.WithoutCancel(ctx), ex.claimed.row, idempotency.Done, result, "")
	if err == nil {
		ex.claimed.row = row
		k.settled(ctx, row.ID)
	}
	k.saved(ex, err)
	o.Qualifiers |= fault.Fallback
	o.FallbackOf = ex.tool.name
	return o
}

// rowOf finds the row of a substitute for the work of this key. Outside the run
// that began it, the key itself says which task it belongs to.
func (k *Kit) rowOf(ctx context.Context, sub *execution, of idempotency.Key) (idempotency.Row, error) {
	intent, err := sub.intent(ctx)
	if sub.run == nil {
		args, argsErr := sub.args()
		if argsErr != nil {
			return idempotency.Row{}, argsErr
		}
		piece := idempotency.Piece{Tenant: of.Tenant, Tool: sub.tool.name, Keyed: sub.tool.keyOf != nil, Args: args, Volatile: sub.tool.volatile}
		if piece.Keyed {
			piece.Business, _ = sub.tool.businessKey(sub.in)
		} else if task, ok := strings.CutPrefix(of.Intent, "task:"); ok {
			piece.TaskKey = task[:max(strings.LastIndexByte(task, '#'), 0)]
		}
		intent.Key, err = idempotency.Derive(ctx, piece)
	}
	if err != nil {
		return idempotency.Row{}, err
	}
	intent.Key.Occurrence = of.Occurrence
	if sub.tool.anew { // what was done last is what is asked about
		n, row, ok := k.lastOccurrence(ctx, intent.Key)
		intent.Key.Occurrence += n
		if ok {
			return row, nil
		}
	}
	return k.ledger.Row(ctx, intent.Key.ID())
}
