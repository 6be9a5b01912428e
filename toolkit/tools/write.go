package tools

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"runtime"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/toolkit"
)

// WriteFileIn are the arguments of write_file.
type WriteFileIn struct {
	Path    string `json:"path" jsonschema:"file to write, relative to the working directory; missing directories are made"`
	Content string `json:"content" jsonschema:"the whole new content of the file"`
	Create  bool   `json:"create,omitempty" jsonschema:"fail when the file exists already with other content; default false: replace it"`
}

// Written is what write_file returns.
type Written struct {
	Path      string `json:"path"`                // in the Dir
	Bytes     int    `json:"bytes"`               // size of the file
	SHA256    string `json:"sha256"`              // of its content, in hexadecimal
	Created   bool   `json:"created,omitempty"`   // there was no file before
	Unchanged bool   `json:"unchanged,omitempty"` // the file had this content already; nothing was written
}

// ModelText says what was done, without the content.
func (w Written) ModelText() string {
	switch {
	case w.Unchanged:
		return fmt.Sprintf("%s has this content already (%s)", w.Path, size(int64(w.Bytes)))
	case w.Created:
		return fmt.Sprintf("created %s (%s)", w.Path, size(int64(w.Bytes)))
	}
	return fmt.Sprintf("replaced %s (%s)", w.Path, size(int64(w.Bytes)))
}

// WriteFile is the tool write_file. The content goes to a temporary file that
// is synced and then takes the file's name, so that a reader, or a crash, finds
// the old content or the new one and nothing between. Permissions stay; the
// owner becomes the user of this process.
//
// It is checked by content before it is repeated: an attempt whose end is not
// known counts as done where the file holds the content, and as not done where
// it does not. The first attempt compares too, and writes nothing where there
// is nothing to change.
//
// Writing A, then B, then A again is three pieces of work, see [toolkit.Tool].Anew:
// only while the same write of the task is running or in doubt does a call for it
// start nothing.
func (d *Dir) WriteFile() toolkit.Tool[WriteFileIn, Written] {
	return toolkit.Tool[WriteFileIn, Written]{
		Name:        "write_file",
		Description: "Create or replace a text file with the given content.",
		Effect:      fault.Write,
		Timeout:     d.cfg.Timeout,
		Identity:    []string{"path"},
		Anew:        true,
		Check:       d.checkWrite,
		Call:        d.writeFile,
	}
}

func (d *Dir) writeFile(ctx context.Context, in WriteFileIn) (Written, error) {
	if len(in.Content) > d.cfg.MaxWrite {
		return Written{}, refuse(fault.ReasonPayloadTooLarge, "content", "content_too_large", "%d bytes, at most %d", len(in.Content), d.cfg.MaxWrite)
	}
	out, before, err := d.compare(ctx, in)
	switch {
	case err != nil:
		return Written{}, fault.NotRun(err)
	case before == sameContent:
		out.Unchanged = true
		return out, nil
	case before == otherContent && in.Create:
		return Written{}, exists(out.Path)
	}
	out.Created = before == noFile
	if err := ctx.Err(); err != nil {
		return Written{}, fault.NotRun(err)
	}
	return out, d.replace(out.Path, in.Content, in.Create)
}

// checkWrite finds out whether an attempt in doubt has written the file. It
// cannot tell an attempt that never wrote from one whose content was replaced
// by somebody else since; both are answered with "not done", because in both
// the file does not hold what it was asked to hold.
func (d *Dir) checkWrite(ctx context.Context, in WriteFileIn) (toolkit.Checked[Written], error) {
	out, now, err := d.compare(ctx, in)
	switch {
	case err != nil:
		return toolkit.Checked[Written]{}, err
	case now == sameContent:
		return toolkit.Checked[Written]{Happened: toolkit.Done, Result: out}, nil
	}
	return toolkit.Checked[Written]{Happened: toolkit.NotDone}, nil
}

func exists(name string) error {
	return refuse(fault.ReasonConflict, "path", "exists", "%s exists with other content", name)
}

// target follows symbolic links by name, because renaming over a link would
// replace the link and leave the file it names as it was.
func (d *Dir) target(name string) (string, error) {
	for range 16 {
		info, err := d.root.Lstat(name)
		if errors.Is(err, fs.ErrNotExist) || err == nil && info.Mode()&fs.ModeSymlink == 0 {
			return name, nil
		}
		if err != nil {
			return "", fileError(err)
		}
		to, err := d.root.Readlink(name)
		if err != nil {
			return "", fileError(err)
		}
		if !filepath.IsAbs(to) {
			to = path.Join(path.Dir(name), filepath.ToSlash(to))
		}
		if name, err = d.local(to); err != nil {
			return "", err
		}
	}
	return "", invalid("path", "bad_path", "too many symbolic links")
}

type content uint8

const (
	noFile content = iota
	sameContent
	otherContent
)

// compare looks at what the file holds now, and describes what it is to hold.
func (d *Dir) compare(ctx context.Context, in WriteFileIn) (Written, content, error) {
	name, err := d.local(in.Path)
	if err != nil {
		return Written{}, 0, err
	}
	if name, err = d.target(name); err != nil {
		return Written{}, 0, err
	}
	want := sha256.Sum256([]byte(in.Content))
	out := Written{Path: name, Bytes: len(in.Content), SHA256: hex.EncodeToString(want[:])}
	f, info, err := d.regular(name)
	if errors.Is(err, fs.ErrNotExist) {
		return out, noFile, nil
	}
	if err != nil {
		return out, 0, err
	}
	defer f.Close()
	if info.Size() != int64(out.Bytes) {
		return out, otherContent, nil
	}
	h := sha256.New()
	if _, err := io.Copy(h, io.LimitReader(f, info.Size()+1)); err != nil {
		return out, 0, fileError(err)
	}
	if !bytes.Equal(h.Sum(nil), want[:]) {
		return out, otherContent, nil
	}
	return out, sameContent, ctx.Err()
}

// replace puts content under name in one step. With create it fails where a
// file has appeared in the meantime.
func (d *Dir) replace(name, content string, create bool) (err error) {
	dir := path.Dir(name)
	if err := d.root.MkdirAll(dir, 0o777); err != nil {
		return fileError(err)
	}
	temp := path.Join(dir, ".write-"+rand.Text()+".tmp")
	f, err := d.root.OpenFile(temp, os.O_CREATE|os.O_EXCL|os.O_WRONLY, 0o666) // less the umask
	if err != nil {
		return fileError(err)
	}
	// Gone after a successful rename: removing it is for every other way out.
	defer func() { _ = d.root.Remove(temp) }()
	if old, serr := d.root.Stat(name); serr == nil {
		err = f.Chmod(old.Mode().Perm())
	}
	if err == nil {
		_, err = io.WriteString(f, content)
	}
	if err == nil {
		err = f.Sync()
	}
	if cerr := f.Close(); err == nil {
		err = cerr
	}
	if err != nil {
		return fault.NotRun(fileError(err)) // the file itself was not touched
	}
	if create {
		err = d.root.Link(temp, name)
		if errors.Is(err, fs.ErrExist) {
			return exists(name)
		}
	}
	if !create || err != nil { // a file system without hard links: the check before has to do
		err = d.root.Rename(temp, name)
	}
	if err != nil {
		return fileError(err)
	}
	return d.syncDir(dir)
}

// syncDir makes the new name durable. Windows has no such call.
func (d *Dir) syncDir(name string) error {
	if runtime.GOOS == "windows" {
		return nil
	}
	f, err := d.root.Open(name)
	if err != nil {
		return fileError(err)
	}
	defer f.Close()
	return f.Sync()
}
