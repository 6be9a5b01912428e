package runs

import (
	"bufio"
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"io"

	"github.com/failloud/failloud/runrecord"
)

const (
	eventColumns = `e.id, e.body, e.question, e.args, e.result, e.draft`
	exportPage   = 500 // events that are read at once
)

// Events returns the events of a run in the order in which they were written,
// without those of its children. Where payloads cannot be opened the error matches
// [ErrSealed], and the events come with it, without these payloads.
func (s *Store) Events(ctx context.Context, id string) ([]runrecord.Event, error) {
	run, err := s.Find(ctx, id)
	if err != nil {
		return nil, err
	}
	if run.ID != id {
		return nil, &NoRunError{ID: id, Near: []string{run.ID}}
	}
	var events []runrecord.Event
	err = s.each(ctx, `e.run = ?`, []any{id}, func(e *runrecord.Event) error {
		events = append(events, *e)
		return nil
	})
	return events, err
}

// Export writes the events of the runs that a query selects, and of their children,
// as JSON lines, which [runrecord.ReadJSONLines] and the command's audit read. The
// order is that in which they were written. Where payloads cannot be opened the
// error matches [ErrSealed], and everything else was written.
func (s *Store) Export(ctx context.Context, w io.Writer, q Query) error {
	condition, args, err := q.where()
	if err != nil {
		return err
	}
	_ = s.Flush(ctx)
	out := bufio.NewWriterSize(w, 64<<10)
	err = s.each(ctx, `e.run IN (SELECT id FROM failloud_runs WHERE root IN (SELECT root FROM failloud_runs WHERE `+condition+`))`, args, func(e *runrecord.Event) error {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	})
	return errors.Join(err, out.Flush())
}

// ExportRun is [Store.Export] of one run and its descendants.
func (s *Store) ExportRun(ctx context.Context, w io.Writer, id string) error {
	if _, err := s.Find(ctx, id); err != nil {
		return err
	}
	ids, err := s.descendants(ctx, s.db.Read, id)
	if err != nil {
		return err
	}
	args := make([]any, len(ids))
	for i := range ids {
		args[i] = ids[i]
	}
	out := bufio.NewWriter(w)
	err = s.each(ctx, `e.run IN (`+marks(len(ids))+`)`, args, func(e *runrecord.Event) error {
		line, err := json.Marshal(e)
		if err != nil {
			return err
		}
		_, err = out.Write(append(line, '\n'))
		return err
	})
	return errors.Join(err, out.Flush())
}

// each hands over the events that fulfil a condition, a page at a time, so that no
// query stays open for long.
func (s *Store) each(ctx context.Context, condition string, args []any, yield func(*runrecord.Event) error) error {
	query := s.db.Bind(`SELECT ` + eventColumns + ` FROM failloud_run_events e WHERE ` + condition + ` AND e.id > ? ORDER BY e.id LIMIT ?`)
	var sealed error
	for last := int64(-1); ; {
		page, next, err := s.page(ctx, query, append(args[:len(args):len(args)], last, exportPage))
		if err != nil && !errors.Is(err, ErrSealed) {
			return err
		}
		if sealed == nil {
			sealed = err
		}
		for i := range page {
			if err := yield(&page[i]); err != nil {
				return err
			}
		}
		if len(page) < exportPage {
			return sealed
		}
		last = next
	}
}

// page reads events. An error of a payload that cannot be opened comes with them.
func (s *Store) page(ctx context.Context, query string, args []any) (page []runrecord.Event, last int64, sealed error) {
	rows, err := s.db.Read.QueryContext(ctx, query, args...)
	if err != nil {
		return nil, 0, err
	}
	defer rows.Close()
	for rows.Next() {
		e, id, err := s.scanEvent(rows)
		if err != nil && !errors.Is(err, ErrSealed) {
			return nil, 0, err
		}
		if sealed == nil {
			sealed = err
		}
		page, last = append(page, e), id
	}
	if err := rows.Err(); err != nil {
		return nil, 0, err
	}
	return page, last, sealed
}

func (s *Store) scanEvent(rows *sql.Rows) (e runrecord.Event, id int64, err error) {
	var body string
	var kept [4][]byte
	if err := rows.Scan(&id, &body, &kept[0], &kept[1], &kept[2], &kept[3]); err != nil {
		return e, 0, err
	}
	if err := json.Unmarshal([]byte(body), &e); err != nil {
		return e, 0, damaged(fmt.Sprintf("event %d", id), err)
	}
	for i, p := range payloads(&e) {
		text, oerr := s.db.Seal.Open(kept[i], place(payloadColumns[i], id))
		if oerr != nil {
			err = fmt.Errorf("runs: %w: %w", ErrSealed, oerr)
			continue
		}
		*p = string(text)
	}
	return e, id, err
}
