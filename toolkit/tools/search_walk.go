package tools

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"time"
)

// errOutOfTime is a timeout to everybody who asks.
var errOutOfTime = fmt.Errorf("the search was not done in time: %w", context.DeadlineExceeded)

// search is one search_files on its way through the directory.
type search struct {
	dir   *Dir
	base  string
	line  *regexp.Regexp // nil: files are found by name
	name  *glob          // nil: every file
	stop  time.Time      // zero: no deadline
	found Found
}

func (s *search) visit(ctx context.Context, p string, e fs.DirEntry, err error) error {
	switch {
	case s.late(ctx) != nil:
		return s.late(ctx)
	case err != nil && p == s.base:
		return fileError(err)
	case err != nil:
		s.found.Unread++
		return nil
	case e.IsDir() && p != s.base && s.dir.skipped(e.Name()):
		return fs.SkipDir
	case !e.Type().IsRegular():
		return nil
	case s.name != nil && !s.name.match(below(s.base, p)):
		return nil
	case s.line == nil:
		s.found.Searched++
		return s.add(Match{Path: p})
	}
	return s.file(ctx, p, e)
}

// late returns why the search has to end, nil while it may go on.
func (s *search) late(ctx context.Context) error {
	if err := ctx.Err(); err != nil {
		return err
	}
	if !s.stop.IsZero() && time.Now().After(s.stop) {
		return errOutOfTime
	}
	return nil
}

// add keeps a match, and ends the walk where one more would be too many.
func (s *search) add(m Match) error {
	if len(s.found.Matches) == s.dir.cfg.MaxMatches {
		s.found.Cut = true
		return fs.SkipAll
	}
	s.found.Matches = append(s.found.Matches, m)
	return nil
}

func (s *search) file(ctx context.Context, p string, e fs.DirEntry) error {
	if info, err := e.Info(); err == nil && info.Size() > s.dir.cfg.MaxFile {
		s.found.TooLarge++
		return nil
	}
	f, _, err := s.dir.regular(p)
	if errors.Is(err, fs.ErrNotExist) {
		return nil // removed since its directory was read
	}
	if err != nil {
		s.found.Unread++
		return nil
	}
	defer f.Close()
	src := bufio.NewReaderSize(f, maxLine)
	head, err := src.Peek(sniffLen)
	if err != nil && !errors.Is(err, io.EOF) {
		s.found.Unread++
		return nil
	}
	if binary(head) {
		return nil
	}
	s.found.Searched++
	for line, fresh := 1, true; ; {
		if err := s.late(ctx); err != nil {
			return err
		}
		text, err := src.ReadSlice('\n')
		if fresh && len(text) > 0 {
			if at := s.line.FindIndex(trimEOL(text)); at != nil {
				if err := s.add(Match{Path: p, Line: line, Text: around(trimEOL(text), at[0])}); err != nil {
					return err
				}
			}
		}
		switch {
		case err == nil:
			line, fresh = line+1, true
		case errors.Is(err, bufio.ErrBufferFull):
			fresh = false // the rest of a very long line
		case err == io.EOF:
			return nil
		default:
			s.found.Unread++
			return nil
		}
	}
}

func trimEOL(line []byte) []byte {
	for len(line) > 0 && (line[len(line)-1] == '\n' || line[len(line)-1] == '\r') {
		line = line[:len(line)-1]
	}
	return line
}

// around is the part of a line in which the match at that offset stands.
func around(line []byte, at int) string {
	if len(line) <= maxShown {
		return printable(line)
	}
	from := max(0, min(at-maxShown/3, len(line)-maxShown))
	for from > 0 && from < len(line) && line[from]&0xC0 == 0x80 {
		from-- // not inside a character
	}
	text := printable(cutRune(line[from:], maxShown))
	if from > 0 {
		text = "…" + text
	}
	if from+maxShown < len(line) {
		text += "…"
	}
	return text
}
