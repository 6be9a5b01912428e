package policy

import (
	"reflect"
	"strings"
	"unicode"

	"go.yaml.in/yaml/v4"
)

// maxName bounds the names of tools, tasks and upstreams.
const maxName = 128

// name accepts a name that the user gave, as a key or a value.
func (r *reader) name(n *yaml.Node, where string) bool {
	switch {
	case strings.TrimSpace(n.Value) == "":
		r.add(markOf(n), "", "%s: a name is empty", where)
	case len(n.Value) > maxName:
		r.add(markOf(n), "", "%s: the name %s… is longer than %d bytes", where, quoted(n.Value), maxName)
	case strings.ContainsFunc(n.Value, unicode.IsControl):
		r.add(markOf(n), "", "%s: the name %s has a control character", where, quoted(n.Value))
	default:
		return true
	}
	return false
}

// reference is the name of a tool or an upstream, and where it was written.
type reference struct {
	mark
	name string
}

func (f *reference) read(r *reader, n *yaml.Node, where string) {
	text, ok := r.text(n, where)
	if !ok || !r.name(n, where) {
		return
	}
	if strings.Contains(text, "*") {
		r.add(markOf(n), "", "%s: want one name, %s is a pattern", where, quoted(text))
		return
	}
	f.mark, f.name = markOf(n), text
}

// calling is how people speak of a tool.
type calling struct {
	mark
	words []string
}

func (c *calling) read(r *reader, n *yaml.Node, where string) {
	r.into(n, reflect.ValueOf(&c.words).Elem(), where)
	if kindOf(n) == aNull || kindOf(n) == aList && len(n.Content) == 0 {
		r.add(markOf(n), "", "%s: want at least one name", where)
	}
}
