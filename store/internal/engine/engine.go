package engine

import (
	"context"
	"database/sql"
	"time"

	"github.com/failloud/failloud/store/internal/seal"
)

// Dialect names the SQL that a database speaks.
type Dialect uint8

// The dialects.
const (
	SQLite Dialect = iota
	Postgres
)

// Engine is one open database. Safe for concurrent use.
type Engine struct {
	Dialect Dialect
	// Read is for queries. Nothing is written through it.
	Read *sql.DB
	// Write runs do in one transaction, which is durable when Write returns nil.
	// do may run more than once, and must have no other effect. In SQLite it runs
	// on the one goroutine that writes.
	Write func(ctx context.Context, do func(tx *sql.Tx) error) error
	// Bind writes the placeholders of a query, "?", the way the database wants them.
	Bind func(query string) string
	// Seal encrypts payloads. Nil: they are kept as they are.
	Seal *seal.Sealer
	// Now is the database's clock.
	Now func(ctx context.Context) (time.Time, error)
}
