package guard

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// hints are those of the draft, looked for once.
func (j *judgment) hints() hint {
	if j.hinted&hintKnown == 0 {
		j.hinted = hintsOf(j.draft) | hintKnown
	}
	return j.hinted
}

// hintsOf is the quick look that spares most drafts the reading: what the words
// of a text hint at.
func hintsOf(text string) hint {
	var buf [24]byte
	var seen hint
	for i := 0; i < len(text); {
		n := 0
		start, marked := i, false
		for i < len(text) {
			c := text[i]
			if c < utf8.RuneSelf && (c < 'A' || c > 'Z' && c < 'a' || c > 'z') {
				break
			}
			marked = marked || c >= utf8.RuneSelf
			if c >= 'A' && c <= 'Z' {
				c += 'a' - 'A'
			}
			if n < len(buf) {
				buf[n] = c
				n++
			}
			i++
		}
		switch {
		case i == start:
			i++
		case marked:
			seen |= hints[plain(strings.ToLower(text[start:i]))]
		default:
			if w := string(buf[:n]); hinting.may(w) {
				seen |= hints[w]
			}
		}
	}
	return seen
}

// rarest are the first words of that part of a cue of which the words are
// longest, and so stand in fewer drafts than the others.
func (c *cue) rarest() []string {
	longest := slices.MaxFunc(c.parts, func(a, b [][]matcher) int { return len(a[0][0].plain) - len(b[0][0].plain) })
	var words []string
	for _, seq := range longest {
		words = append(words, seq[0].plain)
	}
	return words
}

// saysDone reports whether something may be said to be done.
func (h hint) saysDone() bool {
	return h&hintDone != 0 || h&(hintMarked|hintMark) == hintMarked|hintMark || h&(hintBare|hintAble) == hintBare|hintAble
}

// hint is what the first word of a form tells about a draft that has it.
type hint uint16

const (
	hintDone   hint = 1 << iota // it may say by itself that something was done
	hintMarked                  // it may where one of hintMark is beside it
	hintMark                    // "đã"
	hintBare                    // it may behind one of hintAble
	hintAble                    // "able to"
	hintTries                   // it may tell of attempts or failures
	hintWhole                   // it may speak for all there is, or for now
	hintMemory                  // it may tell of what the model knows by itself
	hintKnown                   // it was looked for
)

var hinting = filterOf(hints)

// hints are the first words of all forms and what goes with them, without marks.
var hints = func() map[string]hint {
	m := map[string]hint{"able": hintAble, "managed": hintAble}
	for _, list := range []map[string]bool{tryVerbs, tryNouns, failureHints} {
		for w := range list {
			m[plain(w)] |= hintTries
		}
	}
	for _, h := range []struct {
		cues *cueIndex
		hint
	}{{wholes, hintWhole}, {memories, hintMemory}} {
		for _, all := range h.cues.exact {
			for _, c := range all {
				for _, w := range c.rarest() {
					m[w] |= h.hint
				}
			}
		}
	}
	for first, forms := range verbs {
		for _, f := range forms {
			switch {
			case f.bare:
				m[first] |= hintBare
			case f.tongue.marked:
				m[first] |= hintMarked
			default:
				m[first] |= hintDone
			}
		}
	}
	for _, t := range tongues {
		if !t.marked {
			continue
		}
		for w, r := range t.plainRoles {
			if r&perfect != 0 {
				m[w] |= hintMark
			}
		}
		for w := range t.marksLater {
			m[plain(w)] |= hintMark
		}
	}
	return m
}()
