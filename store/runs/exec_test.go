package runs_test

import (
	"context"
	"database/sql"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/store/internal/engine"
)

// exec changes the tables behind the back of the store.
func exec(t require.TestingT, db engine.Engine, query string, args ...any) {
	require.NoError(t, db.Write(context.Background(), func(tx *sql.Tx) error {
		_, err := tx.Exec(db.Bind(query), args...)
		return err
	}))
}
