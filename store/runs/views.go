package runs

import (
	"context"
	"database/sql"
	"fmt"
	"math"
	"strings"

	"github.com/failloud/failloud/runrecord"
)

// Views are the four views of a record.
type Views struct {
	Runs     runrecord.RunsView     // with and without a successful call
	Failures runrecord.FailuresView // by tool and status
	Refusals runrecord.RefusalsView // how the guard decided
	Retries  runrecord.RetriesView  // attempts beyond the first
}

// String is the four tables, for a terminal.
func (v *Views) String() string {
	return strings.Join([]string{v.Runs.String(), v.Failures.String(), v.Refusals.String(), v.Retries.String()}, "\n")
}

// Views counts what [runrecord.Views] counts of the same events, those that this
// store has taken included, but knows every run: none is forgotten as long as it is
// not pruned. It reads some 15 bytes for each call within the filter's time, in
// constant memory. Where several processes write at once, the events of one come in
// their order, and those of others between them.
func (s *Store) Views(ctx context.Context, f runrecord.Filter) (*Views, error) {
	if f.Status < 0 {
		return nil, fmt.Errorf("runs: %w: the status is negative: %d", ErrQuery, f.Status)
	}
	_ = s.Flush(ctx) // what cannot be written now is not in the views
	c := counter{filter: f}
	since, until := int64(math.MinInt64), int64(math.MaxInt64)
	if !f.Since.IsZero() {
		since = f.Since.Unix()
	}
	if !f.Until.IsZero() {
		until = f.Until.Unix()
	}
	rows, err := s.db.Read.QueryContext(ctx, s.db.Bind(`SELECT data FROM failloud_run_facts WHERE until >= ? AND since <= ? ORDER BY id`), since, until)
	if err != nil {
		return nil, err
	}
	defer rows.Close()
	var data sql.RawBytes
	for rows.Next() {
		if err := rows.Scan(&data); err != nil {
			return nil, err
		}
		if err := c.block(data); err != nil {
			return nil, err
		}
	}
	if err := rows.Err(); err != nil {
		return nil, err
	}
	c.views.Failures = c.failures.View(0)
	err = s.db.Read.QueryRowContext(ctx, `SELECT count(*) FROM failloud_runs WHERE seen = 1 AND ended = 0`).Scan(&c.views.Runs.Open)
	return &c.views, err
}

// counter counts facts into views.
type counter struct {
	filter   runrecord.Filter
	views    Views
	failures runrecord.FailureCounter
	fact     fact
	event    runrecord.Event
}

func (c *counter) block(data []byte) error {
	r := factReader{unpacker: unpacker{data: data}}
	for r.next(&c.fact) {
		c.count()
	}
	if r.err != nil {
		return damaged("facts", r.err)
	}
	return nil
}

// count counts one fact where the filter selects it.
func (c *counter) count() {
	f, x := &c.filter, &c.fact
	if f.Task != "" && f.Task != x.task || f.Tenant != "" && f.Tenant != x.tenant ||
		!f.Since.IsZero() && x.time.Before(f.Since) || !f.Until.IsZero() && !x.time.Before(f.Until) {
		return
	}
	if x.end {
		c.end()
		return
	}
	if f.Tool != "" && f.Tool != x.tool {
		return
	}
	e := &c.event
	e.Tool, e.Status, e.Reason, e.Time = x.tool, x.status, x.reason, x.time
	c.failures.Add(e, x.fail && (f.Status == 0 || f.Status == x.status), x.isNew)
}

func (c *counter) end() {
	f, x := &c.filter, &c.fact
	tally, selected := x.shares.of(f)
	switch byCall := f.Tool != "" || f.Status != 0; {
	case byCall && !selected:
		return
	case !byCall && x.exact:
		tally = x.total
	}
	e := &c.event
	e.State, e.Reported, e.Decision = x.state, x.reported, ""
	if x.reported {
		e.Decision = refuse
	}
	c.views.Runs.Add(tally)
	c.views.Refusals.Add(e, tally)
	c.views.Retries.Add(tally)
}
