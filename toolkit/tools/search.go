package tools

import (
	"bufio"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"regexp"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

const (
	maxLine  = 64 << 10 // bytes of one line that are searched
	maxShown = 300      // bytes of a matching line that are returned
)

// SearchFilesIn are the arguments of search_files.
type SearchFilesIn struct {
	Pattern    string `json:"pattern,omitempty" jsonschema:"regular expression (RE2) to look for in each line; leave it out to find files by name alone"`
	Path       string `json:"path,omitempty" jsonschema:"directory or file to search, relative to the working directory; default the working directory"`
	Glob       string `json:"glob,omitempty" jsonschema:"only files that match, such as *.go or docs/**/*.md, relative to path"`
	Literal    bool   `json:"literal,omitempty" jsonschema:"take the pattern as plain text"`
	IgnoreCase bool   `json:"ignore_case,omitempty" jsonschema:"do not distinguish upper and lower case"`
}

// Match is one line that matched, or one file where no pattern was given.
type Match struct {
	Path string `json:"path"`
	Line int    `json:"line,omitempty"` // counted from 1; 0 for a file found by name
	Text string `json:"text,omitempty"` // the part of the line around the match, at most 300 bytes
}

// Found is what search_files returns: by path in lexical order, then by line.
type Found struct {
	Matches  []Match `json:"matches"`
	Searched int     `json:"searched"`            // files looked at
	TooLarge int     `json:"too_large,omitempty"` // files left out for their size
	Unread   int     `json:"unread,omitempty"`    // files and directories that could not be read
	Cut      bool    `json:"cut,omitempty"`       // the limit of matches, or the time, ended the search
}

// ModelText has one match a line in the form PATH:LINE: TEXT.
func (f Found) ModelText() string {
	var b strings.Builder
	for _, m := range f.Matches {
		if m.Line == 0 {
			fmt.Fprintf(&b, "%s\n", m.Path)
			continue
		}
		fmt.Fprintf(&b, "%s:%d: %s\n", m.Path, m.Line, m.Text)
	}
	if len(f.Matches) == 0 {
		fmt.Fprintf(&b, "[no match in %d files]\n", f.Searched)
	}
	if f.Cut {
		fmt.Fprintf(&b, "[cut after %d matches; there may be more]\n", len(f.Matches))
	}
	if f.TooLarge > 0 {
		fmt.Fprintf(&b, "[%d files were too large to search]\n", f.TooLarge)
	}
	if f.Unread > 0 {
		fmt.Fprintf(&b, "[%d files or directories could not be read]\n", f.Unread)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Empty reports whether nothing matched, anywhere that was to be searched.
func (f Found) Empty() bool { return len(f.Matches) == 0 && !f.Cut && f.TooLarge == 0 && f.Unread == 0 }

// SearchFiles is the tool search_files. Binary files, symbolic links, and the
// directories of version control are left out. A search that a limit has ended
// is marked as truncated, one that could not look everywhere as partial; one
// that has run out of time before it found anything has failed, because "no
// match" would not be true.
//
// Where it fails, list_directory of the same directory stands in, so that tool
// has to be in the same kit under its own name; change or clear Fallback
// otherwise.
func (d *Dir) SearchFiles() toolkit.Tool[SearchFilesIn, Found] {
	return toolkit.Tool[SearchFilesIn, Found]{
		Name:        "search_files",
		Description: "Search text files for lines that match a regular expression, or find files by name.",
		Effect:      fault.Read,
		Timeout:     d.cfg.Timeout,
		Call:        d.searchFiles,
		Fallback:    []toolkit.Fallback{{Tool: "list_directory", Adapt: listInstead}},
	}
}

// listInstead makes the arguments of list_directory from those of search_files.
func listInstead(args json.RawMessage) (json.RawMessage, error) {
	var in SearchFilesIn
	if err := json.Unmarshal(args, &in); err != nil {
		return nil, err
	}
	return json.Marshal(ListDirectoryIn{Path: in.Path, Depth: 3})
}

func (d *Dir) searchFiles(ctx context.Context, in SearchFilesIn) (Found, error) {
	name, err := d.local(in.Path)
	if err != nil {
		return Found{}, err
	}
	s := search{dir: d, base: name, found: Found{Matches: []Match{}}}
	if s.line, err = in.expression(); err != nil {
		return Found{}, invalid("pattern", "bad_pattern", "%w", err)
	}
	if in.Glob == "" && s.line == nil {
		return Found{}, invalid("pattern", "no_pattern", "neither a pattern nor a glob was given")
	}
	if in.Glob != "" {
		g, err := parseGlob(in.Glob)
		if err != nil {
			return Found{}, invalid("glob", "bad_glob", "%w", err)
		}
		s.name = &g
	}
	if _, err := d.root.Stat(name); err != nil {
		return Found{}, fileError(err)
	}
	if at, ok := ctx.Deadline(); ok {
		s.stop = at.Add(-time.Until(at) / 10) // time left to hand over what was found
	}
	err = fs.WalkDir(d.root.FS(), name, func(p string, e fs.DirEntry, err error) error {
		return s.visit(ctx, p, e, err)
	})
	switch {
	case errors.Is(err, errOutOfTime) && len(s.found.Matches) > 0:
		s.found.Cut = true
	case err != nil:
		return Found{}, err
	}
	var cut, unread error
	if s.found.Cut || s.found.TooLarge > 0 {
		cut = toolkit.Truncated()
	}
	if s.found.Unread > 0 {
		unread = toolkit.Partial(fmt.Errorf("%d files or directories could not be read", s.found.Unread))
	}
	return s.found, errors.Join(cut, unread)
}

// expression compiles the pattern, nil where there is none.
func (in SearchFilesIn) expression() (*regexp.Regexp, error) {
	if in.Pattern == "" {
		return nil, nil
	}
	expr := in.Pattern
	if in.Literal {
		expr = regexp.QuoteMeta(expr)
	}
	if in.IgnoreCase {
		expr = "(?i:" + expr + ")"
	}
	return regexp.Compile(expr)
}

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
	if err != nil && err != io.EOF {
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
