package tools

import (
	"path"
	"strings"
)

// glob is a pattern for paths with slashes, made by [parseGlob].
type glob struct {
	segments []string
	base     bool // only the last element of the path has to match
}

// parseGlob reads a pattern: * and ? within one element, ** for any number of
// elements. A pattern without a slash is for the name of the file alone, as in
// a .gitignore. The error is [path.ErrBadPattern].
func parseGlob(pattern string) (glob, error) {
	pattern = strings.TrimPrefix(pattern, "./")
	g := glob{segments: strings.Split(pattern, "/"), base: !strings.Contains(pattern, "/")}
	for _, s := range g.segments {
		if _, err := path.Match(s, ""); err != nil {
			return glob{}, err
		}
	}
	return g, nil
}

// match reports whether the pattern matches the whole of p.
func (g glob) match(p string) bool {
	if g.base {
		p = path.Base(p)
	}
	return matchSegments(g.segments, strings.Split(p, "/"))
}

// matchSegments goes back only to the last ** it met: an earlier one could not
// match more than it, so the work is bounded by the product of the lengths.
func matchSegments(pattern, name []string) bool {
	p, n := 0, 0
	star, from := -1, 0
	for n < len(name) {
		switch {
		case p < len(pattern) && pattern[p] == "**":
			star, from = p, n
			p++
			continue
		case p < len(pattern):
			if ok, _ := path.Match(pattern[p], name[n]); ok {
				p++
				n++
				continue
			}
		}
		if star < 0 {
			return false
		}
		from++
		p, n = star+1, from
	}
	for p < len(pattern) && pattern[p] == "**" {
		p++
	}
	return p == len(pattern)
}
