package grounding_test

import (
	"fmt"
	"time"

	"github.com/failloud/failloud/internal/grounding"
)

func Example() {
	var x grounding.Index
	x.Add(grounding.Source{Call: 1, Tool: "list_invoices"},
		`{"invoices":[{"id":"INV-2210","total":1243.50},{"id":"INV-2214","total":980}]}`)

	draft := "Both invoices come to $2,223.50; INV-2210 is $1,243.50 and INV-2215 is $980."
	for _, r := range x.Check(draft, time.Date(2026, 7, 1, 0, 0, 0, 0, time.UTC)) {
		fmt.Printf("%-12s %s", r.Verdict, draft[r.Start:r.End])
		if r.Nearest.How != "" {
			fmt.Printf(" (%s)", r.Nearest.How)
		}
		fmt.Println()
	}
	// Output:
	// derived      $2,223.50 (sum of invoices[].total)
	// supported    INV-2210
	// supported    $1,243.50
	// contradicted INV-2215 (nearly the same)
	// supported    $980
}
