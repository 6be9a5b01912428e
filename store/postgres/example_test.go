package postgres_test

import (
	"context"
	"errors"
	"fmt"

	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/postgres"
)

// An agent opens the database when it starts; where it cannot, nothing that writes
// is executed.
func Example() {
	ctx := context.Background()
	db, err := postgres.Open(ctx, postgres.Config{URL: "postgres://agent@127.0.0.1:1/agents"})
	if err != nil {
		fmt.Println("cannot start:", errors.Is(err, postgres.ErrUnreachable))
		return
	}
	defer db.Close()
	_, _ = idempotency.New(idempotency.Config{Store: db})
	// Output: cannot start: true
}
