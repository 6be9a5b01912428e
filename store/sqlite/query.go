package sqlite

import (
	"slices"
	"strings"
	"time"

	"github.com/failloud/failloud/idempotency"
)

// conditions is what [idempotency.Query.Match] says, as the end of a statement,
// with the order and the length of the page.
func conditions(q idempotency.Query, now time.Time, more ...string) (string, []any) {
	all := more
	var args []any
	and := func(condition string, values ...any) {
		all = append(all, condition)
		args = append(args, values...)
	}
	if len(q.States) > 0 {
		names := make([]any, len(q.States))
		for i, s := range q.States {
			names[i] = s.String()
		}
		and("state IN (?"+strings.Repeat(", ?", len(names)-1)+")", names...)
		// An index is used only where the statement says what the index says.
		if !slices.Contains(q.States, idempotency.Running) && !slices.Contains(q.States, idempotency.Succeeded) {
			and("state NOT IN ('running', 'succeeded')")
		} else if !slices.Contains(q.States, idempotency.Succeeded) && len(q.States) == 1 {
			and("due IS NOT NULL") // running: there is a lease
		}
	}
	for _, f := range []struct{ column, value string }{
		{"tenant", q.Tenant}, {"tool", q.Tool}, {"run_id", q.RunID},
		{"task_key", q.TaskKey}, {"identity", q.Identity}, {"gate", q.Gate},
	} {
		if f.value != "" {
			and(f.column+" = ?", f.value)
		}
	}
	if q.Due {
		and("due <= ?", now.UnixNano())
	}
	if q.ToRun {
		and("to_run IS NOT NULL")
	}
	if q.Unannounced {
		and("announce <= ?", now.UnixNano())
	}
	order := "id"
	if q.Gate != "" {
		order = "created, id"
	} else if q.After != "" {
		and("id > ?", q.After)
	}
	where := ""
	if len(all) > 0 {
		where = " WHERE " + strings.Join(all, " AND ")
	}
	return where + " ORDER BY " + order + " LIMIT ?", append(args, q.Size())
}
