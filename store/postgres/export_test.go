package postgres

import "github.com/failloud/failloud/idempotency"

// ListQuery is what List asks the server.
func ListQuery(schema string, q idempotency.Query) (string, []any) {
	where, args := conditions(q)
	return newStatements(schema).list + where, args
}
