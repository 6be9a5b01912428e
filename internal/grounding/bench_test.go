package grounding_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/failloud/failloud/internal/grounding"
)

// benchEvidence is what n calls returned: rows of orders, about 4 KB each.
func benchEvidence(n int) []string {
	var all []string
	for i := range n {
		var b strings.Builder
		b.WriteString(`{"orders":[`)
		for j := range 20 {
			if j > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"id":"ORD-%05d","customer":"Customer number %d of the west","total":%d.%02d,"quantity":%d,"status":"%s","placed":"2026-06-%02dT10:%02d:00Z","note":"left at the door, the neighbour has signed for it"}`,
				i*20+j, j, 100+i*7+j*13, (i*31+j*17)%100, j%9+1, []string{"open", "paid", "sent"}[j%3], j+1, i%60)
		}
		b.WriteString(`],"page":1,"count":20}`)
		all = append(all, b.String())
	}
	return all
}

const benchParagraph = `Order ORD-00007 was placed on 8 June 2026 for $191.19 and ORD-00031 on June 12. There are 20 orders on the page; 7 are open. The first one, for $100.00, has been sent. `

func BenchmarkCheck(b *testing.B) {
	draft := strings.Repeat(benchParagraph, 2048/len(benchParagraph))
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	for _, n := range []int{50, 100, 200, 400} {
		evidence := benchEvidence(n)
		bytes := 0
		for _, e := range evidence {
			bytes += len(e)
		}
		b.Run(fmt.Sprintf("calls=%d/KB=%d", n, bytes>>10), func(b *testing.B) {
			b.ReportAllocs()
			b.SetBytes(int64(bytes))
			for b.Loop() {
				var x grounding.Index
				for i, e := range evidence {
					x.Add(grounding.Source{Call: uint32(i + 1), Tool: "list_orders"}, e)
				}
				if got := x.Check(draft, now); len(got) == 0 {
					b.Fatal("nothing was checked")
				}
			}
		})
	}
}

// BenchmarkSecondDraft is what another draft of the same run costs.
func BenchmarkSecondDraft(b *testing.B) {
	draft := strings.Repeat(benchParagraph, 2048/len(benchParagraph))
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	var x grounding.Index
	for i, e := range benchEvidence(50) {
		x.Add(grounding.Source{Call: uint32(i + 1), Tool: "list_orders"}, e)
	}
	x.Check(draft, now)
	b.ReportAllocs()
	for b.Loop() {
		x.Check(draft, now)
	}
}

// BenchmarkInventedDraft is what a draft costs in which nothing has a source,
// so that everything is tried.
func BenchmarkInventedDraft(b *testing.B) {
	var draft strings.Builder
	for i := range 40 {
		fmt.Fprintf(&draft, "The order OX-%d of %d.%02d%% on 3 March 2019 came to $%d,771.13. ", 70000+i*7, i+11, i, i+211)
	}
	now := time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)
	var x grounding.Index
	for i, e := range benchEvidence(50) {
		x.Add(grounding.Source{Call: uint32(i + 1), Tool: "list_orders"}, e)
	}
	x.Check(draft.String(), now)
	b.ReportAllocs()
	for b.Loop() {
		x.Check(draft.String(), now)
	}
}
