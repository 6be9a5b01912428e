package main

import (
	"cmp"
	"context"
	"database/sql"
	"fmt"
	"net/url"
	"path/filepath"
	"strings"

	"github.com/failloud/failloud/store/postgres"
)

// untouched reports whether a database has no tables of failloud: it is another one
// than was meant, and to open it would make them, and find that no case is open. What
// cannot be looked into is for whoever opens it to tell. The drivers are those that
// the stores bring along.
func untouched(ctx context.Context, name, schema string) error {
	driver, source, query, arg := "pgx", name, `SELECT to_regclass($1) IS NOT NULL`, quoted(schema)+".failloud_schema"
	shown := "schema " + quoted(schema)
	if path, ok := fileOf(name); ok {
		full, err := filepath.Abs(path)
		if err != nil {
			return err
		}
		driver, source = "sqlite", readOnly(full)
		query, arg = `SELECT count(*) > 0 FROM sqlite_master WHERE name = $1`, "failloud_schema"
		shown = string(printable([]byte(path)))
	}
	db, err := sql.Open(driver, source)
	if err != nil {
		return nil
	}
	defer db.Close()
	known := true
	if err := db.QueryRowContext(ctx, query, arg).Scan(&known); err == nil && !known {
		return fmt.Errorf("%s holds nothing of failloud: no agent has used this database yet, or another one is meant", shown)
	}
	return nil
}

// quoted is the name of a schema as PostgreSQL reads it.
func quoted(schema string) string {
	return `"` + strings.ReplaceAll(cmp.Or(schema, postgres.DefaultSchema), `"`, `""`) + `"`
}

// readOnly is the address of a file that SQLite must not change.
func readOnly(path string) string {
	path = "/" + strings.TrimPrefix(filepath.ToSlash(path), "/") // C:/… too
	return (&url.URL{Scheme: "file", Path: path, RawQuery: "mode=ro"}).String()
}
