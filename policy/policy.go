package policy

import (
	"fmt"
	"io"
	"maps"
	"os"
	"reflect"
	"slices"

	"github.com/failloud/failloud/guard"
	"github.com/failloud/failloud/toolkit"
)

// Policy is what a file says. Make one with [Load] or [Parse]; it does not
// change afterwards and is safe for concurrent use. A nil *Policy, the zero one and
// an empty file say nothing: every default holds.
type Policy struct {
	file      string
	doc       document
	code      *additions
	patterns  []pattern
	upstreams map[string]*toolkit.Upstream
	guards    map[string]*guard.Guard // by task
	standard  *guard.Guard            // of every other task
}

// empty is what a policy says that nobody has read.
var empty, _ = Parse("", nil)

func (p *Policy) orEmpty() *Policy {
	if p == nil || p.standard == nil {
		return empty
	}
	return p
}

// Load reads a policy file of at most 1 MiB. The error is an [*FileError]
// where the file can be read and its contents are wrong.
func Load(path string, options ...Option) (*Policy, error) {
	f, err := os.Open(path) //nolint:gosec // the caller says which file
	if err != nil {
		return nil, fmt.Errorf("policy: %w", err)
	}
	defer f.Close()
	data, err := io.ReadAll(io.LimitReader(f, maxFile+1))
	if err != nil {
		return nil, fmt.Errorf("policy: %s: %w", path, err)
	}
	return Parse(path, data, options...)
}

// Parse reads a policy from data. name is what errors call it.
func Parse(name string, data []byte, options ...Option) (*Policy, error) {
	r := &reader{problems: problems{file: name}}
	p := &Policy{file: name}
	if root := r.compose(data); root != nil {
		r.into(root, reflect.ValueOf(&p.doc).Elem(), "")
	}
	p.patterns = patternsOf(p.doc.Tools)
	p.checkUpstreams(r)
	p.checkFallbacks(r)
	if err := r.err(ErrInvalid); err != nil {
		return nil, err
	}
	p.code = added(options)
	if err := p.code.check(&p.doc); err != nil {
		return nil, err
	}
	p.makeUpstreams()
	p.makeGuards()
	return p, nil
}

// checkUpstreams looks for tools whose upstream is not described: a misspelt
// name would be a service of its own, with limits of its own.
func (p *Policy) checkUpstreams(r *reader) {
	for _, name := range sortedKeys(p.doc.Tools) {
		u := p.doc.Tools[name].Upstream
		if _, known := p.doc.Upstreams[u.name]; !known && u.name != "" {
			r.addNear(u.mark, u.name, maps.Keys(p.doc.Upstreams), "upstream %s of tool %s is not under upstreams", quoted(u.name), quoted(name))
		}
	}
}

func sortedKeys[V any](m map[string]V) []string { return slices.Sorted(maps.Keys(m)) }
