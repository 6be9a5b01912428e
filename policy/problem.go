package policy

import (
	"cmp"
	"errors"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/similar"
)

// What is wrong with a file.
var (
	ErrInvalid      = errors.New("policy: invalid file")    // from [Load] and [Parse]; from [Policy.Check] what only the tools tell
	ErrUnknownTool  = errors.New("policy: unknown tool")    // from [Policy.Check]
	ErrUnusableTool = errors.New("policy: tool not usable") // from [Policy.Check]
)

// Problem is one thing that is wrong, and where it stands.
type Problem struct {
	File    string // as it was given to [Load] or [Parse]
	Line    int    // from 1
	Column  int    // from 1, in characters
	What    string // what is wrong; names of settings, never the texts of known or for_each
	Nearest string // the name that may have been meant, "" where none is like it
}

// String is "file:line:column: what, did you mean …?".
func (p Problem) String() string {
	s := fmt.Sprintf("%s:%d:%d: %s", p.File, p.Line, p.Column, p.What)
	if p.Nearest != "" {
		s += fmt.Sprintf(", did you mean %q?", p.Nearest)
	}
	return s
}

// FileError is everything that is wrong with a file.
type FileError struct {
	Problems []Problem // in the order of the file, at most 20
	More     int       // how many there are besides
	sentinel error
}

// Error is one line for each problem.
func (e *FileError) Error() string {
	lines := make([]string, len(e.Problems), len(e.Problems)+1)
	for i, p := range e.Problems {
		lines[i] = p.String()
	}
	if e.More > 0 {
		lines = append(lines, fmt.Sprintf("and %d more", e.More))
	}
	return strings.Join(lines, "\n")
}

// Unwrap returns [ErrInvalid], [ErrUnknownTool], [ErrUnusableTool] or
// [ErrUnknownTask], or several of them joined.
func (e *FileError) Unwrap() error { return e.sentinel }

// maxProblems is how many are told: more than anybody mends in one go.
const maxProblems = 20

// problems gathers what is wrong. The zero value has room for the first ones.
type problems struct {
	file  string
	found []Problem
	more  int
}

// addNear adds a problem with the name that may have been meant.
func (p *problems) addNear(m mark, name string, known iter.Seq[string], format string, args ...any) {
	nearest := ""
	if len(p.found) < maxProblems { // beyond that it is only counted
		nearest = nearestTo(name, known)
	}
	p.add(m, nearest, format, args...)
}

func nearestTo(name string, known iter.Seq[string]) string {
	if near := similar.Names(name, known, 1); len(near) > 0 {
		return near[0]
	}
	return ""
}

func (p *problems) add(m mark, nearest, format string, args ...any) {
	if len(p.found) == maxProblems {
		p.more++
		return
	}
	p.found = append(p.found, Problem{File: p.file, Line: m.line, Column: m.column, What: fmt.Sprintf(format, args...), Nearest: nearest})
}

// count is how many there are, the ones that are not told included.
func (p *problems) count() int { return len(p.found) + p.more }

// err is nil where nothing is wrong.
func (p *problems) err(sentinel error) error {
	if len(p.found) == 0 {
		return nil
	}
	slices.SortStableFunc(p.found, func(a, b Problem) int {
		return cmp.Or(cmp.Compare(a.Line, b.Line), cmp.Compare(a.Column, b.Column))
	})
	return &FileError{Problems: p.found, More: p.more, sentinel: sentinel}
}

// mark is a place in the file.
type mark struct{ line, column int }

// quoted shows a name of the file in an error: bounded, on one line.
func quoted(s string) string { return fmt.Sprintf("%.60q", s) }

// oneOf lists names as people do: "a, b or c".
func oneOf(names []string) string {
	if len(names) < 2 {
		return strings.Join(names, "")
	}
	last := len(names) - 1
	return strings.Join(names[:last], ", ") + " or " + names[last]
}
