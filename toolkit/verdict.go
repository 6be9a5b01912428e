package toolkit

import (
	"net/http"

	"github.com/failloud/failloud/fault"
)

// success judges a call that returned no error. Most need no look: nothing was
// reported from the wire, no rule is declared, and the type of the result cannot
// hold a failure.
func (ex *execution) success() {
	ex.outcome = fault.Outcome{Kind: fault.KindOK}
	if ex.tool.inspect || ex.tool.rules != nil || ex.now.reported() {
		ex.outcome = ex.inspected()
	}
	if ex.outcome.Kind == fault.KindOK && ex.tool.empty != nil && ex.tool.empty(ex.out) {
		ex.outcome.Qualifiers |= fault.Empty
	}
}

// inspected judges a result by what it holds and what was seen on the wire.
func (ex *execution) inspected() fault.Outcome {
	s, value := ex.signal(nil), deref(ex.out)
	take(&s, value)
	o := ex.doubting(ex.tool.classifier.Classify(&s), nil)
	if o.Fault == nil && ex.now.reported() {
		o = ex.overlooked(o, value)
	}
	if f := o.Fault; f != nil && f.Err == nil {
		caused := *f
		caused.Err = carriedCause(value)
		o.Fault = &caused
	}
	return o
}

// overlooked looks for an answer of the attempt that failed, and of which the
// function has said nothing; where there is none, o stands. A value may be what
// the function made of a look-up that found nothing, but not of a write.
func (ex *execution) overlooked(o fault.Outcome, value any) fault.Outcome {
	for _, x := range ex.now.onWire().overlooked() {
		s := fault.Signal{Effect: ex.tool.effect(), Sent: fault.SentYes}
		if !x.writes {
			take(&s, value)
		}
		s.HTTP = &x.resp
		if x.resp.Status >= http.StatusBadRequest { // what is declared about results is not about a good answer
			s.Rules = ex.tool.rules
		}
		failed := ex.tool.classifier.Classify(&s)
		if failed.Fault == nil {
			continue
		}
		if _, writes := ex.now.onWire().ends(); len(writes) > 0 {
			failed = unproven(failed)
		}
		return failed
	}
	return o
}

// doubting takes back that an attempt did nothing where another of its requests
// may have done something, see [wire.written]. The function's own word stands.
func (ex *execution) doubting(o fault.Outcome, err error) fault.Outcome {
	if o.Fault == nil || o.Fault.Ran != fault.RanNo || ex.tool.effect() == fault.Read || !ex.now.reported() {
		return o
	}
	w := ex.now.onWire()
	if ex.now.effect == fault.Read { // it asked how far accepted work is, and the question failed
		if _, resp := w.seen(err); resp.Status < http.StatusBadRequest {
			return o
		}
	} else if !w.written(err) || w.ownWord(err) {
		return o
	}
	return unproven(o)
}

// unproven is a failure of which it is not known what it has done.
func unproven(o fault.Outcome) fault.Outcome {
	if o.Fault.Ran == fault.RanNo {
		f := *o.Fault
		f.Ran = fault.RanUnknown
		o.Kind, o.Fault = fault.KindFailed, &f
	}
	return o
}

// qualified is what a tool said about its result itself. Its word is taken.
func (ex *execution) qualified(q qualification) fault.Outcome {
	if q.pending {
		ex.handle = q.handle
		return fault.Outcome{Kind: fault.KindPending, Qualifiers: q.Qualifier, Age: q.age}
	}
	o := fault.Outcome{Kind: fault.KindOK, Qualifiers: q.Qualifier, Age: q.age}
	if ex.tool.empty != nil && ex.tool.empty(ex.out) {
		o.Qualifiers |= fault.Empty
	}
	return o
}

// failure judges an error.
func (ex *execution) failure(err error, timedOut bool) fault.Outcome {
	if p, ok := err.(*PanicError); ok { //nolint:errorlint // a panic is never wrapped on the way here
		return fault.Outcome{Kind: fault.KindFailed, Fault: &fault.Fault{
			Reason: fault.ReasonPanic, Action: fault.FailFast, Rule: "toolkit:panic", Err: p,
		}}
	}
	s := ex.signal(err)
	s.Err, s.TimedOut = err, timedOut
	return ex.doubting(ex.tool.classifier.Classify(&s), err)
}

// signal collects what is known about the latest attempt beside its error or value.
func (ex *execution) signal(err error) fault.Signal {
	s := fault.Signal{Effect: ex.tool.effect(), Rules: ex.tool.rules}
	s.Keyed = ex.tool.keyTTL > 0 && ex.remote != ""
	if ex.now.reported() {
		sent, resp := ex.now.seen(err)
		s.Sent = sent
		if resp.Status != 0 {
			s.HTTP = &resp
		}
	}
	return s
}
