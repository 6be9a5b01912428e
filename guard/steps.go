package guard

import (
	"fmt"
	"maps"
	"slices"

	"github.com/failloud/failloud/fault"
)

// judge goes through the steps in order.
func (j *judgment) judge() {
	policies := j.guard.policies
	if policies[StepWaiting] != PolicyOff && j.waiting(policies[StepWaiting]) {
		return
	}
	if j.guard.err != nil {
		j.note(Finding{Step: StepRequired, Kind: KindSettings, What: "the guard's settings are invalid, see the error of Begin", Asks: Refuse})
	}
	j.required()
	unfounded := -1 // the finding of step 3
	if policies[StepEvidence] != PolicyOff && j.evidence(policies[StepEvidence]) {
		unfounded = len(j.findings) - 1
	}
	j.findTroubles()
	if policies[StepHidden] != PolicyOff {
		j.failedAndHidden(policies[StepHidden])
	}
	if policies[StepClaims] != PolicyOff {
		j.claimed(policies[StepClaims])
	}
	if p := policies[StepSources]; p != PolicyOff {
		j.unsourced(p)
		j.invented(p)
	}
	if p := policies[StepHidden]; p != PolicyOff {
		j.spokenForAll(p)
	}
	if unfounded >= 0 {
		j.soften(unfounded)
	}
}

// waiting is step 1. It reports whether it decides alone.
func (j *judgment) waiting(p Policy) (alone bool) {
	own := Answer
	if len(j.ev.cases) > 0 {
		own = Escalate
		j.note(Finding{Step: StepWaiting, Kind: KindWaiting, What: "a case is open and a person has to settle it", Asks: p.decide(Escalate)})
	}
	good := j.ev.good()
	pending, others := 0, 0
	for i := range j.ev.calls {
		c := &j.ev.calls[i]
		switch {
		case inDoubt(c) && !good.madeGood(i):
			own = Escalate
			j.note(Finding{Step: StepWaiting, Kind: KindWaiting, Tool: toolName(c), Call: c.Seq, What: "may have run and nobody has settled it", Asks: p.decide(Escalate)})
		case c.Kind == fault.KindPending && !good.madeGood(i):
			pending++
		default:
			others++
		}
	}
	for _, name := range slices.Sorted(maps.Keys(j.ev.stats)) {
		if j.ev.stats[name].DroppedUnresolved > 0 && j.ev.effect(name).Writes() {
			own = Escalate
			j.note(Finding{Step: StepWaiting, Kind: KindWaiting, Tool: name, What: "an earlier call may have run, and the record no longer holds it", Asks: p.decide(Escalate)})
		}
	}
	if own != Escalate && pending+j.ev.inFlight > 0 {
		if j.ev.inFlight > 0 && j.ev.anyWrites() {
			own = Defer
			j.note(Finding{Step: StepWaiting, Kind: KindWaiting, What: j.running() + ", and one may be a write", Asks: p.decide(Defer)})
		}
		if others+j.ev.inFlight == 0 {
			own = Defer
			j.note(Finding{Step: StepWaiting, Kind: KindWaiting, What: "nothing that was called is done yet", Asks: p.decide(Defer)})
		}
		j.eachUnmet(func(r Requirement, u *Unmet, _ Policy) {
			if u.Pending {
				own = Defer
				j.unmet = append(j.unmet, *u)
				j.note(Finding{Step: StepWaiting, Kind: KindWaiting, What: "still pending: " + r.String(), Asks: p.decide(Defer)})
			}
		})
	}
	j.waits = own
	if d := p.decide(own); own != Answer && d == own {
		j.findTroubles()
		return true
	}
	j.unmet = nil
	return false
}

// required is step 2.
func (j *judgment) required() {
	j.eachUnmet(func(r Requirement, u *Unmet, p Policy) {
		j.unmet = append(j.unmet, *u)
		j.note(Finding{Step: StepRequired, Kind: KindRequired, What: "required and not made good: " + r.String(), Asks: p.decide(Refuse)})
	})
}

// eachUnmet visits what is required and not met, with the policy it is under.
func (j *judgment) eachUnmet(visit func(Requirement, *Unmet, Policy)) {
	for _, d := range j.owed {
		if d.policy == PolicyOff {
			continue
		}
		for _, r := range d.requirements {
			if u := r.unmet(j.ev); u != nil {
				visit(r, u, d.policy)
			}
		}
	}
}

// evidence is step 3. It reports whether calls were made and all in vain.
func (j *judgment) evidence(p Policy) (inVain bool) {
	calls, ok := 0, 0
	for _, s := range j.ev.stats {
		calls += s.Calls
		ok += s.OK
	}
	switch {
	case calls > 0 && ok == 0:
		j.note(Finding{Step: StepEvidence, Kind: KindNoEvidence, What: "calls were made and none succeeded", Asks: p.decide(Refuse)})
		return true
	case calls == 0 && j.needsTools:
		j.note(Finding{Step: StepEvidence, Kind: KindNoEvidence, What: "no tool was called", Asks: p.decide(Refuse)})
	}
	return false
}

// failedAndHidden is step 4.
func (j *judgment) failedAndHidden(p Policy) {
	if len(j.troubles) == 0 && j.ev.halt == fault.ReasonNone && j.ev.inFlight == 0 {
		return
	}
	d := j.read()
	if j.ev.inFlight > 0 && !d.saysPending() {
		j.early = true
		j.note(Finding{Step: StepHidden, Kind: KindRunning, What: j.running() + ", and the draft does not say so", Asks: p.decide(Disclose)})
	}
	for _, t := range j.troubles {
		if d.says(t) {
			j.admitted = append(j.admitted, t.call)
			continue // an admission is what is asked for, not a finding
		}
		j.hidden = append(j.hidden, t)
		j.note(Finding{Step: StepHidden, Kind: KindHidden, Tool: t.tool, Call: t.call, What: t.describe() + ", and the draft does not say so", Asks: p.decide(Disclose)})
	}
	if j.ev.halt != fault.ReasonNone && !d.saysCutShort() {
		j.cutShort = true
		j.note(Finding{Step: StepHidden, Kind: KindCutShort, What: "the run, or one that it started, was ended early (" + j.ev.halt.String() + "), and the draft does not say so", Asks: p.decide(Disclose)})
	}
}

// running says how many calls have not come back.
func (j *judgment) running() string {
	if j.ev.inFlight == 1 {
		return "a call is still running"
	}
	return fmt.Sprintf("%d calls are still running", j.ev.inFlight)
}

// saysPending reports whether the draft admits that something is not there yet.
func (d *reading) saysPending() bool {
	return slices.ContainsFunc(d.said, func(s statement) bool { return s.topics&saysPending != 0 })
}
