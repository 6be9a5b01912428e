package toolkit

import (
	"encoding/json"
	"math"
	"reflect"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/redact"
	"github.com/failloud/failloud/internal/valuehash"
	"github.com/failloud/failloud/runrecord"
)

// maxErrorText bounds the text of a cause before the record redacts it. No cut
// runs through a word: half of a secret would no longer look like one.
const maxErrorText = 4 << 10

// maxHandle bounds the name that a service gave to pending work.
const maxHandle = 128

// record hands the finished call to the run.
func (ex *execution) record(req *request, start time.Duration, acting *execution, p runrecord.Payload) {
	o := &ex.outcome
	if ex.run == nil {
		ex.tool.kit.unrecorded(ex.tool, o, ex.attempts)
		return
	}
	var c runrecord.Call
	acting.describe(&c, o)
	c.Seq, c.Batch, c.ArgsHash, c.Attempts, c.Waited = ex.seq, req.batch, ex.hash, clamp(ex.attempts), ex.waited
	c.Start, c.Duration = start, ex.over(o, acting)-start
	if !c.Tool.Poller {
		c.ResultHash = acting.resultHash(o)
	}
	c.Detail = ex.details(o, req.id)
	if acting != ex {
		if f := ex.replaced.fault; o.Fault == nil && f != nil {
			c.Reason, c.Detail.Code, c.Detail.Rule = f.Reason, f.Code, f.Rule // why it had to be replaced
			if f.Err != nil {
				c.Detail.Error = redact.Cut(textOf(f.Err), maxErrorText)
			}
		}
		for field, value := range acting.keep(ex.run.Kept(acting.tool.name)) {
			if _, own := c.Detail.Args[field]; !own {
				c.Detail.Args = with(c.Detail.Args, field, value)
			}
		}
	}
	ex.seq = ex.run.FinishWith(c, p)
}

// over is when the call was over. Of the plain success of a read that is when
// its attempt was; other calls have had more to do since.
func (ex *execution) over(o *fault.Outcome, acting *execution) time.Duration {
	if o.Kind == fault.KindOK && acting == ex && ex.tool.await == nil && ex.tool.effect() == fault.Read {
		return ex.ended
	}
	return ex.run.Elapsed()
}

// resultHash tells the loop detector whether a call learned anything new. Of a
// failure that is the text of the error where the model is shown it (a command
// that fails at another line is not a loop), else 0: the line says no more than
// the record does.
func (ex *execution) resultHash(o *fault.Outcome) uint64 {
	if kept(o.Kind) {
		return ex.tool.hashOut(ex.out)
	}
	if ex.tool.detail && o.Fault != nil && o.Fault.Err != nil {
		text := detailOf(o.Fault.Err)
		return hashText(&text)
	}
	return 0
}

var hashText = valuehash.For(reflect.TypeFor[string]())

func with(m map[string]string, key, value string) map[string]string {
	if m == nil {
		m = map[string]string{}
	}
	m[key] = value
	return m
}

// describe enters what an outcome says about a call, without its place and times.
func (ex *execution) describe(c *runrecord.Call, o *fault.Outcome) {
	c.Tool, c.Kind, c.Qualifiers, c.Ran = ex.tool.info.Load(), o.Kind, o.Qualifiers, fault.RanYes
	if f := o.Fault; f != nil {
		c.Reason, c.Action, c.Ran, c.Status = f.Reason, f.Action, f.Ran, int16(min(f.Status, math.MaxInt16))
	} else if ex.now != nil && ex.now.reported() {
		_, resp := ex.now.seen(nil)
		c.Status = int16(min(resp.Status, math.MaxInt16))
	}
}

// details is what only some calls have, nil for a plain success.
func (ex *execution) details(o *fault.Outcome, id string) *runrecord.Detail {
	kept := ex.run.Kept(ex.tool.name)
	if o.Fault == nil && o.Kind == fault.KindOK && o.FallbackOf == "" && o.Age == 0 && id == "" && len(kept) == 0 {
		return nil
	}
	d := &runrecord.Detail{
		CallID: id, FallbackOf: o.FallbackOf, Case: o.Case, Age: o.Age, Args: ex.keep(kept),
	}
	if ex.tool.keyOf != nil {
		d.Key, _ = ex.tool.businessKey(ex.in)
	}
	if f := o.Fault; f != nil {
		d.Code, d.Rule, d.Wait, d.Fields, d.Correctable = f.Code, f.Rule, f.Wait, f.Fields, f.Correctable
		if f.Err != nil {
			d.Error = redact.Cut(textOf(f.Err), maxErrorText)
		}
	}
	if o.Kind == fault.KindPending {
		d.Code = redact.Cut(ex.handle, maxHandle)
	}
	return d
}

// keep reads the argument fields that a judge asked for.
func (ex *execution) keep(fields []string) map[string]string {
	if len(fields) == 0 {
		return nil
	}
	args, err := ex.args()
	if err != nil {
		return nil
	}
	var members map[string]json.RawMessage
	if json.Unmarshal(args, &members) != nil {
		return nil
	}
	kept := make(map[string]string, len(fields))
	for _, field := range fields {
		raw, ok := lookUp(members, field)
		if !ok {
			continue
		}
		var text string
		if json.Unmarshal(raw, &text) != nil {
			text = string(raw)
		}
		kept[field] = text
	}
	return kept
}

func clamp(n int) uint16 { return uint16(min(n, math.MaxUint16)) }

// lookUp finds a member by its name, or by a path of names joined by dots.
func lookUp(members map[string]json.RawMessage, path string) (json.RawMessage, bool) {
	if raw, ok := members[path]; ok {
		return raw, true
	}
	name, rest, nested := strings.Cut(path, ".")
	if !nested {
		return nil, false
	}
	var inner map[string]json.RawMessage
	if json.Unmarshal(members[name], &inner) != nil {
		return nil, false
	}
	return lookUp(inner, rest)
}

// businessKey is the owner's name for the piece of work. A KeyOf that panics
// names nothing.
func (c *core) businessKey(in any) (key string, err error) {
	defer func() {
		if p := recover(); p != nil {
			err = newPanicError("its KeyOf", p)
		}
	}()
	return c.keyOf(in), nil
}
