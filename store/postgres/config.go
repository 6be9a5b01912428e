package postgres

import (
	"fmt"
	"regexp"
	"time"

	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/failloud/failloud/store/runs"
)

const (
	// DefaultSchema is the PostgreSQL schema that holds the tables where a [Config]
	// names none, so that they do not mingle with those of an application.
	DefaultSchema = "failloud"
	// DefaultConns is how many connections a pool of our own has at the most, where
	// the URL does not say (pool_max_conns). The server writes the commits of several
	// connections to its disk together, so that more of them are faster: sixteen make
	// about four times as many claims as one.
	DefaultConns = 16

	maxResult  = 16 << 20
	pruneEvery = time.Hour
)

// Config says which database to open. One of URL and Pool must be set.
type Config struct {
	// URL of the database, "postgres://user@host/name", or a connection string of
	// keywords and values. What it leaves out is taken from the usual variables
	// (PGHOST, PGPASSWORD, …).
	URL string
	// Pool is a pool that the caller has opened, instead of URL. It is not closed.
	Pool *pgxpool.Pool
	// Schema is the PostgreSQL schema that holds the tables; it is made where it does
	// not exist. At most 40 lower-case letters, digits and underscores, not beginning
	// with a digit. Default [DefaultSchema].
	Schema string
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

// schemaName is narrower than PostgreSQL's own rule: a name that needs no quotes,
// and leaves room for that of the channel.
var schemaName = regexp.MustCompile(`^[a-z_][a-z0-9_]{0,39}$`)

// pool checks the configuration, and returns that of the pool.
func (cfg *Config) pool() (conf *pgxpool.Config, err error) {
	if (cfg.URL == "") == (cfg.Pool == nil) {
		return nil, &Error{Op: "open", Kind: ErrConfig, Err: fmt.Errorf("set one of URL and Pool")}
	}
	if cfg.Schema == "" {
		cfg.Schema = DefaultSchema
	}
	if !schemaName.MatchString(cfg.Schema) {
		return nil, &Error{Op: "open", Kind: ErrConfig, Err: fmt.Errorf("schema %q is not a lower-case name of at most 40 letters, digits and underscores", cfg.Schema)}
	}
	if cfg.Pool != nil {
		return cfg.Pool.Config(), nil
	}
	conf, err = pgxpool.ParseConfig(cfg.URL)
	if err != nil { // its text leaves the password out
		return nil, &Error{Op: "open", Kind: ErrConfig, Err: err}
	}
	if !sized.MatchString(cfg.URL) {
		conf.MaxConns = DefaultConns
	}
	for name, value := range map[string]string{
		"application_name": "failloud", // what pg_stat_activity shows
		// There are a few statements, each with one good plan; to make it anew a few
		// times on every connection is a tenth of the server's work.
		"plan_cache_mode": "force_generic_plan",
	} {
		if conf.ConnConfig.RuntimeParams[name] == "" {
			conf.ConnConfig.RuntimeParams[name] = value
		}
	}
	return conf, nil
}

// sized finds whether a URL says how large the pool may be; the parsed form does not
// tell that from the driver's default.
var sized = regexp.MustCompile(`\bpool_max_conns\s*=`)
