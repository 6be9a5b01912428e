package crash_test

import (
	"context"
	"errors"
	"fmt"
	"path/filepath"
	"testing"
	"time"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/sqlite"
)

// storeConfig names a store so that another process can open it.
type storeConfig struct {
	Path   string        `json:"path,omitempty"`   // of a file of SQLite
	URL    string        `json:"url,omitempty"`    // of a database of PostgreSQL
	Schema string        `json:"schema,omitempty"` // in it
	Lease  time.Duration `json:"lease"`            // of a claim
	Settle time.Duration `json:"settle"`           // before "not done" is believed
}

// kinds are the stores that keep what they are told.
var kinds = []string{"sqlite", "postgres"}

// newStore is an empty store of a test.
func newStore(t testing.TB, kind string) storeConfig {
	t.Helper()
	if kind == "postgres" {
		return storeConfig{URL: pgtest.URL(t), Schema: "crash"}
	}
	return storeConfig{Path: filepath.Join(t.TempDir(), "failloud.db")}
}

// beside is another store in the same place.
func (c storeConfig) beside(n int) storeConfig {
	if c.Path != "" {
		c.Path = fmt.Sprintf("%s-%d", c.Path, n)
	}
	c.Schema = fmt.Sprintf("%s_%d", c.Schema, n)
	return c
}

// store is a store with all that one may be able to do.
type store interface {
	idempotency.Store
	idempotency.Lister
	idempotency.Waiter
	idempotency.Pruner
	idempotency.Taker
	idempotency.Keeper
}

type closing interface {
	store
	Close() error
}

func (c storeConfig) open(ctx context.Context) (closing, error) {
	switch {
	case c.Path != "":
		return sqlite.Open(ctx, sqlite.Config{Path: c.Path})
	case c.URL != "":
		return postgres.Open(ctx, postgres.Config{URL: c.URL, Schema: c.Schema})
	}
	return nil, errors.New("an order without a store")
}
