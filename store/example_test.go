package store_test

import (
	"context"
	"fmt"
	"os"
	"path/filepath"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store"
)

func ExampleOpen() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "failloud-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)

	s, err := store.Open(ctx, "sqlite:"+filepath.Join(folder, "failloud.db"), store.Options{})
	if err != nil {
		fmt.Println(err)
		return
	}
	defer s.Close()
	ledger, err := idempotency.New(idempotency.Config{Store: s.Ledger})
	if err != nil {
		fmt.Println(err)
		return
	}
	claim, err := ledger.Claim(ctx, idempotency.Intent{Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}, Effect: fault.Write})
	if err != nil {
		fmt.Println(err)
		return
	}
	fmt.Println(claim.Answer)
	// Output: execute
}
