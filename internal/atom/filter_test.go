package atom_test

import (
	"testing"

	"github.com/stretchr/testify/require"

	"github.com/failloud/failloud/internal/atom"
)

type span struct {
	kind       atom.Kind
	start, end int
}

// alone is the first atom of a text.
func alone(text string) (first span) {
	atom.Scan(text, atom.Evidence, func(a *atom.Atom) bool {
		first = span{a.Kind, a.Start, a.End}
		return false
	})
	return first
}

// What is found stays found beside words and signs that hold nothing, whichever
// stand before it or behind it.
func TestAtomsAreFoundBesideWhatHoldsNone(t *testing.T) {
	t.Parallel()
	around := []string{"", "and/or ", "state-of-the-art ", "foo_bar ", "a.b.c ", "www ", "x: ", "(", "7 of the ", "12 and "}
	for _, piece := range []string{
		"30 of June 2026", "30 de junio", "3 to 5 June", "3 bis 5. Juni", "2 pm", "14 giờ 30", "3 days ago", "3 ngày trước", "10 tuần trước",
		"INV-2210", "order-4711", "me@ex.org", "www.ex.org", "ex.org/a", "https://ex.org/a-b", "12 triệu đồng", "5 GB", "ABC-12ab",
	} {
		for _, before := range around {
			for _, after := range []string{"", " and/or", " state-of-the-art", " or not", ","} {
				text := before + piece + after
				var found []span
				atom.Scan(text, atom.Evidence, func(a *atom.Atom) bool {
					found = append(found, span{a.Kind, a.Start - len(before), a.End - len(before)})
					return true
				})
				require.Contains(t, found, alone(piece), "%q", text)
			}
		}
	}
}
