package durable_test

import (
	"context"
	"crypto/rand"
	"encoding/hex"
	"fmt"
	"path/filepath"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
	"github.com/failloud/failloud/runrecord"
	"github.com/failloud/failloud/store/postgres"
	"github.com/failloud/failloud/store/postgres/pgtest"
	"github.com/failloud/failloud/store/sqlite"
	"github.com/failloud/failloud/toolkit"
)

type payment struct {
	Invoice string `json:"invoice"`
	Memo    string `json:"memo"`
}

type receipt struct {
	Number string `json:"number"`
	Text   string `json:"text"`
}

// random is n characters that nothing compresses.
func random(n int) string {
	raw := make([]byte, n/2)
	_, _ = rand.Read(raw)
	return hex.EncodeToString(raw)
}

// bank is a write through everything that the toolkit has: its arguments are some 300
// bytes, its result 600.
func bank(b *testing.B, store idempotency.Store, sinks ...runrecord.Sink) func(invoice string) error {
	ledger, err := idempotency.New(idempotency.Config{Store: store})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, ledger.Close(context.Background())) })
	kit := toolkit.New(toolkit.Config{Ledger: ledger, Sinks: sinks})
	text := random(580)
	pay := toolkit.Wrap(kit, toolkit.Tool[payment, receipt]{
		Name: "pay_invoice", Effect: fault.Write, KeyOf: func(p payment) string { return p.Invoice },
		Call: func(_ context.Context, p payment) (receipt, error) { return receipt{"R-1", text}, nil },
	})
	ctx, run, err := kit.Start(context.Background(), runrecord.Task{Name: "invoices", Key: "ticket-4711"})
	require.NoError(b, err)
	b.Cleanup(run.End)
	memo := random(230)
	return func(invoice string) error {
		if res := pay.Invoke(ctx, payment{invoice, memo}); !res.Outcome.OK() {
			return fmt.Errorf("%+v", res.Outcome)
		}
		return nil
	}
}

func openSQLite(b *testing.B) (*sqlite.DB, string) {
	folder := b.TempDir()
	db, err := sqlite.Open(b.Context(), sqlite.Config{Path: filepath.Join(folder, "failloud.db")})
	require.NoError(b, err)
	b.Cleanup(func() { require.NoError(b, db.Close()) })
	return db, folder
}

func BenchmarkSQLite(b *testing.B) {
	for _, clients := range []int{1, 16, 64} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			db, folder := openSQLite(b)
			call, run := bank(b, db), random(8)
			measure(b, folder, clients, 2, func(n int) error { return call(fmt.Sprint(run, n)) })
		})
	}
}

// With the record of runs in the same file.
func BenchmarkSQLiteAndRecord(b *testing.B) {
	db, folder := openSQLite(b)
	call, run := bank(b, db, db.Runs()), random(8)
	measure(b, folder, 16, 2, func(n int) error { return call(fmt.Sprint(run, n)) })
}

func BenchmarkPostgres(b *testing.B) {
	for _, clients := range []int{1, 16} {
		b.Run(fmt.Sprintf("clients=%d", clients), func(b *testing.B) {
			db, err := postgres.Open(b.Context(), postgres.Config{URL: pgtest.URL(b)})
			require.NoError(b, err)
			b.Cleanup(func() { require.NoError(b, db.Close()) })
			call, run := bank(b, db), random(8)
			measure(b, b.TempDir(), clients, 2, func(n int) error { return call(fmt.Sprint(run, n)) })
		})
	}
}

// BenchmarkReplay is a call of work that is done.
func BenchmarkReplay(b *testing.B) {
	const keys = 4000
	for _, from := range []string{"file", "cache", "memory"} {
		b.Run("from="+from, func(b *testing.B) {
			var store idempotency.Store = idempotency.NewMemory()
			if from != "memory" {
				store, _ = openSQLite(b)
			}
			first := bank(b, store)
			for n := range keys {
				require.NoError(b, first(fmt.Sprint(n)))
			}
			again := first
			if from == "file" { // a ledger that remembers nothing
				ledger, err := idempotency.New(idempotency.Config{Store: store, Cache: -1})
				require.NoError(b, err)
				b.Cleanup(func() { _ = ledger.Close(context.Background()) })
				intent := func(n int) idempotency.Intent {
					return idempotency.Intent{
						Key: idempotency.Key{Tool: "look_up", Intent: "key:" + fmt.Sprint(n)}, Effect: fault.Write, Dispatch: true,
						Args: []byte(`{"memo":"` + strings.Repeat("x", 300) + `"}`),
					}
				}
				for n := range keys {
					claim, err := ledger.Claim(b.Context(), intent(n))
					require.NoError(b, err)
					require.NoError(b, claim.Succeed(b.Context(), []byte(`"`+random(600)+`"`), 0))
				}
				b.ResetTimer()
				for n := 0; b.Loop(); n++ {
					if claim, err := ledger.Claim(b.Context(), intent(n%keys)); err != nil || claim.Answer != idempotency.Replay {
						b.Fatal(err)
					}
				}
				return
			}
			b.ResetTimer()
			for n := 0; b.Loop(); n++ {
				if err := again(fmt.Sprint(n % keys)); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}
