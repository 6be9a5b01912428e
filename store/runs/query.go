package runs

import (
	"context"
	"fmt"
	"strings"
	"time"

	"github.com/failloud/failloud/runrecord"
)

// Query selects runs. A zero field selects every one.
type Query struct {
	Task     string            // name of the task
	Tenant   string            // whose work it was
	Key      string            // the caller's key of the task
	Text     string            // occurs in the key of the task, capitals as they are
	Tool     string            // called by the run or a child
	Decision string            // of the guard
	States   []runrecord.State // any of these
	Refused  bool              // the guard refused the answer, or would have
	Since    time.Time         // its last event is not before
	Until    time.Time         // it was started before
	Children bool              // runs that others have started, too; Export takes those of what it selects anyway

	After string // id of the last run of the page before; "": the first page
	Limit int    // runs of a page; default 100, at most 1000; Export has no pages
}

const (
	standardPage = 100
	longestPage  = 1000
)

// where is the condition of a query on the table of runs, and what it compares with.
func (q *Query) where() (condition string, args []any, err error) {
	var parts []string
	add := func(part string, values ...any) {
		parts = append(parts, part)
		args = append(args, values...)
	}
	for _, c := range []struct{ column, value string }{{"task", q.Task}, {"tenant", q.Tenant}, {"task_key", q.Key}, {"decision", q.Decision}} {
		if c.value != "" {
			add(c.column+" = ?", searchable(c.value))
		}
	}
	// What a text occurs in is shorter without it: that looks the same in every
	// database, and knows no wildcards.
	if q.Text != "" {
		add("replace(task_key, ?, '') <> task_key", searchable(q.Text))
	}
	if q.Tool != "" {
		add("replace(tools, ?, '') <> tools", toolMark(q.Tool))
	}
	if len(q.States) > 0 {
		states := make([]any, len(q.States))
		for i, s := range q.States {
			if s > runrecord.Unjudged {
				return "", nil, fmt.Errorf("runs: %w: no state %v", ErrQuery, s)
			}
			states[i] = s.String()
		}
		add("state IN ("+marks(len(states))+")", states...)
	}
	if q.Refused {
		add("refused = 1")
	}
	if !q.Since.IsZero() {
		add("last >= ?", micros(q.Since))
	}
	if !q.Until.IsZero() {
		add("started < ?", micros(q.Until))
	}
	if !q.Children {
		add("root = id")
	}
	if len(parts) == 0 {
		return "1 = 1", nil, nil
	}
	return strings.Join(parts, " AND "), args, nil
}

// List returns the runs that a query selects, those that were begun last first.
func (s *Store) List(ctx context.Context, q Query) ([]Summary, error) {
	condition, args, err := q.where()
	if err != nil {
		return nil, err
	}
	if q.Limit < 0 || q.Limit > longestPage {
		return nil, fmt.Errorf("runs: %w: a page of %d; it holds 1 to %d runs", ErrQuery, q.Limit, longestPage)
	}
	if q.Limit == 0 {
		q.Limit = standardPage
	}
	_ = s.Flush(ctx) // what cannot be written now is not listed
	if q.After != "" {
		condition += " AND num < (SELECT num FROM failloud_runs WHERE id = ?)"
		args = append(args, q.After)
	}
	rows, err := s.db.Read.QueryContext(ctx, s.db.Bind(`SELECT `+runColumns+` FROM failloud_runs WHERE `+condition+` ORDER BY num DESC LIMIT ?`), append(args, q.Limit)...)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var list []Summary
	for rows.Next() {
		r, err := scanRun(rows)
		if err != nil {
			return nil, err
		}
		list = append(list, r.Summary)
	}
	return list, rows.Err()
}
