package atom_test

import (
	"fmt"

	"github.com/failloud/failloud/internal/atom"
)

func ExampleScan() {
	const draft = "Revenue was about 1,2 Mio € on 30 June 2026, from 12 open invoices."
	atom.Scan(draft, atom.Prose, func(a *atom.Atom) bool {
		switch a.Kind {
		case atom.Date:
			fmt.Println(draft[a.Start:a.End], "is a day:", a.Dates[0])
		default:
			r := a.Readings[0]
			fmt.Printf("%s is %.0f %s, to %.0f; counts %q\n", draft[a.Start:a.End], r.Value, a.Unit, r.Step, draft[a.Noun[0]:a.Noun[1]])
		}
		return true
	})
	// Output:
	// 1,2 Mio € is 1200000 EUR, to 100000; counts ""
	// 30 June 2026 is a day: {2026 6 30}
	// 12 is 12 , to 1; counts "invoices"
}

func ExampleReading_Covers() {
	atom.Scan("$1.2M", atom.Prose, func(a *atom.Atom) bool {
		fmt.Println(a.Readings[0].Covers(1_243_500, a.Approx), a.Readings[0].Covers(1_400_000, a.Approx))
		return true
	})
	// Output: true false
}
