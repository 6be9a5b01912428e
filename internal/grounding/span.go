package grounding

import (
	"fmt"
	"strconv"
	"strings"

	"github.com/failloud/failloud/internal/atom"
)

// mostOfSpan is how many things a row of numbered ones has at most.
const mostOfSpan = 64

// span accepts a row of numbered things that is written by its ends, "NS1-NS7.ex.org"
// and "INV-2210–2215": the evidence has both ends and most of what lies between.
// Two that stand far apart are no row.
func (c *checker) span(i int) bool {
	a := &c.atoms[i]
	text := c.draft[a.Start:a.End]
	if a.Kind != atom.Identifier {
		return false
	}
	for at, r := range text {
		if r != '-' && r != '–' {
			continue
		}
		first, second := text[:at], text[at+len(string(r)):]
		if p, ok := c.ofRow(first, second); ok {
			c.found(i, p, 0, "the ends of a row of them")
			return true
		}
	}
	return false
}

// ofRow looks up what lies between two ends, of which the second may leave out what
// it begins with, and the first what it ends with.
func (c *checker) ofRow(first, second string) (last place, ok bool) {
	name, from, width, rest := numbered(first)
	short, to, _, tail := numbered(second)
	if name == "" || from < 0 || to <= from || to-from >= mostOfSpan || short != "" && !strings.EqualFold(short, name) || rest != "" && rest != tail {
		return place{}, false
	}
	missing := 0
	for n := from; n <= to; n++ {
		p, held := c.named(fmt.Sprintf("%s%0*d%s", name, width, n, tail))
		if held {
			last = p
		} else if missing++; n == from || n == to || 2*missing > to-from {
			return place{}, false
		}
	}
	return last, true
}

// numbered takes "NS07.ex.org" apart: what stands before its first number, which is
// -1 where there is none, how many digits that has, and what stands behind.
func numbered(s string) (name string, n, width int, tail string) {
	const digits, most = "0123456789", 9
	at := strings.IndexAny(s, digits)
	if at < 0 {
		return s, -1, 0, ""
	}
	tail = strings.TrimLeft(s[at:], digits)
	written := s[at : len(s)-len(tail)]
	n, err := strconv.Atoi(written)
	if err != nil || len(written) > most {
		return s, -1, 0, ""
	}
	return s[:at], n, len(written), tail
}

// named is where the evidence has an identifier or an address.
func (c *checker) named(s string) (at place, ok bool) {
	atom.Scan(s, atom.Prose, func(a *atom.Atom) bool {
		if j, known := c.x.byHash[a.Hash]; known && a.Hash != 0 && a.Start == 0 && a.End == len(s) && !c.x.heard(c.x.names[j].src) {
			at, ok = c.x.names[j].place(), true
		}
		return false
	})
	return at, ok
}
