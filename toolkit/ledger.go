package toolkit

import (
	"context"
	"errors"
	"fmt"
	"time"

	"go.uber.org/zap"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/internal/canonjson"
	"github.com/failloud/failloud/internal/redact"
)

// claimed is what the ledger knows about one link of a call. Only calls that
// need the ledger have one.
type claimed struct {
	intent idempotency.Intent
	row    idempotency.Row // as it was last seen

	busy bool // the call ended while another was making the attempt
	share
}

// maxClaims bounds how often one attempt claims: after waiting for another
// claim, and after settling a doubt. Beyond it somebody else is always faster.
const maxClaims = 8

// ledgered is the layer Ledger: it runs one attempt of a tool that is not a Read
// under a claim. A claim that may not execute ends with the outcome of what was
// executed before; ex.out then holds its result.
func (k *Kit) ledgered(ctx context.Context, ex *execution, next attemptFunc) fault.Outcome {
	if ex.claimed == nil {
		claimed, err := ex.claimFor(ctx)
		if errors.Is(err, idempotency.ErrNoKey) && !ex.tool.effect().Writes() && ex.why == "" {
			return next(ctx) // again changes nothing more
		}
		if err != nil {
			return unclaimed(err)
		}
		ex.claimed = claimed
	}
	o := k.claim(ctx, ex, next)
	if ex.knows(o) {
		k.ended(ex.claimed.share)
	}
	return o
}

func (k *Kit) claim(ctx context.Context, ex *execution, next attemptFunc) fault.Outcome {
	ex.claimed.busy = false
	alike := ex.claimed.alike(ex.tool)
	ex.claimed.intent.Dispatch = !alike
	for range maxClaims {
		if ex.why != "" {
			if o, held := k.held(ctx, ex, ex.why); held {
				return o
			}
		}
		claim, err := k.ledger.Claim(ctx, ex.claimed.intent)
		if err != nil {
			return unclaimed(err)
		}
		ex.claimed.row = claim.Row
		switch claim.Answer {
		case idempotency.Execute:
			if alike {
				if o, held := k.unlike(ctx, ex, claim); held {
					return o
				}
			}
			return k.execute(ctx, ex, claim, next)
		case idempotency.Busy:
			if k.waitFor(ctx, claim) != nil {
				ex.claimed.busy = true
				return fault.Outcome{Kind: fault.KindPending}
			}
		case idempotency.InDoubt:
			o, again := k.doubted(ctx, ex)
			if !again {
				return o
			}
		default:
			return k.answered(ex, claim)
		}
	}
	ex.claimed.busy = true
	return fault.Outcome{Kind: fault.KindPending}
}

// intent says which piece of work the call is. A child run without a key of its
// own works on its parent's task.
func (ex *execution) intent(ctx context.Context) (idempotency.Intent, error) {
	t := ex.tool
	if t.keyOf == nil && !t.effect().Writes() && ex.why == "" && !ex.keeps {
		return idempotency.Intent{}, idempotency.ErrNoKey
	}
	args, err := ex.keyArgs()
	if err != nil {
		return idempotency.Intent{}, err
	}
	piece := idempotency.Piece{Tool: t.name, Keyed: t.keyOf != nil, Args: args, Volatile: t.volatile}
	in := idempotency.Intent{
		Effect: t.effect(), Args: args, Volatile: t.volatile, HasCheck: t.check != nil, KeyTTL: t.keyTTL,
		Call: ex.seq, Dispatch: true, ApprovedFor: t.kit.cfg.ApprovedFor,
	}
	if ex.run != nil {
		task := ex.run.Task()
		in.RunID, in.TaskName, piece.Tenant, piece.TaskKey = ex.run.ID(), task.Name, task.Tenant, task.Key
		for p := ex.run.Parent(); p != nil && piece.TaskKey == ""; p = p.Parent() {
			task = p.Task()
			piece.TaskKey = task.Key
			if piece.Tenant == "" {
				piece.Tenant = task.Tenant
			}
		}
	}
	in.TaskKey = piece.TaskKey
	if in.Identity, err = t.identity(args); err != nil {
		return idempotency.Intent{}, err
	}
	if piece.TaskKey == "" && t.newEachTime() {
		piece.TaskKey = ex.scope()
	}
	if piece.Keyed {
		if piece.Business, err = t.businessKey(ex.in); err != nil {
			return idempotency.Intent{}, err
		}
	}
	in.Key, err = idempotency.Derive(ctx, piece)
	switch {
	case !errors.Is(err, idempotency.ErrNoKey):
	case piece.Keyed:
		err = fmt.Errorf("%w: its KeyOf returned nothing", err)
	default:
		err = fmt.Errorf("%w: set Task.Key or Tool.KeyOf, or declare fault.Read where it only reads", err)
	}
	return in, err
}

// execute runs the attempt and writes down how it ended, on every path.
func (k *Kit) execute(ctx context.Context, ex *execution, claim *idempotency.Claim, next attemptFunc) fault.Outcome {
	if err := ctx.Err(); err != nil {
		k.saved(ex, claim.Release(ctx, idempotency.Trouble{Reason: fault.ReasonCancelled, Ran: fault.RanNo}, false))
		return unclaimed(context.Cause(ctx))
	}
	if claim.Row.Asked != "" { // a person has edited them
		if refusal := ex.tool.decode(claim.Args, ex.in); refusal != nil {
			k.saved(ex, claim.Release(ctx, idempotency.TroubleOf(refusal, ""), false))
			return fault.Outcome{Kind: fault.KindNotRun, Fault: refusal}
		}
	}
	ex.remote = claim.RemoteKey
	stop := claim.KeepAlive()
	holding, release := whileHeld(ctx, ex.tool.name, claim)
	ended := false
	defer func() {
		release()
		stop()
		if !ended { // torn down from inside, by the end of its goroutine
			k.saved(ex, claim.Doubt(ctx, idempotency.Trouble{Reason: fault.ReasonPanic, Action: fault.FailFast}))
		}
	}()
	o := next(holding)
	ended = true
	stop()
	k.save(ctx, ex, claim, o)
	return o
}

// save writes down the end of an attempt.
func (k *Kit) save(ctx context.Context, ex *execution, claim *idempotency.Claim, o fault.Outcome) {
	f := o.Fault
	switch {
	case o.Kind == fault.KindOK:
		result, err := marshal(ex.out)
		if err != nil {
			result = nil // done all the same; a replay will have no value
		}
		k.saved(ex, claim.Succeed(ctx, result, o.Qualifiers))
		k.settled(ctx, claim.Row.ID)
		return
	case f == nil: // accepted and not done: it may happen at any time
		k.saved(ex, claim.Doubt(ctx, idempotency.Trouble{Text: "accepted, not done"}))
		return
	}
	text := ""
	if f.Err != nil {
		text = k.kept(f.Err)
	}
	t := idempotency.TroubleOf(f, text)
	switch {
	case o.Kind == fault.KindFailed && trouble(t).final() && ex.tool.effect().Writes():
		k.saved(ex, claim.Refuse(ctx, t)) // it has run and answered: nobody is in doubt
	case f.Ran != fault.RanNo:
		k.saved(ex, claim.Doubt(ctx, t))
		return
	case o.Kind == fault.KindDenied:
		k.saved(ex, claim.Deny(ctx, t))
	case f.Rule == rulePermanent:
		k.saved(ex, claim.Refuse(ctx, t))
	default:
		k.saved(ex, claim.Release(ctx, t, o.Kind == fault.KindFailed && f.Action == fault.FailFast))
		return // another attempt may follow
	}
	k.settled(ctx, claim.Row.ID)
}

// maxKept bounds the text of a cause in the ledger, as in the record.
const maxKept = 1 << 10

// kept is what the ledger keeps of a cause, and a person may see of it: redacted,
// bounded, and one line.
func (k *Kit) kept(cause error) string {
	return redact.Escape(k.redacted(redact.Cut(textOf(cause), maxErrorText)), maxKept)
}

// rulePermanent is how [fault.Permanent] signs: the tool has declared its
// refusal final.
const rulePermanent = "marker:permanent"

// saved reports that the end of a call is not durable yet. The outcome stands:
// what has happened has happened.
func (k *Kit) saved(ex *execution, err error) {
	if err == nil {
		return
	}
	if errors.Is(err, idempotency.ErrNotRecorded) {
		ex.notRecorded = err
	}
	if k.cfg.Logger == nil {
		return
	}
	fields := []zap.Field{zap.String("tool", ex.tool.name), zap.Error(err)}
	if ex.run != nil {
		fields = append(fields, zap.String("run_id", ex.run.ID()), zap.String("task", ex.run.Task().Name))
	}
	k.cfg.Logger.Warn("end of call not recorded in the ledger", fields...)
}

// waitFor waits until nobody runs the work of the claim, as long as the caller
// or MaxWait allows.
func (k *Kit) waitFor(ctx context.Context, claim *idempotency.Claim) error {
	if _, ok := ctx.Deadline(); !ok {
		var cancel context.CancelFunc
		ctx, cancel = context.WithTimeout(ctx, k.cfg.MaxWait)
		defer cancel()
	}
	_, err := k.ledger.Wait(ctx, claim.Row.ID)
	return err
}

// keyValid reports whether the service still honours the key of the last attempt.
func (k *Kit) keyValid(ex *execution) bool {
	return ex.tool.keyTTL > 0 && ex.claimed != nil && ex.claimed.row.Repeatable(time.Now())
}

// unclaimed is the outcome of a call that the ledger did not let execute.
func unclaimed(err error) fault.Outcome {
	if blur, ok := errors.AsType[*blurError](err); ok {
		return notRun(*invalidArgs(err, blur.field))
	}
	f := fault.Fault{Reason: fault.ReasonServerError, Rule: "ledger:store", Err: err}
	switch {
	case errors.Is(err, idempotency.ErrStore): // also where it was its own time that ran out
	case errors.Is(err, context.Canceled), errors.Is(err, context.DeadlineExceeded):
		f.Reason, f.Rule = fault.ReasonCancelled, "ledger:context"
	case errors.Is(err, ErrPanic):
		f.Reason, f.Rule = fault.ReasonPanic, "toolkit:panic"
	case errors.Is(err, idempotency.ErrNoKey), errors.Is(err, idempotency.ErrKey):
		f.Reason, f.Code, f.Rule = fault.ReasonUnknown, "no_key", "ledger:no_key"
	case errors.Is(err, canonjson.ErrPointer):
		f.Reason, f.Rule = fault.ReasonToolDead, "ledger:volatile"
	case errors.Is(err, idempotency.ErrConflict):
		f.Reason, f.Rule = fault.ReasonConflict, "ledger:conflict"
		f.Err = fmt.Errorf("%w; what may differ between two requests for the same work belongs into Tool.Volatile", err)
	default: // arguments that have no canonical form
		f.Reason, f.Rule = fault.ReasonInvalidArgs, "ledger:arguments"
	}
	return notRun(f)
}

// answered is the outcome of a claim on work that has an end, or waits for a
// person's approval.
func (k *Kit) answered(ex *execution, claim *idempotency.Claim) fault.Outcome {
	row := &claim.Row
	if claim.Answer == idempotency.Held {
		k.waiting.add(row, ex)
		k.waiting.asked(row)
		return fault.Outcome{Kind: fault.KindPending, Case: claim.CaseID}
	}
	if k.waiting.count(row.ID) > 0 { // another process has ended it
		k.release(row)
	}
	if claim.Answer == idempotency.Replay {
		return ex.replayed(row)
	}
	return closedOutcome(row)
}

// replayed fills the result of an earlier execution in.
func (ex *execution) replayed(row *idempotency.Row) fault.Outcome {
	o := fault.Outcome{Kind: fault.KindOK, Qualifiers: fault.Replayed | row.Qualifiers}
	if row.Qualifiers.Has(fault.Fallback) {
		o.FallbackOf = ex.tool.name
	}
	ex.tool.clear(ex.out)
	if row.Result == nil || ex.tool.misread(row) || ex.tool.restore(row.Result, ex.out) != nil {
		ex.tool.clear(ex.out)
		o.Qualifiers |= fault.Truncated | fault.NoValue
	}
	return o
}

// misread reports whether a person has given a result that the tool could not have
// returned: whoever decides elsewhere is not stopped from it.
func (c *core) misread(row *idempotency.Row) bool {
	d := row.Decision
	return d != nil && d.Choice == idempotency.WentThrough && strictly(row.Result, c.newOut()) != nil
}

// ruleAborted: a person has ended it without saying whether it happened.
const ruleAborted = "ledger:aborted"

// closedOutcome is what a terminal row means for a call that was waiting for
// it, its value aside.
func closedOutcome(row *idempotency.Row) fault.Outcome {
	f := earlier(row)
	switch {
	case row.State == idempotency.Succeeded:
		return fault.Outcome{Kind: fault.KindOK, Qualifiers: row.Qualifiers}
	case row.State == idempotency.Failed && lastTrouble(row).final():
		return fault.Outcome{Kind: fault.KindFailed, Fault: f}
	case row.MayHaveApplied: // ended by a person who did not say whether it happened
		f.Action, f.Ran, f.Rule = fault.Escalate, fault.RanUnknown, ruleAborted
		return fault.Outcome{Kind: fault.KindUnknown, Fault: f}
	case row.State == idempotency.Rejected:
		f.Reason, f.Rule = fault.ReasonPermission, "ledger:denied"
		if row.Expired {
			f.Rule = "ledger:expired"
		}
		f.Action, f.Ran = fault.FailFast, fault.RanNo
		return fault.Outcome{Kind: fault.KindDenied, Fault: f}
	}
	f.Action, f.Ran, f.Rule = fault.FailFast, fault.RanNo, "ledger:given_up"
	return fault.Outcome{Kind: fault.KindFailed, Fault: f}
}

// earlier is the fault of the last attempt that a row remembers.
func earlier(row *idempotency.Row) *fault.Fault {
	f := &fault.Fault{Reason: fault.ReasonUnknown, Rule: "ledger:earlier"}
	if n := len(row.Attempts); n > 0 {
		t := row.Attempts[n-1].Trouble
		f.Action, f.Ran, f.Status, f.Code = t.Action, t.Ran, t.Status, t.Code
		if t.Reason != fault.ReasonNone {
			f.Reason = t.Reason
		}
		if t.Text != "" {
			f.Err = errors.New(t.Text)
		}
	}
	return f
}
