package policy

import (
	"reflect"
	"time"

	"go.yaml.in/yaml/v4"

	"github.com/failloud/failloud/guard"
)

// requirement is one item of require: the name of a tool, or a map.
type requirement struct {
	mark
	requirementKeys
}

// requirementKeys are the forms of [guard.Requirement]. One of tool and any_of
// is said.
type requirementKeys struct {
	Tool        reference   `yaml:"tool"`
	AnyOf       []reference `yaml:"any_of"`
	AtLeast     positive    `yaml:"at_least"`
	ForEach     forEach     `yaml:"for_each"`
	Fresh       duration    `yaml:"fresh"`
	NotDegraded bool        `yaml:"not_degraded"`
	NotPartial  bool        `yaml:"not_partial"`
}

func (q *requirement) read(r *reader, n *yaml.Node, where string) {
	q.stand(markOf(n))
	switch kindOf(n) {
	case aMap:
		before := len(r.found) + r.more
		r.object(n, reflect.ValueOf(&q.requirementKeys).Elem(), where)
		named, any := q.Tool.name != "", len(q.AnyOf) > 0
		switch {
		case named && any:
			r.add(q.mark, "", "%s: it has both tool and any_of, make it two requirements", where)
		case !named && !any && r.count() == before:
			r.add(q.mark, "", "%s: it names no tool, want tool or any_of", where)
		}
	case aText:
		q.Tool.read(r, n, where)
	default:
		r.wants(n, where, "the name of a tool or a map")
	}
}

func (requirement) shape() any { return requirementKeys{} }

// tools are all that the requirement names.
func (q *requirement) tools() []reference {
	if q.Tool.name != "" {
		return append(q.AnyOf[:len(q.AnyOf):len(q.AnyOf)], q.Tool)
	}
	return q.AnyOf
}

// option is the requirement as a guard takes it.
func (q *requirement) option() guard.Requirement {
	var names []string
	for _, t := range q.tools() {
		names = append(names, t.name)
	}
	o := guard.Require(names...)
	if len(q.AnyOf) > 0 {
		o = guard.RequireAny(names...)
	}
	if q.AtLeast > 0 {
		o = o.AtLeast(int(q.AtLeast))
	}
	if q.ForEach.field != "" {
		o = o.ForEach(q.ForEach.field, q.ForEach.values...)
	}
	if q.Fresh > 0 {
		o = o.Fresh(time.Duration(q.Fresh))
	}
	if q.NotDegraded {
		o = o.NotDegraded()
	}
	if q.NotPartial {
		o = o.NotPartial()
	}
	return o
}

// forEach is one argument and the values it is required for.
type forEach struct {
	field  string
	values []string
}

func (f *forEach) read(r *reader, n *yaml.Node, where string) {
	if kindOf(n) != aMap {
		r.wants(n, where, "a map of one argument to its values")
		return
	}
	for key, value := range r.pairs(n, where) {
		if f.field != "" {
			r.add(markOf(key), "", "%s: a requirement has one argument, make %s a second requirement", where, quoted(key.Value))
			return
		}
		if !r.name(key, where) {
			return
		}
		f.field = key.Value
		var values []spoken
		r.into(value, reflect.ValueOf(&values).Elem(), inside(quoted(key.Value), where))
		for _, v := range values {
			f.values = append(f.values, string(v))
		}
		if len(values) == 0 {
			r.add(markOf(value), "", "%s: no value for %s", where, quoted(key.Value))
		}
	}
	if len(n.Content) == 0 {
		r.add(markOf(n), "", "%s: it names no argument", where)
	}
}
