package policy

import (
	"strings"

	"github.com/failloud/failloud/fault"
)

// checkFallbacks looks at the tools that stand in for others: each once, never
// for itself, and none that writes for one that only reads. Of effects that only
// code declares [Policy.Check] knows.
func (p *Policy) checkFallbacks(r *reader) {
	for _, name := range sortedKeys(p.doc.Tools) {
		t := p.doc.Tools[name]
		seen := map[string]bool{}
		for _, f := range t.Fallback {
			switch {
			case f.name == "": // a problem already
			case seen[f.name]:
				r.add(f.mark, "", "fallback of tool %s: %s is there twice", quoted(name), quoted(f.name))
			case f.name == name:
				r.add(f.mark, "", "fallback of tool %s: a tool cannot stand in for itself", quoted(name))
			case fault.Effect(t.Effect) == fault.Read && p.effect(f.name) == fault.Write && strings.Contains(name, "*"):
				r.add(f.mark, "", "tools that match %s only read, and their fallback %s writes", quoted(name), quoted(f.name))
			case fault.Effect(t.Effect) == fault.Read && p.effect(f.name) == fault.Write:
				r.add(f.mark, "", "tool %s only reads, and its fallback %s writes", quoted(name), quoted(f.name))
			}
			seen[f.name] = true
		}
	}
}

// effect is what the file says of a tool's effect.
func (p *Policy) effect(tool string) fault.Effect {
	t, named := p.settings(tool)
	if !named {
		return fault.Undeclared
	}
	return fault.Effect(t.Effect)
}
