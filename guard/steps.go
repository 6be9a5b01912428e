package guard

import (
	"github.com/failloud/failloud/fault"
)

// judge goes through the steps in order.
func (j *judgment) judge() {
	policies := j.guard.policies
	if policies[StepWaiting] != PolicyOff && j.waiting(policies[StepWaiting]) {
		return
	}
	if j.guard.err != nil {
		j.note(Finding{Step: StepRequired, What: "the guard's settings are invalid, see the error of Begin", Asks: Refuse})
	}
	if policies[StepRequired] != PolicyOff {
		j.required(policies[StepRequired])
	}
	if policies[StepEvidence] != PolicyOff {
		j.evidence(policies[StepEvidence])
	}
	j.findTroubles()
	if policies[StepHidden] != PolicyOff {
		j.failedAndHidden(policies[StepHidden])
	}
}

// waiting is step 1. It reports whether it decides alone.
func (j *judgment) waiting(p Policy) (alone bool) {
	own := Answer
	if len(j.ev.cases) > 0 {
		own = Escalate
		j.note(Finding{Step: StepWaiting, What: "a case is open and a person has to settle it", Asks: p.decide(Escalate)})
	}
	good := &successes{calls: j.ev.calls, accept: succeeded, serves: serves}
	pending, others := 0, 0
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		switch {
		case inDoubt(c) && !good.madeGood(i):
			own = Escalate
			j.note(Finding{Step: StepWaiting, Tool: toolName(c), Call: c.Seq, What: "may have run and nobody has settled it", Asks: p.decide(Escalate)})
		case c.Kind == fault.KindPending && !good.madeGood(i):
			pending++
		default:
			others++
		}
	}
	if own != Escalate && pending > 0 {
		if others == 0 {
			own = Defer
			j.note(Finding{Step: StepWaiting, What: "nothing that was called is done yet", Asks: p.decide(Defer)})
		}
		for _, r := range j.guard.requirements {
			if j.guard.policies[StepRequired] == PolicyOff {
				break
			}
			if u := r.unmet(j.ev); u != nil && u.Pending {
				own = Defer
				j.unmet = append(j.unmet, *u)
				j.note(Finding{Step: StepWaiting, What: "still pending: " + r.String(), Asks: p.decide(Defer)})
			}
		}
	}
	if d := p.decide(own); own != Answer && d == own {
		j.findTroubles()
		return true
	}
	j.unmet = nil
	return false
}

// required is step 2.
func (j *judgment) required(p Policy) {
	for _, r := range j.guard.requirements {
		if u := r.unmet(j.ev); u != nil {
			j.unmet = append(j.unmet, *u)
			j.note(Finding{Step: StepRequired, What: "required and not made good: " + r.String(), Asks: p.decide(Refuse)})
		}
	}
}

// evidence is step 3.
func (j *judgment) evidence(p Policy) {
	calls, ok := 0, 0
	for _, s := range j.ev.stats {
		calls += s.Calls
		ok += s.OK
	}
	switch {
	case calls > 0 && ok == 0:
		j.note(Finding{Step: StepEvidence, What: "calls were made and none succeeded", Asks: p.decide(Refuse)})
	case calls == 0 && j.guard.needsTools:
		j.note(Finding{Step: StepEvidence, What: "no tool was called", Asks: p.decide(Refuse)})
	}
}

// failedAndHidden is step 4.
func (j *judgment) failedAndHidden(p Policy) {
	if len(j.troubles) == 0 && j.ev.halt == fault.ReasonNone {
		return
	}
	d := j.read()
	for _, t := range j.troubles {
		if d.says(t) {
			continue // an admission is what is asked for, not a finding
		}
		j.hidden = append(j.hidden, t)
		j.note(Finding{Step: StepHidden, Tool: t.tool, Call: t.call, What: t.describe() + ", and the draft does not say so", Asks: p.decide(Disclose)})
	}
	if j.ev.halt != fault.ReasonNone && !d.saysCutShort() {
		j.cutShort = true
		j.note(Finding{Step: StepHidden, What: "the run was ended early (" + j.ev.halt.String() + "), and the draft does not say so", Asks: p.decide(Disclose)})
	}
}
