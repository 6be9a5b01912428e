package atom_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/failloud/failloud/internal/atom"
)

// jsonText is the result of a tool that lists orders.
func jsonText(rows int) string {
	var b strings.Builder
	b.WriteString(`{"orders":[`)
	for i := range rows {
		fmt.Fprintf(&b, `{"id":"INV-%d","customer":"Nordwind Handels GmbH","status":"open","total":%d.%02d,"currency":"EUR","lines":%d,"due":"2026-0%d-1%d","contact":"billing%d@example.org","note":"waits for the signature of the buyer"},`,
			2210+i, 1000+37*i, i%100, i%9, 1+i%9, i%10, i)
	}
	return strings.TrimSuffix(b.String(), ",") + "]}"
}

// proseText is a report of a few sentences, repeated.
func proseText(times int) string {
	const report = "The shop took in $1,243,500 in June, about 15.3 percent more than in May. " +
		"Twelve orders are still waiting for a signature, and the oldest of them was placed on 3 June 2026. " +
		"Nothing else stood out: the warehouse answered within 250 ms on average and used 5.4 GB of its disk. " +
		"Whoever wants to know more writes to billing@example.org or reads https://example.org/reports/june.\n"
	return strings.Repeat(report, times)
}

func BenchmarkScan(b *testing.B) {
	for _, c := range []struct {
		name string
		text string
		mode atom.Mode
	}{
		{"json", jsonText(200), atom.Evidence},
		{"prose", proseText(100), atom.Evidence},
		{"draft", proseText(10), atom.Prose},
	} {
		b.Run(c.name, func(b *testing.B) {
			b.SetBytes(int64(len(c.text)))
			b.ReportAllocs()
			n := 0
			for b.Loop() {
				atom.Scan(c.text, c.mode, func(*atom.Atom) bool { n++; return true })
			}
			if n == 0 {
				b.Fatal("no atom")
			}
		})
	}
}
