package tools

import (
	"context"
	"fmt"
	"io/fs"
	"path"
	"strings"
	"time"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// maxDepth bounds how deep one list_directory goes.
const maxDepth = 8

// ListDirectoryIn are the arguments of list_directory.
type ListDirectoryIn struct {
	Path  string `json:"path,omitempty" jsonschema:"directory to list, relative to the working directory; default the working directory itself"`
	Depth int    `json:"depth,omitempty" jsonschema:"how many levels to list, 1 to 8; default 1: only what is directly in the directory"`
}

// Entry is one line of a listing.
type Entry struct {
	Path     string    `json:"path"`              // relative to the directory listed
	Type     string    `json:"type"`              // "file", "directory", "link" or "other"
	Size     int64     `json:"size,omitempty"`    // bytes; of files
	Modified time.Time `json:"modified,omitzero"` // last change
}

// Listing is what list_directory returns, in lexical order.
type Listing struct {
	Path       string  `json:"path"`                 // the directory, in the Dir
	Entries    []Entry `json:"entries"`              // in the order of their paths
	Cut        bool    `json:"cut,omitempty"`        // there is more than the limit allows
	Unreadable int     `json:"unreadable,omitempty"` // directories that could not be read
}

// ModelText has one entry a line, directories with a slash behind them.
func (l Listing) ModelText() string {
	var b strings.Builder
	for _, e := range l.Entries {
		b.WriteString(e.Path)
		switch e.Type {
		case "directory":
			b.WriteByte('/')
		case "file":
			b.WriteString("  " + size(e.Size))
		default:
			b.WriteString("  (" + e.Type + ")")
		}
		b.WriteByte('\n')
	}
	switch {
	case l.Cut:
		fmt.Fprintf(&b, "[cut after %d entries; list a directory inside it]\n", len(l.Entries))
	case len(l.Entries) == 0 && l.Unreadable == 0:
		b.WriteString("[the directory is empty]\n")
	}
	if l.Unreadable > 0 {
		fmt.Fprintf(&b, "[%d directories could not be read]\n", l.Unreadable)
	}
	return strings.TrimSuffix(b.String(), "\n")
}

// Empty reports whether the directory has nothing in it.
func (l Listing) Empty() bool { return len(l.Entries) == 0 && l.Unreadable == 0 }

// ListDirectory is the tool list_directory. Symbolic links are shown and not
// followed. A listing that the limit has cut is marked as truncated, one in
// which a directory could not be read as partial.
func (d *Dir) ListDirectory() toolkit.Tool[ListDirectoryIn, Listing] {
	return toolkit.Tool[ListDirectoryIn, Listing]{
		Name:        "list_directory",
		Description: "List the files and directories in a directory.",
		Effect:      fault.Read,
		Timeout:     d.cfg.Timeout,
		Identity:    []string{"path"},
		Call:        d.listDirectory,
	}
}

func (d *Dir) listDirectory(ctx context.Context, in ListDirectoryIn) (Listing, error) {
	name, err := d.local(in.Path)
	if err != nil {
		return Listing{}, err
	}
	if in.Depth < 0 || in.Depth > maxDepth {
		return Listing{}, invalid("depth", "bad_depth", "depth %d is not between 1 and %d", in.Depth, maxDepth)
	}
	depth := max(in.Depth, 1)
	if err := d.directory(name); err != nil {
		return Listing{}, err
	}
	out := Listing{Path: name, Entries: []Entry{}}
	err = fs.WalkDir(d.root.FS(), name, func(p string, e fs.DirEntry, err error) error {
		switch {
		case ctx.Err() != nil:
			return ctx.Err()
		case err != nil && p == name:
			return fileError(err)
		case err != nil:
			out.Unreadable++
			return nil
		case p == name:
			return nil
		case len(out.Entries) == d.cfg.MaxEntries:
			out.Cut = true
			return fs.SkipAll
		}
		rel := below(name, p)
		out.Entries = append(out.Entries, entry(rel, e))
		if e.IsDir() && (strings.Count(rel, "/")+1 >= depth || d.skipped(e.Name())) {
			return fs.SkipDir
		}
		return nil
	})
	switch {
	case err != nil:
		return Listing{}, err
	case out.Cut:
		return out, toolkit.Truncated()
	case out.Unreadable > 0:
		return out, toolkit.Partial(fmt.Errorf("%d directories could not be read", out.Unreadable))
	}
	return out, nil
}

// directory makes sure that name can be walked: a walk of a file is the file.
func (d *Dir) directory(name string) error {
	info, err := d.root.Stat(name)
	if err != nil {
		return fileError(err)
	}
	if !info.IsDir() {
		return invalid("path", "not_a_directory", "%s is not a directory", name)
	}
	return nil
}

// below is the path of p seen from dir, which it is inside of.
func below(dir, p string) string {
	if dir == "." {
		return p
	}
	return strings.TrimPrefix(p, path.Clean(dir)+"/")
}

func entry(rel string, e fs.DirEntry) Entry {
	out := Entry{Path: rel, Type: "other"}
	switch {
	case e.IsDir():
		out.Type = "directory"
	case e.Type()&fs.ModeSymlink != 0:
		out.Type = "link"
	case e.Type().IsRegular():
		out.Type = "file"
	}
	if info, err := e.Info(); err == nil { // it may be gone by now, and was there a moment ago
		out.Modified = info.ModTime().UTC().Truncate(time.Second)
		if out.Type == "file" {
			out.Size = info.Size()
		}
	}
	return out
}
