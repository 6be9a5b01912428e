package guard

import (
	"regexp"
	"sort"
	"strings"
)

// trace says where the bytes of a text come from that was made out of another:
// its pieces in order. Nil: they are the bytes of the other, one by one.
type trace []piece

// piece begins at a byte of the new text and ends where the next begins.
type piece struct {
	to, from int
	stands   int // it stands for so many bytes of the other text; 0: it is copied from there
}

func (t trace) at(at int) piece {
	i := sort.Search(len(t), func(i int) bool { return t[i].to > at })
	return t[max(0, i-1)]
}

// span finds where a stretch of the new text was in the other.
func (t trace) span(start, end int) (from, to int) {
	if len(t) == 0 || end <= start {
		return start, end
	}
	first, last := t.at(start), t.at(end-1)
	from, to = first.from, last.from+last.stands
	if first.stands == 0 {
		from += start - first.to
	}
	if last.stands == 0 {
		to += end - last.to
	}
	return from, to
}

// traces lead back through several texts, the last of which was made last.
type traces []trace

func (all traces) span(start, end int) (from, to int) {
	for i := len(all) - 1; i >= 0; i-- {
		start, end = all[i].span(start, end)
	}
	return start, end
}

// and are the traces with one more; one that changes nothing is not needed.
func (all traces) and(t trace) traces {
	if len(t) == 0 {
		return all
	}
	return append(all[:len(all):len(all)], t)
}

// tracer makes a text out of another and keeps its trace.
type tracer struct {
	strings.Builder
	trace trace
}

// take copies a part of the other text that begins at from.
func (t *tracer) take(part string, from int) {
	if part == "" {
		return
	}
	if n := len(t.trace); n == 0 || t.trace[n-1].stands > 0 || t.trace[n-1].from+t.Len()-t.trace[n-1].to != from {
		t.trace = append(t.trace, piece{to: t.Len(), from: from})
	}
	t.WriteString(part)
}

// put writes what stands for a part of the other text.
func (t *tracer) put(instead string, from, stands int) {
	if instead == "" {
		return
	}
	t.trace = append(t.trace, piece{t.Len(), from, max(1, stands)})
	t.WriteString(instead)
}

// rewrite makes a text in which every match of the form is what replace writes
// of it. m are the places of the match and its groups.
func rewrite(text string, form *regexp.Regexp, replace func(t *tracer, m []int)) (string, trace) {
	return rewriteAt(text, form.FindAllStringSubmatchIndex(text, -1), replace)
}

// rewriteAt is [rewrite] for matches that are known.
func rewriteAt(text string, matches [][]int, replace func(t *tracer, m []int)) (string, trace) {
	if len(matches) == 0 {
		return text, nil
	}
	var t tracer
	t.Grow(len(text))
	done := 0
	for _, m := range matches {
		t.take(text[done:m[0]], done)
		replace(&t, m)
		done = m[1]
	}
	t.take(text[done:], done)
	return t.String(), t.trace
}
