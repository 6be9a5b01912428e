package sqlite

import "github.com/failloud/failloud/store/runs"

// schema are the steps that lead to the tables of this version, each in one
// transaction. A step that was released is never changed; another one follows.
//
// The tables have rowids: with random texts as the key of the table itself it was
// half as fast again as slow. The events of a row lie together under its number, so that
// they need no index of their own; the number of an event is that of its row and
// its place in it, see [eventID].
//
// Indexes are partial, because most rows have ended and nobody looks for those.
var schema = [][]string{
	{
		`CREATE TABLE failloud_calls (
			n        INTEGER PRIMARY KEY,
			id       TEXT    NOT NULL UNIQUE,
			tenant   TEXT,
			tool     TEXT    NOT NULL,
			state    TEXT    NOT NULL,
			run_id   TEXT,
			task_key TEXT,
			identity TEXT,
			gate     TEXT,
			to_run   INTEGER,
			announce INTEGER,
			due      INTEGER,
			hold     INTEGER,
			version  INTEGER NOT NULL,
			created  INTEGER NOT NULL,
			updated  INTEGER NOT NULL,
			blobs    INTEGER NOT NULL,
			body     TEXT    NOT NULL,
			args     BLOB,
			result   BLOB
		) STRICT`,
		`CREATE INDEX failloud_calls_state ON failloud_calls (state, id) WHERE state NOT IN ('running', 'succeeded')`,
		`CREATE INDEX failloud_calls_due ON failloud_calls (due) WHERE due IS NOT NULL`,
		`CREATE INDEX failloud_calls_to_run ON failloud_calls (id) WHERE to_run IS NOT NULL`,
		`CREATE INDEX failloud_calls_announce ON failloud_calls (id) WHERE announce IS NOT NULL`,
		`CREATE INDEX failloud_calls_gate ON failloud_calls (gate, created, id) WHERE gate IS NOT NULL`,
		`CREATE INDEX failloud_calls_identity ON failloud_calls (identity, task_key) WHERE identity IS NOT NULL`,
		`CREATE TABLE failloud_events (
			id      INTEGER PRIMARY KEY,
			at      INTEGER NOT NULL,
			command TEXT    NOT NULL,
			before  TEXT    NOT NULL,
			after   TEXT    NOT NULL,
			epoch   INTEGER NOT NULL,
			actor   TEXT,
			note    TEXT
		) STRICT`,
		`CREATE TABLE failloud_blobs (id INTEGER PRIMARY KEY, data BLOB NOT NULL) STRICT`,
		`CREATE TABLE failloud_clock (one INTEGER PRIMARY KEY CHECK (one = 1), high INTEGER NOT NULL) STRICT`,
		`INSERT INTO failloud_clock (one, high) VALUES (1, 0)`,
	},
}

// tables are those that must be there when the schema is complete.
var tables = append([]string{"failloud_calls", "failloud_events", "failloud_blobs", "failloud_clock"}, runs.Tables...)

const (
	eventBits = 24 // of an event's number are its place within its row
	blobBits  = 1
)

// eventID is the number of the event of a row with this version.
func eventID(n, seq int64) int64 { return n<<eventBits | seq&(1<<eventBits-1) }

// blobs says which payloads of a row lie in the table of the large ones.
type blobs uint8

const (
	blobArgs blobs = 1 << iota
	blobResult
)

// blobID is the number of a large payload.
func blobID(n int64, which blobs) int64 { return n<<blobBits | int64(which>>1) }
