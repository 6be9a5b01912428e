package atom_test

import (
	"testing"

	"github.com/failloud/failloud/internal/atom"
)

// BenchmarkRecognisers asks each about what it is for.
func BenchmarkRecognisers(b *testing.B) {
	for _, bench := range []struct{ name, text string }{
		{"date", "30 June 2026 at 14:30"}, {"date", "2026-06-30T14:30:00Z"}, {"date", "June 30, 2026"}, {"relative", "3 days ago"}, {"clock", "14:30 UTC"},
		{"url", "https://example.org/orders/4711?x=1"}, {"email", "lan.nguyen@example.org"}, {"phone", "+84 24 1234 5678"},
		{"iban", "DE89 3704 0044 0532 0130 00"}, {"identifier", "INV-2210"}, {"identifier", "3f2a9c1e-8b4d-4f7a-9c55-1d2e3f4a5b6c"},
		{"identifier", "state-of-the-art"}, {"date", "order"}, {"url", "order"},
	} {
		b.Run(bench.name+"/"+bench.text, func(b *testing.B) {
			scan := atom.Recognisers[bench.name]
			var a atom.Atom
			b.SetBytes(int64(len(bench.text)))
			b.ReportAllocs()
			for b.Loop() {
				scan(bench.text, 0, &a)
			}
		})
	}
}
