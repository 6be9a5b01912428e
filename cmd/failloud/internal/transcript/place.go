package transcript

import (
	"bytes"

	"github.com/failloud/failloud/cmd/failloud/internal/transcript/rawjson"
)

// place finds the lines of the parts of a value. Asked in the order in which
// they stand it looks at each byte once, and at none of a value on one line.
type place struct {
	root  rawjson.Value
	first int // line of root
	spans bool
	off   int // up to here the lines are counted
	line  int // the line at off
}

func newPlace(v *Value) place {
	return place{root: v.Raw, first: v.Line, spans: v.Spans, line: v.Line}
}

// of returns the line where a part of root begins. Both end in the same array,
// so the difference of their capacities is where the part begins.
func (p *place) of(part rawjson.Value) int {
	off := cap(p.root) - cap(part)
	if !p.spans || off < 0 || off > len(p.root) {
		return p.first
	}
	if off < p.off {
		p.off, p.line = 0, p.first
	}
	p.line += bytes.Count(p.root[p.off:off], []byte{'\n'})
	p.off = off
	return p.line
}

// names keeps one copy of each short text that comes again and again.
type names struct {
	known   map[string]string
	scratch []byte
}

// task is the name of the task that a value says its run is about. A longer
// text under that name is no name.
func (b *Builder) task(v *Value) string {
	for _, of := range []rawjson.Value{v.Get("task_name"), v.Get("task"), v.Get("metadata").Get("task"), v.Get("name")} {
		if len(of) > 2 && len(of) <= maxName {
			return b.Name(of)
		}
	}
	return ""
}

const (
	maxName  = 128  // bytes of a name that is kept
	maxNames = 4096 // that are kept
)

func (n *names) of(v rawjson.Value) string {
	n.scratch = v.AppendText(n.scratch[:0])
	if s, ok := n.known[string(n.scratch)]; ok {
		return s
	}
	s := string(n.scratch)
	if len(s) > maxName {
		n.scratch = nil
		return s
	}
	if n.known == nil || len(n.known) >= maxNames {
		n.known = map[string]string{}
	}
	n.known[s] = s
	return s
}
