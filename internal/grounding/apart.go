package grounding

import (
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// shortestApart is how many letters and digits an identifier has that is looked for
// in pieces.
const shortestApart = 8

// apart accepts an identifier that the evidence writes with other separators, which
// is none to be read there: "ZX44710093285" beside "ZX 4471 0093 285".
func (c *checker) apart(i int) bool {
	a := &c.atoms[i]
	name := bare(c.draft[a.Start:a.End])
	if a.Kind != atom.Identifier || len(name) < shortestApart || !strings.ContainsAny(name, "0123456789") {
		return false
	}
	for j := range c.x.sources {
		s := &c.x.sources[j]
		if s.Kind == Argument || !c.search(s.text) {
			continue
		}
		if at, end := piecesOf(s.text, name); at >= 0 {
			c.found(i, place{uint32(j), uint32(at), uint32(end)}, 0, "with other separators")
			return true
		}
	}
	return false
}

// piecesOf finds the letters and digits of a name in a text, with at most one space,
// hyphen, dot or slash between any two of them; start is -1 where they are not there.
func piecesOf(text, name string) (start, end int) {
	for at := range len(text) {
		if lower(text[at]) != name[0] || at > 0 && wordByte(text[at-1]) {
			continue
		}
		n, k := at, 0
		for k < len(name) && n < len(text) {
			switch c := text[n]; {
			case lower(c) == name[k]:
				k++
			case strings.IndexByte(" -./", c) < 0 || strings.IndexByte(" -./", text[n-1]) >= 0:
				k = len(name) + 1
			}
			n++
		}
		if k == len(name) && (n == len(text) || !wordByte(text[n])) {
			return at, n
		}
	}
	return -1, 0
}
