package runs

import (
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/internal/engine"
)

// append writes a batch in a transaction: the events, how the runs stand after
// them, and what the views count of them.
func (s *Store) append(ctx context.Context, tx *sql.Tx, batch []*entry, tail *block) error {
	var ids []string
	for _, n := range batch {
		ids = append(ids, n.event.Run)
	}
	slices.Sort(ids)
	ids = slices.Compact(ids)
	f, err := s.family(ctx, tx, ids, batch)
	if err != nil {
		return err
	}
	id, err := s.eventIDs(ctx, tx)
	if err != nil {
		return err
	}
	now := time.Now()
	tail.fork()
	rows := make([][]any, len(batch))
	for i, n := range batch {
		e := &n.event
		rows[i] = s.eventRow(id+int64(i), n, f[e.Run].Erased)
		if fact := f.apply(e, now); fact != nil {
			if len(tail.data) >= blockSize {
				if err := s.saveBlock(ctx, tx, tail); err != nil {
					return err
				}
				*tail = block{}
			}
			tail.add(fact)
		}
	}
	if err := s.insert(ctx, tx, insertEvents, "", rows); err != nil {
		return err
	}
	if err := s.saveRuns(ctx, tx, f); err != nil { // ancestors count what their children do
		return err
	}
	return s.saveBlock(ctx, tx, tail)
}

// eventIDs takes numbers that follow each other, as many as a batch may need, and
// returns the first.
func (s *Store) eventIDs(ctx context.Context, tx *sql.Tx) (first int64, err error) {
	if s.db.Dialect == engine.Postgres {
		// One statement takes one number; the others are its lower digits.
		err = tx.QueryRowContext(ctx, s.db.Bind(`SELECT nextval('failloud_run_event_ids') * ?`), maxBatch).Scan(&first)
		return first, err
	}
	err = tx.QueryRowContext(ctx, `SELECT coalesce(max(id), 0) + 1 FROM failloud_run_events`).Scan(&first)
	return first, err
}

func (s *Store) eventRow(id int64, n *entry, erased time.Time) []any {
	e := &n.event
	row := []any{id, e.Run, searchable(e.Tenant), searchable(string(e.Type)), micros(e.Time), n.body}
	for i, text := range n.payloads {
		var kept any
		if text != "" && erased.IsZero() {
			kept = s.db.Seal.Seal([]byte(text), place(payloadColumns[i], id))
		}
		row = append(row, kept)
	}
	return row
}

// place is what a sealed payload is bound to.
func place(column string, id int64) string {
	return fmt.Sprintf("failloud_run_events/%s/%d", column, id)
}

// micros is a time as the tables have it, which [time.UnixMicro] undoes.
func micros(t time.Time) int64 { return t.UnixMicro() }

// family reads the runs of a batch and their ancestors, for changing them. Runs that
// were not there are made, so that two processes do not make the same one.
func (s *Store) family(ctx context.Context, tx *sql.Tx, ids []string, batch []*entry) (family, error) {
	rows := make([][]any, len(ids))
	for i, id := range ids {
		rows[i] = []any{id}
	}
	if err := s.insert(ctx, tx, `INSERT INTO failloud_runs (id) VALUES `, ` ON CONFLICT (id) DO NOTHING`, rows); err != nil {
		return nil, err
	}
	f := make(family)
	wanted := slices.Clone(ids)
	for _, n := range batch {
		if n.event.Parent != "" {
			wanted = append(wanted, n.event.Parent)
		}
	}
	asked := make(map[string]bool)
	for range maxDepth + 1 {
		wanted = slices.DeleteFunc(wanted, func(id string) bool { return asked[id] })
		if len(wanted) == 0 {
			break
		}
		slices.Sort(wanted)
		wanted = slices.Compact(wanted)
		for _, id := range wanted {
			asked[id] = true
		}
		found, err := s.readRuns(ctx, tx, wanted)
		if err != nil {
			return nil, err
		}
		wanted = wanted[:0]
		for _, r := range found {
			f[r.ID] = r
			wanted = append(wanted, nonEmpty(r.parent, r.Parent)...)
		}
	}
	return f, nil
}

func nonEmpty(texts ...string) []string {
	return slices.DeleteFunc(texts, func(s string) bool { return s == "" })
}

const runColumns = `num, id, root, parent, seen, ended, tally, body`

func (s *Store) readRuns(ctx context.Context, tx *sql.Tx, ids []string) (found []*run, err error) {
	lock := ""
	if s.db.Dialect == engine.Postgres {
		lock = " FOR UPDATE"
	}
	for part := range slices.Chunk(ids, maxRows) {
		args := make([]any, len(part))
		for i, id := range part {
			args[i] = id
		}
		rows, err := tx.QueryContext(ctx, s.db.Bind(`SELECT `+runColumns+` FROM failloud_runs WHERE id IN (`+marks(len(part))+`) ORDER BY id`+lock), args...)
		if err != nil {
			return nil, err
		}
		for rows.Next() {
			r, err := scanRun(rows)
			if err != nil {
				rows.Close()
				return nil, err
			}
			found = append(found, r)
		}
		if err := rows.Err(); err != nil {
			return nil, err
		}
	}
	return found, nil
}

// scanRun reads a row of runColumns.
func scanRun(rows *sql.Rows) (*run, error) {
	r := &run{}
	var id, body string
	var tally []byte
	var seen, over int
	if err := rows.Scan(&r.num, &id, &r.root, &r.parent, &seen, &over, &tally, &body); err != nil {
		return nil, err
	}
	if err := json.Unmarshal([]byte(body), &r.Summary); err != nil {
		return nil, damaged("run "+id, err)
	}
	var err error
	if r.tally, err = decodeShares(tally); err != nil {
		return nil, damaged("run "+id, err)
	}
	r.ID, r.seen, r.over = id, seen == 1, over == 1
	return r, nil
}

func (s *Store) saveRuns(ctx context.Context, tx *sql.Tx, changed family) error {
	rows := make([][]any, 0, len(changed))
	for _, id := range slices.Sorted(maps.Keys(changed)) {
		r := changed[id]
		body, err := json.Marshal(&r.Summary)
		if err != nil {
			return err
		}
		var tally any
		if len(r.tally) > 0 {
			tally = r.tally.encode(nil)
		}
		rows = append(rows, []any{
			r.ID, r.parent, r.root, searchable(r.Tenant), searchable(r.Task), searchable(r.Key), r.State.String(), searchable(r.Decision),
			r.toolList(), bit(r.Refused()), bit(r.seen), bit(r.over), micros(r.Started), micros(r.Last), tally, string(body),
		})
	}
	return s.insert(ctx, tx, `INSERT INTO failloud_runs (`+savedColumns+`) VALUES `, saving, rows)
}

const savedColumns = `id, parent, root, tenant, task, task_key, state, decision, tools, refused, seen, ended, started, last, tally, body`

// saving replaces what a row has.
var saving = func() string {
	var set []string
	for _, c := range strings.Split(savedColumns, ", ")[1:] {
		set = append(set, c+" = excluded."+c)
	}
	return ` ON CONFLICT (id) DO UPDATE SET ` + strings.Join(set, ", ")
}()

func bit(b bool) int {
	if b {
		return 1
	}
	return 0
}

// saveBlock writes the last block of facts, which grows until it is full. A block
// that was pruned meanwhile is written anew.
func (s *Store) saveBlock(ctx context.Context, tx *sql.Tx, b *block) error {
	if len(b.data) == 0 {
		return nil
	}
	if b.id != 0 {
		done, err := tx.ExecContext(ctx, s.db.Bind(`UPDATE failloud_run_facts SET since = ?, until = ?, data = ? WHERE id = ?`), b.since, b.until, b.data, b.id)
		if err != nil {
			return err
		}
		if n, err := done.RowsAffected(); err != nil || n > 0 {
			return err
		}
	}
	return tx.QueryRowContext(ctx, s.db.Bind(`INSERT INTO failloud_run_facts (since, until, data) VALUES (?, ?, ?) RETURNING id`),
		b.since, b.until, b.data).Scan(&b.id)
}

const maxRows = 64 // of one statement

// insert runs a statement for all rows, many at a time. Only few sizes occur, so
// that a driver that remembers statements remembers these.
func (s *Store) insert(ctx context.Context, tx *sql.Tx, head, end string, rows [][]any) error {
	for size := maxRows; len(rows) > 0; {
		if size > len(rows) {
			size = max(1, size/4)
			continue
		}
		values := "(" + marks(len(rows[0])) + ")"
		args := make([]any, 0, size*len(rows[0]))
		for _, row := range rows[:size] {
			args = append(args, row...)
		}
		query := head + values + strings.Repeat(", "+values, size-1) + end
		if _, err := tx.ExecContext(ctx, s.db.Bind(query), args...); err != nil {
			return err
		}
		rows = rows[size:]
	}
	return nil
}

// marks are n placeholders.
func marks(n int) string { return strings.TrimSuffix(strings.Repeat("?, ", n), ", ") }

var _ runrecord.Sink = (*Store)(nil)

const insertEvents = `INSERT INTO failloud_run_events (id, run, tenant, type, at, body, question, args, result, draft) VALUES `
