package policy

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// Check compares the file with the tools of the kits that share it. Call it once
// the tools are wrapped, before the first [toolkit.Kit.Start]. It looks for
//
//   - tools that the file names and none of the kits has, under tools, a pattern
//     that no tool matches included, as a fallback, in require and in named;
//   - tools that the file speaks of and that cannot be used, and why;
//   - tools that two equally long patterns match;
//   - tools that only read and whose fallback may write.
//
// The error is a [*FileError] that matches [ErrUnknownTool], [ErrUnusableTool] and
// [ErrInvalid], whichever applies.
func (p *Policy) Check(kits ...*toolkit.Kit) error {
	p = p.orEmpty()
	look := &lookup{problems: problems{file: p.file}, bound: map[string]fault.Effect{}, unusable: map[string]error{}}
	for _, k := range kits {
		for _, t := range k.Tools() {
			look.bound[t.Name] = t.Effect
		}
		for _, wrong := range k.Unusable() {
			look.unusable[wrong.Tool] = wrong.Err
		}
	}
	look.matched(p)
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
	return look.err(errors.Join(look.kinds...))
}

// lookup compares names of the file with the tools of kits.
type lookup struct {
	problems
	kinds    []error // of the problems
	bound    map[string]fault.Effect
	unusable map[string]error // why; nil once that was told
}

func (l *lookup) kind(of error) {
	if !slices.Contains(l.kinds, of) {
		l.kinds = append(l.kinds, of)
	}
}

// names are those of every tool that was wrapped.
func (l *lookup) names() iter.Seq[string] {
	return func(yield func(string) bool) {
		for name := range l.bound {
			if !yield(name) {
				return
			}
		}
		for name := range l.unusable {
			if !yield(name) {
				return
			}
		}
	}
}

// matched looks at every tool where the file says the most about it.
func (l *lookup) matched(p *Policy) {
	for _, name := range slices.Compact(slices.Sorted(l.names())) {
		t, named := p.settings(name)
		if !named {
			continue
		}
		l.wrong(reference{t.mark, name})
		if one, other, tied := p.tie(name); tied {
			l.kind(ErrInvalid)
			at := p.doc.Tools[other].mark
			l.add(at, "", "tool %s matches this and %s, which says as much and stands first: give the tool a name of its own under tools", quoted(name), quoted(one))
		}
		for _, f := range t.Fallback {
			if effect, bound := l.bound[f.name]; bound && l.bound[name] == fault.Read && effect.Writes() {
				l.kind(ErrInvalid)
				l.add(f.mark, "", "tool %s only reads, and its fallback %s %s", quoted(name), quoted(f.name), writes(effect))
			}
		}
	}
}

func writes(e fault.Effect) string {
	if e == fault.Undeclared {
		return "may write: declare its effect"
	}
	return "writes"
}

// wrong tells once why a tool cannot be used, and reports whether that is so.
func (l *lookup) wrong(named reference) bool {
	err, unusable := l.unusable[named.name]
	if !unusable {
		return false
	}
	if err != nil {
		l.kind(ErrUnusableTool)
		l.add(named.mark, "", "tool %s cannot be used: %s", quoted(named.name), strings.ReplaceAll(err.Error(), "\n", "; "))
		l.unusable[named.name] = nil
	}
	return true
}

func (l *lookup) tool(named reference) {
	if _, bound := l.bound[named.name]; !bound && !l.wrong(named) {
		l.kind(ErrUnknownTool)
		l.addNear(named.mark, named.name, l.names(), "no tool %s", quoted(named.name))
	}
}

func (l *lookup) pattern(text string, at mark) {
	p := newPattern(text)
	for name := range l.names() {
		if p.matches(name) {
			return
		}
	}
	l.kind(ErrUnknownTool)
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

// CheckTasks compares the file with the names of the tasks that code asks for
// with [Policy.Task] and [Policy.Guard], which take a name that the file does not
// have for a task without settings of its own. Give it all of them that should
// have some: it tells which the file lacks, and which of the file nobody asks for.
// The error is a [*FileError] that matches [ErrUnknownTask].
func (p *Policy) CheckTasks(names ...string) error {
	p = p.orEmpty()
	found := problems{file: p.file}
	for _, name := range names {
		if _, known := p.doc.Tasks[name]; !known {
			found.addNear(mark{1, 1}, name, maps.Keys(p.doc.Tasks), "no task %s under tasks", quoted(name))
		}
	}
	for _, name := range sortedKeys(p.doc.Tasks) {
		if !slices.Contains(names, name) {
			found.addNear(p.doc.Tasks[name].mark, name, slices.Values(names), "nobody asks for task %s", quoted(name))
		}
	}
	return found.err(ErrUnknownTask)
}
