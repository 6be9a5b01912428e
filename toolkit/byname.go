package toolkit

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"reflect"
	"strconv"

	validator "github.com/santhosh-tekuri/jsonschema/v6"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/similar"
	"github.com/failloud/failloud/runrecord"
)

// Invoke calls a tool by the name and with the JSON arguments that a model gave.
// The arguments are validated against the tool's schema first; arguments that do
// not fit, and a name that no tool has, end not run, and the line says what to
// correct. Empty arguments and null are taken as {}. More than [MaxArguments] bytes
// are refused.
func (k *Kit) Invoke(ctx context.Context, name string, args json.RawMessage) Response {
	return k.invoke(ctx, name, request{named: true, raw: args})
}

func (k *Kit) invoke(ctx context.Context, name string, req request) Response {
	if !k.made() {
		return unmade(name, req.id)
	}
	if c := k.tools.Load().byName[name]; c != nil {
		return c.byName(ctx, req)
	}
	return k.unknown(ctx, name, req)
}

// unmade answers every call of a kit that was not made by [New].
func unmade(name, id string) Response {
	return Response{
		Name: name, view: view{id: id, unknown: &misnomer{name: name}},
		Outcome: notRun(fault.Fault{Reason: fault.ReasonToolDead, Rule: "toolkit:kit", Err: errUnmade}),
	}
}

// byName is Invoke of a call by name.
func (w *Wrapped[In, Out]) byName(ctx context.Context, req request) Response {
	st := &state[In, Out]{}
	ex := w.execution(st)
	ex.refusal = w.core.decode(req.raw, &st.arg)
	v := ex.perform(ctx, &req)
	res := Response{Name: w.core.name, Outcome: ex.outcome, Attempts: ex.attempts, view: v}
	if kept(ex.outcome.Kind) {
		res.Value = st.val
	}
	return res
}

// decoded is the execution of a call with these arguments, as a substitute gets
// them; the fault says why they do not fit.
func (c *core) decoded(raw json.RawMessage) (*execution, *fault.Fault) {
	ex := c.fresh()
	return &ex, c.decode(raw, ex.in)
}

// decode validates raw and reads it into in, a *In. Numbers keep every digit.
func (c *core) decode(raw []byte, in any) *fault.Fault {
	if c.invalid != nil {
		return nil // the call ends for that reason
	}
	if len(raw) > MaxArguments {
		return invalidArgs(errTooLong, fault.FieldError{Rule: "maxBytes", Want: strconv.Itoa(MaxArguments)})
	}
	if len(bytes.TrimSpace(raw)) == 0 || bytes.Equal(bytes.TrimSpace(raw), []byte("null")) {
		raw = []byte("{}")
	}
	if c.effect().Writes() {
		if wrong := ambiguous(raw); wrong != nil {
			return invalidArgs(errNotJSON, *wrong)
		}
	}
	if !c.schema.quick.accepts(raw) {
		document, err := validator.UnmarshalJSON(bytes.NewReader(raw))
		if err != nil {
			return invalidArgs(errNotJSON, fault.FieldError{Rule: "json"})
		}
		if fields := c.schema.check(document); len(fields) > 0 {
			return invalidArgs(errSchema, fields...)
		}
	}
	if c.read(raw, in) != nil {
		return invalidArgs(errSchema, untaken(raw, reflect.TypeOf(in).Elem(), "", maxUntaken))
	}
	return nil
}

// read decodes a document that is known to be one. A type that panics while it
// is read does not take it.
func (c *core) read(raw []byte, in any) (err error) {
	if !c.loose {
		return unmarshal(raw, in)
	}
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("a value that is read from JSON", p)
		}
	}()
	decoder := json.NewDecoder(bytes.NewReader(raw))
	decoder.UseNumber()
	return decoder.Decode(in)
}

// MaxArguments bounds the arguments of a call by name, in bytes. A model that
// sends more than a mebibyte is sending a file in the wrong place; the ledger keeps
// no more either.
const MaxArguments = 1 << 20

var (
	errTooLong = errors.New("toolkit: the arguments are longer than MaxArguments")
	errNotJSON = errors.New("toolkit: the arguments are not one JSON document that can be read in one way")
	errSchema  = errors.New("toolkit: the arguments do not fit the tool's schema")
)

func invalidArgs(err error, fields ...fault.FieldError) *fault.Fault {
	return &fault.Fault{
		Reason: fault.ReasonInvalidArgs, Action: fault.FailFast, Ran: fault.RanNo, Correctable: true,
		Rule: "toolkit:schema", Fields: fields, Err: err,
	}
}

// unknown answers a call of a name that no tool has. It counts against the
// run's budget like any other, and it is recorded without a tool.
func (k *Kit) unknown(ctx context.Context, name string, req request) Response {
	o := notRun(fault.Fault{Reason: fault.ReasonUnknownTool, Correctable: true, Rule: "toolkit:unknown_tool"})
	res := Response{Name: name, view: view{id: req.id, unknown: &misnomer{name, k.nearest(name)}}}
	if run := runrecord.FromContext(ctx); run != nil {
		seq := req.seq
		start := run.Elapsed()
		if !req.admitted {
			first, err := run.Admit(1)
			if err != nil {
				o = notRun(*refused(err))
			}
			seq = first
		}
		res.view.seq = run.FinishWith(runrecord.Call{
			Seq: seq, Batch: req.batch, Start: start, Duration: run.Elapsed() - start,
			Kind: o.Kind, Reason: o.Fault.Reason, Action: o.Fault.Action, Ran: o.Fault.Ran,
			Detail: &runrecord.Detail{CallID: req.id, Name: name, Rule: o.Fault.Rule, Correctable: o.Fault.Correctable},
		}, res.view.refusal(run, req.raw, o))
		res.view.run = run
	} else {
		k.unrecorded(nil, &o, 0)
	}
	res.Outcome = o
	return res
}

// maxNearest is how many similar names a model is shown.
const maxNearest = 5

// nearest returns the names of tools that are most like name.
func (k *Kit) nearest(name string) []string {
	return similar.Names(name, maps.Keys(k.tools.Load().byName), maxNearest)
}
