package main

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/cmd/failloud/internal/report"
	"github.com/failloud/failloud/cmd/failloud/internal/transcript"
	"github.com/failloud/failloud/internal/similar"
)

// runSearch looks for one run. An id that is exactly it goes before one that
// begins with it.
type runSearch struct {
	id   string
	file string // of FILE:LINE, else ""
	line int

	exact, beginning, there candidates
	runs                    int
	ids                     []string
}

// candidates are the runs that may be meant in one sense.
type candidates struct {
	first  *transcript.Transcript
	places []string
	more   int
}

const (
	maxPlaces = 5       // of candidates that are named
	maxIDs    = 100_000 // that are remembered for "did you mean"

	maxShownID = 120 // bytes of an id
)

func newRunSearch(which string) *runSearch {
	s := &runSearch{id: which}
	if at := strings.LastIndexByte(which, ':'); at > 0 {
		if line, err := strconv.Atoi(which[at+1:]); err == nil && line > 0 {
			s.file, s.line = which[:at], line
		}
	}
	return s
}

// all reads the inputs and reports whether some of it was unreadable.
func (s *runSearch) all(ctx context.Context, inputs *inputs, p *progress, c *complaints) (unreadable bool) {
	for _, bad := range inputs.bad {
		c.file(bad.name, bad.err)
		unreadable = true
	}
	for _, in := range inputs.files {
		r, err := in.open(ctx)
		if err != nil {
			c.file(in.name, err)
			unreadable = true
			continue
		}
		o := transcript.Options{File: in.name, OnProblem: c.problem, OnBytes: p.bytes}
		stats, err := transcript.Read(ctx, r, o, func(t *transcript.Transcript) error {
			p.run()
			s.look(t)
			return nil
		})
		r.Close()
		p.next(in.size)
		if err != nil && !errors.Is(err, context.Canceled) {
			c.file(in.name, err)
			unreadable = true
		}
		unreadable = unreadable || stats.Broken+stats.Unknown > 0
	}
	c.end()
	return unreadable
}

func (s *runSearch) look(t *transcript.Transcript) {
	switch {
	case t.ID == s.id:
		s.exact.add(t)
	case strings.HasPrefix(t.ID, s.id):
		s.beginning.add(t)
	case s.line > 0 && sameFile(t.File, s.file) && s.stands(t):
		s.there.add(t)
	}
	if s.runs++; len(s.ids) < maxIDs {
		s.ids = append(s.ids, report.Cleaner{}.Line(t.ID, maxShownID))
	}
}

// sameFile reports whether a file is meant by a path, or by the end of one.
func sameFile(file, path string) bool {
	file, path = filepath.Clean(file), filepath.Clean(path)
	return file == path || strings.HasSuffix(file, string(filepath.Separator)+path)
}

// stands reports whether a part of the run begins at the line.
func (s *runSearch) stands(t *transcript.Transcript) bool {
	return t.Line == s.line || t.FinalLine == s.line ||
		slices.ContainsFunc(t.Events, func(e transcript.Event) bool { return e.Line == s.line })
}

func (c *candidates) add(t *transcript.Transcript) {
	if c.first == nil {
		c.first = t
	}
	if len(c.places) == maxPlaces {
		c.more++
		return
	}
	c.places = append(c.places, fmt.Sprintf("%s (%s)", report.Cleaner{}.Line(t.ID, maxShownID), where(t.File, t.Line)))
}

// found returns the run that is meant.
func (s *runSearch) found() (*transcript.Transcript, error) {
	for _, c := range []*candidates{&s.exact, &s.there, &s.beginning} {
		switch n := len(c.places) + c.more; {
		case n == 1:
			return c.first, nil
		case n > 1:
			list := strings.Join(c.places, ", ")
			if c.more > 0 {
				list += fmt.Sprintf(" and %d more", c.more)
			}
			return nil, fmt.Errorf("%q may be any of %d runs: %s; say more of the id, or FILE:LINE", s.id, n, list)
		}
	}
	if len(s.ids) == 0 {
		return nil, errors.New("no run was found in the input")
	}
	near := similar.Names(s.id, slices.Values(s.ids), maxPlaces)
	if len(near) > 0 {
		return nil, fmt.Errorf("no run %q; did you mean %s?", s.id, strings.Join(near, ", "))
	}
	return nil, fmt.Errorf("no run %q among %d; the first are %s", s.id, s.runs, strings.Join(s.ids[:min(len(s.ids), maxPlaces)], ", "))
}
