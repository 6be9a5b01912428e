package guard

import "golang.org/x/text/unicode/norm"

// finder says where in the draft a clause stands that was read out of what a
// reader sees of it.
type finder struct{ draft string }

// clause returns the bytes of the clause, 0 and 0 where there are none.
func (f *finder) clause(cl *clause) (start, end int) {
	if len(cl.words) == 0 {
		return 0, 0
	}
	start, end = cl.from.span(int(cl.words[0].start), int(cl.words[len(cl.words)-1].end))
	if !norm.NFC.IsNormalString(f.draft) {
		start, end = uncomposed(f.draft, start), uncomposed(f.draft, end)
	}
	if start < 0 || start >= end || end > len(f.draft) {
		return 0, 0
	}
	return start, end
}

// uncomposed is where the byte of a composed text stands in the text as it was
// typed.
func uncomposed(text string, at int) int {
	var it norm.Iter
	it.InitString(norm.NFC, text)
	for n := 0; !it.Done(); {
		from := it.Pos()
		if n += len(it.Next()); n > at {
			return from
		}
	}
	return len(text)
}
