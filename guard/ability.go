package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/internal/toolname"
	"github.com/failloud/failloud/runrecord"
)

// ability is what the success of a tool lets an answer say was done.
type ability struct {
	tool     string
	deeds    deedSet
	anything bool              // it does what it is told to, or nobody knows what it does
	executes bool              // it runs programs or what else it is given
	edits    bool              // it changes the text of files
	unknown  bool              // its name tells nothing of what it does
	declared map[string]string // verbs that the table of deeds does not have, by stem
	ok       bool              // it has succeeded in this run
	doings   *doings           // see [judgment.generic]
}

// abilities of the tools of the run, bound or called.
func (j *judgment) abilities() []ability {
	if j.able != nil {
		return j.able
	}
	seen := map[string]bool{}
	add := func(t *runrecord.ToolInfo) {
		if t == nil || seen[t.Name] {
			return
		}
		seen[t.Name] = true
		a := abilityOf(t)
		a.ok = j.ev.stats[t.Name].OK > 0
		j.able = append(j.able, a)
	}
	for _, t := range j.ev.tools {
		add(t)
	}
	for i := range j.ev.calls {
		add(j.ev.calls[i].Tool)
	}
	return j.able
}

// abilityOf reads the declaration of a tool, else its effect and name.
func abilityOf(t *runrecord.ToolInfo) ability {
	a := ability{tool: t.Name}
	if t.Claims != nil {
		for _, c := range t.Claims {
			a.claim(c)
		}
		return a
	}
	name := nameWords(t.Name)
	own := toolname.Words(t.Name)
	if at := strings.LastIndexAny(t.Name, "/.:"); at >= 0 {
		own = toolname.Words(t.Name[at+1:])
	}
	a.executes = toolname.Executes(toolname.Words(t.Name))
	a.edits = toolname.Edits(own)
	if t.Effect == fault.Read {
		a.deeds = a.runs(name)
		return a
	}
	if t.Effect == fault.Undeclared && toolname.Reads(own) {
		a.deeds = a.runs(name)
		return a
	}
	applies, undoes := false, false
	for i := range name {
		w := &name[i]
		if undoes && thingsUndone[w.text] || w.text == "contact" && a.deeds != 0 {
			continue // "cancel_order" orders nothing
		}
		undoes = deedsByTool[w.text]&undoing != 0 || undoes && w.text != "and" && w.text != "or"
		if w.text == "apply" && i+1 < len(name) {
			applies = true // "apply_patch", "apply_for_leave": the others tell more
			continue
		}
		a.deeds |= deedsOfName(w)
	}
	if applies && a.deeds == 0 {
		a.deeds = deedsByTool["apply"]
	}
	a.unknown = a.deeds == 0 && !a.executes
	a.anything = a.executes || a.unknown
	return a
}

// undoing are deeds after which the thing in a tool's name is there no more.
var undoing = deedSet(1)<<deedByName["delete"] | deedSet(1)<<deedByName["cancel"] | deedSet(1)<<deedByName["close"] | deedSet(1)<<deedByName["archive"]

// thingsUndone are nouns of tool names that are verbs as well.
var thingsUndone = set("order orders booking reservation email emails mail message messages payment event events meeting appointment purchase post comment transfer reminder invite notification")

// runs is the one deed that a tool does which changes nothing: running tests, or
// what else it is given.
func (a *ability) runs(name []word) deedSet {
	run := deedSet(1) << deedByName["run"]
	if a.executes || slices.ContainsFunc(name, func(w word) bool { return deedsByTool[w.text]&run != 0 }) {
		return run
	}
	return 0
}

// deedsOfName are the deeds that a word of a tool's name tells, also in another
// form or in Vietnamese.
func deedsOfName(w *word) deedSet {
	if d := deedsByTool[w.text]; d != 0 {
		return d
	}
	var d deedSet
	for _, f := range verbs[w.plain] {
		if f.deed >= 0 && !f.bare && len(f.parts) == 1 && (f.tongue.language == English || w.text != w.plain || vietnameseSyllables[w.plain]) {
			d |= 1 << f.deed
		}
	}
	return d
}

// claim takes in one word that the owner of a tool declared.
func (a *ability) claim(words string) {
	found := deedSet(0)
	split := splitWords(words)
	for i := range split {
		w := &split[i]
		found |= deedsByTool[w.text]
		for _, f := range verbs[w.plain] {
			c := clause{words: split[i:], marked: w.text != w.plain}
			if f.deed >= 0 && f.match(&c, 0) > 0 {
				found |= 1 << f.deed
			}
		}
	}
	if found == 0 && len(split) > 0 {
		if a.declared == nil {
			a.declared = map[string]string{}
		}
		w := split[len(split)-1].text
		a.declared[stem(w)] = w
	}
	a.deeds |= found
}

// does reports whether a success of the tool can be what the claim says.
func (a *ability) does(c *claim, others bool) bool {
	switch {
	case c.deed < 0:
		return a.anything || a.declared[stem(c.word)] != ""
	case a.edits && leavesFiles[deeds[c.deed].name]:
		return c.isEdit()
	case a.anything || a.deeds&deedDoers[c.deed] != 0 || a.edits && c.isEdit():
		return true
	}
	return others && a.deeds&deedCauses[c.deed] != 0
}

// isEdit reports whether a claim may be about the text of files: lines,
// functions, rows, or what a file sets up.
func (c *claim) isEdit() bool {
	switch {
	case hasAny(c.scope, "pr", "branch", "branches", "request", "ticket", "tickets", "order", "booking"):
		return false
	case textDeeds[deeds[c.deed].name]:
		return true
	}
	return configDeeds[deeds[c.deed].name] && slices.ContainsFunc(c.scope, func(w word) bool { return w.joint })
}

var (
	textDeeds   = set("create update delete move save merge archive")
	leavesFiles = set("deploy commit merge") // an editor does not, though what updates may
	configDeeds = set("install grant block schedule close share")
)
