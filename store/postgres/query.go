package postgres

import (
	"slices"
	"strconv"
	"strings"

	"github.com/failloud/failloud/idempotency"
)

// conditions is what [idempotency.Query.Match] says, as the end of a statement, with
// the order and the length of the page.
func conditions(q idempotency.Query, more ...string) (string, []any) {
	all := more
	var args []any
	arg := func(v any) string {
		args = append(args, v)
		return "$" + strconv.Itoa(len(args))
	}
	if len(q.States) > 0 {
		names := make([]string, len(q.States))
		for i, s := range q.States {
			names[i] = s.String()
		}
		all = append(all, "state = ANY ("+arg(names)+"::text[])")
		// An index is used only where the statement says what the index says.
		if !slices.Contains(q.States, idempotency.Succeeded) {
			if !slices.Contains(q.States, idempotency.Running) {
				all = append(all, "state NOT IN ('running', 'succeeded')")
			} else if len(q.States) == 1 {
				all = append(all, "due IS NOT NULL") // running: there is a lease
			}
		}
	}
	for _, f := range []struct{ column, value string }{
		{"tenant", q.Tenant}, {"tool", q.Tool}, {"run_id", q.RunID},
		{"task_key", q.TaskKey}, {"identity", q.Identity}, {"gate", q.Gate},
	} {
		if f.value != "" {
			all = append(all, f.column+" = "+arg(plain(f.value)))
		}
	}
	if q.Due {
		all = append(all, "due <= statement_timestamp()")
	}
	if q.ToRun {
		all = append(all, "to_run")
	}
	if q.Unannounced {
		all = append(all, "announce <= statement_timestamp()")
	}
	order := "id"
	if q.Gate != "" {
		order = "created, id"
	} else if q.After != "" {
		all = append(all, "id > "+arg(plain(q.After)))
	}
	where := ""
	if len(all) > 0 {
		where = " WHERE " + strings.Join(all, " AND ")
	}
	return where + " ORDER BY " + order + " LIMIT " + arg(q.Size()) + "::bigint", args
}
