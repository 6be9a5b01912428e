package idempotency_test

import (
	"encoding/json"
	"fmt"
	"testing"

	"github.com/failloud/failloud/fault"
	"github.com/failloud/failloud/idempotency"
)

// arguments are 330 bytes as a model sends them.
var arguments = json.RawMessage(`{"invoice_id":"INV-2024-000123","customer":{"id":9007199254740993,"name":"Nguyễn Văn A","country":"VN"},` +
	`"amount":1250.50,"currency":"EUR","lines":[{"sku":"A-1","qty":2,"price":500.25},{"sku":"B-2","qty":1,"price":250}],` +
	`"memo":"thank you for your business","due":"2026-12-24","notify":true,"tags":["q4","priority"],"account":"DE89370400440532"}`)

// BenchmarkKey is what a call pays for its key: the derivation, and the canonical
// form and fingerprint of the request. Replay subtracted from it is the rest.
func BenchmarkKey(b *testing.B) {
	for _, p := range []struct {
		name  string
		piece idempotency.Piece
	}{
		{"business", idempotency.Piece{Tool: "pay_invoice", Keyed: true, Business: "INV-2024-000123", Args: arguments}},
		{"arguments", idempotency.Piece{Tool: "pay_invoice", TaskKey: "ticket-4711", Args: arguments}},
	} {
		b.Run(p.name, func(b *testing.B) {
			l := benchLedger(b)
			b.ReportAllocs()
			for b.Loop() {
				key, err := idempotency.Derive(b.Context(), p.piece)
				if err != nil {
					b.Fatal(err)
				}
				if err := l.Canonical(b.Context(), idempotency.Intent{Key: key, Effect: fault.Write, Args: arguments}); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

// BenchmarkReplay answers work that was done before from memory: a look at the row,
// and a whole claim with its key.
func BenchmarkReplay(b *testing.B) {
	l := benchLedger(b)
	const rows = 1000
	intents, ids := make([]idempotency.Intent, rows), make([]string, rows)
	for i := range rows {
		intents[i] = idempotency.Intent{
			Key: idempotency.Key{Tool: "pay_invoice", Intent: fmt.Sprintf("key:%d", i)}, Effect: fault.Write, Args: arguments, Dispatch: true,
		}
		ids[i] = intents[i].Key.ID()
		c, err := l.Claim(b.Context(), intents[i])
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Succeed(b.Context(), arguments, 0); err != nil {
			b.Fatal(err)
		}
	}
	b.Run("row", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if row, err := l.Row(b.Context(), ids[i%rows]); err != nil || row.State != idempotency.Succeeded {
				b.Fatal(row.State, err)
			}
		}
	})
	b.Run("claim", func(b *testing.B) {
		b.ReportAllocs()
		for i := 0; b.Loop(); i++ {
			if c, err := l.Claim(b.Context(), intents[i%rows]); err != nil || c.Answer != idempotency.Replay {
				b.Fatal(c, err)
			}
		}
	})
}

func BenchmarkClaimAndSucceed(b *testing.B) {
	l := benchLedger(b)
	in := payment("")
	result := json.RawMessage(`{"id":"R-1"}`)
	b.ReportAllocs()
	for i := 0; b.Loop(); i++ {
		in.Key.Occurrence = i
		c, err := l.Claim(b.Context(), in)
		if err != nil {
			b.Fatal(err)
		}
		if err := c.Succeed(b.Context(), result, 0); err != nil {
			b.Fatal(err)
		}
	}
}

func benchLedger(b *testing.B) *idempotency.Ledger {
	l, err := idempotency.New(idempotency.Config{})
	if err != nil {
		b.Fatal(err)
	}
	return l
}
