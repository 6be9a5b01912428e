package transcript

import (
	"strconv"
	"unicode/utf8"
)

// maxProblems bounds the problems of one transcript.
const maxProblems = 32

// Problem reports what is wrong with the transcript. what must quote nothing of
// the input but names of fields and tools and ids, see [quote].
func (b *Builder) Problem(line int, what string) {
	p := Problem{File: b.t.File, Line: line, What: what}
	switch n := len(b.t.Problems); {
	case n < maxProblems:
		b.t.Problems = append(b.t.Problems, p)
	default:
		b.more++
		b.t.Problems[n-1] = Problem{File: b.t.File, What: strconv.Itoa(b.more+1) + " more problems"}
	}
}

// Wrong reports that a field has another type than it should.
func (b *Builder) Wrong(line int, field, want string) {
	b.Problem(line, "the field "+quote(field)+" is not "+want)
}

// maxQuote bounds an id or a name in a problem.
const maxQuote = 64

// quote makes a name or an id fit for a problem: bounded, without control
// characters.
func quote(s string) string {
	if len(s) > maxQuote {
		cut := maxQuote
		for cut > 0 && !utf8.RuneStart(s[cut]) {
			cut--
		}
		s = s[:cut] + "…"
	}
	return strconv.Quote(s)
}
