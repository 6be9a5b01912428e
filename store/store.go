package store

import (
	"context"
	"errors"
	"fmt"
	"strings"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/internal/seal"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/runs"
	"github.com/failloud/failloud/store/sqlite"
)

// ErrName is matched where [Open] is given no database that it knows.
var ErrName = errors.New("store: not the name of a database")

// ErrSealed is matched where a payload was sealed by a key that is not among
// [Options.Keys].
var ErrSealed = seal.ErrSealed

// Options of [Open]. The zero value keeps payloads plain and everything for ever.
type Options struct {
	// Keys encrypt arguments, results and captured texts, 32 random bytes each: the
	// first seals, all open. Default: none.
	Keys [][]byte
	// Schema is the PostgreSQL schema of the tables. Default
	// [postgres.DefaultSchema]; SQLite has none, and refuses one.
	Schema string
}

// Store is one open database of either kind.
type Store struct {
	Ledger idempotency.Store // for [idempotency.Config]
	Runs   *runs.Store       // the record of runs
	close  func() error
}

// Open opens the database of this name and makes its tables where it has none:
// "postgres://…" or "postgresql://…" for PostgreSQL, "sqlite:PATH" or a path for
// SQLite. A program that knows which one it has uses the package of that one, which
// offers more settings. The error matches [ErrName], or those of the package.
func Open(ctx context.Context, name string, opts Options) (*Store, error) {
	switch scheme, rest, _ := strings.Cut(name, ":"); {
	case scheme == "postgres" || scheme == "postgresql":
		db, err := postgres.Open(ctx, postgres.Config{URL: name, Schema: opts.Schema, Keys: opts.Keys})
		if err != nil {
			return nil, err
		}
		return &Store{Ledger: db, Runs: db.Runs(), close: db.Close}, nil
	case scheme == "sqlite":
		name = rest
	case strings.HasPrefix(rest, "//"): // another kind of database; its address may hold a password
		return nil, fmt.Errorf("%w: %q is neither sqlite nor postgres", ErrName, scheme)
	}
	if name == "" {
		return nil, fmt.Errorf("%w: it is empty; write sqlite:PATH or postgres://…", ErrName)
	}
	if opts.Schema != "" {
		return nil, fmt.Errorf("%w: SQLite has no schema %q", ErrName, opts.Schema)
	}
	db, err := sqlite.Open(ctx, sqlite.Config{Path: name, Keys: opts.Keys})
	if err != nil {
		return nil, err
	}
	return &Store{Ledger: db, Runs: db.Runs(), close: db.Close}, nil
}

// Close writes what the record of runs still holds in memory and closes the
// database.
func (s *Store) Close() error { return s.close() }
