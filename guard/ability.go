package guard

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// ability is what the success of a tool lets an answer say was done.
type ability struct {
	tool     string
	deeds    deedSet
	anything bool              // it does what it is told to, or nobody knows what it does
	executes bool              // it runs programs or what else it is given
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
	a.executes = slices.ContainsFunc(name, func(w word) bool { return anyDeed[w.text] })
	if t.Effect == fault.Read {
		a.deeds = a.runs(name)
		return a
	}
	own := name
	if at := strings.LastIndexAny(t.Name, "/.:"); at >= 0 {
		own = nameWords(t.Name[at+1:])
	}
	if t.Effect == fault.Undeclared && reads(own) {
		a.deeds = a.runs(name)
		return a
	}
	for _, w := range name {
		a.deeds |= deedsOfName(&w)
	}
	a.unknown = a.deeds == 0 && !a.executes
	a.anything = a.executes || a.unknown
	return a
}

// runs is the one deed that a tool does which changes nothing: running tests, or
// what else it is given.
func (a *ability) runs(name []word) deedSet {
	run := deedSet(1) << deedByName["run"]
	if a.executes || slices.ContainsFunc(name, func(w word) bool { return deedsByTool[w.text]&run != 0 }) {
		return run
	}
	return 0
}

// reads reports whether the first word that tells anything says that the tool
// only looks.
func reads(name []word) bool {
	for i := range name {
		w := &name[i]
		switch {
		case readingWords[w.text], i+1 < len(name) && readingWords[w.text+"_"+name[i+1].text]:
			return true
		case anyDeed[w.text], deedsOfName(w) != 0:
			return false
		}
	}
	return false
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
	case a.anything || a.deeds&deedDoers[c.deed] != 0:
		return true
	}
	return others && a.deeds&deedCauses[c.deed] != 0
}
