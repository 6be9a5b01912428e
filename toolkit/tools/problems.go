package tools

import "fmt"

// problems collects what is wrong with a configuration.
type problems []error

// when notes a problem where it is one.
func (p *problems) when(bad bool, format string, args ...any) {
	if bad {
		*p = append(*p, fmt.Errorf(format, args...))
	}
}
