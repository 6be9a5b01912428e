package toolkit

import "github.com/failloud/failloud/fault"

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
	s, value := ex.signal(), deref(ex.out)
	take(&s, value)
	o := ex.tool.classifier.Classify(&s)
	if f := o.Fault; f != nil && f.Err == nil {
		caused := *f
		caused.Err = carriedCause(value)
		o.Fault = &caused
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
	s := ex.signal()
	s.Err, s.TimedOut = err, timedOut
	return ex.tool.classifier.Classify(&s)
}

// signal collects what is known about the latest attempt beside its error or value.
func (ex *execution) signal() fault.Signal {
	s := fault.Signal{Effect: ex.tool.effect(), Rules: ex.tool.rules}
	s.Keyed = ex.tool.keyTTL > 0 && ex.remote != ""
	if ex.now.reported() {
		sent, resp := ex.now.seen()
		s.Sent = sent
		if resp.Status != 0 {
			s.HTTP = &resp
		}
	}
	return s
}
