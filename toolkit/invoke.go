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

// ending is what is left of a call for its result.
type ending struct {
	outcome  fault.Outcome
	attempts int
	view
}

// perform is the outermost layers: Record(Halt(…)). Whatever happens inside,
// the call ends in the record with exactly one outcome; also where the tool
// ends the goroutine by [runtime.Goexit], which cannot be stopped.
func (ex *execution) perform(ctx context.Context, req *request) (end ending) {
	ex.run = runrecord.FromContext(ctx)
	end.view = view{tool: ex.tool, id: req.id}
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
		end.outcome = ex.ungraceful(recover())
		ex.finish(&end, req, start, ex)
	}()
	ex.hash = ex.tool.hashIn(ex.in)
	end.outcome = ex.halted(ctx, req)
	if end.outcome.Kind == fault.KindNone {
		end.outcome, acting = ex.withFallback(ctx)
	}
	returned = true
	ex.finish(&end, req, start, acting)
	return end
}

// finish fills the rest of the ending and records the call. acting is the
// execution that gave the outcome: ex itself or its substitute.
func (ex *execution) finish(end *ending, req *request, start time.Duration, acting *execution) {
	if acting != ex {
		end.view.tool, end.view.standIn = acting.tool, acting.out
		ex.adopt(acting)
	}
	if !kept(end.outcome.Kind) {
		ex.tool.clear(ex.out)
	}
	if req.named && end.outcome.OK() && end.view.show(deref(acting.out)) {
		end.outcome.Qualifiers |= fault.Truncated
	}
	end.attempts = ex.attempts
	end.view.seq, end.view.run = ex.seq, ex.run
	ex.record(end.outcome, req, start, acting)
}

// kept reports whether the value beside an outcome of this kind means anything.
func kept(k fault.Kind) bool { return k == fault.KindOK || k == fault.KindPending }

// halted is the outcome of a call that may not start, or none.
func (ex *execution) halted(ctx context.Context, req *request) fault.Outcome {
	ex.seq = req.seq
	if ex.run != nil && !req.admitted {
		first, err := ex.run.Admit(1)
		if err != nil {
			return refused(err)
		}
		ex.seq = first
	}
	if ex.tool.invalid != nil {
		return notRun(fault.Fault{Reason: fault.ReasonToolDead, Rule: "toolkit:invalid_tool", Err: ex.tool.problem()})
	}
	if ex.refusal != nil {
		return fault.Outcome{Kind: fault.KindNotRun, Fault: ex.refusal}
	}
	if ctx.Err() != nil {
		return notRun(fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:context", Err: context.Cause(ctx)})
	}
	return fault.Outcome{}
}

// refused is the outcome of a call that its run did not admit.
func refused(err error) fault.Outcome {
	f := fault.Fault{Reason: fault.ReasonCancelled, Rule: "toolkit:halt", Err: err}
	if halt, ok := errors.AsType[*runrecord.HaltError](err); ok && halt.Reason != fault.ReasonNone {
		f.Reason = halt.Reason
	}
	if errors.Is(err, runrecord.ErrBudget) {
		f.Reason = fault.ReasonBudget
	}
	return notRun(f)
}

// ungraceful is the outcome of a call that was torn down from inside: by a
// panic outside the tool's function, or by the end of its goroutine.
func (ex *execution) ungraceful(panicked any) fault.Outcome {
	f := fault.Fault{Reason: fault.ReasonPanic, Action: fault.FailFast, Rule: "toolkit:goexit", Err: errGoexit}
	if panicked != nil {
		f.Rule, f.Err = "toolkit:panic", newPanicError(panicked)
	}
	if ex.attempts == 0 {
		return notRun(f)
	}
	return fault.Conclude(ex.tool.effect(), fault.Outcome{Kind: fault.KindFailed, Fault: &f}, false, false)
}
