package tools

import (
	"fmt"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"strings"
	"time"

	"github.com/failloud/failloud/toolkit"
)

// DirConfig bounds what the file tools of one [Dir] read and write. The zero
// value has the documented defaults; a negative number is refused by [OpenDir].
type DirConfig struct {
	MaxRead    int           // bytes of text that one read_file returns; default 32 KiB
	MaxWrite   int           // bytes that one write_file accepts; default 1 MiB
	MaxEntries int           // entries that one list_directory returns; default 1,000
	MaxMatches int           // matches that one search_files returns; default 200
	MaxFile    int64         // larger files are not searched; default 4 MiB
	Skip       []string      // names of directories that are not searched, beside .git, .hg and .svn
	Timeout    time.Duration // of each of these tools; default 5 s
}

// Dir is a directory that file tools are confined to: neither "..", nor an
// absolute path, nor a symbolic link leads out of it. It is safe for concurrent
// use. Make one with [OpenDir] and close it when no tool uses it any more.
type Dir struct {
	cfg  DirConfig
	root *os.Root
	path string // absolute, so that a model may name files in full
}

// OpenDir opens a directory for the file tools.
func OpenDir(name string, cfg DirConfig) (*Dir, error) {
	if cfg.MaxRead < 0 || cfg.MaxWrite < 0 || cfg.MaxEntries < 0 || cfg.MaxMatches < 0 || cfg.MaxFile < 0 || cfg.Timeout < 0 {
		return nil, fmt.Errorf("tools: a limit of the directory %s is negative", name)
	}
	full, err := filepath.Abs(name)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	root, err := os.OpenRoot(full)
	if err != nil {
		return nil, fmt.Errorf("tools: %w", err)
	}
	orDefault(&cfg.MaxRead, toolkit.DefaultMaxResult)
	orDefault(&cfg.MaxWrite, 1<<20)
	orDefault(&cfg.MaxEntries, 1000)
	orDefault(&cfg.MaxMatches, 200)
	orDefault(&cfg.MaxFile, 4<<20)
	orDefault(&cfg.Timeout, 5*time.Second)
	return &Dir{cfg: cfg, root: root, path: full}, nil
}

// Close releases the directory. Tools made from it fail from then on.
func (d *Dir) Close() error { return d.root.Close() }

// local turns what the model calls a path into one relative to the root, with
// slashes. Links are not its business: the root refuses those that lead out.
func (d *Dir) local(name string) (string, error) {
	if name == "" {
		return ".", nil
	}
	if strings.ContainsRune(name, 0) {
		return "", invalid("path", "bad_path", "the path contains a zero byte")
	}
	if filepath.IsAbs(name) {
		rel, err := filepath.Rel(d.path, name)
		if err != nil {
			return "", invalid("path", "outside_root", "%w", err)
		}
		name = rel
	}
	clean := path.Clean(filepath.ToSlash(name))
	if !filepath.IsLocal(filepath.FromSlash(clean)) {
		return "", invalid("path", "outside_root", "%s leads out of the directory", clean)
	}
	return clean, nil
}

// skipped reports whether a directory of this name is left out of a walk.
func (d *Dir) skipped(name string) bool {
	switch name {
	case ".git", ".hg", ".svn":
		return true
	}
	for _, s := range d.cfg.Skip {
		if s == name {
			return true
		}
	}
	return false
}

// regular opens a file for reading after making sure that it is one: opening
// a named pipe would wait for a writer.
func (d *Dir) regular(name string) (*os.File, fs.FileInfo, error) {
	info, err := d.root.Stat(name)
	if err != nil {
		return nil, nil, fileError(err)
	}
	if info.IsDir() {
		return nil, nil, invalid("path", "is_a_directory", "%s is a directory", name)
	}
	if !info.Mode().IsRegular() {
		return nil, nil, invalid("path", "not_a_file", "%s is a %s", name, info.Mode().Type())
	}
	f, err := d.root.Open(name)
	if err != nil {
		return nil, nil, fileError(err)
	}
	return f, info, nil
}

func orDefault[T int | int64 | time.Duration](v *T, def T) {
	if *v == 0 {
		*v = def
	}
}
