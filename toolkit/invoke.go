package toolkit

import (
	"context"
	"errors"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// request is how a call came in. The zero value is a typed call that has not
// been admitted yet.
type request struct {
	named    bool   // by name: what the model sees is made with the call
	id       string // the model's, "" where it has none
	raw      []byte // arguments as JSON; nil for a typed call
	admitted bool   // the place in the run was reserved with a batch
	seq      uint32 // that place
	batch    uint32 // and the first one of the batch
}

// perform is the outermost layers: Record(Halt(…)). Whatever happens inside,
// the call ends in the record with exactly one outcome; also where the tool
// ends the goroutine by [runtime.Goexit], which cannot be stopped.
func (ex *execution) perform(ctx context.Context, req *request) (v view) {
	ex.run = runrecord.FromContext(ctx)
	var start time.Duration
	if ex.run != nil {
		start = ex.run.Elapsed()
	}
	acting, returned := ex, false
	defer func() {
		if returned {
			return
		}
		// A callback of the tool's owner panicked, or Goexit: then nobody is
		// left to take the result, but the record still gets it.
		ex.outcome = ex.ungraceful(recover())
		ex.finish(&v, req, start, ex)
	}()
	ex.hash = ex.tool.hashIn(ex.in)
	if refusal := ex.halted(ctx, req); refusal != nil {
		ex.outcome = notRun(*refusal)
	} else if limit := ex.limited(ctx); limit != nil {
		defer limit.end()
		acting = ex.withFallback(limit)
		ex.overran(limit)
	} else {
		acting = ex.withFallback(ctx)
	}
	returned = true
	ex.finish(&v, req, start, acting)
	if kind := ex.outcome.Kind; kind == fault.KindPending || kind == fault.KindUnknown {
		acting.follow(ctx)
	}
	acting.tellOthers(ctx)
	if acting != ex {
		ex.tellOthers(ctx)
	}
	return v
}

// tellOthers lets calls that wait for the work hear how far it has come now that
// this one has made its last attempt.
func (ex *execution) tellOthers(ctx context.Context) {
	if ex.claimed != nil && !ex.claimed.busy {
		id := ex.claimed.intent.Key.ID()
		ex.tool.kit.over(ctx, id, 0)
		ex.tool.kit.settled(ctx, id)
	}
}

// finish says how the result is to be shown, and records the call. acting is the
// execution that gave the outcome: ex itself or its substitute.
func (ex *execution) finish(v *view, req *request, start time.Duration, acting *execution) {
	v.tool, v.run, v.id = acting.tool, ex.run, req.id
	if v.attempts = acting.attempts; acting == ex && ex.replaced != nil {
		v.attempts = ex.replaced.attempts
	}
	if acting != ex {
		v.standIn = acting.out
		ex.adopt(acting)
	}
	if !kept(ex.outcome.Kind) {
		ex.tool.clear(ex.out)
	}
	if req.named && ex.outcome.Kind == fault.KindOK && v.show(deref(acting.out)) {
		ex.outcome.Qualifiers |= fault.Truncated
	}
	ex.record(req, start, acting, ex.payload(v, req, acting))
	v.seq = ex.seq
	if v.notRecorded = ex.notRecorded; v.notRecorded == nil {
		v.notRecorded = acting.notRecorded
	}
}

// kept reports whether the value beside an outcome of this kind means anything.
func kept(k fault.Kind) bool { return k == fault.KindOK || k == fault.KindPending }

// halted says why a call may not start; nil: it may.
func (ex *execution) halted(ctx context.Context, req *request) *fault.Fault {
	ex.seq = req.seq
	if ex.run != nil && !req.admitted {
		first, err := ex.run.Admit(1)
		if err != nil {
			return refused(err)
		}
		ex.seq = first
	} else if ex.run != nil { // the batch has kept it waiting since
		if err := ex.run.Halted(); err != nil {
			return refused(err)
		}
	}
	if ex.tool.invalid != nil {
		return &fault.Fault{Reason: fault.ReasonToolDead, Rule: "toolkit:invalid_tool", Err: ex.tool.problem()}
	}
	if ex.refusal != nil {
		return ex.refusal
	}
	if ctx.Err() != nil {
		return &fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:context", Err: context.Cause(ctx)}
	}
	return nil
}

// refused says why a run did not admit a call.
func refused(err error) *fault.Fault {
	f := fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:halt", Err: err}
	if halt, ok := errors.AsType[*runrecord.HaltError](err); ok && halt.Reason != fault.ReasonNone {
		f.Reason = halt.Reason
	}
	if errors.Is(err, runrecord.ErrBudget) {
		f.Reason = fault.ReasonBudget
	}
	return &f
}

// ungraceful is the outcome of a call that was torn down from inside: by a
// panic outside the tool's function, or by the end of its goroutine.
func (ex *execution) ungraceful(panicked any) fault.Outcome {
	f := fault.Fault{Reason: fault.ReasonPanic, Action: fault.FailFast, Rule: "toolkit:goexit", Err: errGoexit}
	if panicked != nil {
		f.Rule, f.Err = "toolkit:panic", newPanicError("a function beside its Call", panicked)
	}
	if ex.attempts == 0 {
		return notRun(f)
	}
	return fault.Conclude(ex.tool.effect(), fault.Outcome{Kind: fault.KindFailed, Fault: &f}, false, false)
}
