package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"strings"
)

// What can be wrong with a database, and what to do about it. See [*Error].
var (
	// ErrPath: there is no place for a database.
	ErrPath = errors.New("this is no place for a database; name a file in a folder that can be written")
	// ErrNewer: its tables are of a later version than this program knows.
	ErrNewer = errors.New("it was written by a newer version; upgrade this program, or open another file")
	// ErrIncomplete: tables are missing.
	ErrIncomplete = errors.New("tables are missing; restore a backup, and let nothing else change the schema")
	// ErrCorrupt: the file is damaged, or no database.
	ErrCorrupt = errors.New("it is damaged or no database; restore a backup, or move it away and save what sqlite3's .recover can read")
	// ErrReadOnly: it cannot be written.
	ErrReadOnly = errors.New("it cannot be written; check owner and mode of the file and its folder, and how the disk is mounted")
	// ErrFull: there is no space left.
	ErrFull = errors.New("the disk is full; free some space, nothing can be executed until then")
	// ErrIO: the disk did not do what it was asked.
	ErrIO = errors.New("the disk failed; look for errors in the log of the system")
	// ErrBusy: somebody else holds the write lock.
	ErrBusy = errors.New("another process has been writing for too long; look for one that hangs in a transaction")
	// ErrNotDurable: the connection of a caller could lose what it has acknowledged.
	ErrNotDurable = errors.New("its connections are not durable; open them with journal_mode=WAL and synchronous=FULL, two or more")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Error is trouble of a database. It matches one of the errors above where the
// cause is known, and Err in any case.
type Error struct {
	Op   string // what was attempted: "open", "write", "read", …
	Path string // of the file, "" where the caller has opened it
	Kind error  // one of the errors above, nil where the cause is not known
	Err  error  // what the driver said, nil where it was not asked
}

// Error says what was attempted, what is wrong, and what to do.
func (e *Error) Error() string {
	var b strings.Builder
	b.WriteString("sqlite: " + e.Op)
	if e.Path != "" {
		b.WriteString(" " + e.Path)
	}
	for _, err := range e.Unwrap() {
		b.WriteString(": " + err.Error())
	}
	return b.String()
}

// Unwrap returns Kind and Err.
func (e *Error) Unwrap() []error {
	var all []error
	for _, err := range []error{e.Kind, e.Err} {
		if err != nil {
			all = append(all, err)
		}
	}
	return all
}

// kinds are told from the text of a driver's error, which every driver takes from
// SQLite: there is no other thing that they have in common.
var kinds = []struct {
	text string
	kind error
}{
	{"database or disk is full", ErrFull},
	{"readonly database", ErrReadOnly},
	{"malformed", ErrCorrupt},
	{"file is not a database", ErrCorrupt},
	{"unable to open database file", ErrPath},
	{"database is locked", ErrBusy},
	{"disk I/O error", ErrIO},
}

// wrap makes an *Error of what a driver said. What is one already, and the end of
// a caller's context, stay as they are.
func (db *DB) wrap(op string, err error) error {
	var known *Error
	if err == nil || errors.As(err, &known) || errors.Is(err, context.Canceled) || errors.Is(err, context.DeadlineExceeded) {
		return err
	}
	e := &Error{Op: op, Path: db.path, Err: err}
	if errors.Is(err, sql.ErrConnDone) || strings.Contains(err.Error(), "database is closed") {
		e.Kind = ErrClosed
	}
	for _, k := range kinds {
		if e.Kind == nil && strings.Contains(err.Error(), k.text) {
			e.Kind = k.kind
		}
	}
	return e
}

// ours reports whether an error concerns one request only, so that the others of
// its batch may be tried without it: anything but trouble of the database itself.
func ours(err error) bool {
	for _, k := range kinds {
		if strings.Contains(err.Error(), k.text) {
			return false
		}
	}
	text := err.Error()
	return !strings.Contains(text, "interrupted") && !strings.Contains(text, "out of memory") && !errors.Is(err, sql.ErrConnDone)
}
