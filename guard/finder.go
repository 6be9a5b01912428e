package guard

import (
	"unicode"
	"unicode/utf8"
)

// finder finds words that were read out of a draft in the draft itself, from
// which hidden text and quotations had been taken out. Looked for in order, all
// of them cost one pass.
type finder struct {
	draft string
	words []spot
}

// spot is a word with its bytes in the draft.
type spot struct {
	plain      string
	start, end int
}

func (f *finder) read() {
	if f.words != nil {
		return
	}
	var words []word
	for i := 0; i < len(f.draft); {
		r, size := utf8.DecodeRuneInString(f.draft[i:])
		if !unicode.IsLetter(r) && !unicode.IsDigit(r) && !unicode.Is(unicode.Mn, r) {
			i += size
			continue
		}
		n := wordLength(f.draft[i:])
		words = appendWords(words[:0], f.draft[i:i+n])
		for _, w := range words {
			f.words = append(f.words, spot{w.plain, i, i + n})
		}
		i += n
	}
}

// clause returns the bytes of the clause, 0 and 0 where it is not found as a
// whole. What was found is not found again.
func (f *finder) clause(cl *clause) (start, end int) {
	f.read()
	words := cl.words
	for at := 0; at+len(words) <= len(f.words) && len(words) > 0; at++ {
		n := 0
		for n < len(words) && f.words[at+n].plain == words[n].plain {
			n++
		}
		if n == len(words) {
			return f.words[at].start, f.words[at+n-1].end
		}
	}
	return 0, 0
}
