package toolkit

import (
	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
)

// payload is what a call was about and what it has shown, for a judge that
// stands on evidence and for sinks that capture. It is made only where one of
// them asks for it. acting is the execution that gave the outcome.
//
// Of a success the result is the text that [Result.String] shows, without its
// note, and made once for both. A model that called by name sees no more than
// MaxResult of it, so no more of it proves anything; the Go code of a typed call
// has all of it.
func (ex *execution) payload(v *view, req *request, acting *execution) (p runrecord.Payload) {
	o := &ex.outcome
	if ex.run == nil || !ex.run.WantsPayload(o.Kind) {
		return p
	}
	asked := req.raw
	if acting != ex { // a substitute has arguments of its own
		asked = nil
	}
	p.Args = acting.argsText(asked)
	switch {
	case o.Kind != fault.KindOK:
		p.Result = v.text(nil, *o)
	case o.Qualifiers.Has(fault.NoValue):
	default:
		if v.shown == nil {
			v.show(deref(acting.out))
		}
		if p.Result = v.shown.whole; req.named {
			p.Result = v.shown.part()
		}
	}
	return p
}

// refusal is the payload of a call by name that no tool was entered for.
func (v view) refusal(run *runrecord.Run, args []byte, o fault.Outcome) (p runrecord.Payload) {
	if run.WantsPayload(o.Kind) {
		p.Args, p.Result = string(args), v.text(nil, o)
	}
	return p
}

// argsText is the arguments as JSON: as the model wrote them, where it did, and a
// person has not edited them since. It is empty where they cannot be written.
func (ex *execution) argsText(asked []byte) string {
	switch {
	case ex.claimed != nil && ex.claimed.row.Asked != "":
		return string(ex.claimed.row.Args)
	case asked != nil:
		return string(asked)
	case ex.canon != nil:
		return string(ex.canon)
	}
	raw, err := marshal(ex.in)
	if err != nil {
		return ""
	}
	return string(raw)
}

// payload is that of a call which a row of the ledger has settled.
func (k *Kit) payload(run *runrecord.Run, row *idempotency.Row, o fault.Outcome) (p runrecord.Payload) {
	if !run.WantsPayload(o.Kind) {
		return p
	}
	p.Args = string(row.Args)
	tool := k.tools.Load().byName[row.Key.Tool]
	if tool == nil || o.Kind != fault.KindOK || row.Result == nil {
		return p
	}
	out := tool.newOut()
	if tool.restore(row.Result, out) != nil {
		return p
	}
	v := view{tool: tool}
	v.show(deref(out))
	p.Result = v.shown.part()
	return p
}
