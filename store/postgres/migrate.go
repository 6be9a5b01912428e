package postgres

import (
	"context"
	"errors"
	"fmt"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"
)

// migrate brings the tables of the parts up to date. A look comes first, so that a
// role that may not create anything can open what another has prepared.
func migrate(ctx context.Context, pool *pgxpool.Pool, schema string, parts []part) error {
	for _, p := range parts {
		for {
			version, err := versionOf(ctx, pool, schema, p.name)
			if err != nil {
				return err
			}
			if version > len(p.steps) {
				return fmt.Errorf("%w: its %s are of version %d, this program knows %d", ErrNewer, p.name, version, len(p.steps))
			}
			if version == len(p.steps) {
				break
			}
			if err := migrateOnce(ctx, pool, schema, p); err != nil {
				return err
			}
		}
		if err := complete(ctx, pool, schema, p); err != nil {
			return err
		}
	}
	return nil
}

// querier is a pool, or a transaction.
type querier interface {
	QueryRow(ctx context.Context, query string, args ...any) pgx.Row
}

// versionOf is the version of a part, 0 where there is none yet.
func versionOf(ctx context.Context, q querier, schema, name string) (version int, err error) {
	err = q.QueryRow(ctx, `SELECT version FROM `+schema+`.failloud_schema WHERE part = $1`, name).Scan(&version)
	var server *pgconn.PgError
	switch {
	case errors.Is(err, pgx.ErrNoRows):
		return 0, nil
	case errors.As(err, &server) && (server.Code == "42P01" || server.Code == "3F000"): // no table, no schema
		return 0, nil
	}
	return version, err
}

// migrateOnce takes one step in one transaction, so that none is ever half done. It
// holds a lock that every process asks for, so that of many that start at once one
// does it, and the others find it done.
func migrateOnce(ctx context.Context, pool *pgxpool.Pool, schema string, p part) error {
	return pgx.BeginTxFunc(ctx, pool, pgx.TxOptions{IsoLevel: pgx.ReadCommitted}, func(tx pgx.Tx) error {
		run := func(statements ...string) error {
			for _, s := range statements {
				if _, err := tx.Exec(ctx, s); err != nil {
					return err
				}
			}
			return nil
		}
		if _, err := tx.Exec(ctx, `SELECT pg_advisory_xact_lock(hashtextextended($1, 0))`, channel(schema)); err != nil {
			return err
		}
		var known bool
		if err := tx.QueryRow(ctx, `SELECT EXISTS (SELECT FROM pg_namespace WHERE nspname = $1)`, schema).Scan(&known); err != nil {
			return err
		}
		if !known { // "IF NOT EXISTS" would ask for the right even where there is nothing to do
			if err := run(`CREATE SCHEMA ` + schema); err != nil {
				return err
			}
		}
		if err := run(`SET LOCAL search_path TO `+schema,
			`CREATE TABLE IF NOT EXISTS failloud_schema (part text PRIMARY KEY, version integer NOT NULL)`); err != nil {
			return err
		}
		version, err := versionOf(ctx, tx, schema, p.name)
		if err != nil || version >= len(p.steps) {
			return err
		}
		if err := run(p.steps[version]...); err != nil {
			return err
		}
		_, err = tx.Exec(ctx, `INSERT INTO failloud_schema (part, version) VALUES ($1, $2)
			ON CONFLICT (part) DO UPDATE SET version = excluded.version`, p.name, version+1)
		return err
	})
}

// complete reports as an error which tables are missing although the version says
// that they are there.
func complete(ctx context.Context, pool *pgxpool.Pool, schema string, p part) error {
	var missing []string
	err := pool.QueryRow(ctx, `SELECT coalesce(array_agg(name), '{}') FROM unnest($1::text[]) AS name
		WHERE to_regclass($2 || '.' || name) IS NULL`, p.tables, schema).Scan(&missing)
	if err == nil && len(missing) > 0 {
		err = fmt.Errorf("%w: %v", ErrIncomplete, missing)
	}
	return err
}

// durable reads from the server whether it keeps what it acknowledges.
func durable(ctx context.Context, pool *pgxpool.Pool) error {
	for _, setting := range []string{"fsync", "full_page_writes", "synchronous_commit"} {
		var value string
		if err := pool.QueryRow(ctx, `SELECT current_setting($1)`, setting).Scan(&value); err != nil {
			return err
		}
		if value == "off" {
			return fmt.Errorf("%w: it has %s=off", ErrNotDurable, setting)
		}
	}
	var standby, readOnly bool
	err := pool.QueryRow(ctx, `SELECT pg_is_in_recovery(), current_setting('default_transaction_read_only')::boolean`).Scan(&standby, &readOnly)
	if err == nil && (standby || readOnly) {
		err = ErrReadOnly
	}
	return err
}
