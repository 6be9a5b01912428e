package toolkit

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"slices"
	"sync"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/runrecord"
)

// toolset is what a kit holds at one moment. It is replaced, never changed, so
// that calls look tools up without a lock.
type toolset struct {
	byName  map[string]*core
	ordered []*core
	infos   []*runrecord.ToolInfo
	rejects []error // of tools that could not be added
	once    sync.Once
	err     error
}

// add puts a tool into the kit. A second tool of one name is refused, and
// answers with that refusal.
func (k *Kit) add(c *core) {
	k.mu.Lock()
	defer k.mu.Unlock()
	old := k.tools.Load()
	next := &toolset{byName: maps.Clone(old.byName), ordered: slices.Clone(old.ordered), rejects: slices.Clone(old.rejects)}
	if next.byName == nil {
		next.byName = map[string]*core{}
	}
	if _, taken := next.byName[c.name]; taken {
		c.invalid = errors.Join(c.invalid, errors.New("there is another tool of this name"))
		next.rejects = append(next.rejects, c.problem())
	} else {
		next.byName[c.name] = c
		next.ordered = append(next.ordered, c)
	}
	next.link()
	k.tools.Store(next)
}

// link tells every tool for which others it stands in. A descriptor that a run
// may already point to is not changed but replaced.
func (s *toolset) link() {
	standsIn := map[string][]string{}
	for _, c := range s.ordered {
		for _, l := range c.links {
			standsIn[l.Tool] = append(standsIn[l.Tool], c.name)
		}
	}
	for _, c := range s.ordered {
		info := c.info.Load()
		if names := standsIn[c.name]; !slices.Equal(names, info.StandsIn) {
			changed := *info
			changed.StandsIn = names
			info = &changed
			c.info.Store(info)
		}
		s.infos = append(s.infos, info)
	}
}

// problems joins what is wrong with the tools, worked out once.
func (s *toolset) problems() error {
	s.once.Do(func() {
		errs := slices.Clone(s.rejects)
		for _, c := range s.ordered {
			errs = append(errs, c.problem())
			for _, l := range c.links {
				switch {
				case l.Tool == c.name:
					errs = append(errs, &ToolError{c.name, errors.New("it cannot be its own fallback")})
				case s.byName[l.Tool] == nil:
					errs = append(errs, &ToolError{c.name, fmt.Errorf("its fallback %q is not a tool of this kit: wrap that too, or set Fallback to nil", l.Tool)})
				}
			}
		}
		s.err = errors.Join(errs...)
	})
	return s.err
}

// Described is what a model SDK needs to offer a tool to a model.
type Described struct {
	Name        string          `json:"name"`                  // of the tool
	Description string          `json:"description,omitempty"` // for the model; "" where there is none
	Schema      json.RawMessage `json:"input_schema"`          // JSON Schema of the arguments
	Effect      fault.Effect    `json:"-"`
}

// Tools returns the usable tools in the order in which they were wrapped. The
// schemas are shared: do not change them.
func (k *Kit) Tools() []Described {
	if !k.made() {
		return nil
	}
	set := k.tools.Load()
	all := make([]Described, 0, len(set.ordered))
	for _, c := range set.ordered {
		if c.invalid == nil {
			all = append(all, Described{Name: c.name, Description: c.description, Schema: c.schema.source, Effect: c.effect()})
		}
	}
	return all
}

// Unusable returns what is wrong with each tool that [Kit.Tools] leaves out, in
// the order in which they were wrapped; a second tool of a name is not among
// them. [Kit.Start] returns these errors as well, joined.
func (k *Kit) Unusable() (wrong []*ToolError) {
	if !k.made() {
		return nil
	}
	for _, c := range k.tools.Load().ordered {
		if c.invalid != nil {
			wrong = append(wrong, &ToolError{c.name, c.invalid})
		}
	}
	return wrong
}
