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
	for piece, kind := range map[string]atom.Kind{
		"30 of June 2026": atom.Date, "30 de junio": atom.Date, "3 to 5 June": atom.Date, "3 bis 5. Juni": atom.Date, "3 đến 5 tháng 6": atom.Date,
		"3 days ago": atom.Date, "3 ngày trước": atom.Date, "10 tuần trước": atom.Date, "30 August": atom.Date,
		"2 pm": atom.Clock, "14 giờ 30": atom.Clock, "14 Uhr": atom.Clock, "8 sáng": atom.Clock,
		"INV-2210": atom.Identifier, "order-4711": atom.Identifier, "ABC-12ab": atom.Identifier,
		"me@ex.org": atom.Email, "www.ex.org": atom.URL, "ex.org/a": atom.URL, "https://ex.org/a-b": atom.URL,
		"12 triệu đồng": atom.Money, "5 GB": atom.Number,
	} {
		require.Equal(t, kind, alone(piece).kind, piece)
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
