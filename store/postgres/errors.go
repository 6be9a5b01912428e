package postgres

import (
	"context"
	"errors"
	"net"
	"strings"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
)

// What can be wrong with a database, and what to do about it. See [*Error].
var (
	// ErrConfig: the configuration does not name a database.
	ErrConfig = errors.New("the configuration names no database; correct it")
	// ErrUnreachable: no connection could be made. Nothing was written.
	ErrUnreachable = errors.New("the server cannot be reached; see that it runs, and that host and port are right")
	// ErrLogin: the server does not let this user in.
	ErrLogin = errors.New("the server refuses this user, password or database; check the URL, and pg_hba.conf")
	// ErrLost: the connection ended before the answer came. What was sent may have
	// been written; it can be sent again.
	ErrLost = errors.New("the connection was lost before the answer came; it may have been written, and can be sent again")
	// ErrRights: the role may not do what is needed.
	ErrRights = errors.New("the role has not the rights; let a role that may CREATE in the database open it once, then GRANT USAGE on the schema and its sequences, and SELECT, INSERT, UPDATE, DELETE on its tables")
	// ErrNewer: the tables are of a later version than this program knows.
	ErrNewer = errors.New("it was written by a newer version; upgrade this program, or use another schema")
	// ErrIncomplete: tables or columns are missing.
	ErrIncomplete = errors.New("tables are missing or changed; restore a backup, and let nothing else change the schema")
	// ErrCorrupt: what lies in the database is not what was written.
	ErrCorrupt = errors.New("a row is damaged; restore it from a backup")
	// ErrReadOnly: the server takes no writes.
	ErrReadOnly = errors.New("it cannot be written; connect to the primary server, with a role that is not set to read only")
	// ErrNotDurable: the server could lose what it has acknowledged.
	ErrNotDurable = errors.New("it can lose what it has acknowledged; set fsync=on, full_page_writes=on, and synchronous_commit=on for this role")
	// ErrFull: the server has no space left.
	ErrFull = errors.New("the server's disk is full; free some space, nothing can be executed until then")
	// ErrBusy: others hold what is needed.
	ErrBusy = errors.New("the server is too busy; look for sessions that hang in a transaction, or raise max_connections")
	// ErrClosed: the store was closed.
	ErrClosed = errors.New("the store is closed")
)

// Error is trouble of a database. It matches one of the errors above where the
// cause is known, and Err in any case. Its text holds no value of a row and no
// password.
type Error struct {
	Op   string // what was attempted: "open", "write", "read", …
	Kind error  // one of the errors above, nil where the cause is not known
	Err  error  // what the driver said, nil where it was not asked
}

// Error says what was attempted, what is wrong, and what to do.
func (e *Error) Error() string {
	text := "postgres: " + e.Op
	for _, err := range e.Unwrap() {
		text += ": " + err.Error()
	}
	return text
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

// wrap makes an *Error of what the driver said. What is one already, and the end of
// the caller's context, stay as they are.
func wrap(ctx context.Context, op string, err error) error {
	var known *Error
	switch {
	case err == nil || errors.As(err, &known):
		return err
	case ctx.Err() != nil:
		return ctx.Err()
	}
	return &Error{Op: op, Kind: kind(err), Err: err}
}

// codes are what the server's errors mean, by SQLSTATE or the first letters of it.
var codes = []struct {
	prefix string
	kind   error
}{
	{"28", ErrLogin}, {"3D000", ErrLogin},
	{"42501", ErrRights},
	{"42P01", ErrIncomplete}, {"42703", ErrIncomplete}, {"3F000", ErrIncomplete},
	{"25006", ErrReadOnly},
	{"53100", ErrFull},
	{"57P01", ErrLost}, {"57P02", ErrLost}, {"08", ErrLost}, // ended by an administrator, or by a crash
	{"57P03", ErrUnreachable}, // starting up or shutting down
	{"53", ErrBusy}, {"55P03", ErrBusy}, {"57014", ErrBusy}, {"40", ErrBusy},
	{"XX001", ErrCorrupt}, {"XX002", ErrCorrupt},
}

// kind tells what a driver's error means, nil where that is not known.
func kind(err error) error {
	var server *pgconn.PgError
	var connect *pgconn.ConnectError
	var network net.Error
	switch {
	case errors.As(err, &server):
		for _, c := range codes {
			if strings.HasPrefix(server.Code, c.prefix) {
				return c.kind
			}
		}
		return nil
	case errors.As(err, &connect):
		return ErrUnreachable
	case strings.Contains(err.Error(), "closed pool"):
		return ErrClosed
	case errors.Is(err, pgx.ErrNoRows):
		return nil
	case errors.As(err, &network), pgconn.Timeout(err), cut(err):
		return ErrLost
	}
	return nil
}

// cut reports whether an error says that a connection ended. The driver hides some
// of them in a text.
func cut(err error) bool {
	text := err.Error()
	return strings.Contains(text, "unexpected EOF") || strings.HasSuffix(text, "EOF") || strings.Contains(text, "conn closed")
}

// again reports whether a statement of its own transaction may be repeated at once:
// it met another one.
func again(err error) bool {
	var server *pgconn.PgError
	return errors.As(err, &server) && (server.Code == "40001" || server.Code == "40P01")
}
