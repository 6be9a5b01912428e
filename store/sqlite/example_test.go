package sqlite_test

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/store/sqlite"
)

func Example() {
	ctx := context.Background()
	folder, err := os.MkdirTemp("", "failloud-*")
	if err != nil {
		fmt.Println(err)
		return
	}
	defer os.RemoveAll(folder)
	intent := idempotency.Intent{Key: idempotency.Key{Tool: "pay_invoice", Intent: "key:4711"}, Effect: fault.Write}
	for range 2 { // the second is another process, later
		db, err := sqlite.Open(ctx, sqlite.Config{Path: filepath.Join(folder, "failloud.db")})
		if err != nil {
			fmt.Println(err)
			return
		}
		ledger, err := idempotency.New(idempotency.Config{Store: db})
		if err != nil {
			fmt.Println(err)
			return
		}
		claim, err := ledger.Claim(ctx, intent)
		if err != nil {
			fmt.Println(err)
			return
		}
		fmt.Printf("%s %q\n", claim.Answer, claim.Result)
		if claim.Answer == idempotency.Execute {
			_ = claim.Succeed(ctx, json.RawMessage(`{"receipt":"R-1"}`), 0)
		}
		_ = ledger.Close(ctx)
		_ = db.Close()
	}
	// Output:
	// execute ""
	// replay "{\"receipt\":\"R-1\"}"
}
