package postgres

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"sync"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"
	"github.com/jackc/pgx/v5/stdlib"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/engine"
	"github.com/failloud/failloud/store/internal/seal"
	"github.com/failloud/failloud/store/runs"
)

// DB is one open database. It is an idempotency.Store with every optional ability:
// Lister, Waiter, Pruner, Taker and Keeper. Safe for concurrent use; any number of
// processes may have the same database open.
type DB struct {
	conf   *pgxpool.Config
	pool   *pgxpool.Pool
	mine   bool // the pool is ours to close
	schema string
	seal   *seal.Sealer
	say    statements
	clock  clock
	cache  cache
	waits  waits
	tables *sql.DB // for other tables in the same schema
	runs   *runs.Store

	life      context.Context // ends with Close
	end       context.CancelFunc
	closeOnce sync.Once
	closeErr  error
	pruning   sync.WaitGroup
	pruneErr  error // the last one of the automatic retention
}

// Open connects to a database and brings its tables up to date. It may be called by
// many processes at once on a database where there is nothing yet. ctx bounds the
// opening only. The error says what to do, see [*Error].
func Open(ctx context.Context, cfg Config) (*DB, error) {
	conf, err := cfg.pool()
	if err != nil {
		return nil, err
	}
	db := &DB{conf: conf, pool: cfg.Pool, schema: cfg.Schema, say: newStatements(cfg.Schema)}
	db.cache.rows = map[string]idempotency.Row{}
	db.waits.byID, db.waits.known = map[string]map[chan struct{}]bool{}, make(chan struct{})
	if db.seal, err = seal.New(cfg.Keys...); err != nil {
		return nil, &Error{Op: "open", Kind: ErrConfig, Err: err}
	}
	db.life, db.end = context.WithCancel(context.Background())
	if db.pool == nil {
		db.mine = true
		if db.pool, err = pgxpool.NewWithConfig(db.life, conf); err != nil {
			db.end()
			return nil, wrap(ctx, "open", err)
		}
	}
	db.tables = db.openTables()
	if db.runs, err = runs.New(db.Engine(), cfg.Runs); err == nil {
		err = db.prepare(ctx)
	}
	if err != nil {
		_ = db.Close()
		return nil, openError(ctx, err)
	}
	if cfg.Retention > 0 || cfg.RunRetention > 0 {
		db.pruning.Go(func() { db.retain(cfg.Retention, cfg.RunRetention) })
	}
	return db, nil
}

// openError names what is wrong with a database that does not open.
func openError(ctx context.Context, err error) error {
	for _, k := range []error{ErrNotDurable, ErrNewer, ErrIncomplete, ErrReadOnly} {
		if errors.Is(err, k) {
			return fmt.Errorf("postgres: open: %w", err)
		}
	}
	return wrap(ctx, "open", err)
}

// prepare makes the database fit, and reads its clock.
func (db *DB) prepare(ctx context.Context) error {
	if err := durable(ctx, db.pool); err != nil {
		return err
	}
	if err := migrate(ctx, db.pool, db.schema, []part{calls, record}); err != nil {
		return err
	}
	_, err := db.now(ctx)
	return err
}

// now asks the server for its time.
func (db *DB) now(ctx context.Context) (t time.Time, err error) {
	asked := time.Now()
	if err = db.pool.QueryRow(ctx, `SELECT clock_timestamp()`).Scan(&t); err == nil {
		db.clock.saw(t, asked, time.Now())
	}
	return t.UTC(), wrap(ctx, "read the clock", err)
}

// openTables opens connections for other tables, with the search path on the schema.
// They are not those of the ledger, which so never waits behind a report.
func (db *DB) openTables() *sql.DB {
	conf := db.conf.ConnConfig.Copy()
	conf.RuntimeParams["search_path"] = db.schema
	var options []stdlib.OptionOpenDB
	if db.conf.BeforeConnect != nil {
		options = append(options, stdlib.OptionBeforeConnect(db.conf.BeforeConnect))
	}
	tables := stdlib.OpenDB(*conf, options...)
	tables.SetMaxOpenConns(4)
	tables.SetMaxIdleConns(4)
	tables.SetConnMaxIdleTime(5 * time.Minute)
	return tables
}

// Runs is the record of runs in the same database: a sink, and the answers to what is
// asked of a record later. It is closed with the database.
func (db *DB) Runs() *runs.Store { return db.runs }

// Close writes the waiting events of runs, ends what runs in the background, and
// closes the connections, except for a pool that the caller has opened. It waits for
// statements that are under way. It returns what could not be written, and an error
// that the automatic retention has met. Closing twice does nothing more.
func (db *DB) Close() error {
	db.closeOnce.Do(func() {
		var lost error
		if db.runs != nil {
			lost = db.runs.Close()
		}
		db.end()
		db.pruning.Wait()
		db.waits.close()
		db.closeErr = errors.Join(lost, db.pruneErr, db.tables.Close())
		if db.mine {
			db.pool.Close()
		}
	})
	return db.closeErr
}

// Engine is what other tables in the same database work with.
func (db *DB) Engine() engine.Engine {
	return engine.Engine{
		Dialect: engine.Postgres,
		Read:    db.tables,
		Write:   db.write,
		Bind:    engine.Numbered,
		Seal:    db.seal,
		Now:     db.now,
	}
}

// write runs do in one transaction, once more where it met another one.
func (db *DB) write(ctx context.Context, do func(tx *sql.Tx) error) error {
	for try := 0; ; try++ {
		if err := pause(ctx, try); err != nil {
			return err
		}
		err := db.writeOnce(ctx, do)
		if err == nil || !again(err) || try >= sends {
			return wrap(ctx, "write", err)
		}
	}
}

func (db *DB) writeOnce(ctx context.Context, do func(tx *sql.Tx) error) error {
	tx, err := db.tables.BeginTx(ctx, nil)
	if err != nil {
		return err
	}
	defer func() { _ = tx.Rollback() }() // after a commit it does nothing
	if err := do(tx); err != nil {
		return err
	}
	return tx.Commit()
}

var (
	_ idempotency.Lister = (*DB)(nil)
	_ idempotency.Waiter = (*DB)(nil)
	_ idempotency.Pruner = (*DB)(nil)
	_ idempotency.Taker  = (*DB)(nil)
	_ idempotency.Keeper = (*DB)(nil)
)
