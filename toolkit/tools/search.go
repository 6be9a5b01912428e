package tools

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
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
	Path string `json:"path"`           // in the Dir
	Line int    `json:"line,omitempty"` // counted from 1; 0 for a file found by name
	Text string `json:"text,omitempty"` // the part of the line around the match, at most 300 bytes
}

// Found is what search_files returns: by path in lexical order, then by line.
type Found struct {
	Matches  []Match `json:"matches"`             // in the order of their paths and lines
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
