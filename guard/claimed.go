package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/toolname"
	"github.com/failloud/failloud/runrecord"
)

// claimed is step 5: the draft says that something was done, and no call that
// could have done it succeeded.
func (j *judgment) claimed(p Policy) {
	declared := j.declared()
	if !j.hints().saysDone() && len(declared) == 0 {
		return
	}
	claiming := func(h hint) bool { return len(declared) > 0 || h.saysDone() }
	text, mail := withoutForeign(j.shown())
	own, all := j.clausesThat(claiming, text), []clause(nil)
	if mail {
		all = j.clausesThat(claiming, j.shown())
	}
	claims := func(clauses []clause) bool { return len(j.claims(clauses, declared, ^deedSet(0), 1)) > 0 }
	if !claims(own) && !claims(all) {
		return // whatever the user has asked for, nothing is claimed
	}
	known := j.record()
	if known.wanted {
		return // a poem or a story is what was asked for
	}
	if !j.findUndone(p, j.claims(own, declared, known.wants, maxClaims), known, Refuse) && mail && !known.drafts {
		j.findUndone(p, j.claims(all, declared, known.wants, maxClaims), known, Disclose)
	}
}

// findUndone notes the claims that nothing supports, and reports whether there
// are any. most is what they ask for at most.
func (j *judgment) findUndone(p Policy, claims []claim, known *record, most Decision) bool {
	find := finder{draft: j.draft}
	found := false
	seen := map[Finding]bool{}
	for _, c := range claims {
		f, ok := j.unsupported(&c, known)
		if !ok {
			continue
		}
		found = true
		f.Start, f.End = find.clause(c.clause)
		f.Step, f.Kind, f.Asks = StepClaims, KindClaim, p.decide(min(f.Asks, most))
		if seen[f] {
			continue
		}
		seen[f] = true
		if f.Asks != Answer && !slices.ContainsFunc(j.undone, func(u claim) bool { return u.deed == c.deed && u.word == c.word }) {
			j.undone = append(j.undone, c)
		}
		j.note(f)
	}
	return found
}

// declared are the deeds that the owner of a tool says it does and the table does
// not have, by the stem of their verb.
func (j *judgment) declared() map[string]string {
	if !j.anyTool(func(t *runrecord.ToolInfo) bool { return len(t.Claims) > 0 }) {
		return nil
	}
	declared := map[string]string{}
	for _, a := range j.abilities() {
		for s, w := range a.declared {
			declared[s] = w
		}
	}
	return declared
}

// anyTool reports whether one of the run's tools, bound or called, is so.
func (j *judgment) anyTool(is func(*runrecord.ToolInfo) bool) bool {
	if slices.ContainsFunc(j.ev.tools, is) {
		return true
	}
	for i := range j.ev.calls {
		if t := j.ev.calls[i].Tool; t != nil && is(t) {
			return true
		}
	}
	return false
}

// thingsOfTools are the words of the tools' names for what they act on, found
// once.
func (j *judgment) thingsOfTools() map[string]bool {
	if j.things != nil {
		return j.things
	}
	things := map[string]bool{}
	for _, a := range j.abilities() {
		if a.deeds == 0 {
			continue
		}
		for _, w := range nameWords(a.tool) {
			if deedsByTool[w.text] == 0 && !toolname.IsExecuting(w.text) && !toolname.IsReading(w.text) && len(w.text) > 2 {
				things[stem(w.plain)] = true
			}
		}
	}
	j.things = things
	return things
}

// unsupported reports whether nothing that succeeded can be what the claim
// says, and what is known about the call that should have done it.
func (j *judgment) unsupported(c *claim, known *record) (Finding, bool) {
	if c.stands && !known.asksForDeed(c) {
		return Finding{}, false
	}
	forIt := false // a tool of the run is for just this
	for _, a := range j.abilities() {
		forIt = forIt || c.deed >= 0 && a.deeds&(1<<c.deed) != 0
	}
	var doers []string
	done := 0
	for i := range j.abilities() {
		a := &j.able[i]
		if !a.does(c, !c.own && !forIt) {
			continue
		}
		doers = append(doers, a.tool)
		if j.mayHave(a, c) {
			done++
		}
	}
	failed := j.failureAmong(doers, c)
	switch {
	case done > 0 && failed != nil && (j.isAboutFailed(c, failed, doers) || j.countsMore(c, doers) || j.failedAtIt(c)):
	case done > 0, j.reported(c, known):
		return Finding{}, false
	}
	asks := Refuse
	if failed == nil {
		asks = j.inDoubt(c, known, len(doers) > 0, forIt)
	}
	if asks == Answer {
		return Finding{}, false
	}
	what := "the draft says that something was " + c.done() + ", and no call that could have done it was made"
	f := Finding{What: what, Asks: asks}
	if failed != nil {
		t := troubleOf(failed, failureOf(failed), j.ev.now)
		if failed.Kind == fault.KindPending && c.deed >= 0 && begun[deeds[c.deed].name] {
			return Finding{}, false
		}
		if j.read().says(t) {
			return Finding{}, false // the reader is told
		}
		f.Tool, f.Call = toolName(failed), failed.Seq
		f.What = t.describe() + ", and the draft says that something was " + c.done()
	}
	return f, true
}

// inDoubt is what becomes of a claim that nothing supports where no call that
// could have done it was made. That something was done may be
// read out of a look-up that says it in words that nobody has listed; not so
// where the user has just asked for it, as far as the user's words are known, or
// nothing about it was looked up. able: a tool of
// the run could have done it, forIt: one is for just that.
func (j *judgment) inDoubt(c *claim, known *record, able, forIt bool) Decision {
	switch {
	case c.own && !c.weak && !forIt && j.broughtAbout(c):
		return Disclose
	case c.own && !c.weak, !known.looked, known.asksForDeed(c), j.namesNewPlace(c):
		return Refuse
	case c.weak && !able:
		return Answer
	case forIt && !known.heard, known.denies(c), !j.isAboutLookedUp(c):
		return Refuse
	}
	return Disclose
}

// broughtAbout reports whether something was done that may bring about what the
// author says he did: an exchange refunds the difference, a new meeting sends
// invitations. A letter is not sent by itself.
func (j *judgment) broughtAbout(c *claim) bool {
	if c.deed < 0 {
		return false
	}
	causes := deedCauses[c.deed]
	if c.deed == deedByName["send"] {
		if causes = ^deedSet(0); !hasAny(c.scope, bySelf...) && !hasAny(c.clause.words, "notified", "alerted") {
			return false
		}
	}
	return slices.ContainsFunc(j.abilities(), func(a ability) bool { return a.ok && a.deeds&causes != 0 })
}

// bySelf are what systems send by themselves once something is done.
var bySelf = []string{"invite", "invites", "invitation", "invitations", "link", "confirmation", "receipt", "notification", "notifications", "reminder", "label"}

// namesNewPlace reports whether the claim names a path or an address that
// nobody has named before: then it does not hand on what a look-up said.
func (j *judgment) namesNewPlace(c *claim) bool {
	return slices.ContainsFunc(c.clause.words, func(w word) bool {
		has := func(text string) bool { return strings.Contains(strings.ToLower(text), w.text) }
		return w.joint && len(w.text) > 2 && j.proofIsWhole() && !slices.ContainsFunc(j.run.Heard(), has) &&
			!slices.ContainsFunc(j.proof(), func(e runrecord.Evidence) bool { return has(e.Result) || has(e.Args) })
	})
}

// begun deeds are done when they are accepted.
var begun = set("submit schedule escalate")

// failureAmong is the last call of these tools that did not succeed, one about
// a value that the claim names before others.
func (j *judgment) failureAmong(tools []string, c *claim) *runrecord.Call {
	var last *runrecord.Call
	for i := range j.ev.calls {
		call := &j.ev.calls[i]
		if succeeded(call) || !slices.Contains(tools, toolName(call)) {
			continue
		}
		if last == nil || !j.names(c, last) || j.names(c, call) {
			last = call
		}
	}
	return last
}

// names reports whether the claim has one of the call's kept values.
func (j *judgment) names(c *claim, call *runrecord.Call) bool {
	if call.Detail == nil || len(call.Detail.Args) == 0 {
		return false
	}
	values := j.values().in(c.clause.words)
	for _, v := range call.Detail.Args {
		if id, n := valueID(v); n > 0 && values[id] {
			return true
		}
	}
	return false
}

func (j *judgment) values() *valueIndex {
	if j.kept == nil {
		j.kept = indexValues(j.ev.calls)
	}
	return j.kept
}

// isAboutFailed reports whether the claim is about the very thing that failed:
// it has a value that only the failed call was about, and every success of these
// tools is known to be about something else. Or it names the tool that failed
// and none that succeeded.
func (j *judgment) isAboutFailed(c *claim, failed *runrecord.Call, doers []string) bool {
	if j.names(c, failed) {
		for i := range j.ev.calls {
			call := &j.ev.calls[i]
			if !succeeded(call) || !slices.Contains(doers, toolName(call)) {
				continue
			}
			if j.names(c, call) || len(detail(call).Args) == 0 {
				return false
			}
		}
		return true
	}
	if j.ev.stats[toolName(failed)].OK > 0 {
		return false
	}
	named := func(tool string) bool {
		for _, w := range contentWords(nameWords(tool)) {
			if deedsByTool[w.text] != 0 && !isThing(c, &w) {
				continue
			}
			if slices.ContainsFunc(c.scope, func(s word) bool { return stem(s.plain) == stem(w.plain) }) {
				return true
			}
		}
		return false
	}
	if !named(toolName(failed)) {
		return false
	}
	return !slices.ContainsFunc(j.abilities(), func(a ability) bool {
		return a.ok && slices.Contains(doers, a.tool) && (a.anything || named(a.tool))
	})
}

// isThing reports whether a word is something that the deed is done to: "email"
// of send_email.
func isThing(c *claim, w *word) bool {
	return c.deed >= 0 && stems(c.tongue.verbs[deeds[c.deed].name].things)[stem(w.plain)]
}

// countsMore reports whether the claim gives a number that only the failed calls
// would make up, or says that all of it was done.
func (j *judgment) countsMore(c *claim, doers []string) bool {
	if c.count < 2 && !c.all {
		return false
	}
	good := j.ev.good()
	done, lost := 0, 0
	for i := range j.ev.calls {
		call := &j.ev.calls[i]
		switch {
		case !slices.Contains(doers, toolName(call)):
		case succeeded(call):
			done++
		case !good.madeGood(i):
			lost++
		}
	}
	if c.all {
		return lost > 0 && done > 0
	}
	return done < c.count && c.count <= done+lost
}
