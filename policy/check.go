package policy

import (
	"maps"
	"strings"

	"github.com/failloud/failloud/toolkit"
)

// Check looks for tools that the file names and none of the kits has: under
// tools, a pattern that no tool matches included, as a fallback, in require and
// in named. Call it once the tools are wrapped; a tool that cannot be used, of
// which [toolkit.Kit.Start] says why, is not there. The error is a [*FileError]
// that matches [ErrUnknownTool].
func (p *Policy) Check(kits ...*toolkit.Kit) error {
	p = p.orEmpty()
	look := &lookup{problems: problems{file: p.file}, bound: map[string]bool{}}
	for _, k := range kits {
		for _, t := range k.Tools() {
			look.bound[t.Name] = true
		}
	}
	for _, name := range sortedKeys(p.doc.Tools) {
		t := p.doc.Tools[name]
		if strings.Contains(name, "*") {
			look.pattern(name, t.mark)
		} else {
			look.tool(reference{t.mark, name})
		}
		for _, f := range t.Fallback {
			look.tool(f)
		}
	}
	look.judging(p.doc.Guard)
	for _, name := range sortedKeys(p.doc.Tasks) {
		look.judging(p.doc.Tasks[name].judging)
	}
	return look.err(ErrUnknownTool)
}

// lookup compares names of the file with the tools of kits.
type lookup struct {
	problems
	bound map[string]bool
}

func (l *lookup) tool(named reference) {
	if !l.bound[named.name] {
		l.addNear(named.mark, named.name, maps.Keys(l.bound), "no tool %s", quoted(named.name))
	}
}

func (l *lookup) pattern(text string, at mark) {
	p := newPattern(text)
	for name := range l.bound {
		if p.matches(name) {
			return
		}
	}
	l.add(at, "", "no tool matches %s", quoted(text))
}

func (l *lookup) judging(j judging) {
	for i := range j.Require {
		for _, t := range j.Require[i].tools() {
			l.tool(t)
		}
	}
	for _, name := range sortedKeys(j.Named) {
		l.tool(reference{j.Named[name].mark, name})
	}
}
