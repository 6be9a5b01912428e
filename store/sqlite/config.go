package sqlite

import (
	"database/sql"
	"time"

	"github.com/failloud/failloud/store/runs"
)

const (
	// busyTimeout is how long a connection waits for the lock of another process.
	busyTimeout = 10 * time.Second
	// readers is how many connections read beside the writer: four for queries, as
	// more gained nothing when it was measured, and one that looks out for changes
	// made by other processes.
	readers = 4 + 1
	// checkpointPages is how far the write-ahead log grows before it is moved into the
	// file: 16 MiB. SQLite's own 1,000 pages are filled thirty times a second under load,
	// and a commit waits for each time.
	checkpointPages = 4000
	// maxResult is the largest result that is kept.
	maxResult = 16 << 20
	// pruneEvery is how often old rows are looked for where there is a retention.
	pruneEvery = time.Hour
)

// Config says which database to open. One of Path and DB must be set.
type Config struct {
	// Path of the file, which is made where it does not exist, readable for its
	// owner only, in a folder of the same kind. It must lie on a local disk: SQLite's
	// locks and its shared memory do not work across a network.
	Path string
	// DB is a database that the caller has opened with a driver of SQLite, instead
	// of Path. Its connections must be in WAL mode with synchronous=FULL, which is
	// checked, and there must be at least two of them, since one is kept for
	// writing. It is not closed.
	DB *sql.DB
	// Keys encrypt arguments, results and captured texts, 32 random bytes each: the
	// first seals, all open. Default: none, they are kept plain.
	Keys [][]byte
	// Retention is how long rows of work that has ended are kept after their last
	// change; they are removed in small steps, once an hour. What is unknown,
	// escalated or may have happened is never removed. Work that was forgotten is
	// not recognised when it is asked for again, so choose a time beyond any retry.
	// Default: 0, for ever.
	Retention time.Duration
	// Runs is how the record of runs is written, see [DB.Runs].
	Runs runs.Config
	// RunRetention is how long runs are kept after their last event, whatever their
	// state; they are removed in small steps, once an hour. Default: 0, for ever.
	RunRetention time.Duration
}
