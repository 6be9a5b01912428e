package runs

import (
	"context"
	"database/sql"
	"slices"

	"github.com/failloud/failloud/internal/similar"
)

const (
	near     = 5    // ids that are named
	recently = 2000 // runs among which a misspelled id is looked for
)

// Find returns the run of that id, or the only one whose id begins with it. The
// error matches [ErrNoRun] and names the ids that may be meant.
func (s *Store) Find(ctx context.Context, id string) (Summary, error) {
	_ = s.Flush(ctx)
	found, err := s.summaries(ctx, `id = ?`, id)
	if err != nil {
		return Summary{}, err
	}
	if len(found) == 0 && id != "" {
		// Not LIKE: an id may hold its wildcards, and databases differ in capitals.
		if found, err = s.summaries(ctx, `substr(id, 1, ?) = ? ORDER BY num DESC LIMIT ?`, len([]rune(id)), id, near); err != nil {
			return Summary{}, err
		}
	}
	if len(found) == 1 {
		return found[0], nil
	}
	e := &NoRunError{ID: id}
	for _, r := range found {
		e.Near = append(e.Near, r.ID)
	}
	if len(found) == 0 {
		ids, err := s.texts(ctx, `SELECT id FROM failloud_runs ORDER BY num DESC LIMIT ?`, recently)
		if err != nil {
			return Summary{}, err
		}
		e.Near = similar.Names(id, slices.Values(ids), near)
	}
	return Summary{}, e
}

func (s *Store) summaries(ctx context.Context, condition string, args ...any) (found []Summary, err error) {
	rows, err := s.db.Read.QueryContext(ctx, s.db.Bind(`SELECT `+runColumns+` FROM failloud_runs WHERE `+condition), args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		found = append(found, r.Summary)
	}
	return found, rows.Err()
}

// reader is what queries are put to: the database, or a transaction.
type reader interface {
	QueryContext(ctx context.Context, query string, args ...any) (*sql.Rows, error)
}

// texts returns the first column of a query.
func (s *Store) texts(ctx context.Context, query string, args ...any) ([]string, error) {
	return column[string](ctx, s.db.Read, s.db.Bind(query), args...)
}

func column[T any](ctx context.Context, from reader, query string, args ...any) (all []T, err error) {
	rows, err := from.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var v T
		if err := rows.Scan(&v); err != nil {
			return nil, err
		}
		all = append(all, v)
	}
	return all, rows.Err()
}

// descendants returns the run and those that descend from it.
func (s *Store) descendants(ctx context.Context, from reader, id string) (ids []string, err error) {
	rows, err := from.QueryContext(ctx, s.db.Bind(`WITH RECURSIVE below(id) AS (
			SELECT id FROM failloud_runs WHERE id = ?
			UNION SELECT r.id FROM below b JOIN failloud_runs p ON p.id = b.id JOIN failloud_runs r ON r.root = p.root AND r.parent = b.id
		) SELECT id FROM below`), id)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	for rows.Next() {
		var id string
		if err := rows.Scan(&id); err != nil {
			return nil, err
		}
		ids = append(ids, id)
	}
	return ids, rows.Err()
}
