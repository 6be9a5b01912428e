package toolkit

import (
	"context"
	"encoding/json"
	"errors"
	"reflect"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// withFallback is the layer Fallback. A call that nobody could make may wait.
func (ex *execution) withFallback(ctx context.Context) (acting *execution) {
	if acting = ex.linked(ctx); acting == ex {
		ex.putOff(ctx)
	}
	return acting
}

// linked makes the call: where the tool does not do what it was
// asked, its substitutes are tried in order, each with attempts and a ledger key
// of its own. It returns the execution that gave the outcome; where none worked,
// the tool's own outcome stands.
func (ex *execution) linked(ctx context.Context) (acting *execution) {
	ex.latched(ctx)
	if len(ex.tool.links) == 0 || !ex.replaceable(ex.outcome) {
		return ex
	}
	if !ex.tool.effect().Writes() && ex.tool.keyOf == nil && ex.claimed == nil { // it has no row
		ex.outcome, acting = ex.substitutes(ctx, ex.outcome)
	} else {
		ex.outcome, acting = ex.heldFallback(ctx, ex.outcome)
	}
	return acting
}

// replaced is how a tool has ended for which substitutes were tried.
type replaced struct {
	fault    *fault.Fault
	attempts int // its own
}

// substitutes tries the links after the tool itself has ended with own.
func (ex *execution) substitutes(ctx context.Context, own fault.Outcome) (fault.Outcome, *execution) {
	ex.replaced = &replaced{own.Fault, ex.attempts}
	attempts, waited := ex.attempts, ex.waited
	defer func() { ex.attempts, ex.waited = attempts, waited }()
	tools := ex.tool.kit.tools.Load()
	for _, link := range ex.tool.links {
		if ctx.Err() != nil || ex.run != nil && ex.run.Halted() != nil {
			break
		}
		sub := ex.substitute(tools.byName[link.Tool], link)
		if sub == nil {
			continue
		}
		sub.latched(ctx)
		o := sub.outcome
		attempts, waited = attempts+sub.attempts, waited+sub.waited
		// A substitute that worked ends the search, and so does one that has
		// written and left something in doubt: that is the news then.
		if kept(o.Kind) || !sub.replaceable(o) {
			ex.gaveWay(own, "")
			o.Qualifiers |= fault.Fallback
			o.FallbackOf = ex.tool.name
			return o, sub
		}
		sub.gaveWay(o, ex.tool.name)
	}
	return own, ex
}

// gaveWay reports that the tool of this link has failed. Its failure would else
// be hidden by the substitute that worked, or by the tool it stands in for.
func (ex *execution) gaveWay(o fault.Outcome, standingInFor string) {
	if ex.run == nil {
		return
	}
	var c runrecord.Call
	ex.describe(&c, &o)
	c.Seq, c.ArgsHash, c.Attempts, c.Waited = ex.seq, ex.hash, clamp(ex.attempts), ex.waited
	o.FallbackOf = standingInFor
	c.Detail = ex.details(&o, "")
	ex.run.Replaced(c)
}

// replaceable reports whether another tool may be tried after this outcome: a
// write must not have happened, not even perhaps, and a person's no is final.
func (ex *execution) replaceable(o fault.Outcome) bool {
	switch o.Kind {
	case fault.KindOK, fault.KindPending, fault.KindDenied, fault.KindUnknown:
		return false
	}
	if o.Fault == nil || o.Fault.Reason == fault.ReasonCancelled {
		return false
	}
	return !ex.tool.effect().Writes() || o.Fault.Ran == fault.RanNo && !ex.doubt
}

// substitute prepares the execution of a link, nil where it cannot be: an
// adapter or a schema that refuses the arguments only ends the link.
func (ex *execution) substitute(tool *core, link Fallback) *execution {
	if tool == nil || tool.invalid != nil {
		return nil
	}
	args, err := marshal(ex.in)
	if err == nil && link.Adapt != nil {
		args, err = adapt(link, args)
	}
	if err != nil {
		return nil
	}
	sub, invalid := tool.decoded(args)
	if invalid != nil {
		return nil
	}
	sub.run, sub.seq = ex.run, ex.seq
	sub.hash = tool.hashIn(sub.in)
	return sub
}

var errAdapt = errors.New("toolkit: the adapter of a fallback panicked")

func adapt(link Fallback, args json.RawMessage) (adapted json.RawMessage, err error) {
	defer func() {
		if recover() != nil {
			err = errAdapt
		}
	}()
	return link.Adapt(args)
}

// adopt takes over the value of a substitute: as it is where the types agree,
// else by way of JSON. Where that does not fit either, the value stays zero and
// only the text of the result holds what the substitute found.
func (ex *execution) adopt(sub *execution) {
	if reflect.TypeOf(ex.out) == reflect.TypeOf(sub.out) {
		ex.tool.move(ex.out, sub.out)
		return
	}
	ex.tool.clear(ex.out)
	if raw, err := marshal(sub.out); err != nil || ex.tool.restore(raw, ex.out) != nil {
		ex.tool.clear(ex.out)
	}
}
