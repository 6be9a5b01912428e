package sqlite

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"path/filepath"
	"sync"
	"sync/atomic"
	"time"

	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/internal/seal"
	"github.com/failloud/failloud/store/runs"
)

// DB is one open database. It is an idempotency.Store with every optional ability:
// Lister, Waiter, Pruner, Taker and Keeper. Safe for concurrent use; several
// processes may have the same file open.
type DB struct {
	path  string // "" where the caller has opened it
	cfg   Config
	seal  *seal.Sealer
	clock clock
	cache cache
	// repeats is the guess that a row which is not remembered is there all the same. A
	// wrong guess costs a read, nothing else.
	repeats atomic.Bool
	waits   waits

	read    *sql.DB // for queries
	mine    []*sql.DB
	get     *sql.Stmt
	version *sql.Stmt
	writer  *writer
	runs    *runs.Store

	life      context.Context // ends with Close
	end       context.CancelFunc
	closeOnce sync.Once
	closeErr  error
	pruning   sync.WaitGroup
	pruneErr  error // the last one of the automatic retention
}

// Open opens a database and brings its tables up to date. It may be called by many
// processes at once on a path where there is nothing yet. The error says what to
// do, see [*Error].
func Open(ctx context.Context, cfg Config) (*DB, error) {
	db := &DB{cfg: cfg, cache: cache{rows: map[string]stored{}}}
	db.life, db.end = context.WithCancel(context.WithoutCancel(ctx))
	db.waits = waits{byID: map[string]map[chan struct{}]bool{}, look: db.lookOut}
	if err := db.open(ctx); err != nil {
		db.end()
		for _, pool := range db.mine {
			_ = pool.Close()
		}
		return nil, db.openError(err)
	}
	if cfg.Retention > 0 || cfg.RunRetention > 0 {
		db.pruning.Go(db.retain)
	}
	return db, nil
}

// openError names what is wrong with a database that does not open.
func (db *DB) openError(err error) error {
	for _, kind := range []error{ErrNotDurable, ErrNewer, ErrIncomplete} {
		if errors.Is(err, kind) {
			return fmt.Errorf("sqlite: open %s: %w", db.path, err)
		}
	}
	return db.wrap("open", err)
}

func (db *DB) open(ctx context.Context) error {
	cfg := db.cfg
	var err error
	if db.seal, err = seal.New(cfg.Keys...); err != nil {
		return err
	}
	var write *sql.DB
	switch {
	case (cfg.Path == "") == (cfg.DB == nil):
		return &Error{Op: "open", Kind: ErrPath, Err: errors.New("set one of Path and DB")}
	case cfg.DB != nil:
		if limit := cfg.DB.Stats().MaxOpenConnections; limit == 1 {
			return fmt.Errorf("%w: it is limited to one", ErrNotDurable)
		}
		write, db.read = cfg.DB, cfg.DB
	default:
		if db.path, err = filepath.Abs(cfg.Path); err != nil {
			return &Error{Op: "open", Path: cfg.Path, Kind: ErrPath, Err: err}
		}
		if err := create(db.path); err != nil {
			return err
		}
		if write, err = db.pool(true, 1); err != nil {
			return err
		}
		if db.read, err = db.pool(false, readers); err != nil {
			return err
		}
	}
	if db.runs, err = runs.New(db.Engine(), cfg.Runs); err != nil {
		return err
	}
	first, err := db.prepare(ctx, write)
	if err != nil {
		return err
	}
	if db.get, err = db.read.PrepareContext(ctx, selectCall+` WHERE id = ?`); err == nil {
		db.version, err = db.read.PrepareContext(ctx, `SELECT version FROM failloud_calls WHERE id = ?`)
	}
	if err != nil {
		_ = first.close()
		return err
	}
	db.writer = newWriter(first, func(ctx context.Context) (*session, error) { return db.session(ctx, write) })
	return nil
}

// pool opens connections of our own.
func (db *DB) pool(write bool, size int) (*sql.DB, error) {
	pool, err := sql.Open(driverName, dsn(db.path, write, !write))
	if err != nil {
		return nil, err
	}
	pool.SetMaxOpenConns(size)
	pool.SetMaxIdleConns(size)
	db.mine = append(db.mine, pool)
	return pool, nil
}

// prepare makes the file fit and returns the first session of the writer.
func (db *DB) prepare(ctx context.Context, write *sql.DB) (*session, error) {
	conn, err := write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	defer conn.Close()
	if db.path != "" {
		if err := useWAL(ctx, conn); err != nil {
			return nil, err
		}
	}
	if err := durable(ctx, conn); err != nil {
		return nil, err
	}
	if err := migrate(ctx, conn, "calls", schema); err != nil {
		return nil, err
	}
	if err := migrate(ctx, conn, "runs", [][]string{runs.Schema(engine.SQLite)}); err != nil {
		return nil, err
	}
	if err := complete(ctx, conn); err != nil {
		return nil, err
	}
	if err := conn.Close(); err != nil {
		return nil, err
	}
	return db.session(ctx, write)
}

// session opens the connection that writes.
func (db *DB) session(ctx context.Context, write *sql.DB) (*session, error) {
	conn, err := write.Conn(ctx)
	if err != nil {
		return nil, err
	}
	var high int64
	if err = durable(ctx, conn); err == nil {
		// To write is the only way to learn whether it can be written: a transaction
		// begins all the same where it cannot.
		err = conn.QueryRowContext(ctx, `UPDATE failloud_clock SET high = high RETURNING high`).Scan(&high)
	}
	if err != nil {
		_ = conn.Close()
		return nil, err
	}
	recorded := time.Unix(0, high)
	db.clock.saw(recorded)
	return newSession(ctx, conn, recorded)
}

// Runs is the record of runs in the same database: a sink, and the answers to what is
// asked of a record later. It is closed with the database.
func (db *DB) Runs() *runs.Store { return db.runs }

// Close writes what was handed over, the waiting events of runs too, and closes the
// database, unless the caller has opened it. It returns what could not be written,
// and an error that the automatic retention has met. Closing twice does nothing more.
func (db *DB) Close() error {
	db.closeOnce.Do(func() {
		lost := db.runs.Close()
		db.end()
		db.pruning.Wait()
		db.writer.close()
		db.waits.close()
		errs := []error{lost, db.pruneErr, db.get.Close(), db.version.Close()}
		for _, pool := range db.mine {
			errs = append(errs, pool.Close())
		}
		db.closeErr = db.wrap("close", errors.Join(errs...))
	})
	return db.closeErr
}

// Engine is what other tables in the same database work with.
func (db *DB) Engine() engine.Engine {
	return engine.Engine{
		Dialect: engine.SQLite,
		Read:    db.read,
		Write: func(ctx context.Context, do func(tx *sql.Tx) error) error {
			return db.wrap("write", db.writer.write(ctx, &request{tx: true, do: func(s *session) error { return do(s.tx) }}))
		},
		Bind: func(query string) string { return query },
		Seal: db.seal,
		Now:  func(context.Context) (time.Time, error) { return db.clock.now(), nil },
	}
}
