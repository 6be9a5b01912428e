package rowcodec

import (
	"errors"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// Columns are the parts of a row as a database keeps them.
type Columns struct {
	ID       string // primary key
	Tenant   string // "" for one tenant
	Tool     string // name of the tool
	State    string // lower-case name
	RunID    string // of the last claim
	TaskKey  string // the caller's key of the task
	Identity string // hash of what the call is about, "" where none is declared
	Gate     string // what a deferred row waits for; "" for any other
	ToRun    bool   // a person wants it to be run
	Version  int64  // raised by every write; what a write is compared with

	Due      time.Time // when time alone has something to do; zero: never
	Announce time.Time // when the open case may be announced; zero: nobody is to be told
	Created  time.Time // first write
	Updated  time.Time // last write

	Body   []byte // JSON of the row without arguments and results
	Args   []byte // sealed; nil where there are none
	Result []byte // sealed; nil where there is none
}

// ErrCorrupt says that what lies in the database is not a row, see [*CorruptError].
var ErrCorrupt = errors.New("rowcodec: row is damaged")

// CorruptError names the row that cannot be read.
type CorruptError struct {
	ID  string // of the row
	Err error  // what is wrong with it, never its content
}

// Error names the row and what is wrong with it.
func (e *CorruptError) Error() string { return ErrCorrupt.Error() + ": " + e.ID + ": " + e.Err.Error() }

// Unwrap returns [ErrCorrupt] and the cause.
func (e *CorruptError) Unwrap() []error { return []error{ErrCorrupt, e.Err} }

// columns are those that a database searches by.
func columns(r *idempotency.Row) Columns {
	c := Columns{
		ID: r.ID, Tenant: r.Key.Tenant, Tool: r.Key.Tool, State: r.State.String(), RunID: r.RunID,
		TaskKey: r.TaskKey, Identity: r.Identity,
		ToRun: r.ToRun(), Version: r.Version, Due: r.Due, Created: r.Created, Updated: r.Updated,
	}
	if r.State.Open() && r.Announced.IsZero() {
		if c.Announce = r.AnnounceBy; c.Announce.IsZero() {
			c.Announce = r.CaseSince
		}
	}
	if r.State == idempotency.Deferred {
		c.Gate = r.Gate
	}
	return c
}
