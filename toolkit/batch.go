package toolkit

import (
	"context"
	"encoding/json"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// Request is one call of a batch, as a model asked for it.
type Request struct {
	ID   string          // the model's id of the call
	Name string          // of the tool, as the model gave it
	Args json.RawMessage // as the model gave them
}

// InvokeAll makes the calls of one model turn, up to Config.Batch of them at the
// same time, and returns exactly one response for each, in order: whatever
// panics, is cancelled, denied or unknown. The batch is admitted to the run as a
// whole before any of it starts, so that it cannot overrun a budget; where it
// does not fit, every call of it ends not run.
//
// It returns when every call that was started has come to its end.
func (k *Kit) InvokeAll(ctx context.Context, calls []Request) []Response {
	responses := make([]Response, len(calls))
	if len(calls) == 0 {
		return responses
	}
	if !k.made() {
		for i, call := range calls {
			responses[i] = unmade(call.Name, call.ID)
		}
		return responses
	}
	var first uint32
	run := runrecord.FromContext(ctx)
	if run != nil {
		var err error
		if first, err = run.Admit(len(calls)); err != nil {
			for i, call := range calls {
				responses[i] = k.turnedAway(run, call, notRun(*refused(err)))
			}
			return responses
		}
	}
	slots := make(chan struct{}, k.cfg.Batch)
	var all sync.WaitGroup
	for i, call := range calls {
		slots <- struct{}{}
		all.Add(1)
		go func() {
			defer all.Done()
			defer func() { <-slots }()
			returned := false
			defer func() {
				if !returned {
					responses[i] = k.lost(call, recover())
				}
			}()
			responses[i] = k.invoke(ctx, call.Name, request{
				named: true, id: call.ID, raw: call.Args, admitted: run != nil, seq: first + uint32(i), batch: first,
			})
			returned = true
		}()
	}
	all.Wait()
	return responses
}

// turnedAway records and answers a call of a batch that was not admitted.
func (k *Kit) turnedAway(run *runrecord.Run, call Request, o fault.Outcome) Response {
	now := run.Elapsed()
	c := runrecord.Call{
		Start: now, Kind: o.Kind, Reason: o.Fault.Reason, Action: o.Fault.Action, Ran: o.Fault.Ran,
		Detail: &runrecord.Detail{CallID: call.ID, Rule: o.Fault.Rule},
	}
	res := Response{Name: call.Name, Outcome: o, view: view{id: call.ID, run: run}}
	if tool := k.tools.Load().byName[call.Name]; tool != nil {
		c.Tool, res.view.tool = tool.info.Load(), tool
	} else {
		c.Detail.Name, res.view.unknown = call.Name, &misnomer{name: call.Name}
	}
	res.view.seq = run.FinishWith(c, res.view.refusal(run, call.Args, o))
	return res
}

// lost is the response of a call whose goroutine was ended by the tool, or by a
// panic on the way back from it. The call itself has recorded the outcome.
func (k *Kit) lost(call Request, panicked any) Response {
	res := Response{Name: call.Name, view: view{id: call.ID}}
	f := fault.Fault{Reason: fault.ReasonPanic, Action: fault.FailFast, Rule: "toolkit:goexit", Err: errGoexit}
	if panicked != nil {
		f.Rule, f.Err = "toolkit:panic", newPanicError("a function beside its Call", panicked)
	}
	res.Outcome = fault.Outcome{Kind: fault.KindFailed, Fault: &f}
	if tool := k.tools.Load().byName[call.Name]; tool != nil {
		res.view.tool = tool
		res.Outcome = fault.Conclude(tool.effect(), res.Outcome, false, false)
	} else {
		res.view.unknown = &misnomer{name: call.Name}
	}
	return res
}
