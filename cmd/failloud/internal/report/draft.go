package report

import (
	"slices"
	"strings"

	"github.com/failloud/failloud/internal/redact"
)

// pieces cuts an answer at the places that the notes are about. Of a long one
// only its beginning and what is around the notes is left.
func pieces(c Cleaner, draft string, notes []Note) []Piece {
	read := redact.Cut(draft, maxRead)
	shown := c.Hide(read)
	spans := places(shown, shown == read, notes)
	var all []Piece
	end := 0
	for _, w := range windows(shown, spans) {
		gap := w[0] > end
		cuts := cutsIn(w, spans)
		for i := range cuts[:len(cuts)-1] {
			p := Piece{Text: lines(shown[cuts[i]:cuts[i+1]]), Gap: gap}
			for note, s := range spans {
				if s[0] <= cuts[i] && s[1] >= cuts[i+1] {
					p.Notes = append(p.Notes, note+1)
				}
			}
			all = append(all, p)
			gap = false
		}
		end = w[1]
	}
	if end < len(shown) || len(read) < len(draft) {
		all = append(all, Piece{Gap: true})
	}
	return all
}

// cutsIn are where the pieces of a window begin and the last one ends.
func cutsIn(w [2]int, spans [][2]int) []int {
	cuts := []int{w[0], w[1]}
	for _, s := range spans {
		for _, at := range s {
			if s[1] > s[0] && at > w[0] && at < w[1] {
				cuts = append(cuts, at)
			}
		}
	}
	slices.Sort(cuts)
	return slices.Compact(cuts)
}

// places are the spans of the notes in what is shown of the answer, empty ones
// for those that are about no part of it. Where secrets were hidden the bytes
// have moved, and the words are looked for.
func places(shown string, same bool, notes []Note) [][2]int {
	spans := make([][2]int, len(notes))
	for i := range notes {
		n := &notes[i]
		switch {
		case !n.hasPlaces:
		case same && n.inDraft[1] <= len(shown):
			spans[i] = n.inDraft
		case !same && n.Quote != "":
			if at := strings.Index(shown, n.Quote); at >= 0 {
				spans[i] = [2]int{at, at + len(n.Quote)}
			}
		}
	}
	return spans
}

// windows are the parts of an answer that are shown, in order and apart.
func windows(shown string, spans [][2]int) [][2]int {
	if len(shown) <= maxDraft {
		return [][2]int{{0, len(shown)}}
	}
	all := [][2]int{{0, boundary(shown, maxDraft/4)}}
	for _, s := range spans {
		if s[1] > s[0] && s[1]-s[0] <= maxDraft {
			all = append(all, [2]int{boundary(shown, s[0]-aroundNote), boundary(shown, s[1]+aroundNote)})
		}
	}
	slices.SortFunc(all, func(a, b [2]int) int { return a[0] - b[0] })
	merged := all[:1]
	for _, w := range all[1:] {
		if last := &merged[len(merged)-1]; w[0] <= last[1] {
			last[1] = max(last[1], w[1])
		} else {
			merged = append(merged, w)
		}
	}
	return merged
}

// boundary is the end of a word at or before the byte, within the text.
func boundary(s string, at int) int {
	at = min(max(at, 0), len(s))
	if at == len(s) {
		return at
	}
	return len(redact.Cut(s, at))
}

// lines is s cleaned of everything but its line breaks.
func lines(s string) string {
	var b strings.Builder
	for i, line := range strings.Split(s, "\n") {
		if i > 0 {
			b.WriteByte('\n')
		}
		b.WriteString(escape(strings.TrimSuffix(line, "\r")))
	}
	return b.String()
}
