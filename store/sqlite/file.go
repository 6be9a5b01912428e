package sqlite

import (
	"errors"
	"io/fs"
	"net/url"
	"os"
	"path/filepath"
	"strconv"
	"strings"
)

// create makes an empty file that only its owner can read, where there is none.
// SQLite gives its other files the same mode. The file gets its name only after it
// was closed: to close a file that SQLite has open drops its locks in this process.
func create(path string) error {
	if info, err := os.Stat(path); err == nil {
		if !info.Mode().IsRegular() {
			return &Error{Op: "open", Path: path, Kind: ErrPath}
		}
		return nil
	}
	folder := filepath.Dir(path)
	if err := os.MkdirAll(folder, 0o700); err != nil {
		return &Error{Op: "open", Path: path, Kind: ErrPath, Err: err}
	}
	fresh, err := os.CreateTemp(folder, ".failloud-*")
	if err != nil {
		kind := ErrPath
		if errors.Is(err, fs.ErrPermission) {
			kind = ErrReadOnly
		}
		return &Error{Op: "open", Path: path, Kind: kind, Err: err}
	}
	defer os.Remove(fresh.Name())
	if err := fresh.Close(); err != nil {
		return &Error{Op: "open", Path: path, Kind: ErrIO, Err: err}
	}
	err = os.Link(fresh.Name(), path)
	if err == nil || errors.Is(err, fs.ErrExist) { // another process was faster
		return nil
	}
	// A file system without links. SQLite makes the file then, with the mode that
	// the process gives to new files.
	return nil
}

// dsn names a database in a way that modernc and ncruces both understand. The path
// is escaped: a question mark in it would end it.
func dsn(path string, immediate, readOnly bool) string {
	path = filepath.ToSlash(path)
	if !strings.HasPrefix(path, "/") { // C:/…
		path = "/" + path
	}
	q := url.Values{"_pragma": {
		"busy_timeout(" + strconv.FormatInt(busyTimeout.Milliseconds(), 10) + ")",
		"synchronous(FULL)",
		"fullfsync(1)", // macOS: fsync alone does not reach the disk
		"checkpoint_fullfsync(1)",
	}}
	if immediate {
		q.Set("_txlock", "immediate")
		q.Add("_pragma", "secure_delete(1)") // what was erased is overwritten
		q.Add("_pragma", "wal_autocheckpoint("+strconv.Itoa(checkpointPages)+")")
	}
	if readOnly {
		q.Add("_pragma", "query_only(1)")
	}
	return "file:" + (&url.URL{Path: path}).EscapedPath() + "?" + q.Encode()
}
