package grounding_test

import (
	"fmt"
	"math/rand/v2"
	"strings"
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/grounding"
)

// However much evidence there is, an invented figure is rarely reachable by
// arithmetic on it.
func TestInventedFiguresAreRarelyDerived(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, rows := range []int{3, 20, 200, 2000} {
		var b strings.Builder
		b.WriteString(`{"rows":[`)
		for i := range rows {
			if i > 0 {
				b.WriteByte(',')
			}
			fmt.Fprintf(&b, `{"net":%d,"gross":%d,"units":%d}`, r.IntN(90_000)+10_000, r.IntN(90_000)+10_000, r.IntN(50))
		}
		b.WriteString(`]}`)
		var x grounding.Index
		x.Add(grounding.Source{Call: 1}, b.String())
		passed := map[string]int{}
		const tries = 150
		for range tries {
			for kind, draft := range map[string]string{
				"figures":     fmt.Sprintf("It is $%d.", r.IntN(900_000)+100_000),
				"percentages": fmt.Sprintf("It rose by %d.%d%%.", r.IntN(80)+10, r.IntN(9)+1),
			} {
				if got := x.Check(draft, day); !got[0].Verdict.Finding() {
					passed[kind]++
				}
			}
		}
		t.Logf("%d rows: of %d invented figures and percentages %v passed", rows, tries, passed)
		require.Less(t, passed["figures"], tries/10, "%d rows", rows)
		require.Less(t, passed["percentages"], tries/5, "%d rows", rows)
	}
}
